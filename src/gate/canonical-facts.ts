import { compareCodePoints, sortedUnique } from '../domain/text/order.ts';
import type { Facts, FileChange, SecretFacts, Snapshot } from './facts.ts';

/**
 * The same facts with every list sorted whose order means nothing, so that a report does not depend on the order in
 * which a platform answered. Commits keep their order: parents before children.
 */
export function canonicalFacts(facts: Facts): Facts {
  return {
    ...facts,
    named_runs: sortedUnique(facts.named_runs),
    commits: facts.commits.map((commit) => ({
      ...commit,
      ledger_changes: sorted(commit.ledger_changes, ({ path }) => path),
    })),
    files: sorted(facts.files, ({ path }) => path),
    base: canonicalSnapshot(facts.base),
    head: canonicalSnapshot(facts.head),
    workflow_runs: sorted(
      facts.workflow_runs,
      ({ path, id, attempt }) => `${path}\0${number(id)}\0${number(attempt)}`,
    ).map((run) => ({ ...run, jobs: sorted(run.jobs, ({ name, id }) => `${name}\0${number(id)}`) })),
    reviews: sorted(facts.reviews, ({ id }) => number(id)),
    decisions: sorted(facts.decisions, ({ at, source }) => `${number(Date.parse(at))}\0${source}`),
    people: sorted(facts.people, ({ id }) => number(id)).map((person) => ({
      ...person,
      teams: sortedUnique(person.teams),
    })),
    unread: sorted(facts.unread, ({ what }) => what),
    ...(facts.secrets === undefined
      ? {}
      : { secrets: { ...facts.secrets, findings: sorted(facts.secrets.findings, ({ place }) => placeKey(place)) } }),
  };
}

function canonicalSnapshot(snapshot: Snapshot): Snapshot {
  return { covers: sortedUnique(snapshot.covers), entries: sorted(snapshot.entries, ({ path }) => path) };
}

// Equal keys are rare; only they are told apart by everything else.
function sorted<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort(
      (a, b) => compareCodePoints(a.key, b.key) || compareCodePoints(JSON.stringify(a.item), JSON.stringify(b.item)),
    )
    .map(({ item }) => item);
}

function placeKey(place: SecretFacts['findings'][number]['place']): string {
  const line = 'line' in place ? number(place.line ?? 0) : '';
  switch (place.at) {
    case 'file':
      return `file\0${place.path}\0${line}\0${number(place.column ?? 0)}`;
    case 'commit':
      return `commit\0${place.sha}\0${place.part}\0${line}`;
    case 'pull-request':
      return `pull-request\0${place.part}\0${line}`;
    case 'run':
      return `run\0${place.runId}`;
    case 'repository':
      return 'repository';
  }
}

function number(value: number): string {
  return String(value).padStart(17, '0');
}

/**
 * Whether no checkout could hold a path: empty, absolute, or with segments that are empty, `.` or `..`. Nothing can
 * be said about a change of such a file, since its name means another file to whoever puts it together.
 */
export function isImpossiblePath(path: string): boolean {
  return path.includes('\0') || path.split('/').some((segment) => ['', '.', '..'].includes(segment));
}

/** The changed files that can be judged, and the names of those that cannot. */
export function judgeableFiles(files: readonly FileChange[]): { files: FileChange[]; impossible: string[] } {
  const names = ({ path, old_path }: FileChange): string[] => (old_path === undefined ? [path] : [old_path, path]);
  return {
    files: files.filter((file) => !names(file).some(isImpossiblePath)),
    impossible: files.flatMap((file) => names(file).filter(isImpossiblePath)),
  };
}

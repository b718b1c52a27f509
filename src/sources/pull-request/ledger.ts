import { EVALS } from '../../domain/evaluation/report-store.ts';
import { EVIDENCE } from '../../domain/evidence/record.ts';
import { RUNS } from '../../domain/contracts/run-record.ts';
import type { LedgerChange } from '../../gate/facts.ts';
import { runGit } from '../git.ts';
import type { GitRepository } from '../git.ts';
import type { ObjectReader } from '../git-objects.ts';
import { textOfBytes } from '../git-tree.ts';
import type { Unread } from '../snapshot/snapshot.ts';
import { parseRawDiff } from './raw-diff.ts';
import type { RawChange } from './raw-diff.ts';

/** Bytes of a run record whose texts before and after are given; one is under 400. */
const MAX_RUN_RECORD = 64 * 1024;

const RUN_RECORD = new RegExp(`^${RUNS.replace('.', '\\.')}/[^/]+/run\\.json$`);

export interface LedgerChanges {
  /** By commit; a commit that changes nothing there is left out. */
  readonly byCommit: ReadonlyMap<string, readonly LedgerChange[]>;
  readonly unread: readonly Unread[];
}

/** A commit, as far as it matters here. */
export interface LedgerCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  /** Its parents are not there: all that it has is taken for its change. */
  readonly cut: boolean;
}

/** A commit compared with one of its parents, or with nothing. */
export interface Comparison {
  readonly commit: LedgerCommit;
  readonly parent: string | undefined;
  readonly changes: readonly RawChange[];
}

/** Where the ledger lies. */
export const LEDGER = [RUNS, EVIDENCE, EVALS] as const;

/** What each commit changes below runs, evidence and evals, by one git process. */
export async function ledgerChanges(
  repository: GitRepository,
  objects: ObjectReader,
  commits: readonly LedgerCommit[],
): Promise<LedgerChanges> {
  const { comparisons, unread } = await compare(repository, commits);
  return { byCommit: await comparedChanges(objects, commits, comparisons), unread };
}

/** The comparisons to make: each commit with each of its parents, in this order. */
export function ledgerComparisons(commits: readonly LedgerCommit[]): Omit<Comparison, 'changes'>[] {
  return commits.flatMap((commit): Omit<Comparison, 'changes'>[] =>
    commit.parents.length === 0 || commit.cut
      ? [{ commit, parent: undefined }]
      : commit.parents.map((parent) => ({ commit, parent })),
  );
}

/**
 * What each commit changes of the ledger, by how it differs from its parents. Renames are not looked for: a record that
 * moves away is deleted where it stood.
 *
 * A merge is compared with every parent. It is said to change what differs from all of them, and also what it
 * takes back of the branch's own ledger: a record that one side added and the merge leaves out differs from that
 * side only, and could otherwise be written anew afterwards. What the merge takes from the base in place of files
 * that the branch never touched is no change of its own.
 */
export async function comparedChanges(
  objects: ObjectReader,
  commits: readonly LedgerCommit[],
  comparisons: readonly Comparison[],
): Promise<LedgerChanges['byCommit']> {
  const own = new Set(commits.map(({ sha }) => sha));
  const byCommit = new Map<string, RawChange[]>();
  const byMerge = new Map<LedgerCommit, Comparison[]>();
  const touched = new Set<string>();
  for (const comparison of comparisons) {
    const { commit, changes } = comparison;
    if (commit.parents.length > 1 && !commit.cut) {
      byMerge.set(commit, [...(byMerge.get(commit) ?? []), comparison]);
    } else if (changes.length > 0) {
      byCommit.set(commit.sha, [...changes]);
      for (const { path } of changes) touched.add(path);
    }
  }
  const everywhere = new Map([...byMerge].map(([commit, all]) => [commit, changedFromAll(all)]));
  for (const paths of everywhere.values()) for (const path of paths) touched.add(path);
  for (const [commit, all] of byMerge) {
    const fromAll = everywhere.get(commit) ?? new Set();
    const changes = all.flatMap(({ parent, changes: list }) =>
      list.filter(
        ({ path, status }) =>
          fromAll.has(path) || (status !== 'added' && touched.has(path) && parent !== undefined && own.has(parent)),
      ),
    );
    if (changes.length > 0) byCommit.set(commit.sha, distinct(changes));
  }
  const texts = await runRecords(objects, [...byCommit.values()].flat());
  return new Map([...byCommit].map(([sha, changes]) => [sha, changes.map((one) => ledgerChange(one, texts))]));
}

async function compare(
  repository: GitRepository,
  commits: readonly LedgerCommit[],
): Promise<{ comparisons: Comparison[]; unread: Unread[] }> {
  const asked = ledgerComparisons(commits);
  if (asked.length === 0) return { comparisons: [], unread: [] };
  // A commit, and what to take for its parent, a line; each is answered under a header, also where nothing differs.
  const input = asked
    .map(({ commit, parent }) => `${commit.sha}${parent === undefined ? '' : ` ${parent}`}\n`)
    .join('');
  const options = ['--stdin', '--always', '--root', '-r', '-z', '--raw', '--no-abbrev', '--no-renames'];
  const args = ['diff-tree', ...options, '--no-ext-diff', '--no-textconv', '--ignore-submodules=none', '--'];
  const answer = await runGit(repository, [...args, ...LEDGER], { input });
  const blocks = parseRawDiff(answer.stdout);
  const fits = blocks.length === asked.length && blocks.every(({ header }, at) => header === asked[at]?.commit.sha);
  if (!fits) throw new TypeError('git diff-tree answered other comparisons than those asked for');
  return {
    comparisons: asked.map((one, at) => ({ ...one, changes: blocks[at]?.changes ?? [] })),
    unread: blocks.flatMap(({ header, unnamed }) =>
      unnamed.map((path) => ({ what: `${path} in commit ${header ?? ''}`, why: 'its path is not valid UTF-8' })),
    ),
  };
}

function changedFromAll(comparisons: readonly Comparison[]): ReadonlySet<string> {
  const [first, ...others] = comparisons.map(({ changes }) => new Set(changes.map(({ path }) => path)));
  return new Set([...(first ?? [])].filter((path) => others.every((paths) => paths.has(path))));
}

function distinct(changes: readonly RawChange[]): RawChange[] {
  return [...new Map(changes.map((one) => [`${one.status} ${one.oldOid} ${one.path}`, one])).values()];
}

/** Texts of run records by object id; each is read and kept once, however many commits it stands in. */
async function runRecords(objects: ObjectReader, changes: readonly RawChange[]): Promise<ReadonlyMap<string, string>> {
  const ids = new Set(changes.filter(movesRecord).flatMap(({ oid, oldOid }) => [oldOid, oid]));
  const texts = new Map<string, string>();
  await Promise.all(
    [...ids].map(async (id) => {
      const bytes = (await objects.read(id, MAX_RUN_RECORD))?.bytes;
      const text = bytes === undefined ? undefined : textOfBytes(bytes);
      if (text !== undefined) texts.set(id, text);
    }),
  );
  return texts;
}

// Only a file that stays a file can move forward.
function movesRecord({ status, path }: RawChange): boolean {
  return status === 'modified' && RUN_RECORD.test(path);
}

function ledgerChange(change: RawChange, texts: ReadonlyMap<string, string>): LedgerChange {
  const { status, path } = change;
  if (!movesRecord(change)) return { status, path };
  const [before, after] = [texts.get(change.oldOid), texts.get(change.oid)];
  return {
    status,
    path,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

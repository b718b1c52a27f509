import { Refusal } from '../domain/errors.ts';
import { decide } from '../gate/decide.ts';
import type { CommitFacts, Facts } from '../gate/facts.ts';
import { sealReport } from '../gate/report.ts';
import type { GateReport } from '../gate/report.ts';
import type { Judged } from './judged.ts';
import { queuedPulls } from './queue.ts';
import type { MergeGroup } from './queue.ts';
import type { OpenPull } from './pulls.ts';

export interface MergeGroupTools {
  /** All open pull requests into the group's base. */
  readonly open: readonly OpenPull[];
  /** What the group brings, from its base to its head. */
  readonly collect: () => Promise<Facts>;
  /** Judges a pull request at the head that is queued. @throws Refusal CS1705 where it has another one */
  readonly judge: (pull: OpenPull) => Promise<readonly Judged[]>;
}

/**
 * Judges a merge group: each queued pull request again, at the head that is queued, and what the queue itself made.
 * @throws Refusal CS1704 where the group has nothing to judge, or something that no queued pull request explains;
 * CS1705 where a head moved; CS16xx
 */
export async function judgeMergeGroup(
  group: MergeGroup,
  { open, collect, judge }: MergeGroupTools,
): Promise<readonly [Judged, ...Judged[]]> {
  const range = await collect();
  if (range.commits.length === 0) throw new Refusal('CS1704', 'The merge group has no commits of its own.');
  const judged: Judged[] = [];
  const { pulls, rebased } = queuedPulls(group, range.commits, open);
  for (const pull of pulls) judged.push(...(await judge(pull)));
  expectRebased(rebased, judged);
  const made = madeByQueue(range, judged);
  return [{ facts: made, report: decide(made) }, ...judged];
}

/**
 * A rebase keeps message and author of each commit. One that no queued pull request has is of another one, which was
 * not judged.
 */
function expectRebased(commits: readonly CommitFacts[], judged: readonly Judged[]): void {
  const identity = ({ message, author }: CommitFacts): string => JSON.stringify([message.trimEnd(), author.email]);
  const known = new Set(judged.flatMap(({ facts }) => facts.commits.map(identity)));
  const strange = commits.find((commit) => !known.has(identity(commit)));
  if (strange === undefined) return;
  throw new Refusal('CS1704', `Commit ${strange.sha.slice(0, 12)} of the merge group is of no queued pull request.`);
}

/**
 * What the queue made of its pull requests, as facts: only commits that none of them has, whose messages are judged.
 * Files are the pull requests' own; one that none of them changes cannot come from them.
 */
function madeByQueue(range: Facts, judged: readonly Judged[]): Facts {
  const known = new Set(judged.flatMap(({ facts }) => facts.commits.map(({ sha }) => sha)));
  const commits = range.commits.filter(({ sha }) => !known.has(sha));
  const explained = new Set(
    judged.flatMap(({ facts }) => facts.files.flatMap(({ path, old_path }) => [path, old_path ?? path])),
  );
  const strange = range.files.filter(({ path }) => !explained.has(path)).map(({ path }) => path);
  // What people allowed of secrets they allowed in the pull requests, where these are judged.
  const { secrets: _, ...rest } = range;
  return {
    ...rest,
    subject: { ...range.subject, kind: 'range', commit_count: commits.length },
    commits,
    unread: [
      ...range.unread,
      ...strange.slice(0, 20).map((path) => ({ what: path, why: 'no queued pull request changes it' })),
    ],
  };
}

/** A verdict as it stands on the commit of the group: it was made of a pull request's own head. */
export function onGroup({ report }: Judged, group: MergeGroup): GateReport {
  const { report_digest: _, ...body } = report;
  const { number, head_sha: head } = report.subject;
  const of = number === null ? [] : [`Of pull request ${number} at ${head ?? 'no head'}, as it is queued.`];
  return sealReport({
    ...body,
    subject: {
      ...{ kind: report.subject.kind, repository: report.subject.repository, number: null },
      ...{ base_ref: group.baseRef, base_sha: group.baseSha, head_ref: group.headRef, head_sha: group.headSha },
      merge_base: group.baseSha,
    },
    notes: [...body.notes, ...of],
  });
}

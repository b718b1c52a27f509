import { Refusal } from '../domain/errors.ts';
import { decide } from '../gate/decide.ts';
import type { Facts } from '../gate/facts.ts';
import { sealReport } from '../gate/report.ts';
import type { GateReport } from '../gate/report.ts';
import { version } from '../domain/version.ts';
import { collectRange } from '../sources/pull-request/github.ts';
import { callerOf } from './caller.ts';
import type { Target } from './events.ts';
import { judgePulls } from './judge-pulls.ts';
import type { JudgedPull } from './judge-pulls.ts';
import type { Judged } from './judged.ts';
import { queuedPulls } from './queue.ts';
import type { OpenPull } from './pulls.ts';
import type { Session } from './session.ts';

type Group = Extract<Target, { readonly kind: 'merge-group' }>;

/**
 * Judges a merge group: each queued pull request again, at the head that is queued, and what the queue itself made.
 * @param open all open pull requests into its base
 * @throws Refusal CS1704 where the group has nothing to judge, or something that no queued pull request explains;
 * CS1705 where a head moved; CS16xx
 */
export async function judgeMergeGroup(
  session: Session,
  group: Group,
  open: readonly OpenPull[],
  workflowSha: string | undefined,
): Promise<readonly [Judged, ...Judged[]]> {
  const { api, repository, now } = session;
  const range = await collectRange({
    ...{ api, repository, base: group.baseSha, head: group.headSha, ref: group.headRef },
    ...{ now, engine: version(), caller: callerOf(session) },
  });
  if (range.commits.length === 0) throw new Refusal('CS1704', 'The merge group has no commits of its own.');
  const queued = queuedPulls(group, range.commits, open);
  const judged: JudgedPull[] = [];
  for (const pull of queued) judged.push(...(await judgePulls(session, [pull], workflowSha)));
  const made = madeByQueue(range, judged);
  return [{ facts: made, report: decide(made) }, ...judged];
}

/**
 * What the queue made of its pull requests, as facts: only commits that none of them has, whose messages are judged.
 * Files are the pull requests' own; one that none of them changes cannot come from them.
 */
function madeByQueue(range: Facts, judged: readonly JudgedPull[]): Facts {
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
export function onGroup({ report }: Judged, group: Group): GateReport {
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

import { Refusal } from '../../domain/errors.ts';
import type { GitHubApi, RepositoryName } from '../../github/api.ts';
import { cancelCheckRuns } from '../../publish/check-cancel.ts';
import { PART_CHECKS, partCheckName, VERDICT_CHECK } from '../../render/part-check.ts';
import { openPullsAt } from '../deliveries/pulls.ts';
import type { ClaimedEvaluation } from '../store/queues.ts';
import type { Store } from '../store/store.ts';

/** The check runs of one commit: all of one pull request's whose base has this suffix. */
export interface JudgedHead {
  readonly sha: string;
  /** What their names end with. */
  readonly suffix: string;
}

export interface JudgedHeadTools {
  readonly store: Pick<Store, 'beginPublication' | 'finishPublication' | 'forgetPublication' | 'pendingPublications'>;
  readonly now: () => number;
}

/** Kind of the bookkeeping's rows: begun with the check runs in progress, done once they are concluded. */
const KIND = 'judged-head';

export const checkNames = (suffix: string): string[] =>
  [VERDICT_CHECK, ...PART_CHECKS.map(partCheckName)].map((name) => name + suffix);

const targetOf = ({ sha, suffix }: JudgedHead): string => `${sha}${suffix}`;

function headOf(target: string): JudgedHead {
  const sha = /^[0-9a-f]*/.exec(target)?.[0] ?? '';
  return { sha, suffix: target.slice(sha.length) };
}

/**
 * Notes that check runs are about to stand in progress on a head, so that whoever judges the pull request next knows of
 * them, after a crash too.
 * @throws Refusal CS1804 where another worker has taken over; CS181x
 */
export async function noteHead(
  { lease }: ClaimedEvaluation,
  head: JudgedHead,
  evaluationId: string,
  { store, now }: JudgedHeadTools,
): Promise<void> {
  // Each evaluation anew: one that ended well may be followed by one that waits.
  const asked = { lease, now: now(), kind: KIND, target: targetOf(head), evaluationId, digest: evaluationId };
  if ((await store.beginPublication(asked)).is === 'lost') {
    throw new Refusal('CS1804', 'The evaluation is carried out by another worker by now.');
  }
}

/** Notes that they are concluded: nothing is left to be ended. @throws Refusal CS181x */
export async function noteConcluded(
  { lease }: ClaimedEvaluation,
  head: JudgedHead,
  { store, now }: JudgedHeadTools,
): Promise<void> {
  await store.finishPublication({ lease, now: now(), kind: KIND, target: targetOf(head), remoteId: head.sha });
}

/** Whether check runs of a pull request stand in progress somewhere, as far as is known. @throws Refusal CS181x */
export async function isWaiting(store: Pick<Store, 'pendingPublications'>, key: string): Promise<boolean> {
  return (await store.pendingPublications(key)).some(({ kind }) => kind === KIND);
}

/**
 * Ends the check runs that an evaluation left in progress and that nobody is going to conclude: a push overtook it, or
 * the pull request was closed. Left alone where another open pull request has that head. Costs no call where there are
 * none.
 * @param stays where the verdict stands now; nowhere where the pull request is closed
 * @throws Refusal CS16xx, CS181x
 */
export async function endWaiting(
  claim: ClaimedEvaluation,
  stays: JudgedHead | undefined,
  place: { readonly api: GitHubApi; readonly repository: RepositoryName; readonly appId: number },
  { store, now }: JudgedHeadTools,
): Promise<void> {
  for (const { kind, target } of await store.pendingPublications(claim.key)) {
    if (kind !== KIND || (stays !== undefined && target === targetOf(stays))) continue;
    const { sha, suffix } = headOf(target);
    const others = await openPullsAt(place.api, place.repository, sha);
    if (others.every(({ number }) => number === claim.number))
      await cancelCheckRuns({ ...place, sha, names: checkNames(suffix), ...endedText(claim.number, stays) });
    await store.forgetPublication({ lease: claim.lease, now: now(), kind: KIND, target });
  }
}

function endedText(
  number: number,
  stays: JudgedHead | undefined,
): { readonly title: string; readonly summary: string } {
  return stays === undefined
    ? {
        title: 'Closed before the verdict',
        summary: `Not judged to the end here: pull request #${number} was closed. Opened again, it is judged anew.`,
      }
    : {
        title: 'Overtaken by a newer push',
        summary: `Not judged to the end here. The verdict stands on ${stays.sha}, the head of pull request #${number}.`,
      };
}

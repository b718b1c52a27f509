import type { Config } from '../../config/schema.ts';
import { Refusal } from '../../domain/errors.ts';
import type { GateReport } from '../../gate/report.ts';
import type { Publication } from '../../publish/publish.ts';
import { VERDICT_CHECK } from '../../render/part-check.ts';
import type { ClaimedEvaluation, EvaluationResult } from '../store/queues.ts';
import type { Store } from '../store/store.ts';

/** What is kept of a verdict. @param config by which it was made */
export function resultOf(
  { outcome, word, report_digest: reportDigest, needs }: GateReport,
  { evidence }: Config,
): Pick<EvaluationResult, 'outcome' | 'word' | 'reportDigest' | 'awaits'> {
  const waits = needs.some((need) => need.outcome === 'pending' && need.who === 'platform');
  const jobs = evidence.tests.workflows.flatMap((one) => (one.jobs.length === 0 ? ['*'] : one.jobs));
  return { outcome, word: word ?? undefined, reportDigest, awaits: waits ? [...new Set(jobs)] : [] };
}

/** What is kept of what was published, filled in later. @param parts ids of the other check runs by name */
export function idsOf(
  { results }: Publication,
  parts: Readonly<Record<string, number>>,
): Pick<EvaluationResult, 'checkIds' | 'commentId'> {
  const idOf = (surface: string): number | undefined => {
    const one = results.find((result) => result.surface === surface);
    return one?.result === 'done' || one?.result === 'unchanged' ? one.what.id : undefined;
  };
  const check = idOf('check');
  const comment = idOf('comment');
  return {
    checkIds: { ...(check === undefined ? {} : { [VERDICT_CHECK]: check }), ...parts },
    ...(comment === undefined ? {} : { commentId: comment }),
  };
}

/** Keeps a result. @throws Refusal CS1804 where another worker has taken over; CS181x */
export async function recorded(
  store: Pick<Store, 'recordEvaluation'>,
  { lease }: ClaimedEvaluation,
  result: EvaluationResult,
  now: () => number,
): Promise<void> {
  if ((await store.recordEvaluation({ lease, now: now(), result })) === 'lost')
    throw new Refusal('CS1804', 'The evaluation is carried out by another worker by now.');
}

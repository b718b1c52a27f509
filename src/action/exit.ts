import { failingOutcomes } from '../gate/caller.ts';
import { CONSEQUENCES } from '../gate/outcome.ts';
import type { Judged } from '../judge/judged.ts';
import { worstOf } from '../judge/worst.ts';

/**
 * The exit code of the job: of the worst verdict, 0 where its mode lets everything pass or `fail-on` lets its outcome
 * pass, which the verdict then says.
 */
export function jobExit(judged: readonly Judged[]): 0 | 1 | 4 | 5 {
  const failing = judged.filter(
    ({ facts, report }) =>
      report.mode === 'enforce' && failingOutcomes(facts).some((outcome) => outcome === report.outcome),
  );
  const worst = worstOf(failing);
  return worst === undefined ? 0 : CONSEQUENCES[worst.report.outcome].exit;
}

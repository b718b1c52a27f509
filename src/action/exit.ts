import { failingOutcomes } from '../gate/caller.ts';
import { CONSEQUENCES, OUTCOMES } from '../gate/outcome.ts';
import type { Judged } from './judged.ts';

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

/**
 * The worst of several verdicts about one commit; of equal ones the first. A mode that lets everything pass is no
 * excuse for the others: what is enforced comes first.
 */
export function worstOf(judged: readonly Judged[]): Judged | undefined {
  const rank = ({ report: { mode, outcome } }: Judged): number => {
    const enforced = mode === 'enforce' && CONSEQUENCES[outcome].check !== 'success';
    return (enforced ? OUTCOMES.length : 0) + OUTCOMES.indexOf(outcome);
  };
  return judged.reduce<Judged | undefined>(
    (worst, one) => (worst === undefined || rank(one) > rank(worst) ? one : worst),
    undefined,
  );
}

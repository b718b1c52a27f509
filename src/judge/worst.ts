import { CONSEQUENCES, OUTCOMES } from '../gate/outcome.ts';
import type { Judged } from './judged.ts';

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

import { decide } from '../../src/gate/decide.ts';
import { factsOf } from '../../test/support/facts.ts';
import { governedProject } from '../../test/support/governed.ts';
import { median } from './process.ts';

/** Calls before the ones that are timed: a server decides with code that is warm. */
const WARM = 50;
const TIMED = 101;

/** Milliseconds that `decide` takes on a typical pull request: one run, one commit, a test job; the median. */
export function decideMilliseconds(): number {
  const governed = governedProject();
  const facts = factsOf(governed);
  governed.remove();
  const times = Array.from({ length: WARM + TIMED }, () => {
    const started = process.hrtime.bigint();
    decide(facts);
    return Number(process.hrtime.bigint() - started) / 1e6;
  });
  return median(times.slice(WARM));
}

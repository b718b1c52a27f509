import fc from 'fast-check';
import { SEED } from '../../support/random.ts';

/** A law that holds for every input of a kind, run for a number of inputs that a seed determines. */
export interface Property {
  readonly name: string;
  /** Throws, with the smallest input found and its seed, where the law does not hold. */
  readonly check: (runs: number) => void;
  /** How many times fewer inputs than others, for a law whose inputs take long. */
  readonly weight?: number;
}

/** A law of values that fast-check makes. */
export function law<T>(name: string, values: fc.Arbitrary<T>, holds: (value: T) => void): Property {
  const check = (runs: number): void => {
    fc.assert(fc.property(values, holds), { numRuns: runs, seed: SEED });
  };
  return { name, check };
}

/** Throws where two values differ. */
export function same(got: unknown, expected: unknown, what: string): void {
  if (!Object.is(got, expected)) throw new Error(`${what}: got ${String(got)}, expected ${String(expected)}`);
}

/** Throws where a condition does not hold. */
export function holds(condition: boolean, what: string): void {
  if (!condition) throw new Error(what);
}

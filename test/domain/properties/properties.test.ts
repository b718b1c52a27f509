import { describe, it } from '@jest/globals';
import { SEED } from '../../support/random.ts';
import { EVALUATION_LAWS } from './evaluation.ts';
import { FUZZ_LAWS } from './fuzz.ts';
import { JSON_LAWS } from './json.ts';
import { LEDGER_LAWS } from './ledger.ts';

/** Inputs of each law; `npm run soak` takes many more. */
const RUNS = 300;

describe(`laws (seed ${SEED})`, () => {
  it.each([...JSON_LAWS, ...LEDGER_LAWS, ...EVALUATION_LAWS, ...FUZZ_LAWS])('$name', ({ check, weight = 1 }) => {
    check(Math.ceil(RUNS / weight));
  });
});

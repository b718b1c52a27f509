import { describe, expect, it } from '@jest/globals';
import { readTestCounts } from '../../src/process/test-counts.ts';

/** What the runners print at their end, and what it says: runner, passed, failed, skipped. */
const PRINTED: readonly (readonly [string, string, number, number, number])[] = [
  [
    'Tests:       1 failed, 2 skipped, 3 todo, 12 passed, 18 total\nSnapshots:   0 total\nTime:        1.2 s',
    'jest',
    12,
    1,
    5,
  ],
  ['Tests:       7 passed, 7 total', 'jest', 7, 0, 0],
  ['\u001b[1mTests:       \u001b[22m\u001b[1m\u001b[32m7 passed\u001b[39m\u001b[22m, 7 total', 'jest', 7, 0, 0],
  ['Tests:       7 passed, 7 total\r\nTests:       1 failed, 8 total\r', 'jest', 0, 1, 0],
  [
    ' Test Files  1 failed (1)\n      Tests  1 failed | 12 passed | 2 skipped (15)\n   Duration  1s',
    'vitest',
    12,
    1,
    2,
  ],
  ['      Tests  3 passed (3)', 'vitest', 3, 0, 0],
  ['===== 2 failed, 12 passed, 1 skipped, 1 xfailed, 1 error, 4 warnings in 0.12s =====', 'pytest', 12, 3, 2],
  ['12 passed in 0.12s', 'pytest', 12, 0, 0],
  ['=== 5 passed in 75.02s (0:01:15) ===', 'pytest', 5, 0, 0],
  ['no tests ran in 0.01s', 'pytest', 0, 0, 0],
  [
    '\u2139 tests 5\n\u2139 suites 1\n\u2139 pass 2\n\u2139 fail 1\n\u2139 cancelled 1\n\u2139 skipped 1\n\u2139 todo 0\n\u2139 duration_ms 5',
    'node:test',
    2,
    2,
    1,
  ],
  [
    'ok 1 - a\n1..1\n# tests 1\n# suites 0\n# pass 1\n# fail 0\n# cancelled 0\n# skipped 0\n# todo 0',
    'node:test',
    1,
    0,
    0,
  ],
  ['Ran 5 tests in 0.001s\n\nFAILED (failures=1, errors=1, skipped=1)', 'unittest', 2, 2, 1],
  ['Ran 1 test in 0.001s\n\nOK', 'unittest', 1, 0, 0],
  ['  12 passing (30ms)\n  2 pending\n  1 failing\n\n  1) a', 'mocha', 12, 1, 2],
  [
    'test result: ok. 5 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out\n\ntest result: FAILED. 1 passed; 1 failed; 0 ignored; 0 measured',
    'cargo test',
    6,
    1,
    1,
  ],
  [
    '--- PASS: TestA (0.00s)\n    --- PASS: TestA/b (0.00s)\n--- FAIL: TestC (0.00s)\n--- SKIP: TestD\nFAIL\nFAIL\tx/y\t0.1s',
    'go test',
    2,
    1,
    1,
  ],
  ['ok  \tx/y\t0.1s\n?   \tx/z\t[no test files]\nFAIL\tx/w\t0.2s\nFAIL', 'go test (packages)', 1, 1, 0],
  ['1..4\nok 1 - a\nnot ok 2 - b\n    ok 1 - inner\nok 3 - c # SKIP\nnot ok 4 - d # TODO later', 'TAP', 1, 1, 2],
];

const SILENT = [
  '',
  'all fine',
  'Tests: none',
  'I passed 3 tests',
  'ok then',
  '12 apples in 0.1s',
  'ok 1 - without a plan',
];

describe('counts of tests', () => {
  it.each(PRINTED)('%j is %s: %i passed, %i failed, %i skipped', (text, runner, passed, failed, skipped) => {
    expect(readTestCounts(`some line\n${text}\n`, true)).toEqual({ runner, passed, failed, skipped });
  });

  it.each(SILENT.map((text) => [text]))('cannot be told of %j', (text) => {
    expect(readTestCounts(text, true)).toBeUndefined();
  });

  it('are not made of lines where lines were left out', () => {
    expect(readTestCounts('--- PASS: TestA (0.00s)', false)).toBeUndefined();
    expect(readTestCounts('Tests:       7 passed, 7 total', false)?.passed).toBe(7);
  });

  it('are looked for at the end', () => {
    expect(readTestCounts(`7 passed in 0.1s\n${'noise\n'.repeat(1000)}`, true)).toBeUndefined();
  });

  it.each([
    '1 a, '.repeat(50_000),
    '='.repeat(100_000),
    '1 passed, '.repeat(40) + '!',
    ' '.repeat(100_000),
    '\u001b['.repeat(50_000),
  ])('take no longer for hostile lines', (line) => {
    expect(readTestCounts(`${line}\n`.repeat(20), true)).toBeUndefined();
  });
});

// A Jest reporter that writes how many tests passed and failed to build/test-counts.json.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILE = join(dirname(fileURLToPath(import.meta.url)), '..', 'build', 'test-counts.json');

/**
 * Tests that failed, and files of tests that could not be run.
 *
 * @param {Pick<import('@jest/test-result').AggregatedResult, 'numPassedTests' | 'numFailedTests' |
 *   'numRuntimeErrorTestSuites'>} results
 */
export function countsOf({ numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
  return { passed: numPassedTests, failed: numFailedTests + numRuntimeErrorTestSuites };
}

export default class CountsReporter {
  /** @param {Set<unknown>} _contexts @param {import('@jest/test-result').AggregatedResult} results */
  onRunComplete(_contexts, results) {
    mkdirSync(dirname(FILE), { recursive: true });
    writeFileSync(FILE, `${JSON.stringify(countsOf(results))}\n`);
  }
}

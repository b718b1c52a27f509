// Runs case files against the real programs:
//   npm run --silent cases -- FILE…
// A row for each case that differs, then `N passed, M failed, K skipped`. Exit code 1 for any failure, 2 for a file
// that cannot be used.
import { readCases, UnusableFile } from './cases/case.ts';
import type { Case } from './cases/case.ts';
import { runCases } from './cases/run.ts';
import { visible } from '../src/domain/text/visible.ts';

/** Characters of a difference that are shown. */
const SHOWN = 1500;

process.exitCode = await main(process.argv.slice(2));

async function main(files: readonly string[]): Promise<number> {
  if (files.length === 0) {
    console.error('usage: npm run --silent cases -- FILE…');
    return 2;
  }
  const cases: Case[] = [];
  try {
    for (const file of files) cases.push(...readCases(file));
  } catch (thrown) {
    if (!(thrown instanceof UnusableFile)) throw thrown;
    console.error(visible(thrown.message));
    return 2;
  }
  const results = await runCases(cases, progress);
  if (process.stderr.isTTY) process.stderr.write('\r\u001b[2K');
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const result of results) {
    counts[result.state] += 1;
    if (result.state === 'failed') for (const line of result.differences) console.log(visible(line).slice(0, SHOWN));
  }
  console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
  return counts.failed > 0 ? 1 : 0;
}

function progress(done: number, total: number): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${done} of ${total} cases`);
}

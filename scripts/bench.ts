// Times whole processes against bare `node -e 0` in the same run, since machines differ and are noisy: only the
// ratios have limits. `npm run bench [-- NAME…]` prints medians; the exit code is 1 where a limit is passed.
import { join } from 'node:path';
import { actionBenches } from './bench/action.ts';
import { appBenches } from './bench/app.ts';
import { appEvaluationBenches } from './bench/app-evaluation.ts';
import { benchmarks } from './bench/cases.ts';
import type { Case } from './bench/cases.ts';
import { decideMilliseconds } from './bench/decide.ts';
import { detectorBenches } from './bench/detectors.ts';
import { median, timeProcess } from './bench/process.ts';

const CLI = join(import.meta.dirname, '..', 'dist', 'cli.mjs');
const ACTION = join(import.meta.dirname, '..', 'dist', 'action.mjs');
/** Milliseconds for one decision, warm. */
const DECIDE_LIMIT = 5;
const wanted = process.argv.slice(2);
let passedLimits = true;
// An exit that programs which were started here can hear of.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(130));

for (const one of benchmarks(CLI)) {
  if (wanted.length > 0 && !wanted.some((name) => one.name.includes(name))) continue;
  const result = measure(one);
  passedLimits &&= result.holds;
  console.log(`${result.holds ? 'ok  ' : 'OVER'} ${one.name}: ${result.text}`);
}
if (wanted.length === 0 || wanted.some((name) => 'decide alone'.includes(name))) {
  const ms = decideMilliseconds();
  passedLimits &&= ms < DECIDE_LIMIT;
  console.log(
    `${ms < DECIDE_LIMIT ? 'ok  ' : 'OVER'} decide alone on a typical pull request: ${ms.toFixed(1)} ms (limit ${DECIDE_LIMIT} ms)`,
  );
}
for (const { name, holds, text } of await detectorBenches(
  (name) => wanted.length === 0 || wanted.some((one) => name.includes(one)),
)) {
  passedLimits &&= holds;
  console.log(`${holds ? 'ok  ' : 'OVER'} ${name}: ${text}`);
}
const chosen = (name: string): boolean => wanted.length === 0 || wanted.some((one) => name.includes(one));
for (const { name, holds, text } of await actionBenches(chosen, ACTION)) {
  passedLimits &&= holds;
  console.log(`${holds ? 'ok  ' : 'OVER'} ${name}: ${text}`);
}
for (const benches of [appBenches, appEvaluationBenches]) {
  for await (const { name, holds, text } of benches(chosen)) {
    passedLimits &&= holds;
    console.log(`${holds ? 'ok  ' : 'OVER'} ${name}: ${text}`);
  }
}
process.exitCode = passedLimits ? 0 : 1;

function measure(one: Case): { readonly holds: boolean; readonly text: string } {
  const prepared = one.prepare();
  try {
    const bare: number[] = [];
    const first: number[] = [];
    const second: number[] = [];
    let memory = 0;
    // In turn, so that a change of the machine's speed meets all of them alike; the first round warms up.
    for (let round = 0; round <= one.rounds; round += 1) {
      const node = timeProcess([process.execPath, '-e', '0'], prepared.cwd, false);
      const a = timeProcess(prepared.argv(round), prepared.cwd, one.memory === true, one.exits);
      const b =
        prepared.against === undefined
          ? undefined
          : timeProcess(prepared.against(round), prepared.cwd, one.memory === true, one.exits);
      if (round === 0) continue;
      bare.push(node.ms);
      first.push(a.ms);
      memory = Math.max(memory, a.peakBytes);
      if (b !== undefined) second.push(b.ms);
    }
    return one.judge({
      bare: median(bare),
      first: median(first),
      second: second.length === 0 ? undefined : median(second),
      peakBytes: memory,
    });
  } finally {
    prepared.remove();
  }
}

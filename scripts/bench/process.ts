import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Wall time and peak memory of a process that ran to its end. */
export interface Timed {
  readonly ms: number;
  readonly peakBytes: number;
}

const PROBE = join(import.meta.dirname, 'peak-memory.mjs');

/**
 * Runs a command to its end. A command that fails is a defect of the bench.
 * @param memory whether to take its peak memory, for a command that is Node; it costs some milliseconds
 */
export function timeProcess(
  argv: readonly string[],
  cwd: string | undefined,
  memory: boolean,
  exits: readonly number[] = [0],
): Timed {
  const [command = '', ...rest] = argv;
  const peak = join(tmpdir(), `countersign-peak-${process.pid}`);
  const started = process.hrtime.bigint();
  const { status, stderr } = spawnSync(command, memory ? ['--import', PROBE, ...rest] : rest, {
    ...(cwd === undefined ? {} : { cwd }),
    env: { ...process.env, COUNTERSIGN_PEAK_FILE: peak },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ms = Number(process.hrtime.bigint() - started) / 1e6;
  if (status === null || !exits.includes(status))
    throw new Error(`${argv.join(' ')} ended with ${status ?? 'a signal'}: ${stderr.toString('utf8')}`);
  if (!memory) return { ms, peakBytes: 0 };
  const peakBytes = Number(readFileSync(peak, 'utf8'));
  rmSync(peak);
  return { ms, peakBytes };
}

/** The middle value, or the mean of the two middle ones. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

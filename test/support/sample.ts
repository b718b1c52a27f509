import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeGate, changeStatus } from '../../src/domain/contracts/transitions.ts';
import { isRefusal } from '../../src/domain/errors.ts';
import { appendState, createRun } from '../../src/workspace/runs.ts';
import { createSpec, setSpecStatus } from '../../src/workspace/specs.ts';

/** Id of the run in a sample project. */
export const RUN = 'sample-run';

/** Makes an empty folder and removes it after `body`. */
export async function inTemp<T>(body: (root: string) => T | Promise<T>): Promise<T> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-test-')));
  try {
    return await body(root);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

/** Writes a project with a ready spec of three tasks and a prepared run of it at medium risk. */
export function writeSample(root: string): void {
  createSpec(root, 'sample', {
    title: 'Sample',
    mode: 'feature',
    implementation_tasks: ['Write it', 'Test it', 'Describe it'],
  });
  setSpecStatus(root, 'sample', 'ready');
  createRun(root, { specId: 'sample', harness: 'codex', runId: RUN });
}

/** The same with the run active. */
export function writeActiveSample(root: string): void {
  writeSample(root);
  appendState(root, RUN, (run, state) => changeGate(run.contract, state, 'gate.baseline', 'ack'));
  appendState(root, RUN, (_run, state) => changeStatus(state, 'active'));
}

/** The code that `body` refuses with; "no refusal" where it answers. Anything else it throws is thrown on. */
export function codeOf(body: () => unknown): string {
  try {
    body();
  } catch (thrown) {
    if (isRefusal(thrown)) return thrown.code;
    throw thrown;
  }
  return 'no refusal';
}

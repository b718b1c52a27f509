import { spawn } from 'node:child_process';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { loadRun } from '../../src/domain/contracts/ledger.ts';
import { changeTask } from '../../src/domain/contracts/transitions.ts';
import { verifyEvidence } from '../../src/domain/evidence/evidence-set.ts';
import { addEvidence } from '../../src/workspace/evidence.ts';
import { appendState } from '../../src/workspace/runs.ts';
import { SCRATCH } from '../../src/workspace/scratch.ts';
import { openProject } from '../../src/workspace/workspace.ts';
import { random, SEED } from '../support/random.ts';
import { inTemp, RUN, writeActiveSample } from '../support/sample.ts';

// Processes take their time on a busy machine; nothing here is about speed.
jest.setTimeout(600_000);

const WRITER = join(import.meta.dirname, 'writer.ts');

/** Rounds of killing; `npm run soak` does many more. */
const ROUNDS = Number(process.env['COUNTERSIGN_KILLS'] ?? 6);

/** Starts a writer and kills it some milliseconds after its first change. @returns the lines that it printed */
async function writeUntilKilled(what: string, root: string, delay: number): Promise<string[]> {
  const child = spawn(process.execPath, [WRITER, what, root, '100000'], { stdio: ['ignore', 'pipe', 'pipe'] });
  let printed = '';
  let complaint = '';
  child.stderr.on('data', (data: Buffer) => (complaint += data.toString()));
  await new Promise<void>((ended) => {
    child.stdout.on('data', (data: Buffer) => {
      if (printed === '') setTimeout(() => child.kill('SIGKILL'), delay);
      printed += data.toString();
    });
    child.on('close', () => {
      ended();
    });
  });
  expect(complaint).toBe('');
  return printed.split('\n').slice(1, -1);
}

async function writeToTheEnd(what: string, root: string, count: number): Promise<string[]> {
  const child = spawn(process.execPath, [WRITER, what, root, String(count)], { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
  const code = await new Promise((ended) => child.on('close', ended));
  expect(code).toBe(0);
  return printed.split('\n').slice(1, -1);
}

const ids = (root: string): string[] => verifyEvidence(openProject(root, 'strict'), RUN).records.map(({ id }) => id);
const counted = (letter: string, n: number): string[] =>
  Array.from({ length: n }, (_, index) => letter + String(index + 1).padStart(3, '0'));

describe('writers of one run', () => {
  it('lose nothing when they add evidence at once, and number it without gap', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      writeFileSync(join(root, 'log.txt'), 'log');
      const printed = await Promise.all([1, 2, 3].map(() => writeToTheEnd('evidence', root, 12)));
      expect(printed.flat().sort()).toEqual(counted('E', 36));
      expect(ids(root)).toEqual(counted('E', 36));
      const producers = verifyEvidence(openProject(root), RUN).records.map(({ producer }) => producer);
      expect([...Map.groupBy(producers, (one) => one).values()].map((group) => group.length)).toEqual([12, 12, 12]);
      expect(existsSync(join(root, SCRATCH))).toBe(false);
    });
  });

  it(`leave sound evidence when they are killed (seed ${SEED})`, async () => {
    const next = random(SEED);
    await inTemp(async (root) => {
      writeActiveSample(root);
      writeFileSync(join(root, 'log.txt'), 'log');
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = ids(root);
        const printed = await writeUntilKilled('evidence', root, next() * 60);
        const verified = verifyEvidence(openProject(root, 'strict'), RUN);
        const after = verified.records.map(({ id }) => id);
        expect(after).toEqual(counted('E', after.length));
        expect(after.slice(before.length)).toEqual(expect.arrayContaining(printed));
        expect(verified.orphans.length).toBeLessThanOrEqual(1);
        const added = addEvidence(root, RUN, { from: 'object', node: bareEvidence });
        expect(ids(root).at(-1)).toBe(added.id);
        expect(existsSync(join(root, SCRATCH))).toBe(false);
      }
    });
  });

  it(`leave a sound ledger when they are killed (seed ${SEED})`, async () => {
    const next = random(SEED + 1);
    await inTemp(async (root) => {
      writeActiveSample(root);
      for (let round = 0; round < ROUNDS; round += 1) {
        const printed = await writeUntilKilled('task', root, next() * 60);
        const run = loadRun(openProject(root, 'strict'), RUN);
        expect(run.states.length).toBeGreaterThanOrEqual(Number(printed.at(-1) ?? 0));
        const to = run.states.at(-1)?.tasks[1]?.status === 'in_progress' ? 'blocked' : 'in_progress';
        appendState(root, RUN, (current, state) => {
          const status = state.tasks[1]?.status === 'in_progress' ? 'blocked' : 'in_progress';
          expect(status).toBe(to);
          return changeTask(current.contract, state, 'T002', status);
        });
        expect(loadRun(openProject(root, 'strict'), RUN).states.at(-1)?.tasks[1]?.status).toBe(to);
        expect(existsSync(join(root, SCRATCH))).toBe(false);
      }
    });
  });
});

const bareEvidence = new Map<string, string | Map<string, string | number>>([
  ['kind', 'command_result'],
  ['producer', 'tester'],
  ['summary', 'After a kill'],
  [
    'payload',
    new Map<string, string | number>([
      ['label', 'build'],
      ['exit_code', 0],
    ]),
  ],
]);

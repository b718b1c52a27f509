import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startActionWorld } from '../../test/support/action-world.ts';
import { median, timeProcess } from './process.ts';

export interface ActionBench {
  readonly name: string;
  readonly holds: boolean;
  readonly text: string;
}

const ENTRY_LIMIT = 2 * 1024 * 1024;
const START_LIMIT = 3;
const CALLS_LIMIT = 18;
/** Calls under way at once; GitHub refuses more than 100 (REST docs, "About secondary rate limits"). */
const CONCURRENT_LIMIT = 100;
const ROUNDS = 15;

/** Times and counts of the Action's bundle. */
export async function actionBenches(wanted: (name: string) => boolean, bundle: string): Promise<ActionBench[]> {
  const all: readonly (readonly [string, () => Promise<Omit<ActionBench, 'name'>>])[] = [
    ['action entry', () => Promise.resolve(entrySize(bundle))],
    ['action start', () => coldStart(bundle)],
    ['action calls', () => typicalCalls(bundle)],
    ['action large', () => largePull(bundle)],
  ];
  const results: ActionBench[] = [];
  for (const [name, measure] of all) if (wanted(name)) results.push({ name, ...(await measure()) });
  return results;
}

function entrySize(bundle: string): Omit<ActionBench, 'name'> {
  const { size } = statSync(bundle);
  return { holds: size < ENTRY_LIMIT, text: `${size} bytes (limit ${ENTRY_LIMIT})` };
}

/** From the start of the process to its first call's arrival. */
async function coldStart(bundle: string): Promise<Omit<ActionBench, 'name'>> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-start-'));
  const event = join(folder, 'event.json');
  writeFileSync(
    event,
    JSON.stringify({
      pull_request: { number: 1, head: { sha: 'a'.repeat(40) } },
      repository: { default_branch: 'main' },
    }),
  );
  let arrived: () => void = () => undefined;
  const server = createServer((request) => {
    arrived();
    request.destroy();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const env = {
    ...{ GITHUB_REPOSITORY: 'a/b', GITHUB_EVENT_NAME: 'pull_request', GITHUB_EVENT_PATH: event, RUNNER_TEMP: folder },
    ...{ GITHUB_API_URL: `http://127.0.0.1:${port}`, 'INPUT_GITHUB-TOKEN': 'none' },
  };
  const once = (): Promise<number> =>
    new Promise((resolve) => {
      const started = process.hrtime.bigint();
      const child = spawn(process.execPath, [bundle], { env, stdio: 'ignore' });
      arrived = () => {
        const ms = Number(process.hrtime.bigint() - started) / 1e6;
        arrived = () => undefined;
        child.once('close', () => resolve(ms));
        child.kill('SIGKILL');
      };
    });
  const [bare, first]: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const node = timeProcess([process.execPath, '-e', '0'], folder, false).ms;
    const ms = await once();
    if (round === 0) continue;
    bare.push(node);
    first.push(ms);
  }
  server.close();
  rmSync(folder, { recursive: true });
  const ratio = median(first) / median(bare);
  const text = `${median(first).toFixed(0)} ms to the first call, ${ratio.toFixed(2)}x bare node (limit ${START_LIMIT}x)`;
  return { holds: ratio <= START_LIMIT, text };
}

/** Ten commits, forty files, one run with twenty evidence records. */
async function typicalCalls(bundle: string): Promise<Omit<ActionBench, 'name'>> {
  const more = Array.from({ length: 16 }, (_, index) => ({
    ...{ kind: 'file_change', producer: 'harness:codex', summary: `Step ${index}` },
    payload: { paths: ['src/app.ts'] },
  }));
  const world = await startActionWorld({ governed: { more, paths: ['src'] } });
  try {
    const files = Object.fromEntries(Array.from({ length: 39 }, (_, index) => [`src/file-${index}.ts`, `${index}\n`]));
    const commits = Array.from({ length: 9 }, (_, index) => ({
      ...{ message: `Step ${index}`, files: { 'src/app.ts': `export const app = ${index + 10};\n` } },
    }));
    const pull = await world.open({ files, commits });
    await world.tests(pull, 'success');
    world.sandbox.forgetCalls();
    const said = await world.act('pull_request', { bundle });
    const calls = world.sandbox.calls();
    const sum = Object.values(calls).reduce((all, one) => all + one, 0);
    const routes = Object.entries(calls).map(([route, count]) => `${route} ${count}`);
    const text = `${sum} calls (limit ${CALLS_LIMIT}), ${said.outputs['outcome'] ?? 'no outcome'}: ${routes.join(', ')}`;
    return { holds: sum <= CALLS_LIMIT && said.outputs['outcome'] === 'verified', text };
  } finally {
    await world.stop();
  }
}

/** Three thousand files and a thousand commits. */
async function largePull(bundle: string): Promise<Omit<ActionBench, 'name'>> {
  const world = await startActionWorld({ governed: null, config: null });
  try {
    const files = Object.fromEntries(
      Array.from({ length: 2999 }, (_, index) => [`a/${index % 60}/${index}.txt`, `${index}\n`]),
    );
    const commits = Array.from({ length: 999 }, (_, index) => ({
      ...{ message: `Step ${index}`, files: { 'src/app.ts': `export const app = ${index};\n` } },
    }));
    await world.open({ files, commits });
    world.sandbox.forgetCalls();
    const started = performance.now();
    const said = await world.act('pull_request', { bundle });
    const seconds = (performance.now() - started) / 1000;
    const refused = world.sandbox.log().filter(({ status }) => status === 403 || status === 429).length;
    const sum = Object.values(world.sandbox.calls()).reduce((all, one) => all + one, 0);
    const text = `${seconds.toFixed(1)} s, ${sum} calls, ${refused} of them over a limit of GitHub's (at most ${CONCURRENT_LIMIT} at once), ${said.outputs['outcome'] ?? 'no outcome'}`;
    return { holds: refused === 0 && said.outputs['outcome'] === 'not-governed', text };
  } finally {
    await world.stop();
  }
}

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isRule } from '../../test/support/facts.ts';
import { governedProject } from '../../test/support/governed.ts';
import { appProcess } from '../soak/app-process.ts';
import type { AppProcess } from '../soak/app-process.ts';
import { appWorld, CI } from '../soak/app-world.ts';
import type { AppWorld } from '../soak/app-world.ts';
import type { AppBench } from './app.ts';
import { median } from './process.ts';

const SECRET = 'of the bench only';
const COMMITS = 10;
const FILES = 40;
const EVIDENCE = 20;
const ROUNDS = 3;
/** Seconds from taking a new head up to its verdict; two of three processes share the machine's cores. */
const SECONDS_LIMIT = 10;
/** Calls that count, for a head that has not changed (the App's promise to operators). */
const CALLS_LIMIT = 6;
const PATIENCE_MS = 120_000;

const NAMES = ['app evaluates a new head', 'app evaluates an unchanged head'] as const;

/** A typical pull request: how long its evaluation takes, and what it costs of GitHub's limits. */
export async function* appEvaluationBenches(isWanted: (name: string) => boolean): AsyncGenerator<AppBench> {
  if (!NAMES.some(isWanted)) return;
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const logFile = join(folder, 'app.log');
  let world: AppWorld | undefined;
  let app: AppProcess | undefined;
  try {
    world = await appWorld(1);
    app = await appProcess(
      {
        ...{ APP_ID: String(world.app.id), PRIVATE_KEY: world.privateKey, WEBHOOK_SECRET: SECRET },
        ...{ GITHUB_API_URL: world.sandbox.url, STORE_FILE: join(folder, 'store.sqlite') },
      },
      logFile,
    );
    world.sandbox.deliverTo(app.webhookUrl, SECRET, world.app);
    await app.start();
    const { fresh, again } = await rounds(world, logFile);
    const seconds = median(fresh.map((one) => one.seconds));
    yield {
      name: NAMES[0],
      holds: seconds <= SECONDS_LIMIT,
      text:
        `${seconds.toFixed(2)} s (limit ${SECONDS_LIMIT} s), ${median(fresh.map(sum))} calls: ${COMMITS} commits, ${FILES} files, ` +
        `${EVIDENCE} evidence records; ${routes(fresh.at(-1)?.calls ?? {})}`,
    };
    const calls = median(again.map(sum));
    yield {
      name: NAMES[1],
      holds: calls <= CALLS_LIMIT,
      text:
        `${calls} calls that count (limit ${CALLS_LIMIT}), ${median(again.map((one) => one.seconds)).toFixed(2)} s; ` +
        routes(again.at(-1)?.calls ?? {}),
    };
  } finally {
    await app?.end();
    await world?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Round {
  readonly seconds: number;
  /** Uncached ones by route. */
  readonly calls: Readonly<Record<string, number>>;
}

const sum = ({ calls }: Round): number => Object.values(calls).reduce((sofar, one) => sofar + one, 0);

const routes = (calls: Round['calls']): string =>
  Object.entries(calls)
    .toSorted(([, a], [, b]) => b - a)
    .map(([route, count]) => `${route} ${count}`)
    .join(', ');

async function rounds(
  { sandbox, repositories, people }: AppWorld,
  logFile: string,
): Promise<{ readonly fresh: readonly Round[]; readonly again: readonly Round[] }> {
  const [repository] = repositories;
  if (repository === undefined) throw new Error('There is no repository.');
  const record = (at: number): object => ({
    ...{ kind: 'test_result', producer: 'harness:codex', summary: `Suite ${at}` },
    payload: { suite: `suite-${at}`, exit_code: 0, passed: 10, failed: 0, skipped: 0 },
  });
  // A finished run has five records of its own.
  const governed = governedProject({ more: Array.from({ length: EVIDENCE - 5 }, (_, at) => record(at)) });
  const ledger = Object.fromEntries(
    governed.entries().flatMap(({ path, text = '' }) => (isRule(path) ? [] : [[path, text]])),
  );
  governed.remove();
  const text = 'export const part = 1;\n'.repeat(40);
  const commits = Array.from({ length: COMMITS }, (_, commit) => ({
    message: `Add part ${commit}`,
    files: {
      ...(commit === 0 ? { 'src/app.ts': 'export const app = 2;\n', ...ledger } : {}),
      ...Object.fromEntries(
        Array.from({ length: FILES / COMMITS }, (_, file) => [`src/part-${commit}-${file}.ts`, text]),
      ),
    },
  }));
  const seen = { verdicts: 0 };
  const measured = async (act: () => Promise<unknown> | void): Promise<Round> => {
    await sandbox.settled();
    sandbox.forgetCalls();
    await act();
    const seconds = await nextVerdict(logFile, seen);
    return { seconds, calls: sandbox.calls('uncached') };
  };
  const fresh: Round[] = [];
  const again: Round[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const branch = `typical-${round}`;
    await sandbox.push(repository, people.coder, { branch, commits });
    const first = await measured(() => sandbox.openPullRequest(repository, { by: people.coder, branch }));
    const pull = [...repository.pulls.values()].at(-1);
    if (pull === undefined) throw new Error('There is no pull request.');
    const run = await sandbox.startWorkflowRun(repository, { path: CI, at: pull });
    await sandbox.finishJob(repository, run, 'test', 'success');
    await nextVerdict(logFile, seen);
    const second = await measured(() => sandbox.review(repository, pull, people.eve, 'COMMENTED') && undefined);
    const third = await measured(() => sandbox.editPullRequest(repository, pull, people.coder, { draft: true }));
    if (round === 0) continue; // warms up
    fresh.push(first);
    again.push(second, third);
  }
  return { fresh, again };
}

/** Seconds of the next evaluation that the App's log tells of, once no other follows. */
async function nextVerdict(logFile: string, seen: { verdicts: number }): Promise<number> {
  const until = Date.now() + PATIENCE_MS;
  let quietSince = Date.now();
  let found: number | undefined;
  while (Date.now() < until) {
    const told = [...readFileSync(logFile, 'utf8').matchAll(/"seconds":([\d.]+),"msg":"verdict published"/g)];
    if (told.length > seen.verdicts) {
      seen.verdicts = told.length;
      found = Number(told.at(-1)?.[1]);
      quietSince = Date.now();
    }
    if (found !== undefined && Date.now() - quietSince > 500) return found;
    await sleep(50);
  }
  throw new Error(`The App published no verdict:\n${readFileSync(logFile, 'utf8').slice(-2000)}`);
}

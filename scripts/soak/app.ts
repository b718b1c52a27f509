import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StorePlace } from '../../src/app/store/open.ts';
import type { FaultEffect } from '../../src/sandbox/http/faults.ts';
import { embeddedBinaries, startPostgres } from '../../test/support/postgres.ts';
import type { PostgresServer } from '../../test/support/postgres.ts';
import { random } from '../../test/support/random.ts';
import { act } from './app-acts.ts';
import type { Deeds } from './app-acts.ts';
import { checkAnswers, checkOvertaken, checkPulls, checkStore, undelivered } from './app-check.ts';
import { appCluster } from './app-cluster.ts';
import type { AppCluster } from './app-cluster.ts';
import { appWorld } from './app-world.ts';
import type { AppWorld } from './app-world.ts';

export interface AppSoakOptions {
  readonly store: 'sqlite' | 'postgres';
  /** Processes of the App on one store; more than one on PostgreSQL only. */
  readonly processes: number;
  /** Deliveries that GitHub sends at least; those that it sends again not counted. */
  readonly deliveries: number;
  readonly pulls: number;
  /** How often a process of the App is killed. */
  readonly kills: number;
  /** How often PostgreSQL is. */
  readonly outages: number;
  /** Share of GitHub's calls that fail, from 0 to 1. */
  readonly faults: number;
  readonly seed: number;
  readonly progress: (text: string) => void;
  /** Aborted where everything has to end. */
  readonly signal?: AbortSignal;
}

export interface AppSoak {
  /** What is not as it has to be; empty where all is. */
  readonly breaches: readonly string[];
  /** Figures by name, for the summary. */
  readonly figures: Readonly<Record<string, string | number>>;
  /** Folder with the App's log, kept where something is wrong. */
  readonly folder: string | undefined;
}

/** Things in the App's queues beyond which nothing more is done for a while, so that kills meet work and not idleness. */
const BACKLOG = 30;
/** Milliseconds in which the App has to come to rest after the last event. */
const REST_MS = 15 * 60_000;
/** The sweep leaves deliveries alone that failed just now. */
const SETTLED_MS = 16_000;

interface Run extends AppSoakOptions {
  readonly world: AppWorld;
  readonly app: AppCluster;
  readonly server: PostgresServer | undefined;
  readonly next: () => number;
  /** Kills and outages that are done. */
  readonly done: { blows: number; sweeps: number };
}

/** Lets an App serve a busy GitHub while it, its store and GitHub fail, and checks that nothing was lost or doubled. */
export async function soakApp(options: AppSoakOptions): Promise<AppSoak> {
  const { progress, seed } = options;
  const folder = mkdtempSync(join(tmpdir(), 'countersign-soak-'));
  const logFile = join(folder, 'app.log');
  const started = Date.now();
  let server: PostgresServer | undefined;
  let world: AppWorld | undefined;
  let app: AppCluster | undefined;
  let kept = true;
  try {
    server = options.store === 'postgres' ? await startPostgres(embeddedBinaries()) : undefined;
    const place: StorePlace =
      server === undefined ? { file: join(folder, 'store.sqlite') } : { url: await server.database() };
    const there = (world = await appWorld(options.pulls));
    app = await appCluster(
      options.processes,
      {
        ...{ APP_ID: String(world.app.id), PRIVATE_KEY: world.privateKey, WEBHOOK_SECRET: SECRET },
        ...{ GITHUB_API_URL: world.sandbox.url, WORKERS: '6' },
        // A sweep asks for every verdict that waits: with failing calls one each minute would leave time for nothing else.
        SWEEP_MINUTES: options.faults > 0 ? '10' : '1',
        ...(place.url === undefined ? { STORE_FILE: place.file ?? '' } : { DATABASE_URL: place.url }),
      },
      logFile,
      (url) => there.sandbox.deliverTo(url, SECRET, there.app),
    );
    await app.start();
    const deeds: Deeds = { toAnswer: new Set(), rerun: new Set(), counts: new Map() };
    const run: Run = { ...options, world, app, server, next: random(seed), done: { blows: 0, sweeps: 0 } };
    const calm = fail(run);
    await stir(run, deeds);
    progress(`${sentBy(world)} deliveries sent after ${since(started)}; waiting for rest`);
    const breaches = [...(await rest(run))];
    calm();
    const poison = (await app.queues())?.poison ?? 0;
    const codes = await app.stop();
    const bad = codes.filter((code) => code !== 0);
    breaches.push(...bad.map((code) => `a process ended with ${code ?? 'a signal'} and not in good order`));
    await world.sandbox.settled();
    progress(`at rest after ${since(started)}; judging ${world.pulls.length} pull requests anew`);
    breaches.push(...(poison > 0 ? [`${poison} rows are poison`] : []), ...(await checkStore(place)));
    breaches.push(
      ...checkAnswers(world, deeds),
      ...checkOvertaken(world),
      ...(await checkPulls(world, deeds, progress, options.signal)),
    );
    breaches.push(...undelivered(world).map((guid) => `delivery ${guid} never arrived`));
    breaches.push(...world.sandbox.violations().map((one) => `the sandbox is not GitHub: ${one}`));
    kept = breaches.length > 0;
    const figures = { ...figuresOf(run, logFile), seconds: Math.round((Date.now() - started) / 1000) };
    return { breaches, figures, folder: kept ? folder : undefined };
  } finally {
    await app?.end();
    await world?.stop();
    await server?.stop();
    if (!kept) rmSync(folder, { recursive: true, force: true });
  }
}

const SECRET = 'of the sandbox only';

const sentBy = (world: AppWorld): number =>
  world.sandbox.state.deliveries.filter(({ redelivery }) => !redelivery).length;

const since = (started: number): string => `${Math.round((Date.now() - started) / 1000)} s`;

/** Has a share of GitHub's calls fail, in every way there is, until the App is at rest. The answer ends it. */
function fail({ world, faults, seed }: Run): () => void {
  const { sandbox } = world;
  if (faults === 0) return () => undefined;
  const effects: readonly FaultEffect[] = [
    { kind: 'status', status: 500, when: 'after' },
    { kind: 'status', status: 502, when: 'before' },
    { kind: 'status', status: 502, when: 'after' },
    { kind: 'status', status: 503, when: 'before' },
    { kind: 'reset', when: 'before' },
    { kind: 'reset', when: 'after' },
    { kind: 'truncated' },
    { kind: 'secondary-limit', retryAfter: 1 },
    { kind: 'too-many-requests', retryAfter: 1 },
  ];
  // Each by itself, so that in all `faults` of the calls meet one at least.
  const probability = 1 - (1 - faults) ** (1 / effects.length);
  const rules = effects.map((effect, at) => sandbox.faults.add({ probability, seed: seed + at, effect }));
  return () => rules.forEach((remove) => remove());
}

/** Opens the pull requests and lets people and machines do things, while the App and its store are struck. */
async function stir(run: Run, deeds: Deeds): Promise<void> {
  const { world, app, deliveries, pulls, kills, outages, next, done, progress, signal } = run;
  const blows = kills + outages;
  const at = Array.from({ length: blows }, (_, index) => ((index + 0.3 + next() * 0.7) / blows) * deliveries * 0.95);
  const outageAt = new Set(
    Array.from({ length: outages }, (_, index) => Math.floor(((index + 0.5) / outages) * blows)),
  );
  let ended = false;
  let backlog = 0;
  const striking = (async () => {
    for (let blow = 0; blow < blows; blow += 1) {
      while (sentBy(world) < (at[blow] ?? 0) && !ended) await sleep(20);
      if (ended) return;
      await sleep(next() * 2000);
      await (outageAt.has(blow) ? outage(run) : killed(run));
      done.blows += 1;
      progress(`${sentBy(world)} deliveries, ${done.blows} of ${blows} blows, ${backlog} in the queues`);
    }
  })();
  // Told at once, and not only when all else is done.
  const struck: { fault?: unknown } = {};
  striking.catch((fault: unknown) => (struck.fault = fault));
  const watching = (async () => {
    while (!ended) {
      backlog = (await app.queues())?.open ?? backlog;
      await sleep(250);
    }
  })();
  try {
    let shown = 0;
    while (sentBy(world) < deliveries || done.blows < blows || world.pulls.length < pulls) {
      signal?.throwIfAborted();
      if (struck.fault !== undefined) break;
      // Not past the blow after the next, or the last ones would meet nothing.
      while ((backlog > BACKLOG || sentBy(world) > (at[done.blows + 1] ?? Infinity)) && signal?.aborted !== true) {
        await sleep(100);
        if (struck.fault !== undefined) break;
      }
      // All are open by half of the time.
      const wanted = Math.min(pulls, Math.max(4, Math.ceil((sentBy(world) / deliveries) * 2 * pulls)));
      if (world.pulls.length < wanted) await world.open(world.pulls.length + 1);
      else await act(world, deeds, next);
      await sleep(next() * 150);
      if (sentBy(world) - shown >= 100) {
        shown = sentBy(world);
        progress(`${shown} deliveries, ${world.pulls.length} pull requests, ${backlog} in the queues`);
      }
    }
    await striking;
  } finally {
    ended = true;
    await Promise.allSettled([striking, watching]);
  }
}

async function killed({ app, next }: Run): Promise<void> {
  await app.strike(next, () => sleep(next() * 1500));
}

async function outage({ server, next }: Run): Promise<void> {
  await server?.crash();
  await sleep(1000 + next() * 5000);
  await server?.restart();
}

/** Sweeps until every delivery has arrived, once more over the pull requests, and waits until nothing is left to do. */
async function rest({ app, world, done, progress, signal }: Run): Promise<readonly string[]> {
  const until = Date.now() + REST_MS;
  let swept = 0;
  let last = Infinity;
  const sweep = (): void => {
    app.sweep();
    swept = Date.now();
    done.sweeps += 1;
  };
  while (Date.now() < until) {
    signal?.throwIfAborted();
    await sleep(500);
    await world.sandbox.settled();
    const lost = undelivered(world).length;
    const open = (await app.queues())?.open ?? Infinity;
    if (open !== last) progress(`${open} in the queues, ${lost} deliveries still failed`);
    last = open;
    if (lost > 0) {
      if (Date.now() - swept > SETTLED_MS) sweep();
    } else if (open === 0) {
      // The last sweep may have asked for evaluations that are done by now; with nothing before it, it is the last.
      if (done.sweeps > 0 && Date.now() - swept > 3000) return [];
      if (done.sweeps === 0 || swept === 0) sweep();
    }
  }
  return [`the App did not come to rest: ${last} left in its queues, ${undelivered(world).length} deliveries failed`];
}

function figuresOf({ world, kills, outages, done, faults }: Run, logFile: string): Record<string, string | number> {
  const { deliveries } = world.sandbox.state;
  const lines = readFileSync(logFile, 'utf8').split('\n');
  const seconds = lines.flatMap((line) => {
    const found = line.includes('"msg":"verdict published"') ? /"seconds":([\d.]+)/.exec(line)?.[1] : undefined;
    return found === undefined ? [] : [Number(found)];
  });
  const count = (msg: string): number => lines.filter((line) => line.includes(`"msg":"${msg}"`)).length;
  const calls = world.sandbox.log();
  const failed = calls.filter(({ fault }) => fault !== null).length;
  const median = seconds.toSorted((a, b) => a - b)[Math.floor(seconds.length / 2)];
  return {
    'pull requests': world.pulls.length,
    deliveries: sentBy(world),
    'failed at first': deliveries.filter(
      ({ statusCode, redelivery }) => !redelivery && statusCode !== 202 && statusCode !== 200,
    ).length,
    'sent again': deliveries.filter(({ redelivery }) => redelivery).length,
    kills,
    'outages of the store': outages,
    'sweeps asked for': done.sweeps,
    'verdicts published': seconds.length,
    'evaluations dropped': count('evaluation dropped'),
    'put back': count('put back'),
    'tries failed': count('failed'),
    'median seconds of an evaluation': median ?? 0,
    'calls of the API': calls.length,
    'calls that failed on purpose': faults === 0 ? 0 : `${failed} (${Math.round((failed / calls.length) * 100)} %)`,
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { embeddedBinaries, startPostgres } from '../../test/support/postgres.ts';
import type { PostgresServer } from '../../test/support/postgres.ts';
import { appProcess } from '../soak/app-process.ts';
import type { AppProcess } from '../soak/app-process.ts';
import { appWorld } from '../soak/app-world.ts';
import { median } from './process.ts';

export interface AppBench {
  readonly name: string;
  readonly holds: boolean;
  readonly text: string;
}

const STORES = ['sqlite', 'postgres'] as const;
type StoreKind = (typeof STORES)[number];

/** Deliveries a second, and milliseconds for the answer to 99 of 100 (the App's targets on two cores). */
const LEAST_PER_SECOND = 300;
const P99_LIMIT_MS = 200;
const CONNECTIONS = 32;
const PAYLOAD_BYTES = 20_000;
const WARM_UP = 8_000;
const ROUND = 4_000;
const ROUNDS = 5;
/** Resident memory after all rounds by that after the warm-up. */
const MEMORY_LIMIT = 1.2;
/** The runtime's room grows to what the load needs at its height, and stays. */
const RESIDENT_LIMIT = 1.5;

const SECRET = 'of the bench only';
const PRELOAD = join(import.meta.dirname, 'gc-on-signal.mjs');
const LOAD = join(import.meta.dirname, 'app-load.ts');

/** @param isWanted by name */
export async function* appBenches(isWanted: (name: string) => boolean): AsyncGenerator<AppBench> {
  for (const store of STORES) {
    const names = [`app accepts deliveries (${store})`, `app memory over deliveries (${store})`] as const;
    if (names.some(isWanted)) yield* acceptance(store, names);
  }
}

interface Load {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  readonly statuses: Readonly<Record<string, number>>;
}

async function* acceptance(store: StoreKind, names: readonly [string, string]): AsyncGenerator<AppBench> {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-bench-'));
  const messages = join(folder, 'messages.json');
  let server: PostgresServer | undefined;
  let github: Server | undefined;
  let app: AppProcess | undefined;
  try {
    const { privateKey, texts } = await payloads();
    writeFileSync(messages, JSON.stringify(texts));
    github = await absentGitHub();
    const address = github.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    server = store === 'postgres' ? await startPostgres(embeddedBinaries(), { durable: true }) : undefined;
    app = await appProcess(
      {
        ...{ APP_ID: '1', PRIVATE_KEY: privateKey, WEBHOOK_SECRET: SECRET, GITHUB_API_URL: `http://127.0.0.1:${port}` },
        ...(server === undefined
          ? { STORE_FILE: join(folder, 'store.sqlite') }
          : { DATABASE_URL: await server.database() }),
      },
      join(folder, 'app.log'),
      ['--expose-gc', '--import', PRELOAD],
    );
    await app.start();
    const { webhookUrl } = app;
    const send = (count: number, first: number): Promise<Load> => load(webhookUrl, count, first, messages);
    await send(WARM_UP, 0);
    const before = await memory(app);
    const rounds: Load[] = [];
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await send(ROUND, WARM_UP + round * ROUND));
    const perSecond = median(rounds.map((one) => one.perSecond));
    const p99 = median(rounds.map((one) => one.p99));
    const refused = rounds.flatMap(({ statuses }) => Object.entries(statuses)).filter(([status]) => status !== '202');
    yield {
      name: names[0],
      holds: perSecond >= LEAST_PER_SECOND && p99 <= P99_LIMIT_MS && refused.length === 0,
      text:
        `${perSecond.toFixed(0)} a second (at least ${LEAST_PER_SECOND}), p99 ${p99.toFixed(0)} ms (limit ${P99_LIMIT_MS} ms), ` +
        `p50 ${median(rounds.map((one) => one.p50)).toFixed(0)} ms; ${CONNECTIONS} connections, ${PAYLOAD_BYTES / 1000} KB, ` +
        `medians of ${ROUNDS} rounds of ${ROUND}${refused.length === 0 ? '' : `; answered otherwise: ${JSON.stringify(refused)}`}`,
    };
    const after = await memory(app);
    const [live, resident] = [after.live / before.live, after.resident / before.resident];
    yield {
      name: names[1],
      holds: live <= MEMORY_LIMIT && resident <= RESIDENT_LIMIT,
      text:
        `live ${live.toFixed(2)} times (limit ${MEMORY_LIMIT}), resident ${resident.toFixed(2)} times (limit ${RESIDENT_LIMIT}) ` +
        `over ${ROUND * ROUNDS} deliveries: ${mb(before.live)} to ${mb(after.live)}, ${mb(before.resident)} to ${mb(after.resident)}`,
    };
  } finally {
    await app?.end();
    await server?.stop();
    github?.close();
    github?.closeAllConnections();
    rmSync(folder, { recursive: true, force: true });
  }
}

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;

/** Memory once garbage is collected. */
async function memory(app: AppProcess): Promise<Memory> {
  const readings: Memory[] = [];
  for (let round = 0; round < 5; round += 1) {
    const pid = app.pid();
    if (pid !== undefined) process.kill(pid, 'SIGWINCH');
    await sleep(400);
    const text = (await app.metrics()) ?? '';
    const value = (name: string): number => Number(new RegExp(`^countersign_${name} (\\S+)$`, 'm').exec(text)?.[1]);
    readings.push({
      live: value('nodejs_heap_size_used_bytes') + value('nodejs_external_memory_bytes'),
      resident: value('process_resident_memory_bytes'),
    });
  }
  return {
    live: Math.min(...readings.map(({ live }) => live)),
    resident: Math.min(...readings.map(({ resident }) => resident)),
  };
}

/** Bytes. What lives after a collection tells a leak; what is resident also holds room that the runtime keeps for later. */
interface Memory {
  readonly live: number;
  readonly resident: number;
}

async function load(url: string, count: number, first: number, messages: string): Promise<Load> {
  const argv = [LOAD, url, SECRET, count, CONNECTIONS, first, messages].map(String);
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    if (code !== 0) throw new Error(`The load ended with ${code}.`);
  } finally {
    child.kill('SIGKILL');
  }
  return JSON.parse(said) as Load;
}

/** A GitHub that is away but for saying who the App is: what is measured is taking in, not what GitHub costs. */
async function absentGitHub(): Promise<Server> {
  const server = createServer((request, response) => {
    const known = request.url === '/app';
    response.writeHead(known ? 200 : 503, { 'content-type': 'application/json; charset=utf-8' });
    response.end(JSON.stringify(known ? { id: 1, slug: 'countersign' } : { message: 'Service unavailable' }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

/** What a busy repository's App is sent, as the sandbox writes it, each filled up to a usual size. */
async function payloads(): Promise<{
  readonly privateKey: string;
  readonly texts: readonly { event: string; text: string }[];
}> {
  const world = await appWorld(6);
  try {
    await world.open(6);
    for (const { repository, pull } of world.pulls) {
      const { sandbox, people } = world;
      await sandbox.push(repository, people.coder, { branch: pull.head.ref, files: { 'more.txt': 'more\n' } });
      sandbox.comment(repository, pull, people.ana, 'Looks good to me.');
      sandbox.review(repository, pull, people.ana, 'COMMENTED');
      const run = await sandbox.startWorkflowRun(repository, { path: '.github/workflows/ci.yml', at: pull });
      await sandbox.finishJob(repository, run, 'test', 'success');
    }
    const wanted = ['pull_request', 'issue_comment', 'pull_request_review', 'check_run', 'push'];
    const events = world.sandbox.events().filter(({ event }) => wanted.includes(event));
    const installation = { id: world.installations[0]?.id ?? 1, node_id: 'I_1' };
    return {
      privateKey: world.privateKey,
      texts: events.map(({ event, payload }) => {
        const text = JSON.stringify({ ...payload, installation });
        const filling = 'x'.repeat(Math.max(0, PAYLOAD_BYTES - text.length - 20));
        return { event, text: JSON.stringify({ ...payload, installation, filling }) };
      }),
    };
  } finally {
    await world.stop();
  }
}

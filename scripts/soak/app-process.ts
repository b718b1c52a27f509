import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const MAIN = join(import.meta.dirname, '..', '..', 'src', 'app', 'main.ts');
const ALWAYS = ['--disable-warning=ExperimentalWarning', '--import', join(import.meta.dirname, 'end-with-parent.mjs')];
/** Milliseconds that an App may take until it serves. */
const START_MS = 60_000;
const STOP_MS = 20_000;

/** The App as a process of its own, that can be killed and started again at the same address. */
export interface AppProcess {
  readonly url: string;
  readonly webhookUrl: string;
  /** Waits until it is ready. @throws Error with the end of its log where it ends instead */
  readonly start: () => Promise<void>;
  /** SIGKILL, and waits for the end. */
  readonly kill: () => Promise<void>;
  /** SIGTERM: resolves to the exit code. */
  readonly stop: () => Promise<number | null>;
  /** SIGUSR2: makes it sweep at once. */
  readonly sweep: () => void;
  readonly pid: () => number | undefined;
  /** What its queues hold; undefined while it does not answer, or its store does not. */
  readonly queues: () => Promise<Queues | undefined>;
  readonly metrics: () => Promise<string | undefined>;
  /** Kills it if it runs. */
  readonly end: () => Promise<void>;
}

export interface Queues {
  /** Rows that wait or run, of both queues. */
  readonly open: number;
  readonly poison: number;
}

/** @param env settings; HOST and PORT are set here */
export async function appProcess(
  env: Readonly<Record<string, string>>,
  logFile: string,
  nodeArguments: readonly string[] = [],
): Promise<AppProcess> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  const orphaned = (): void => void child?.kill('SIGKILL');
  process.once('exit', orphaned);

  const get = async (path: string): Promise<Response | undefined> => {
    try {
      return await fetch(url + path, { signal: AbortSignal.timeout(5_000) });
    } catch {
      return undefined; // it is down
    }
  };
  const metrics = async (): Promise<string | undefined> => {
    const answer = await get('/metrics');
    return answer?.ok === true ? await answer.text().catch(() => undefined) : undefined;
  };
  const ended = async (one: ChildProcess): Promise<void> => {
    if (one.exitCode === null && one.signalCode === null) await once(one, 'exit');
  };
  const kill = async (): Promise<void> => {
    if (child === undefined) return;
    child.kill('SIGKILL');
    await ended(child);
    child = undefined;
  };
  return {
    url,
    webhookUrl: `${url}/api/github/webhooks`,
    start: async () => {
      const log = openSync(logFile, 'a');
      const own = spawn(process.execPath, [...ALWAYS, ...nodeArguments, MAIN], {
        env: { PATH: process.env['PATH'] ?? '', ...env, HOST: '127.0.0.1', PORT: String(port) },
        stdio: ['pipe', log, log],
      });
      closeSync(log);
      child = own;
      const until = Date.now() + START_MS;
      while ((await get('/readyz'))?.status !== 200) {
        if (own.exitCode !== null || own.signalCode !== null || Date.now() > until) {
          await kill();
          throw new Error(`The App did not start:\n${readFileSync(logFile, 'utf8').slice(-3000)}`);
        }
        await sleep(50);
      }
    },
    kill,
    stop: async () => {
      const own = child;
      if (own === undefined) return null;
      own.kill('SIGTERM');
      const late = setTimeout(() => own.kill('SIGKILL'), STOP_MS);
      await ended(own);
      clearTimeout(late);
      child = undefined;
      return own.exitCode;
    },
    sweep: () => void child?.kill('SIGUSR2'),
    pid: () => child?.pid,
    metrics,
    queues: async () => queuesOf(await metrics()),
    end: async () => {
      process.off('exit', orphaned);
      await kill();
    },
  };
}

function queuesOf(text: string | undefined): Queues | undefined {
  if (text === undefined || !text.includes('\ncountersign_store_up 1\n')) return undefined;
  const rows = [...text.matchAll(/^countersign_queue_depth\{queue="\w+",state="(\w+)"\} (\d+)$/gm)];
  const sum = (states: readonly string[]): number =>
    rows.reduce((sofar, [, state = '', count]) => sofar + (states.includes(state) ? Number(count) : 0), 0);
  return rows.length === 0 ? undefined : { open: sum(['queued', 'running']), poison: sum(['poison']) };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('There is no free port.');
  return address.port;
}

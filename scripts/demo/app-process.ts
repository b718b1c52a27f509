import { spawn } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

/** A verdict as the App's log tells it. */
export interface Published {
  readonly number: number;
  readonly outcome: string;
  readonly headline: string;
}

/** The App as a process of its own. */
export interface DemoApp {
  readonly url: string;
  /**
   * The verdict on a pull request, once there is nothing more to do.
   * @param arrived waits until all events have been delivered
   * @throws Error where the App ends or takes too long
   */
  readonly verdict: (number: number, arrived: () => Promise<void>) => Promise<Published>;
  /** Told of every verdict from now on. */
  readonly onVerdict: (told: (published: Published) => void) => void;
  readonly stop: () => Promise<void>;
}

/** Milliseconds that a verdict may take before the demonstration gives up: it takes about one second. */
const PATIENCE_MS = 45_000;
/** Deliveries and pull requests that the App still has to work on, as its metrics tell. */
async function waiting(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const rows = [
    ...text.matchAll(/^countersign_queue_depth\{queue="\w{1,20}",state="(?:queued|running)"\} (\d{1,9})$/gm),
  ];
  return rows.reduce((sum, [, depth]) => sum + Number(depth), 0);
}

/** Milliseconds after which an App that was asked to stop is killed; it allows itself eight seconds. */
const GRACE_MS = 10_000;

/**
 * Starts the App's bundle as an operator would, with environment variables.
 * @param logFile gets every line that it writes
 * @throws Error where it ends instead of listening
 */
export async function startDemoApp(
  bundle: string,
  settings: Readonly<Record<string, string>>,
  logFile: string,
): Promise<DemoApp> {
  const child = spawn(process.execPath, [bundle], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const listeners = new Set<(published: Published) => void>();
  const seen = new Map<number, Published>();
  const listening = Promise.withResolvers<string>();
  listening.promise.catch(() => undefined);
  const ended = once(child, 'close').then(() => listening.reject(new Error(`The App ended. Its log: ${logFile}`)));
  let rest = '';
  const hear = (text: string): void => {
    appendFileSync(logFile, text);
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines.filter((one) => one.startsWith('{'))) {
      const said = JSON.parse(line) as Readonly<Record<string, unknown>>;
      if (said['msg'] === 'listening') listening.resolve(String(said['url']));
      const number = Number(/(\d+)$/.exec(String(said['pull']))?.[1]);
      if (said['msg'] !== 'verdict published' || Number.isNaN(number)) continue;
      const published = { number, outcome: String(said['outcome']), headline: String(said['headline']) };
      seen.set(number, published);
      for (const told of listeners) told(published);
    }
  };
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
  const url = await listening.promise;
  return {
    url,
    onVerdict: (told) => void listeners.add(told),
    verdict: async (number, arrived) => {
      const from = Date.now();
      for (;;) {
        await arrived();
        if (seen.has(number) && (await waiting(url)) === 0) {
          // Its last line of log comes right after the queue is empty.
          await sleep(200);
          const published = seen.get(number);
          if (published !== undefined && (await waiting(url)) === 0) return published;
        }
        const why = child.exitCode !== null ? 'The App ended.' : `There is no verdict on pull request ${number}.`;
        if (child.exitCode !== null || Date.now() - from > PATIENCE_MS)
          throw new Error(`${why} The App's log: ${logFile}`);
        await sleep(50);
      }
    },
    stop: async () => {
      const kill = setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
      if (child.exitCode === null) child.kill('SIGTERM');
      await ended;
      clearTimeout(kill);
    },
  };
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { join } from 'node:path';

/** The bundle under test: made from the sources before any test. */
const BUNDLE = join(import.meta.dirname, '..', '..', 'build', 'app.mjs');

/** A line of the App's log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** The App as a process of its own. */
export interface AppProcess {
  readonly url: string;
  /** All that it wrote, so far. */
  readonly lines: () => readonly string[];
  /** Its log, parsed: those lines whose message is this. */
  readonly said: (message: string) => readonly LogLine[];
  /** What `/metrics` says of a metric, added up over the labels that are not named. */
  readonly metric: (name: string, labels?: Readonly<Record<string, string>>) => Promise<number>;
  /** Rows of its queues that wait or are worked on, at one moment. */
  readonly waiting: () => Promise<number>;
  /** Asks it to stop, and answers with its exit code once it has. */
  readonly stop: () => Promise<number>;
}

/**
 * Starts the App's bundle as an operator does: environment variables, a free port.
 * @throws Error with what it wrote where it ends instead of listening
 */
export async function startAppProcess(
  settings: Readonly<Record<string, string>>,
  bundle = BUNDLE,
): Promise<AppProcess> {
  const child = spawn(process.execPath, [bundle], {
    env: { PATH: process.env['PATH'] ?? '', PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  let rest = '';
  let heard = (): void => undefined;
  const hear = (text: string): void => {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    lines.push(...parts);
    heard();
  };
  child.stdout.setEncoding('utf8').on('data', hear);
  child.stderr.setEncoding('utf8').on('data', hear);
  const ended = once(child, 'close').then(([code]) => (typeof code === 'number' ? code : -1));
  const said = (message: string): LogLine[] =>
    lines.flatMap((line) => {
      if (!line.startsWith('{')) return [];
      const parsed = JSON.parse(line) as LogLine;
      return parsed['msg'] === message ? [parsed] : [];
    });
  const url = await new Promise<string>((resolve, reject) => {
    heard = () => {
      const address = said('listening')[0]?.['url'];
      if (typeof address === 'string') resolve(address);
    };
    void ended.then((code) => reject(new Error(`The App ended with ${code}:\n${lines.join('\n')}`)));
  });
  return {
    ...{ url, said },
    lines: () => lines,
    metric: async (name, labels = {}) => {
      return sumOf(await page(`${url}/metrics`), name, labels);
    },
    // One page: what goes from waiting to working between two would be in neither.
    waiting: async () => {
      const text = await page(`${url}/metrics`);
      const states = ['queued', 'running'].map((state) => sumOf(text, 'countersign_queue_depth', { state }));
      return states.reduce((all, one) => all + one, 0);
    },
    stop: async () => {
      if (child.exitCode === null) child.kill('SIGTERM');
      return ended;
    },
  };
}

/** Reads a page over a connection of its own. */
async function page(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, timeout: 30_000 }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => resolve(text)).on('error', reject);
    });
    request.on('error', reject).on('timeout', () => request.destroy(new Error(`${url} did not answer`)));
  });
}

/** Adds up the samples of a metric in Prometheus' text form. */
function sumOf(text: string, name: string, labels: Readonly<Record<string, string>>): number {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
  return text
    .split('\n')
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => wanted.every((one) => line.includes(one)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
}

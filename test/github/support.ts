import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createGitHub } from '../../src/github/client.ts';
import type { GitHub, GitHubOptions } from '../../src/github/client.ts';
import { isRefusal } from '../../src/domain/errors.ts';
import type { Refusal } from '../../src/domain/errors.ts';
import type { Time } from '../../src/github/time.ts';

export const REPO = { owner: 'acme', repo: 'widgets' };

/** A time in which waiting takes none; `waits` tells how long was waited, in milliseconds. */
export interface FakeTime extends Time {
  readonly waits: number[];
}

/** @param random what jitter is made of */
export function fakeTime(start = Date.parse('2026-01-01T00:00:00Z'), random: () => number = () => 0): FakeTime {
  let now = start;
  const waits: number[] = [];
  return {
    now: () => now,
    sleep: async (ms, signal) => {
      const until = now + ms;
      waits.push(ms);
      // Others get their turn as they would.
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
      now = Math.max(now, until);
    },
    ...{ random, waits },
  };
}

export function gitHub(baseUrl: string, options: Partial<GitHubOptions> = {}): GitHub {
  return createGitHub({ baseUrl, userAgent: 'countersign/test', time: fakeTime(), ...options });
}

/** What a promise is refused with. @throws Error where it is not refused */
export async function refusalOf(promise: Promise<unknown>): Promise<Refusal> {
  try {
    await promise;
  } catch (thrown) {
    if (isRefusal(thrown)) return thrown;
    throw thrown;
  }
  throw new Error('It was not refused.');
}

/** A server that answers as the test says. */
export async function startServer(listener: RequestListener) {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    ...{ server, port },
    url: `http://127.0.0.1:${port}`,
    stop: async (): Promise<void> => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** A token-shaped text, made here so that no scanner takes it for a real one. */
export const secretToken = (): string => ['ghs', 'q'.repeat(36)].join('_');

import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { healthPages } from '../../../src/app/http/health.ts';
import { listen } from '../../../src/app/http/server.ts';
import { createLog } from '../../../src/app/log.ts';
import { createMetrics } from '../../../src/app/metrics.ts';
import type { Counts } from '../../../src/app/store/care.ts';
import { Refusal } from '../../../src/domain/errors.ts';

const quiet = createLog('fatal', { write: () => undefined });
const COUNTS: Counts = {
  deliveries: { queued: 2, running: 1, poison: 0, oldestAge: 1500 },
  evaluations: { queued: 0, running: 0, poison: 1, oldestAge: 0 },
  ended: [{ event: 'push', outcome: 'evaluated', count: 4 }],
};

async function withHealth(
  options: { readonly away?: boolean; readonly notReady?: string },
  body: (get: (path: string) => Promise<{ status: number; text: string }>) => Promise<void>,
) {
  const fail = async (): Promise<never> => Promise.reject(new Refusal('CS1601', 'the store is away'));
  const server = await listen(
    { host: '127.0.0.1', port: 0 },
    healthPages({
      store: {
        ping: async () => (options.away === true ? fail() : Promise.resolve()),
        counts: async () => (options.away === true ? fail() : Promise.resolve(COUNTS)),
      },
      metrics: createMetrics(),
      now: () => 0,
      version: '1.2.3',
      notReady: () => options.notReady,
    }),
    quiet,
  );
  try {
    await body(async (path) => {
      const answer = await fetch(server.url + path);
      return { status: answer.status, text: await answer.text() };
    });
  } finally {
    await server.stop(100);
  }
}

describe('the pages for operators', () => {
  it('tell that it lives, whatever the store does', async () => {
    await withHealth({ away: true }, async (get) => {
      expect(await get('/healthz')).toEqual({ status: 200, text: '{"status":"ok","version":"1.2.3"}\n' });
    });
  });

  it.each([
    [{}, 200, 'ready'],
    [{ away: true }, 503, 'the store is away'],
    [{ notReady: 'it is shutting down' }, 503, 'it is shutting down'],
  ] as const)('tell whether it is ready: %j', async (options, status, text) => {
    await withHealth(options, async (get) => {
      const answer = await get('/readyz');
      expect(answer.status).toBe(status);
      expect(answer.text).toContain(text);
    });
  });

  it('show the queues in numbers', async () => {
    await withHealth({}, async (get) => {
      const { text } = await get('/metrics');
      for (const line of [
        'countersign_queue_depth{queue="deliveries",state="queued"} 2',
        'countersign_queue_depth{queue="evaluations",state="poison"} 1',
        'countersign_queue_oldest_age_seconds{queue="deliveries"} 1.5',
        'countersign_deliveries_ended_total{event="push",outcome="evaluated"} 4',
        'countersign_store_up 1',
      ])
        expect(text).toContain(`${line}\n`);
    });
  });

  it('show numbers while the store is away', async () => {
    await withHealth({ away: true }, async (get) => {
      const { status, text } = await get('/metrics');
      expect([status, text.includes('countersign_store_up 0\n')]).toEqual([200, true]);
    });
  });
});

describe('the server', () => {
  it('has nothing at other paths', async () => {
    await withHealth({}, async (get) => {
      for (const path of ['/', '/constructor', '/healthz/']) expect((await get(path)).status).toBe(404);
      expect((await get('/healthz?x=1')).status).toBe(200);
    });
  });

  it('tells a defect without its details', async () => {
    const server = await listen(
      { host: '127.0.0.1', port: 0 },
      { '/': async () => Promise.reject(new TypeError('inner words')) },
      quiet,
    );
    try {
      const answer = await fetch(server.url);
      expect([answer.status, (await answer.text()).includes('inner')]).toEqual([500, false]);
    } finally {
      await server.stop(100);
    }
  });

  it('refuses an address that is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    await expect(listen({ host: '127.0.0.1', port }, {}, quiet)).rejects.toMatchObject({ code: 'CS1802' });
    other.close();
  });

  it('answers what is under way before it stops', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    const server = await listen(
      { host: '127.0.0.1', port: 0 },
      { '/': async () => held.then(() => ({ status: 200, body: {} })) },
      quiet,
    );
    const answer = fetch(server.url);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const stopped = server.stop(5000);
    release();
    expect((await answer).status).toBe(200);
    await stopped;
  });
});

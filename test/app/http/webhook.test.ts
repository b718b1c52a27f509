import { createHmac, randomUUID } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { EVENTS } from '../../../src/app/deliveries/events.ts';
import { listen } from '../../../src/app/http/server.ts';
import type { RunningServer } from '../../../src/app/http/server.ts';
import { isSigned, MAX_DELIVERY, webhookHandler } from '../../../src/app/http/webhook.ts';
import { createLog } from '../../../src/app/log.ts';
import { createMetrics } from '../../../src/app/metrics.ts';
import type { NewDelivery } from '../../../src/app/store/queues.ts';
import { Refusal } from '../../../src/domain/errors.ts';

const SECRET = 'the secret in use';
const OLD = 'the secret before it';
const signed = (body: string | Buffer, secret = SECRET): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;

const PAYLOAD = {
  action: 'opened',
  installation: { id: 5 },
  repository: { id: 9 },
  pull_request: { number: 3 },
};

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.stop(100);
  server = undefined;
});

async function door(keep: (delivery: NewDelivery) => 'stored' | 'duplicate' | 'retry' = () => 'stored') {
  const kept: NewDelivery[] = [];
  const lines: string[] = [];
  const metrics = createMetrics();
  const log = createLog('trace', { write: (line) => void lines.push(line) });
  const handler = webhookHandler({
    secrets: [SECRET, OLD],
    store: {
      acceptDelivery: async (delivery) => {
        const result = keep(delivery);
        kept.push(delivery);
        return Promise.resolve(result);
      },
    },
    metrics,
    log,
    now: () => 1000,
  });
  const running = await listen({ host: '127.0.0.1', port: 0 }, { '/hook': handler }, log);
  server = running;
  const send = async (body: string | Buffer, headers: Record<string, string | undefined> = {}, method = 'POST') => {
    const all = {
      'x-github-delivery': randomUUID(),
      'x-github-event': 'pull_request',
      'x-hub-signature-256': signed(body),
      'content-type': 'application/json',
      ...headers,
    };
    const given = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
    const answer = await fetch(`${running.url}/hook`, {
      method,
      headers: Object.fromEntries(given),
      ...(method === 'GET' ? {} : { body }),
    });
    return { status: answer.status, body: (await answer.json()) as Record<string, string> };
  };
  return { kept, lines, metrics, send, url: running.url };
}

describe('a delivery', () => {
  it('is kept under what it is about, and then answered', async () => {
    const { kept, send } = await door();
    const body = JSON.stringify(PAYLOAD);
    expect(await send(body, { 'x-github-delivery': 'd-1' })).toEqual({ status: 202, body: { result: 'stored' } });
    expect(kept).toEqual([
      {
        id: 'd-1',
        event: 'pull_request',
        action: 'opened',
        installationId: 5,
        repositoryId: 9,
        pullKey: '9#3',
        receivedAt: 1000,
        payload: body,
        headers: {},
      },
    ]);
  });

  it.each(['stored', 'duplicate', 'retry'] as const)('that is %s is answered with 202', async (result) => {
    const { send } = await door(() => result);
    expect(await send(JSON.stringify(PAYLOAD))).toEqual({ status: 202, body: { result } });
  });

  it('may be signed with the secret before a rotation', async () => {
    const { send } = await door();
    const body = JSON.stringify(PAYLOAD);
    expect((await send(body, { 'x-hub-signature-256': signed(body, OLD) })).status).toBe(202);
  });

  it('is checked by its bytes, whatever they say', async () => {
    const { kept, send } = await door();
    const body = JSON.stringify({ ...PAYLOAD, title: 'é\u2028 \ud83e\udd16' });
    expect((await send(body)).status).toBe(202);
    expect(kept[0]?.payload).toBe(body);
  });

  it.each<[string, string, Record<string, string | undefined>, number]>([
    ['without a signature', '{}', { 'x-hub-signature-256': undefined }, 401],
    ['with the old kind of signature', '{}', { 'x-hub-signature-256': `sha1=${'0'.repeat(40)}` }, 401],
    ['with another secret', '{}', { 'x-hub-signature-256': signed('{}', 'somebody else') }, 401],
    ['with the signature of another body', '{"a":1}', { 'x-hub-signature-256': signed('{}') }, 401],
    ['without an id', '{}', { 'x-github-delivery': undefined }, 400],
    ['with an id that is none', '{}', { 'x-github-delivery': '../x' }, 400],
    ['without an event', '{}', { 'x-github-event': undefined }, 400],
    ['that is no JSON', 'payload=%7B%7D', {}, 400],
    ['that is no object', '[]', {}, 400],
    ['whose numbers are none', '{"repository":{"id":"9"}}', {}, 400],
  ])('%s is refused', async (_, body, headers, status) => {
    const { kept, send } = await door();
    expect((await send(body, headers)).status).toBe(status);
    expect(kept).toEqual([]);
  });

  it('of another method is refused', async () => {
    const { send } = await door();
    expect((await send('{}', {}, 'GET')).status).toBe(405);
  });

  it('of an event or action that changes no verdict is answered and forgotten', async () => {
    const { kept, send } = await door();
    for (const [event, action] of [
      ['star', 'created'],
      ['pull_request', 'labeled'],
      ['constructor', 'x'],
    ] as const) {
      const answer = await send(JSON.stringify({ ...PAYLOAD, action }), { 'x-github-event': event });
      expect(answer).toEqual({ status: 202, body: { result: 'ignored' } });
    }
    expect(kept).toEqual([]);
  });

  it('of each wanted event and action is kept', async () => {
    const { kept, send } = await door();
    for (const [event, actions] of Object.entries(EVENTS)) {
      for (const action of actions) {
        const body = JSON.stringify(action === '*' ? { repository: { id: 9 } } : { ...PAYLOAD, action });
        expect((await send(body, { 'x-github-event': event })).body).toEqual({ result: 'stored' });
      }
    }
    expect(kept).toHaveLength(Object.values(EVENTS).flat().length);
  });

  it('that cannot be kept is answered so that it is sent again', async () => {
    const { send } = await door(() => {
      throw new Refusal('CS1601', 'the store is away');
    });
    expect((await send(JSON.stringify(PAYLOAD))).status).toBe(503);
  });

  it('pings', async () => {
    const { send } = await door();
    expect(await send('{"zen":"."}', { 'x-github-event': 'ping' })).toEqual({ status: 200, body: { result: 'pong' } });
  });

  it('that announces too many bytes is refused before it is read', async () => {
    const { url, kept } = await door();
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const sent = httpRequest(`${url}/hook`, {
        method: 'POST',
        headers: {
          'content-length': MAX_DELIVERY + 1,
          'x-github-delivery': 'd',
          'x-github-event': 'push',
          'x-hub-signature-256': signed(''),
        },
      });
      sent.on('response', (answer) => {
        resolve(answer.statusCode);
        sent.destroy();
      });
      sent.on('error', reject);
      sent.flushHeaders();
    });
    expect(status).toBe(413);
    expect(kept).toEqual([]);
  });

  it('that does not announce them is refused on the way', async () => {
    const { url, kept } = await door();
    const status = await new Promise<number | undefined>((resolve) => {
      const sent = httpRequest(`${url}/hook`, {
        method: 'POST',
        headers: { 'x-github-delivery': 'd', 'x-github-event': 'push', 'x-hub-signature-256': signed('') },
      });
      sent.on('response', (answer) => resolve(answer.statusCode));
      sent.on('error', () => resolve(undefined)); // cut off while it was still sending
      const chunk = Buffer.alloc(1024 * 1024);
      for (let at = 0; at < 27; at += 1) sent.write(chunk);
      sent.end();
    });
    expect([413, undefined]).toContain(status);
    expect(kept).toEqual([]);
  });

  it('leaves neither its payload nor its signature in the log', async () => {
    const { lines, send } = await door();
    const body = JSON.stringify({ ...PAYLOAD, note: 'words of the payload' });
    await send(body);
    await send(body, { 'x-hub-signature-256': signed(body, 'somebody else') });
    expect(lines).toHaveLength(2);
    expect(lines.join('')).not.toMatch(/words of the payload|sha256=/);
  });

  it('is counted by event and outcome, unknown events as one', async () => {
    const { metrics, send } = await door();
    await send(JSON.stringify(PAYLOAD));
    await send('{}', { 'x-github-event': 'made_up' });
    const text = await metrics.text(undefined);
    expect(text).toContain('countersign_deliveries_total{event="pull_request",outcome="stored"} 1');
    expect(text).toContain('countersign_deliveries_total{event="other",outcome="ignored"} 1');
  });
});

describe('isSigned', () => {
  it('holds for the one secret and no other text', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (raw, secret, other) => {
        const signature = signed(Buffer.from(raw), secret);
        expect(isSigned(raw, signature, [secret])).toBe(true);
        expect(isSigned(raw, signature, [other, secret])).toBe(true);
        expect(isSigned(raw, signature, [other])).toBe(other === secret);
        expect(isSigned(raw, signature, [])).toBe(false);
      }),
    );
  });
});

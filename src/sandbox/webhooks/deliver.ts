import { createHmac, randomUUID } from 'node:crypto';
import type { JsonObject } from '../json.ts';
import { newId } from '../state.ts';
import type { App, Delivery } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';

/** What is told to an app, before it is sent. */
export interface Message {
  readonly app: App;
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly payload: JsonObject;
}

/** `sha256=…` over the raw bytes, as `X-Hub-Signature-256` carries it. */
export function signature(secret: string, text: string, algorithm: 'sha256' | 'sha1' = 'sha256'): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(text).digest('hex')}`;
}

/** Sends an event to an app's webhook, signed, without waiting. One over GitHub's size limit is not sent at all. */
export function deliver(sandbox: Sandbox, { payload, ...message }: Message): void {
  const { app } = message;
  const text = JSON.stringify(payload);
  if (app.webhook === null || Buffer.byteLength(text) > sandbox.limits.deliveryBytes) return;
  start(sandbox, app, { ...message, guid: randomUUID(), text, redelivery: false });
}

/** Sends a delivery once more, under its own id and with the same `X-GitHub-Delivery`. */
export function redeliver(sandbox: Sandbox, app: App, earlier: Delivery): void {
  start(sandbox, app, { ...earlier, redelivery: true });
}

type Ready = Pick<Delivery, 'event' | 'action' | 'installationId' | 'repositoryId' | 'guid' | 'text' | 'redelivery'>;

function start(sandbox: Sandbox, app: App, ready: Ready): void {
  if (app.webhook === null) return;
  const { url, secret } = app.webhook;
  const { event, action, installationId, repositoryId, guid, text, redelivery } = ready;
  const delivery: Delivery = {
    ...{ id: newId(sandbox.state), appId: app.id, guid, at: sandbox.now(), redelivery, event, action },
    ...{ installationId, repositoryId, url, text, statusCode: 0, status: 'pending', duration: 0, response: null },
    requestHeaders: {
      accept: '*/*',
      'content-type': 'application/json',
      'user-agent': 'GitHub-Hookshot/sandbox',
      'x-github-delivery': guid,
      'x-github-event': event,
      'x-github-hook-id': String(app.id),
      'x-github-hook-installation-target-id': String(app.id),
      'x-github-hook-installation-target-type': 'integration',
      'x-hub-signature': signature(secret, text, 'sha1'),
      'x-hub-signature-256': signature(secret, text),
    },
  };
  sandbox.state.deliveries.push(delivery);
  const sent = send(sandbox, delivery).finally(() => sandbox.pending.delete(sent));
  sandbox.pending.add(sent);
}

async function send(sandbox: Sandbox, delivery: Delivery): Promise<void> {
  const started = performance.now();
  try {
    const response = await fetch(delivery.url, {
      method: 'POST',
      headers: delivery.requestHeaders,
      body: delivery.text,
      signal: AbortSignal.timeout(sandbox.limits.deliveryTimeout),
    });
    const payload = await response.text();
    delivery.statusCode = response.status;
    delivery.status = response.ok ? 'OK' : response.statusText || 'Invalid HTTP Response';
    delivery.response = { headers: Object.fromEntries(response.headers), payload };
  } catch (thrown) {
    const late = thrown instanceof Error && thrown.name === 'TimeoutError';
    delivery.status = late ? 'timed out' : 'failed to connect to host';
  }
  delivery.duration = Math.round(performance.now() - started) / 1000;
}

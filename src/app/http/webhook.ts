import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isRefusal } from '../../domain/errors.ts';
import { envelopeOf, EVENTS, isWanted } from '../deliveries/events.ts';
import type { Logger } from '../log.ts';
import { errorFields } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Store } from '../store/store.ts';
import { readBody } from './body.ts';

/** Bytes of a delivery; GitHub sends no larger one (docs.github.com, "Webhook events and payloads": 25 MB). */
export const MAX_DELIVERY = 25 * 1024 * 1024;

/** What is answered to a request: a status and a short JSON object. */
export interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface WebhookOptions {
  /** Secrets that a signature may be made with: the one in use, and during a rotation the one before it. */
  readonly secrets: readonly string[];
  readonly store: Pick<Store, 'acceptDelivery'>;
  readonly metrics: Pick<Metrics, 'delivery'>;
  readonly log: Logger;
  readonly now: () => number;
  /** Called once a delivery is kept, so that a worker need not wait for its next look. */
  readonly onStored?: () => void;
}

/**
 * Takes a delivery in: its signature is checked over the raw bytes, it is kept, and only then answered with 202. What
 * cannot be kept is answered with 503: GitHub lists it as failed, and the sweep asks for it again.
 */
export function webhookHandler(options: WebhookOptions): (request: IncomingMessage) => Promise<Answer> {
  return async (request) => {
    const given = header(request, 'x-github-event') ?? '';
    const event = Object.hasOwn(EVENTS, given) || given === 'ping' ? given : 'other';
    const count = (outcome: string): void => options.metrics.delivery(event, outcome);
    const refuse = (status: number, outcome: string, error: string): Answer => {
      count(outcome);
      options.log.warn({ delivery: shownId(request), event, outcome }, 'delivery refused');
      return { status, body: { error } };
    };
    if (request.method !== 'POST') {
      return { ...refuse(405, 'refused_form', 'Deliveries are sent with POST.'), headers: { allow: 'POST' } };
    }
    const id = header(request, 'x-github-delivery');
    if (id === undefined || !/^[\w-]{1,100}$/.test(id) || !/^[a-z_]{1,50}$/.test(given)) {
      return refuse(400, 'refused_form', 'X-GitHub-Delivery or X-GitHub-Event is missing or malformed.');
    }
    const signature = header(request, 'x-hub-signature-256');
    if (signature === undefined || !/^sha256=[0-9a-f]{64}$/.test(signature)) {
      return refuse(401, 'refused_signature', 'X-Hub-Signature-256 is missing or malformed.');
    }
    const raw = await readBody(request, MAX_DELIVERY);
    if (raw === 'too-large') return refuse(413, 'refused_size', `A delivery has at most ${MAX_DELIVERY} bytes.`);
    if (!isSigned(raw, signature, options.secrets)) {
      return refuse(401, 'refused_signature', 'The signature is not made with the secret of this webhook.');
    }
    const payload = payloadOf(raw);
    const envelope = payload === undefined ? undefined : envelopeOf(payload.value);
    if (payload === undefined || envelope === undefined) {
      return refuse(
        400,
        'refused_form',
        'The body is no JSON object of a webhook. Set its content type to application/json.',
      );
    }
    if (given === 'ping') {
      count('ping');
      return { status: 200, body: { result: 'pong' } };
    }
    if (!isWanted(given, envelope.action)) {
      count('ignored');
      return { status: 202, body: { result: 'ignored' } };
    }
    try {
      const result = await options.store.acceptDelivery({
        id,
        event: given,
        receivedAt: options.now(),
        payload: payload.text,
        headers: {},
        ...envelope,
      });
      count(result);
      options.log.info({ delivery: id, event: given, action: envelope.action, result }, 'delivery taken in');
      if (result !== 'duplicate') options.onStored?.();
      return { status: 202, body: { result } };
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      count('unavailable');
      options.log.error({ delivery: id, event: given, err: errorFields(thrown) }, 'delivery not kept');
      return {
        status: 503,
        body: { error: 'The delivery could not be kept; send it again.' },
        headers: { 'retry-after': '30' },
      };
    }
  };
}

/** Whether one of the secrets made the signature; in constant time, whatever differs. */
export function isSigned(raw: Uint8Array, signature: string, secrets: readonly string[]): boolean {
  const given = Buffer.from(signature);
  let signed = false;
  for (const secret of secrets) {
    const made = Buffer.from(`sha256=${createHmac('sha256', secret).update(raw).digest('hex')}`);
    signed = (made.length === given.length && timingSafeEqual(made, given)) || signed;
  }
  return signed;
}

function payloadOf(raw: Uint8Array): { readonly text: string; readonly value: unknown } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
    return { text, value: JSON.parse(text) as unknown };
  } catch (thrown) {
    if (thrown instanceof SyntaxError || thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return typeof value === 'string' ? value : undefined;
}

function shownId(request: IncomingMessage): string {
  return (header(request, 'x-github-delivery') ?? '').replaceAll(/[^\w-]/g, '?').slice(0, 100);
}

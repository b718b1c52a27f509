import { isRefusal } from '../domain/errors.ts';
import { describeCall } from './call.ts';
import type { Call } from './call.ts';
import { refusalOf, refuse, tooLate } from './errors.ts';
import { etagKey } from './etags.ts';
import type { EtagStore, StoredAnswer } from './etags.ts';
import { bagOf, readFault, resetOf, textOf } from './fault.ts';
import type { Fault } from './fault.ts';
import { graphqlFault } from './graphql-errors.ts';
import type { Limiter, Resource } from './limiter.ts';
import { mostAttempts, repeatable, waitAfter } from './retry.ts';
import type { CallOptions, CallResponse, Send } from './octokit.ts';
import type { WaitingBudget } from './retry.ts';
import type { Time } from './time.ts';

/** GitHub's REST API is versioned by date (REST docs, "API Versions"). */
export const API_VERSION = '2022-11-28';
const ACCEPT = 'application/vnd.github+json';
/** octokit's own default, which names a version that has no meaning any more. */
const OCTOKIT_ACCEPT = 'application/vnd.github.v3+json';

/** One attempt of a call, as counters and logs are told of it. Holds no query, header or body. */
export interface CallRecord {
  /** `GET /repos/{owner}/{repo}/pulls/{pull_number}` */
  readonly route: string;
  /** From 1. */
  readonly attempt: number;
  /** Null where no whole answer came. */
  readonly status: number | null;
  readonly milliseconds: number;
  /** Which of GitHub's hourly limits it counts for. */
  readonly resource: Resource;
  /** What GitHub says remains of that, null where it does not. */
  readonly remaining: number | null;
  /** What GitHub says a query cost, where it asked for `rateLimit { cost }`; 1 for REST. */
  readonly cost: number | null;
}

/** What `attachRules` makes of its options. */
export interface Rules {
  readonly graphqlUrl: string;
  /** What octokit may ask it by. */
  readonly graphqlUrls: ReadonlySet<string>;
  /** Where the token may go. */
  readonly origins: ReadonlySet<string>;
  readonly prepare: (options: CallOptions) => { method: string; url: string; body?: unknown };
  readonly time: Time;
  readonly onCall: (record: CallRecord) => void;
  readonly limiter: Limiter;
  readonly budget: WaitingBudget;
  readonly fetch: (url: string, init: RequestInit) => Promise<object>;
  readonly etags: EtagStore | undefined;
}

type Attempt =
  | { readonly kind: 'answer'; readonly response: CallResponse; readonly fresh: boolean }
  | { readonly kind: 'fault'; readonly fault: Fault; readonly status: number | null; readonly headers: AnswerHeaders };
type Answered = Attempt & { readonly kind: 'answer' };
type AnswerHeaders = Readonly<Record<string, unknown>>;

/**
 * Makes a call by the rules: in its turn, again where it may be repeated, from the store where nothing has changed.
 * @throws Refusal CS1601 to CS1607; the reason of the caller's own signal where that ended it
 */
export async function perform(rules: Rules, send: Send, options: CallOptions): Promise<CallResponse> {
  const call = ready(rules, options);
  const key =
    call.method === 'GET' && rules.etags !== undefined ? etagKey(options.headers.accept ?? '', call.url) : null;
  const stored = key === null ? undefined : await rules.etags?.get(key);
  if (stored !== undefined) options.headers['if-none-match'] = stored.etag;
  const { response, fresh } = await repeated(rules, call, options.request?.signal, () =>
    attempt(send, options, call, stored, rules.time),
  );
  const { etag, link } = response.headers;
  if (key !== null && fresh && etag !== undefined && response.status === 200 && isJson(response.headers)) {
    await rules.etags?.set(key, { etag, body: response.data as unknown, link });
  }
  return response;
}

/** Completes what octokit made ready. It hands the same object on to the hooks within: it is changed in place. */
function ready(rules: Rules, options: CallOptions): Call {
  const given: unknown = options.request?.['route'];
  const template = typeof given === 'string' ? given : options.url;
  if (options.method === 'POST' && rules.graphqlUrls.has(options.url)) options.url = rules.graphqlUrl;
  options.headers['x-github-api-version'] ??= API_VERSION;
  if (options.headers.accept === OCTOKIT_ACCEPT) options.headers.accept = ACCEPT;
  options.request = { ...options.request, fetch: rules.fetch };
  const { method, url, body } = rules.prepare(options);
  const described = describeCall({ method, url, body }, template, rules.graphqlUrl);
  const needs: unknown = options.request['needs'];
  const call = Array.isArray(needs) ? { ...described, needs: needs.map(String) } : described;
  if (!rules.origins.has(new URL(url).origin))
    throw refuse('CS1606', call, null, 'was not made: it leads to another server');
  // fetch would take a name of two dots for a step up, so that another path is asked than the one that was meant.
  if (/\/(?:\.|%2e){1,2}(?:\/|$)/i.test(url.replace(/[?#].*$/s, ''))) {
    throw refuse('CS1607', call, null, 'was not made: a part of its path is only dots');
  }
  return call;
}

async function repeated(
  rules: Rules,
  call: Call,
  signal: AbortSignal | undefined,
  make: () => Promise<Attempt>,
): Promise<Answered> {
  const { time, limiter, budget } = rules;
  const waitUntil = async (at: number): Promise<void> => {
    if (at > budget.latest()) throw tooLate(call, at);
    const ms = at - time.now();
    budget.spend(at);
    if (ms > 0) await time.sleep(ms, signal);
  };
  const inTurn = async (count: number): Promise<Attempt> => {
    await waitUntil(limiter.turn(call, budget.latest()));
    const started = time.now();
    const done = await make();
    const { headers } = done.kind === 'answer' ? done.response : done;
    const status = done.kind === 'fault' ? done.status : done.fresh ? done.response.status : 304;
    note(limiter, call, headers, time.now());
    rules.onCall({
      ...{ route: call.route, attempt: count, status, milliseconds: time.now() - started },
      ...{ resource: call.resource, cost: costOf(call, done) },
      remaining: numberOf(headers['x-ratelimit-remaining']),
    });
    return done;
  };
  const untilDone = async (): Promise<Answered> => {
    if (call.creates) await waitUntil(limiter.contentTurn(budget.latest()));
    for (let count = 1; ; count += 1) {
      const done = await limiter.place(() => inTurn(count));
      signal?.throwIfAborted();
      if (done.kind === 'answer') return done;
      const { fault } = done;
      const now = time.now();
      const at = now + waitAfter(fault, count, time.random);
      if (!repeatable(fault, call.writes) || count >= mostAttempts(fault) || at > budget.latest()) {
        throw refusalOf(fault, call, count, now);
      }
      if (fault.kind === 'limited') limiter.pause(fault.primary ? call.resource : 'all', at);
      await waitUntil(at);
    }
  };
  return call.creates ? limiter.contentPlace(untilDone) : untilDone();
}

function costOf({ resource }: Call, done: Attempt): number | null {
  if (resource === 'core') return 1;
  const data = done.kind === 'answer' ? bagOf(bagOf(done.response.data as unknown)?.['data']) : null;
  const cost = bagOf(data?.['rateLimit'])?.['cost'];
  return typeof cost === 'number' ? cost : null;
}

/** Where nothing remains of the hour, the next call would be refused: it is not made before the reset. */
function note(limiter: Limiter, call: Call, headers: AnswerHeaders, now: number): void {
  const reset = resetOf(headers, now);
  if (reset !== null) limiter.pause(call.resource, now + reset);
}

async function attempt(
  send: Send,
  options: CallOptions,
  call: Call,
  stored: StoredAnswer | undefined,
  time: Time,
): Promise<Attempt> {
  let response: CallResponse;
  try {
    response = await send(options);
  } catch (thrown) {
    if (isRefusal(thrown)) throw thrown;
    const answer = bagOf(bagOf(thrown)?.['response']);
    const headers = bagOf(answer?.['headers']) ?? {};
    if (answer?.['status'] === 304 && stored !== undefined) return unchanged(call, headers, stored);
    const fault = readFault(thrown, call.url, time.now());
    // The caller's own signal is told by whoever repeats.
    if (fault === null && options.request?.signal?.aborted !== true) throw thrown;
    const status = answer === null ? null : Number(answer['status']);
    return { kind: 'fault', fault: fault ?? { kind: 'broken', reason: 'aborted' }, status, headers };
  }
  const { status, headers } = response;
  const fault =
    unreadable(response) ?? (call.resource === 'graphql' ? graphqlFault(response, options, time.now()) : null);
  if (fault !== null) return { kind: 'fault', fault, status, headers };
  return { kind: 'answer', response, fresh: true };
}

function unchanged(call: Call, headers: AnswerHeaders, { body, link, etag }: StoredAnswer): Attempt {
  const known = { ...headers, etag, ...(link === undefined ? {} : { link }) } as CallResponse['headers'];
  return { kind: 'answer', fresh: false, response: { status: 200, url: call.url, headers: known, data: body } };
}

// octokit gives back the text of JSON that it cannot read. A page of a proxy or of GitHub's own is HTML.
function unreadable({ status, headers, data }: CallResponse): Fault | null {
  if (status === 204) return null;
  if (isJson(headers) && typeof data === 'string') {
    return { kind: 'unreadable', status, reason: 'was answered with JSON that cannot be read' };
  }
  if (textOf(headers['content-type']).startsWith('text/html')) {
    return { kind: 'unreadable', status, reason: 'was answered with a page instead of data' };
  }
  return null;
}

const isJson = (headers: AnswerHeaders): boolean => /^application\/json\b/.test(textOf(headers['content-type']));

const numberOf = (header: unknown): number | null => (/^\d{1,9}$/.test(textOf(header)) ? Number(header) : null);

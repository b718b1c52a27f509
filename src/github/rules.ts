import type { Octokit } from '@octokit/core';
import type { EtagStore } from './etags.ts';
import { createLimiter } from './limiter.ts';
import type { Limiter } from './limiter.ts';
import { perform } from './perform.ts';
import type { CallOptions, Send } from './octokit.ts';
import type { CallRecord, Rules } from './perform.ts';

export type { CallRecord } from './perform.ts';
import { createBudget, WAITING_BUDGET_MS } from './retry.ts';
import { SYSTEM_TIME } from './time.ts';
import type { Time } from './time.ts';
import { CALL_TIMEOUT_MS, wholeFetch } from './transport.ts';

export interface RulesOptions {
  /** By default what follows from octokit's base address: `/graphql`, or `/api/graphql` of an Enterprise Server. */
  readonly graphqlUrl?: string;
  readonly fetch?: typeof globalThis.fetch;
  readonly time?: Time;
  /** Told of each attempt; must not throw. */
  readonly onCall?: (record: CallRecord) => void;
  /** Shared by all clients of one token; by default one of its own. */
  readonly limiter?: Limiter;
  readonly maxInFlight?: number;
  /** Milliseconds of waiting in all (`Infinity` for no bound), by default `WAITING_BUDGET_MS`. */
  readonly budget?: number;
  /** Milliseconds a call may take, by default `CALL_TIMEOUT_MS`. */
  readonly timeout?: number;
  readonly etags?: EtagStore;
}

/**
 * Puts this project's rules on an octokit (the client's own, or Probot's): what is repeated, how long is waited, how
 * many calls are under way, where the token may go, and that every failure is a `Refusal`. Attach it last, so that it
 * is around the authentication, and to an octokit without plugins that repeat or throttle: in Probot
 * `retry: { enabled: false }, throttle: { enabled: false }`.
 */
export function attachRules(octokit: Pick<Octokit, 'hook' | 'request'>, options: RulesOptions = {}): void {
  const time = options.time ?? SYSTEM_TIME;
  const { baseUrl } = octokit.request.endpoint.DEFAULTS;
  const graphqlUrl = options.graphqlUrl ?? graphqlUrlOf(baseUrl);
  const rules: Rules = {
    ...{ graphqlUrl, time },
    graphqlUrls: new Set(['/graphql', graphqlUrl, graphqlUrlOf(baseUrl)]),
    origins: new Set([baseUrl, graphqlUrl].map((one) => new URL(one).origin)),
    prepare: (asked) => octokit.request.endpoint.parse(asked),
    onCall: options.onCall ?? (() => undefined),
    limiter: options.limiter ?? createLimiter({ time, ...maybe('maxInFlight', options.maxInFlight) }),
    budget: createBudget(options.budget ?? WAITING_BUDGET_MS, time),
    // Looked up at each call: a proxy is set by replacing the global one's dispatcher, a test by replacing it.
    fetch: wholeFetch(
      options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
      options.timeout ?? CALL_TIMEOUT_MS,
    ),
    etags: options.etags,
  };
  octokit.hook.wrap('request', (send, asked) => perform(rules, send as Send, asked as CallOptions));
}

const maybe = <K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V } =>
  value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: V });

/** The GraphQL interface beside a REST address: an Enterprise Server has `/api/v3` and `/api/graphql`. */
export const graphqlUrlOf = (baseUrl: string): string =>
  `${baseUrl.replace(/\/$/, '').replace(/\/api\/v3$/, '/api')}/graphql`;

import type { Sandbox } from '../sandbox.ts';
import { ApiError } from './answer.ts';
import { callerName } from './auth.ts';
import type { Caller } from './auth.ts';
import type { RateWindow } from './counters.ts';

const HOUR = 3_600_000;
const MINUTE = 60_000;

export type Resource = 'core' | 'graphql';

function hourlyLimit({ limits }: Sandbox, caller: Caller): number {
  switch (caller.kind) {
    case 'anonymous':
      return limits.hourlyAnonymous;
    case 'user':
      return limits.hourlyUser;
    case 'app':
    case 'installation':
      return limits.hourlyInstallation;
    case 'workflow':
      return limits.hourlyWorkflow;
  }
}

function windowOf({ rate, now }: Sandbox, key: string, length: number): RateWindow {
  const known = rate.windows.get(key);
  if (known !== undefined && known.resetAt > now()) return known;
  const fresh = { used: 0, resetAt: now() + length };
  rate.windows.set(key, fresh);
  return fresh;
}

const hour = (sandbox: Sandbox, caller: Caller, resource: Resource): RateWindow =>
  windowOf(sandbox, `${callerName(caller)} ${resource}`, HOUR);

/** What of the hour's calls is used, as headers and `GET /rate_limit` tell it. */
export function rateState(sandbox: Sandbox, caller: Caller, resource: Resource) {
  const { used, resetAt } = hour(sandbox, caller, resource);
  const limit = hourlyLimit(sandbox, caller);
  return { limit, remaining: Math.max(0, limit - used), reset: Math.ceil(resetAt / 1000), used };
}

export function rateHeaders(sandbox: Sandbox, caller: Caller, resource: Resource): Record<string, string> {
  const state = rateState(sandbox, caller, resource);
  return {
    'x-ratelimit-limit': String(state.limit),
    'x-ratelimit-remaining': String(state.remaining),
    'x-ratelimit-reset': String(state.reset),
    'x-ratelimit-used': String(state.used),
    'x-ratelimit-resource': resource,
  };
}

/** The refusal of a secondary limit, as GitHub words it. */
export function secondaryLimit(retryAfter: number, status: 403 | 429 = 403): ApiError {
  const message = 'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.';
  return new ApiError(status, message, undefined, { 'retry-after': String(retryAfter) });
}

/**
 * Counts a call against the limits. A call that ends as a 304 is given back with `giveBack`.
 * @param creates whether it creates content: a comment, a review, a pull request
 * @throws ApiError 403 over a limit
 */
export function countCall(
  sandbox: Sandbox,
  caller: Caller,
  resource: Resource,
  { writes, creates }: { readonly writes: boolean; readonly creates: boolean },
): void {
  const { limits, now } = sandbox;
  const name = callerName(caller);
  const wait = (resetAt: number) => Math.max(1, Math.ceil((resetAt - now()) / 1000));
  const primary = hour(sandbox, caller, resource);
  if (primary.used >= hourlyLimit(sandbox, caller)) {
    throw new ApiError(403, `API rate limit exceeded for ${name.replace(':', ' ID ')}.`);
  }
  if (sandbox.rate.running > limits.concurrent) throw secondaryLimit(60);
  const most = resource === 'core' ? limits.pointsPerMinute : limits.graphqlPointsPerMinute;
  const points = windowOf(sandbox, `${name} ${resource} points`, MINUTE);
  if (points.used >= most) throw secondaryLimit(wait(points.resetAt));
  if (creates) {
    const minute = windowOf(sandbox, `${name} content minute`, MINUTE);
    const perHour = windowOf(sandbox, `${name} content hour`, HOUR);
    if (minute.used >= limits.contentPerMinute) throw secondaryLimit(wait(minute.resetAt));
    if (perHour.used >= limits.contentPerHour) throw secondaryLimit(wait(perHour.resetAt));
    minute.used += 1;
    perHour.used += 1;
  }
  primary.used += 1;
  points.used += writes ? 5 : 1;
}

/** A conditional request that was answered with 304 does not count (REST docs, "Best practices"). */
export function giveBack(sandbox: Sandbox, caller: Caller, resource: Resource): void {
  hour(sandbox, caller, resource).used -= 1;
}

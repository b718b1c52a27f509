import type { Time } from './time.ts';

// "About secondary rate limits" of the REST docs: 100 requests at once, 900 points a minute for REST, 2,000 for
// GraphQL, 80 content creations a minute and 500 an hour. The margin is for what others do with the same token.
const MARGIN = 0.9;
export const REST_POINTS_PER_MINUTE = 900 * MARGIN;
export const GRAPHQL_POINTS_PER_MINUTE = 2000 * MARGIN;
export const CONTENT_PER_MINUTE = 80 * MARGIN;
export const CONTENT_PER_HOUR = 500 * MARGIN;
/** Points of a call (same place): 1 for what reads, 5 for what writes. */
export const READ_POINTS = 1;
export const WRITE_POINTS = 5;
/** Calls under way at once; GitHub's limit of 100 is shared by all that the token is used for. */
export const MAX_IN_FLIGHT = 10;

const MINUTE = 60_000;
const HOUR = 3_600_000;

export type Resource = 'core' | 'graphql';

/** What a call costs. */
export interface CallCost {
  readonly resource: Resource;
  readonly writes: boolean;
}

/** Bounds the calls of one token. The clients that use the token side by side share one. */
export interface Limiter {
  /** Runs a call when one of the places is free. */
  readonly place: <T>(run: () => Promise<T>) => Promise<T>;
  /** Runs a call that creates content when no other does: one after the other, none comes late after its turn. */
  readonly contentPlace: <T>(run: () => Promise<T>) => Promise<T>;
  /**
   * The moment from which a call that creates content may be made; it is counted then.
   * @param latest if the moment were later than this, it is not counted
   */
  readonly contentTurn: (latest: number) => number;
  /** The moment from which a call may be sent, likewise. */
  readonly turn: (cost: CallCost, latest: number) => number;
  /** Holds back all further calls of a resource, or of both, until a moment, as GitHub asked. */
  readonly pause: (resource: Resource | 'all', until: number) => void;
}

export interface LimiterOptions {
  readonly time: Pick<Time, 'now'>;
  readonly maxInFlight?: number;
}

/** A limiter for the calls of one token. */
export function createLimiter({ time, maxInFlight = MAX_IN_FLIGHT }: LimiterOptions): Limiter {
  const points = {
    core: slidingWindow(MINUTE, REST_POINTS_PER_MINUTE),
    graphql: slidingWindow(MINUTE, GRAPHQL_POINTS_PER_MINUTE),
  };
  const contentMinute = slidingWindow(MINUTE, CONTENT_PER_MINUTE);
  const contentHour = slidingWindow(HOUR, CONTENT_PER_HOUR);
  const paused = { core: 0, graphql: 0 };
  return {
    place: places(maxInFlight),
    contentPlace: places(1),
    contentTurn: (latest) => {
      const at = contentMinute.earliest(contentHour.earliest(time.now(), 1), 1);
      if (at > latest) return at;
      contentMinute.add(at, 1);
      contentHour.add(at, 1);
      return at;
    },
    turn: ({ resource, writes }, latest) => {
      const cost = writes ? WRITE_POINTS : READ_POINTS;
      const at = points[resource].earliest(Math.max(time.now(), paused[resource]), cost);
      if (at <= latest) points[resource].add(at, cost);
      return at;
    },
    pause: (resource, until) => {
      for (const one of ['core', 'graphql'] as const) {
        if (resource === 'all' || resource === one) paused[one] = Math.max(paused[one], until);
      }
    },
  };
}

/** At most `most` within any span of `length` milliseconds. Turns are given in order. */
function slidingWindow(length: number, most: number) {
  const entries: { readonly at: number; readonly amount: number }[] = [];
  let sum = 0;
  let last = 0;
  return {
    earliest: (from: number, amount: number): number => {
      const at = Math.max(from, last);
      let left = sum;
      for (const one of entries) {
        if (one.at + length <= at) left -= one.amount;
        else if (left + amount > most) {
          left -= one.amount;
          if (left + amount <= most) return one.at + length;
        } else break;
      }
      return at;
    },
    add: (at: number, amount: number): void => {
      let old = 0;
      for (const one of entries) {
        if (one.at + length > at) break;
        sum -= one.amount;
        old += 1;
      }
      entries.splice(0, old);
      entries.push({ at, amount });
      sum += amount;
      last = at;
    },
  };
}

function places(most: number): <T>(run: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let taken = 0;
  return async (run) => {
    // A place that becomes free is handed over, so that nobody who comes later takes it first.
    if (taken < most) taken += 1;
    else await new Promise<void>((resolve) => void waiting.push(resolve));
    try {
      return await run();
    } finally {
      const next = waiting.shift();
      if (next === undefined) taken -= 1;
      else next();
    }
  };
}

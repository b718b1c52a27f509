import { setTimeout as timer } from 'node:timers/promises';

/** What waiting needs; tests give one in which hours pass at once. */
export interface Time {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or rejects with the signal's reason. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export const SYSTEM_TIME: Time = {
  now: Date.now,
  sleep: (ms, signal) => timer(ms, undefined, signal === undefined ? {} : { signal }),
  random: Math.random,
};

/** A moment to the second, as messages name it: `2026-01-01T00:00:00Z`. */
export const moment = (at: number): string => new Date(Math.ceil(at / 1000) * 1000).toISOString().replace('.000Z', 'Z');

import { isRefusal } from '../domain/errors.ts';
import { callFailure } from '../github/errors.ts';

/** Tries after which something is set aside, to be looked at by a person. */
export const MAX_ATTEMPTS = 8;

const FIRST_MS = 2_000;
const LONGEST_MS = 10 * 60_000;

/**
 * When to try again: twice as late each time, up to ten minutes, with jitter so that many do not come back at once.
 * @param attempts tries made, 1 after the first
 * @param random from 0 to 1
 */
export function backOff(now: number, attempts: number, random: number): number {
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(attempts - 1, 20));
  return Math.round(now + longest / 2 + (longest / 2) * random);
}

/**
 * Whether something failed for a reason that lies with GitHub, the network or the store as a whole: an outage, a
 * used-up limit. It is put back and does not count as a try.
 */
export function isOutage(thrown: unknown): boolean {
  return isRefusal(thrown) && ['CS1601', 'CS1605', 'CS1814'].includes(thrown.code);
}

/** When GitHub says that it will answer again, in milliseconds since 1970; undefined where it does not. */
export function answersAgainAt(thrown: unknown): number | undefined {
  return callFailure(thrown)?.retryAt;
}

/** Keeps work from an outage: after some failures in a row nothing is claimed for a while. */
export interface Circuit {
  readonly failed: () => void;
  readonly succeeded: () => void;
  /** Milliseconds until the next try; 0 while it is closed. */
  readonly pauseMs: () => number;
}

/** Failures in a row that open the circuit: one installation's trouble is not everybody's. */
const THRESHOLD = 5;
const OPEN_MS = 5_000;
const LONGEST_OPEN_MS = 2 * 60_000;

export function createCircuit(now: () => number): Circuit {
  let failures = 0;
  let openUntil = 0;
  return {
    failed: () => {
      failures += 1;
      if (failures < THRESHOLD) return;
      const open = Math.min(LONGEST_OPEN_MS, OPEN_MS * 2 ** Math.min(failures - THRESHOLD, 10));
      openUntil = Math.max(openUntil, now() + open);
    },
    succeeded: () => {
      failures = 0;
      openUntil = 0;
    },
    pauseMs: () => Math.max(0, openUntil - now()),
  };
}

import type { Fault } from './fault.ts';
import type { Time } from './time.ts';

/** Waiting that a client may do in all, in milliseconds. A job of Actions is paid by the minute. */
export const WAITING_BUDGET_MS = 5 * 60_000;
/** How often a call is made at most where the connection or the server fails. */
export const MAX_ATTEMPTS = 7;
/** How often a call is made at most where a rate limit refuses it (REST docs, "Handle rate limit errors"). */
export const MAX_LIMITED_ATTEMPTS = 5;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 32_000;
/** The least wait where a limit names no time (same place): a minute, doubled each time. */
const LIMIT_WAIT_MS = 60_000;
/** Spreads the calls that a limit held back. */
const LIMIT_JITTER_MS = 1000;

/**
 * Whether a call may be made again. A read always may. A write only where GitHub surely did nothing: after a
 * failure in which it may have, whoever wrote must look first.
 */
export function repeatable(fault: Fault, writes: boolean): boolean {
  switch (fault.kind) {
    case 'unsent':
      return fault.passing;
    case 'limited':
      return true;
    case 'broken':
    case 'server':
    case 'unreadable':
      return !writes;
    case 'answered':
    case 'astray':
      return false;
  }
}

/**
 * Milliseconds to wait before a call is made again.
 * @param attempts how often it was made
 */
export function waitAfter(fault: Fault, attempts: number, random: () => number): number {
  if (fault.kind === 'limited') {
    const asked = fault.wait ?? LIMIT_WAIT_MS * 2 ** (attempts - 1);
    return asked + Math.ceil(random() * LIMIT_JITTER_MS);
  }
  const backOff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempts - 1));
  const asked = fault.kind === 'server' ? (fault.retryAfter ?? 0) : 0;
  return Math.max(asked, backOff / 2 + Math.ceil((random() * backOff) / 2));
}

export const mostAttempts = (fault: Fault): number => (fault.kind === 'limited' ? MAX_LIMITED_ATTEMPTS : MAX_ATTEMPTS);

/** Waiting that a client may do in all; spans in which several calls wait count once. */
export interface WaitingBudget {
  /** The last moment until which the budget allows to wait. */
  readonly latest: () => number;
  /** Counts that somebody waits from now until a moment. */
  readonly spend: (until: number) => void;
}

/** @param total milliseconds */
export function createBudget(total: number, time: Pick<Time, 'now'>): WaitingBudget {
  let left = total;
  let counted = 0;
  return {
    latest: () => Math.max(time.now(), counted) + left,
    spend: (until) => {
      const from = Math.max(time.now(), counted);
      if (until <= from) return;
      left -= until - from;
      counted = until;
    },
  };
}

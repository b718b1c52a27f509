/** Calls within a span of time. */
export interface RateWindow {
  used: number;
  /** Milliseconds since 1970. */
  resetAt: number;
}

/** What callers have used of their limits. */
export interface RateCounters {
  /** By caller and limit. */
  readonly windows: Map<string, RateWindow>;
  /** Calls under way. */
  running: number;
}

export const noCounters = (): RateCounters => ({ windows: new Map(), running: 0 });

import type { FaultRules } from './http/faults.ts';
import type { Limits } from './http/limits.ts';
import type { RateCounters } from './http/counters.ts';
import type { State } from './state.ts';

/** A call that reached the sandbox. */
export interface LoggedCall {
  readonly at: number;
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  /** The operation's id, `graphql`, or `unknown`. */
  readonly route: string;
  /** 0 where the connection was cut. */
  status: number;
  /** Who called: `app:<id>`, `installation:<id>`, `workflow:<repository>`, `user:<login>` or `anonymous`. */
  caller: string;
  /** A 304, or cut by a fault before anything was done. */
  free: boolean;
  fault: string | null;
}

/** A sandbox that runs: its state and what its parts share. */
export interface Sandbox {
  readonly state: State;
  /** Folder of the git repositories. */
  readonly folder: string;
  /** Address without a slash at its end; known once the server listens. */
  url: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly limits: Limits;
  readonly rate: RateCounters;
  readonly faults: FaultRules;
  readonly log: LoggedCall[];
  /** Where the sandbox itself broke GitHub's description. Always empty, or a test fails. */
  readonly violations: string[];
  /** Deliveries under way. */
  readonly pending: Set<Promise<void>>;
}

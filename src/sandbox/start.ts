import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builders } from './builders/builders.ts';
import { addBuiltIn } from './builders/people.ts';
import { closeReaders } from './git/objects.ts';
import { addFault, noFaults } from './http/faults.ts';
import type { FaultRule } from './http/faults.ts';
import { GITHUB_LIMITS } from './http/limits.ts';
import type { Limits } from './http/limits.ts';
import { noCounters } from './http/counters.ts';
import { listen } from './http/server.ts';
import { emptyState } from './state.ts';
import type { SandboxEvent, State } from './state.ts';
import type { LoggedCall, Sandbox } from './sandbox.ts';

export interface SandboxOptions {
  /** Lower limits than GitHub's, so that tests reach them. */
  readonly limits?: Partial<Limits>;
  /** Milliseconds since 1970; by default the clock's. */
  readonly now?: () => number;
  /** By default a free one. */
  readonly port?: number;
}

/** How often each route was called: by operation id, `graphql` or `unknown`. */
export type CallCounts = Readonly<Record<string, number>>;

/** What tests and the demonstration do with a running sandbox. */
export interface RunningSandbox extends ReturnType<typeof builders> {
  /** `http://127.0.0.1:<port>`: the REST API here and under `/api/v3`, GraphQL under `/graphql` and `/api/graphql`. */
  readonly url: string;
  readonly state: State;
  readonly faults: {
    /** Adds a rule; the answer takes it away. */
    readonly add: (rule: FaultRule) => () => void;
    readonly clear: () => void;
  };
  /** Calls since the start or the last `forgetCalls`, by route; with `uncached`, without those answered by 304. */
  readonly calls: (which?: 'all' | 'uncached') => CallCounts;
  readonly log: () => readonly LoggedCall[];
  readonly forgetCalls: () => void;
  /** Everything that happened, as webhooks and workflows are told of it, in order. */
  readonly events: () => readonly SandboxEvent[];
  /** Where the sandbox broke GitHub's description. A test that ends with any has found a defect of the sandbox. */
  readonly violations: () => readonly string[];
  /** Waits until no delivery is under way. */
  readonly settled: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

/** Starts a GitHub to test on, on the loopback interface. */
export async function startSandbox(options: SandboxOptions = {}): Promise<RunningSandbox> {
  const now = options.now ?? Date.now;
  const sandbox: Sandbox = {
    ...{
      state: emptyState(),
      folder: await mkdtemp(join(tmpdir(), 'countersign-sandbox-')),
      url: 'http://127.0.0.1',
      now,
    },
    ...{ limits: { ...GITHUB_LIMITS, ...options.limits }, rate: noCounters(), faults: noFaults(), log: [] },
    ...{ violations: [], pending: new Set() },
  };
  addBuiltIn(sandbox.state, now());
  const server = await listen(sandbox, options.port ?? 0);
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The server has no address.');
  sandbox.url = `http://127.0.0.1:${address.port}`;
  const settled = async (): Promise<void> => {
    while (sandbox.pending.size > 0) await Promise.all(sandbox.pending);
  };
  return {
    ...builders(sandbox),
    url: sandbox.url,
    state: sandbox.state,
    faults: {
      add: (rule) => addFault(sandbox.faults, rule),
      clear: () => void sandbox.faults.active.splice(0),
    },
    calls: (which = 'all') => countCalls(sandbox.log.filter(({ free }) => which === 'all' || !free)),
    log: () => sandbox.log,
    forgetCalls: () => void sandbox.log.splice(0),
    events: () => sandbox.state.events,
    violations: () => sandbox.violations,
    settled,
    stop: async () => {
      await settled();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      closeReaders(sandbox.folder);
      await rm(sandbox.folder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}

function countCalls(log: readonly LoggedCall[]): CallCounts {
  const counts: Record<string, number> = {};
  for (const { route } of log) counts[route] = (counts[route] ?? 0) + 1;
  return counts;
}

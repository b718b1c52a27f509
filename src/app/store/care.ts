import type { ClaimRequest, Lease, Time } from './queues.ts';

export interface SweepStore {
  /**
   * Takes the turn of a periodic task, so that of several processes one does it: granted once it is due (`nextAt` of
   * the last end) or asked for `early`, and nobody holds it. `value` is what the last end left: a cursor, or undefined
   * the first time.
   */
  readonly beginSweep: (
    request: ClaimRequest & { readonly name: string; readonly early?: boolean },
  ) => Promise<{ readonly lease: Lease; readonly value: string | undefined } | undefined>;
  /** Prolongs the turn. */
  readonly renewSweep: (request: Omit<ClaimRequest, 'worker'> & { readonly lease: Lease }) => Promise<'held' | 'lost'>;
  readonly endSweep: (request: {
    readonly lease: Lease;
    readonly now: Time;
    readonly nextAt: Time;
    readonly value: string | undefined;
  }) => Promise<'done' | 'lost'>;
}

export interface EtagStore {
  readonly etag: (request: EtagKey & { readonly now: Time }) => Promise<{ etag: string; body: string } | undefined>;
  readonly putEtag: (
    entry: EtagKey & { readonly etag: string; readonly body: string; readonly now: Time },
  ) => Promise<void>;
  /** Drops what was not used since `before`, and the least recently used beyond `maxCount`. Returns how many. */
  readonly trimEtags: (request: { readonly before: Time; readonly maxCount: number }) => Promise<number>;
}

/** Answers belong to an installation: another one may not be shown them. */
export interface EtagKey {
  readonly installationId: number;
  readonly url: string;
}

export interface UpkeepStore {
  /**
   * Puts back what is held under an expired lease. A row that has been tried `maxAttempts` times is set aside as poison:
   * it may be what ends its workers.
   */
  readonly releaseExpired: (request: {
    readonly now: Time;
    readonly maxAttempts: number;
  }) => Promise<{ readonly deliveries: number; readonly evaluations: number }>;
  readonly counts: (request: { readonly now: Time }) => Promise<Counts>;
  /** What was set aside, newest first. */
  readonly poison: (page: { readonly limit: number }) => Promise<readonly PoisonRow[]>;
  /** Queues a row of poison afresh. False where it is none. */
  readonly retryPoison: (request: {
    readonly kind: PoisonRow['kind'];
    readonly id: string;
    readonly now: Time;
  }) => Promise<boolean>;
  /**
   * Deletes at most `limit` rows of each table that ended before `before`: deliveries carried out or set aside, results but
   * the newest of their pull request, and all there is of pull requests closed before it. Repeat while `more`.
   */
  readonly prune: (request: { readonly before: Time; readonly limit: number }) => Promise<{
    readonly deliveries: number;
    readonly evaluations: number;
    readonly pulls: number;
    readonly more: boolean;
  }>;
}

/** For metrics. Depth is what waits, due or not; the age is that of the longest wait, in milliseconds. */
export interface Counts {
  readonly deliveries: QueueCounts;
  readonly evaluations: QueueCounts;
  /** Since the store was made, pruned ones included: they only grow. `outcome` is the finish's word, or `poison`. */
  readonly ended: readonly { readonly event: string; readonly outcome: string; readonly count: number }[];
}

export interface QueueCounts {
  readonly queued: number;
  readonly running: number;
  readonly poison: number;
  readonly oldestAge: number;
}

export interface PoisonRow {
  readonly kind: 'delivery' | 'evaluation';
  readonly id: string;
  /** The event of a delivery, the reason of an evaluation. */
  readonly what: string;
  readonly repositoryId: number | undefined;
  readonly attempts: number;
  readonly error: string;
  readonly at: Time;
}

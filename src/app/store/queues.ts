/** Milliseconds since 1970. */
export type Time = number;

/**
 * The right to work on a claimed row until its lease expires. The token grows with each claim of the row, so a worker
 * that was overtaken holds an old one and is told `lost`. A lease that has expired is lost even if nobody took over.
 */
export interface Lease {
  /** A delivery's id, or a pull request's key. */
  readonly id: string;
  readonly token: number;
}

export interface ClaimRequest {
  /** Who claims, for people who look into the store: host and process, say. */
  readonly worker: string;
  readonly now: Time;
  readonly leaseSeconds: number;
}

export interface FailRequest {
  readonly lease: Lease;
  readonly now: Time;
  /** When to try again: the caller computes back-off and jitter from the row's `attempts`. */
  readonly retryAt: Time;
  /** What went wrong, for people; cut to 2,000 characters. Never a payload or a secret. */
  readonly error: string;
  /** With this many attempts made, the row is set aside as poison instead. */
  readonly maxAttempts: number;
}

export interface GiveBackRequest {
  readonly lease: Lease;
  readonly now: Time;
  /** When it is due again. */
  readonly notBefore: Time;
}

export interface DeliveryStore {
  /**
   * Keeps a delivery, once by its id, atomically. `stored`: new. `duplicate`: it waits, runs or was carried out; nothing
   * changed. `retry`: it had failed (waits for another try, or is poison) and is due at once; poison starts anew.
   */
  readonly acceptDelivery: (delivery: NewDelivery) => Promise<'stored' | 'duplicate' | 'retry'>;
  /** The delivery that is due longest, or undefined where none is. No two claims get the same. */
  readonly claimDelivery: (request: ClaimRequest) => Promise<ClaimedDelivery | undefined>;
  /** Prolongs the lease. */
  readonly renewDelivery: (
    request: Omit<ClaimRequest, 'worker'> & { readonly lease: Lease },
  ) => Promise<'held' | 'lost'>;
  /** Done: the payload is dropped, the outcome (a short word for metrics: `evaluated`, `ignored` …) kept. */
  readonly finishDelivery: (request: {
    readonly lease: Lease;
    readonly now: Time;
    readonly outcome: string;
  }) => Promise<'done' | 'lost'>;
  readonly failDelivery: (request: FailRequest) => Promise<'retry' | 'poison' | 'lost'>;
  /** Gives it back without counting the attempt: a shutdown, or an outage that is not the delivery's fault. */
  readonly giveBackDelivery: (request: GiveBackRequest) => Promise<'queued' | 'lost'>;
}

export interface NewDelivery {
  /** `X-GitHub-Delivery`. */
  readonly id: string;
  readonly event: string;
  readonly action: string | undefined;
  readonly installationId: number | undefined;
  readonly repositoryId: number | undefined;
  /** Key of the pull request, where the payload names one. */
  readonly pullKey: string | undefined;
  readonly receivedAt: Time;
  /** The raw body, as text. */
  readonly payload: string;
  /** Those headers that are worth keeping; never a signature. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface ClaimedDelivery extends NewDelivery {
  readonly lease: Lease;
  /** This try included: 1 at first. */
  readonly attempts: number;
}

export interface EvaluationStore {
  /**
   * Asks for an evaluation of a pull request. Requests for one that waits become one: reason, installation and head are
   * the newest's, the earliest time and the highest priority count. One that arrives while the pull request is being
   * evaluated makes it run again afterwards. A pull request set aside as poison starts anew.
   */
  readonly requestEvaluation: (request: EvaluationRequest) => Promise<void>;
  /**
   * The next pull request, or undefined where none is due: of the repository that was served least recently; within it
   * the one due first, counting `priority` seconds earlier. Installations that are suspended or gone are passed over, and
   * those with the head of one that is being evaluated: check runs stand on the commit, so that one at a time writes them.
   */
  readonly claimEvaluation: (request: ClaimRequest) => Promise<ClaimedEvaluation | undefined>;
  /** Prolongs the lease. `superseded`: held, and a newer request waits behind it, so the work may be cut short. */
  readonly renewEvaluation: (
    request: Omit<ClaimRequest, 'worker'> & { readonly lease: Lease },
  ) => Promise<'held' | 'superseded' | 'lost'>;
  /**
   * Keeps a result under its id (the check runs' `external_id`), before it is published and again with the ids of what
   * was published: the later call fills in.
   */
  readonly recordEvaluation: (request: {
    readonly lease: Lease;
    readonly now: Time;
    readonly result: EvaluationResult;
  }) => Promise<'recorded' | 'lost'>;
  /** Done. `again`: a request came meanwhile and the pull request waits for its next turn, also where it was `closed`. */
  readonly finishEvaluation: (request: {
    readonly lease: Lease;
    readonly now: Time;
    readonly closed?: boolean;
  }) => Promise<'done' | 'again' | 'lost'>;
  /** As with deliveries. Where a request came meanwhile, that one is queued afresh (`retry`) rather than set aside. */
  readonly failEvaluation: (request: FailRequest) => Promise<'retry' | 'poison' | 'lost'>;
  /** Gives it back without counting the attempt. */
  readonly giveBackEvaluation: (request: GiveBackRequest) => Promise<'queued' | 'lost'>;
  /** The pull request was closed: nothing waits for it any more. A later request opens it again. */
  readonly closePull: (request: { readonly key: string; readonly now: Time }) => Promise<void>;
  readonly evaluation: (id: string) => Promise<EvaluationResult | undefined>;
  /** The newest result of a pull request. */
  readonly latestEvaluation: (key: string) => Promise<EvaluationResult | undefined>;
  /**
   * The open pull requests at a head whose newest verdict there awaits something, or that are being evaluated just now:
   * what happens at that head may change what is said of them.
   */
  readonly awaitingAt: (head: { readonly repositoryId: number; readonly headSha: string }) => Promise<AwaitingPull[]>;
}

export interface AwaitingPull {
  readonly number: number;
  /** Jobs that its verdict awaits, as names with `*`; undefined where that is not known yet. */
  readonly awaits: readonly string[] | undefined;
}

/** The key of a pull request: it survives renames and transfers. */
export function pullKey(repositoryId: number, number: number): string {
  return `${repositoryId}#${number}`;
}

export interface EvaluationRequest {
  readonly repositoryId: number;
  readonly installationId: number;
  readonly number: number;
  /** Why, for people and logs: `pull_request.synchronize`, `sweep` … */
  readonly reason: string;
  /** The head that the event named; a hint, since the worker reads the head anew. */
  readonly headSha?: string;
  readonly now: Time;
  readonly notBefore: Time;
  /** Seconds of head start over others of its repository. A number of seconds, not a class, so nothing starves. */
  readonly priority: number;
}

export interface ClaimedEvaluation {
  readonly lease: Lease;
  readonly key: string;
  readonly repositoryId: number;
  readonly installationId: number;
  readonly number: number;
  readonly reason: string;
  readonly headSha: string | undefined;
  /** When the first of the requests that this run answers arrived. */
  readonly requestedAt: Time;
  /** This try included. */
  readonly attempts: number;
}

export interface EvaluationResult {
  readonly id: string;
  readonly key: string;
  readonly headSha: string;
  readonly baseSha: string;
  /** The design's outcome: `verified`, `pending` … */
  readonly outcome: string;
  /** VERIFIED, UNVERIFIED, or undefined where nothing governs. */
  readonly word: string | undefined;
  readonly reportDigest: string;
  /** Jobs that a verdict awaits, as names with `*`. */
  readonly awaits?: readonly string[];
  readonly commentId?: number;
  /** Check run ids by check name. */
  readonly checkIds?: Readonly<Record<string, number>>;
  readonly at: Time;
}

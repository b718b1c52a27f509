/**
 * What the App keeps: deliveries, the queue of evaluations, what was published, what people decided. Two stores carry
 * it out, SQLite in a file and PostgreSQL; one suite of tests (test/app/store/contract.ts) holds both to it.
 *
 * Every time is a number of milliseconds since 1970 and comes from the caller, so there is one clock. Ids of GitHub
 * are its numeric ids. Every operation is one transaction: once its promise is fulfilled, what it did outlives a crash.
 *
 * @throws Refusal of every operation: CS1814 where the database cannot be reached (try again later: nothing is known
 * about the operation that failed, so ask again; all of them may be repeated), CS1815 where it refuses
 */
export interface Store
  extends
    DeliveryStore,
    EvaluationStore,
    PublicationStore,
    DecisionStore,
    InstallationStore,
    SweepStore,
    EtagStore,
    UpkeepStore {
  readonly kind: 'sqlite' | 'postgres';
  /** Asks the database for a row, for readiness. */
  readonly ping: () => Promise<void>;
  /** Waits for operations under way and lets go of file, lock and connections. Later operations are refused (CS1814). */
  readonly close: () => Promise<void>;
}

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

export interface GiveBackRequest {
  readonly lease: Lease;
  readonly now: Time;
  /** When it is due again. */
  readonly notBefore: Time;
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
  /** Done. `again`: a request came meanwhile and the pull request waits for its next turn. */
  readonly finishEvaluation: (request: {
    readonly lease: Lease;
    readonly now: Time;
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
  readonly commentId?: number;
  /** Check run ids by check name. */
  readonly checkIds?: Readonly<Record<string, number>>;
  readonly at: Time;
}

/** One thing on GitHub: the pull request's comment, a check run at a head, a status at a head. */
export interface PublicationTarget {
  readonly key: string;
  /** `comment`, `check`, `status` … */
  readonly kind: string;
  /** Which one of its kind: for a check its name and head SHA. */
  readonly target: string;
}

export interface PublicationStore {
  /**
   * To be called before a call that creates or changes something on GitHub: the intent is kept, so that a crash in
   * between is known of. Refused (`lost`) to a worker whose lease on the pull request expired.
   */
  readonly beginPublication: (request: {
    readonly lease: Lease;
    readonly now: Time;
    readonly kind: string;
    readonly target: string;
    readonly evaluationId: string;
    /** Digest of what will be posted. */
    readonly digest: string;
  }) => Promise<PublicationBegin>;
  /**
   * To be called after it, with the id that GitHub gave. Taken even from a worker whose lease has expired meanwhile,
   * since the call was made; `lost` only where another worker has begun the same publication.
   */
  readonly finishPublication: (request: {
    readonly lease: Lease;
    readonly now: Time;
    readonly kind: string;
    readonly target: string;
    readonly remoteId: string;
  }) => Promise<'done' | 'lost'>;
  /** It is gone on GitHub (somebody deleted the comment): the next one is created anew. */
  readonly forgetPublication: (request: {
    readonly lease: Lease;
    readonly now: Time;
    readonly kind: string;
    readonly target: string;
  }) => Promise<'done' | 'lost'>;
  /** Intents of a pull request whose end is not known. */
  readonly pendingPublications: (key: string) => Promise<readonly Publication[]>;
  readonly publication: (target: PublicationTarget) => Promise<Publication | undefined>;
}

/**
 * - `create`: nothing is known of it, create it. A store that is new, or was restored from a backup, does not know what
 *   was posted before it: look for a comment's marker all the same.
 * - `update`: it exists under `remoteId`; change it.
 * - `unchanged`: what is there already has this digest; call nothing.
 * - `look`: an earlier attempt to create it has no known end. Look on GitHub for it (by `external_id` or the comment's
 *   marker) before creating it.
 */
export type PublicationBegin =
  | { readonly is: 'create' }
  | { readonly is: 'update'; readonly remoteId: string }
  | { readonly is: 'unchanged'; readonly remoteId: string }
  | { readonly is: 'look' }
  | { readonly is: 'lost' };

export interface Publication extends PublicationTarget {
  readonly state: 'intent' | 'done';
  readonly evaluationId: string;
  readonly digest: string;
  /** GitHub's id, once it is known. */
  readonly remoteId: string | undefined;
  readonly begunAt: Time;
}

export interface DecisionStore {
  /** Keeps what a person decided; rows are never changed. `duplicate`: one with this id is kept already. */
  readonly appendDecision: (decision: Decision) => Promise<'appended' | 'duplicate'>;
  /** The comment was edited or deleted: from then on the decision does not count. Kept beside it; the first time counts. */
  readonly voidDecisions: (request: {
    readonly commentId: number;
    readonly now: Time;
    readonly why: string;
  }) => Promise<void>;
  /** In the order in which they were appended. */
  readonly decisionsOf: (key: string) => Promise<readonly KeptDecision[]>;
  /**
   * To be called before answering a comment. `first`: answer it. `look`: an earlier answer has no known end; look on
   * GitHub first. `answered`: call nothing.
   */
  readonly beginAnswer: (request: {
    readonly commentId: number;
    readonly key: string;
    readonly now: Time;
  }) => Promise<'first' | 'look' | 'answered'>;
  /** True the first time. */
  readonly markAnswered: (request: {
    readonly commentId: number;
    readonly now: Time;
    readonly remoteId?: string;
  }) => Promise<boolean>;
}

export interface Decision {
  /** Unique: the comment's id, with the line of the command where a comment has several. */
  readonly id: string;
  readonly commentId: number;
  readonly key: string;
  /** Numeric id of the person; the login is for reading only. */
  readonly actorId: number;
  readonly actorLogin: string;
  /** `approve`, `approve contract`, `confirm waiver`, `allow` … */
  readonly verb: string;
  /** Reason, finding id, date: whatever the verb takes, as JSON. */
  readonly details: Readonly<Record<string, string>>;
  /** What it is bound to. */
  readonly headSha: string;
  readonly contractDigest: string | undefined;
  readonly at: Time;
}

export interface KeptDecision extends Decision {
  readonly voided: { readonly at: Time; readonly why: string } | undefined;
}

export interface InstallationStore {
  /**
   * Events may come out of order, so the newest `at` wins; at the same `at`, the later call. `deleted` takes its pull
   * requests out of the queue, `suspended` lets them wait.
   */
  readonly putInstallation: (installation: Installation) => Promise<void>;
  readonly installation: (id: number) => Promise<Installation | undefined>;
  /** By id, those after `after`. */
  readonly installations: (page: {
    readonly after?: number;
    readonly limit: number;
  }) => Promise<readonly Installation[]>;
  /**
   * A repository as an event named it: new, renamed, transferred (its waiting pull requests move to the new
   * installation), or `removed` from the installation (they leave the queue). The newest `at` wins.
   */
  readonly putRepository: (repository: Repository) => Promise<void>;
  readonly repository: (id: number) => Promise<Repository | undefined>;
  /** The active ones of an installation by id, those after `after`. */
  readonly repositories: (page: {
    readonly installationId: number;
    readonly after?: number;
    readonly limit: number;
  }) => Promise<readonly Repository[]>;
}

export interface Installation {
  readonly id: number;
  readonly accountId: number;
  readonly accountLogin: string;
  readonly state: 'active' | 'suspended' | 'deleted';
  readonly at: Time;
}

export interface Repository {
  readonly id: number;
  readonly installationId: number;
  readonly owner: string;
  readonly name: string;
  readonly state: 'active' | 'removed';
  readonly at: Time;
}

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

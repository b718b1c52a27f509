import type { Lease, Time } from './queues.ts';

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

import type { Json, JsonObject } from './json.ts';
import type { CheckRun, CheckSuite, CommitStatus, Workflow, WorkflowRun } from './state-checks.ts';

export type * from './state-checks.ts';

// What the sandbox's GitHub knows, as plain data. Times are milliseconds since 1970; ids are unique over all kinds.

export type Permission = 'none' | 'read' | 'triage' | 'write' | 'maintain' | 'admin';
export type Access = 'read' | 'write';
/** What a token may do, by the names that installations use (`checks`, `pull_requests` …). */
export type Permissions = Readonly<Record<string, Access>>;

export interface Account {
  readonly id: number;
  login: string;
  readonly type: 'User' | 'Organization' | 'Bot';
  readonly name: string | null;
  readonly email: string | null;
}

export interface Team {
  readonly id: number;
  readonly organizationId: number;
  readonly slug: string;
  readonly name: string;
  readonly members: Map<number, 'member' | 'maintainer'>;
}

export interface Reaction {
  readonly id: number;
  readonly userId: number;
  readonly content: string;
  readonly createdAt: number;
}

export interface Comment {
  readonly id: number;
  readonly number: number;
  readonly userId: number;
  /** The app through which it was written. */
  readonly appId: number | null;
  body: string;
  readonly createdAt: number;
  updatedAt: number;
  readonly reactions: Reaction[];
}

export interface Review {
  readonly id: number;
  readonly userId: number;
  state: 'APPROVED' | 'CHANGES_REQUESTED' | 'COMMENTED' | 'DISMISSED' | 'PENDING';
  body: string;
  readonly commitId: string;
  readonly submittedAt: number;
}

export interface PullRequest {
  readonly id: number;
  readonly number: number;
  title: string;
  body: string | null;
  readonly authorId: number;
  state: 'open' | 'closed';
  draft: boolean;
  base: { ref: string; sha: string };
  /** `repositoryId` is null once the fork is gone. */
  head: { repositoryId: number | null; readonly ownerId: number; ref: string; sha: string };
  /** The merge that GitHub tries; null where there are conflicts. After the merge: the merge itself. */
  mergeCommitSha: string | null;
  mergeable: boolean | null;
  merged: { readonly at: number; readonly by: number } | null;
  readonly createdAt: number;
  updatedAt: number;
  closedAt: number | null;
  /** When it was given another base. */
  readonly baseChanges: number[];
  readonly reviews: Review[];
}

export interface Activity {
  readonly id: number;
  readonly ref: string;
  readonly before: string;
  readonly after: string;
  readonly at: number;
  readonly type: 'push' | 'force_push' | 'branch_deletion' | 'branch_creation' | 'pr_merge' | 'merge_queue_merge';
  readonly actorId: number;
}

export interface Ruleset {
  readonly id: number;
  readonly name: string;
  readonly enforcement: 'active' | 'evaluate' | 'disabled';
  /** Full names such as `refs/heads/main`, or `~DEFAULT_BRANCH`, `~ALL`. */
  readonly include: readonly string[];
  readonly rules: readonly { readonly type: string; readonly parameters?: Json }[];
  readonly createdAt: number;
}

export interface MergeGroup {
  /** Such as `gh-readonly-queue/main/pr-4-<base sha>`. */
  readonly branch: string;
  readonly baseRef: string;
  readonly baseSha: string;
  readonly headSha: string;
  readonly numbers: readonly number[];
}

/** As GitHub has them by default (REST, "Update a repository"). */
export interface MergeSettings {
  readonly squashTitle: 'PR_TITLE' | 'COMMIT_OR_PR_TITLE';
  readonly squashMessage: 'PR_BODY' | 'COMMIT_MESSAGES' | 'BLANK';
  readonly mergeTitle: 'PR_TITLE' | 'MERGE_MESSAGE';
  readonly mergeMessage: 'PR_BODY' | 'PR_TITLE' | 'BLANK';
}

export interface Repository {
  readonly id: number;
  name: string;
  ownerId: number;
  readonly private: boolean;
  readonly defaultBranch: string;
  readonly parentId: number | null;
  /** The bare git repository. */
  readonly folder: string;
  /** Permissions given to people; owners are `admin` without being listed. */
  readonly collaborators: Map<number, Permission>;
  readonly protectedBranches: Set<string>;
  /** Checks that classic protection requires, by branch; without an app any source will do. */
  readonly requiredChecks: Map<string, readonly { readonly context: string; readonly appId: number | null }[]>;
  /** What workflows' tokens may do where a workflow does not say, and whether they may approve. */
  workflowPermissions: { readonly default: 'read' | 'write'; readonly canApprove: boolean };
  /** Commits whose signature GitHub holds for valid. */
  readonly signedCommits: Set<string>;
  /** What a squash and a merge get as their message. */
  mergeSettings: MergeSettings;
  readonly pulls: Map<number, PullRequest>;
  readonly comments: Map<number, Comment>;
  readonly suites: Map<number, CheckSuite>;
  readonly checkRuns: Map<number, CheckRun>;
  readonly statuses: CommitStatus[];
  readonly workflows: Map<number, Workflow>;
  readonly runs: Map<number, WorkflowRun>;
  readonly activities: Activity[];
  readonly rulesets: Map<number, Ruleset>;
  readonly mergeGroups: MergeGroup[];
  nextNumber: number;
  readonly createdAt: number;
  pushedAt: number;
}

/** Where an app's events are sent. */
export interface Webhook {
  readonly url: string;
  /** Empty: none is set. */
  readonly secret: string;
  readonly contentType?: 'json' | 'form';
  /** The receiver's certificate is not looked at. */
  readonly insecureSsl?: boolean;
}

/** What a code stands for that ends the registration of an app; used once. */
export interface ManifestCode {
  readonly appId: number;
  readonly privateKey: string;
  readonly secret: string | null;
  readonly madeAt: number;
}

export interface App {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly ownerId: number;
  /** The account that its installations write as: `<slug>[bot]`. */
  readonly botId: number;
  /** PEM. */
  readonly publicKey: string;
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly createdAt: number;
  webhook: Webhook | null;
}

export interface Installation {
  readonly id: number;
  readonly appId: number;
  readonly accountId: number;
  /** Null: all repositories of the account. */
  repositoryIds: Set<number> | null;
  permissions: Permissions;
  suspendedAt: number | null;
  readonly createdAt: number;
}

export type Token =
  | { readonly kind: 'user'; readonly userId: number }
  | {
      readonly kind: 'installation';
      readonly installationId: number;
      readonly permissions: Permissions;
      readonly repositoryIds: readonly number[] | null;
      readonly expiresAt: number;
    }
  /** The token that a workflow gets: GitHub Actions' own installation, on one repository. */
  | { readonly kind: 'workflow'; readonly repositoryId: number; readonly permissions: Permissions };

/** One try to deliver an event to an app. A redelivery is another one with the same `guid`. */
export interface Delivery {
  readonly id: number;
  readonly appId: number;
  readonly guid: string;
  readonly at: number;
  readonly redelivery: boolean;
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly url: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The payload as it was sent. */
  readonly text: string;
  /** 0 where there was no answer. */
  statusCode: number;
  status: string;
  /** Seconds. */
  duration: number;
  response: { readonly headers: Readonly<Record<string, string>>; readonly payload: string } | null;
}

/** Something that happened, as webhooks and workflows are told of it. */
export interface SandboxEvent {
  readonly event: string;
  readonly action: string | null;
  readonly repositoryId: number | null;
  readonly payload: JsonObject;
}

export interface State {
  nextId: number;
  readonly accounts: Map<number, Account>;
  readonly teams: Map<number, Team>;
  /** People and their organisations: organisation id to user id to role. */
  readonly memberships: Map<number, Map<number, 'member' | 'admin'>>;
  readonly repositories: Map<number, Repository>;
  /** Former `owner/name` in lower case, to the repository that now has another. */
  readonly formerNames: Map<string, number>;
  readonly apps: Map<number, App>;
  readonly installations: Map<number, Installation>;
  readonly tokens: Map<string, Token>;
  readonly manifestCodes: Map<string, ManifestCode>;
  readonly deliveries: Delivery[];
  readonly events: SandboxEvent[];
}

export function emptyState(): State {
  return {
    nextId: 1000,
    accounts: new Map(),
    teams: new Map(),
    memberships: new Map(),
    repositories: new Map(),
    formerNames: new Map(),
    apps: new Map(),
    installations: new Map(),
    tokens: new Map(),
    manifestCodes: new Map(),
    deliveries: [],
    events: [],
  };
}

export function newId(state: State): number {
  state.nextId += 1;
  return state.nextId;
}

/** What must be there. Its absence is a defect of the sandbox or of the test that set it up. */
export function existing<T>(found: T | undefined, what: string): T {
  if (found === undefined) throw new Error(`The sandbox has no ${what}.`);
  return found;
}

export const accountOf = (state: State, id: number): Account => existing(state.accounts.get(id), `account ${id}`);
export const repositoryOf = (state: State, id: number): Repository =>
  existing(state.repositories.get(id), `repository ${id}`);
export const appOf = (state: State, id: number): App => existing(state.apps.get(id), `app ${id}`);

export const fullName = (state: State, { ownerId, name }: Repository): string =>
  `${accountOf(state, ownerId).login}/${name}`;

export function accountByLogin(state: State, login: string): Account | undefined {
  const wanted = login.toLowerCase();
  return [...state.accounts.values()].find((one) => one.login.toLowerCase() === wanted);
}

/** A repository by `owner/name`, in any case. */
export function repositoryByName(state: State, wanted: string): Repository | undefined {
  const lower = wanted.toLowerCase();
  return [...state.repositories.values()].find((one) => fullName(state, one).toLowerCase() === lower);
}

/** What a person may do in a repository: the owner and the owners of its organisation everything. */
export function permissionOf(state: State, repository: Repository, userId: number): Permission {
  if (repository.ownerId === userId) return 'admin';
  if (state.memberships.get(repository.ownerId)?.get(userId) === 'admin') return 'admin';
  return repository.collaborators.get(userId) ?? (repository.private ? 'none' : 'read');
}

/** Whether a permission includes another. */
export function reaches(has: Permission, wanted: Permission): boolean {
  const order: readonly Permission[] = ['none', 'read', 'triage', 'write', 'maintain', 'admin'];
  return order.indexOf(has) >= order.indexOf(wanted);
}

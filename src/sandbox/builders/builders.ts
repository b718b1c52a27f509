import { addComment, deleteComment, editComment } from '../acts/comments.ts';
import { endGroup, queue } from '../acts/merge-queue.ts';
import type { QueueMethod } from '../acts/merge-queue.ts';
import { addReview, dismissReview, editPull, editReview, mergePull, openPull } from '../acts/pulls.ts';
import type { PullEdit } from '../acts/pulls.ts';
import { moveBranch } from '../acts/branches.ts';
import { endJob, newAttempt, startRun } from '../acts/runs.ts';
import { readRef } from '../git/refs.ts';
import type { JsonObject } from '../json.ts';
import { accountOf, existing, newId, repositoryOf } from '../state.ts';
import type { Account, Comment, Conclusion } from '../state.ts';
import type { MergeGroup, Permission, Permissions, PullRequest, Repository, Review, Ruleset } from '../state.ts';
import type { WorkflowRun } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { showAccount, showOrganization } from '../show/account.ts';
import { emit } from '../webhooks/emit.ts';
import { appBuilders } from './apps.ts';
import { addAccount, addTeam, joinOrganization, tokenText } from './people.ts';
import type { NewAccount } from './people.ts';
import { addRepository, forkOf, moveRepository, push, tipOf } from './repositories.ts';
import type { NewRepository, Push } from './repositories.ts';

export interface OpenPull {
  readonly by: Account;
  readonly title?: string;
  readonly body?: string | null;
  readonly branch: string;
  /** The fork that the branch is in. */
  readonly from?: Repository;
  readonly base?: string;
  readonly draft?: boolean;
}

export interface StartRun {
  readonly path: string;
  readonly name?: string;
  readonly event?: string;
  readonly jobs?: readonly string[];
  readonly by?: Account;
  /** A pull request whose head it runs at, or a commit with its branch. */
  readonly at: PullRequest | { readonly sha: string; readonly branch: string; readonly repository?: Repository };
}

/** What people, apps and GitHub itself do in a sandbox. */
export function builders(sandbox: Sandbox) {
  const { state } = sandbox;
  return {
    ...peopleBuilders(sandbox),
    ...appBuilders(sandbox),
    ...pullBuilders(sandbox),
    ...runBuilders(sandbox),

    /** A repository with a first commit on its default branch. */
    addRepository: async (owner: Account, name: string, given: NewRepository = {}): Promise<Repository> => {
      const repository = await addRepository(sandbox, owner, name, given);
      for (const [login, permission] of Object.entries(given.collaborators ?? {})) {
        const user = [...state.accounts.values()].find((one) => one.login === login);
        repository.collaborators.set(existing(user, `account ${login}`).id, permission);
      }
      return repository;
    },
    fork: (parent: Repository, owner: Account): Promise<Repository> => forkOf(sandbox, parent, owner),
    /** Pushes commits and answers with the tip's id. */
    push: (repository: Repository, by: Account, given: Push): Promise<string> => push(sandbox, repository, by, given),
    deleteBranch: (repository: Repository, by: Account, branch: string): Promise<void> =>
      moveBranch(sandbox, repository, branch, null, { actorId: by.id }),
    tip: tipOf,
    setPermission: (repository: Repository, user: Account, permission: Permission): void => {
      repository.collaborators.set(user.id, permission);
    },
    addRuleset: (
      repository: Repository,
      given: Pick<Ruleset, 'name' | 'include' | 'rules'> & Partial<Ruleset>,
    ): Ruleset => {
      const ruleset: Ruleset = { id: newId(state), enforcement: 'active', createdAt: sandbox.now(), ...given };
      repository.rulesets.set(ruleset.id, ruleset);
      return ruleset;
    },
    rename: (repository: Repository, name: string, by: Account): void => {
      const { formerName } = moveRepository(sandbox, repository, { name });
      const changes = { repository: { name: { from: formerName } } };
      emit(sandbox, 'repository.renamed', { repository, senderId: by.id, fields: { changes } });
    },
    transfer: (repository: Repository, owner: Account, by: Account): void => {
      const { formerOwner } = moveRepository(sandbox, repository, { owner });
      const from: JsonObject =
        formerOwner.type === 'Organization'
          ? { organization: showOrganization(sandbox, formerOwner) }
          : { user: showAccount(sandbox, formerOwner.id) };
      const changes: JsonObject = { owner: { from } };
      emit(sandbox, 'repository.transferred', { repository, senderId: by.id, fields: { changes } });
    },
    /** The payload that a workflow started by hand gets. */
    dispatch: (
      repository: Repository,
      by: Account,
      workflow: string,
      inputs: JsonObject | null,
      ref?: string,
    ): void => {
      const branch = ref ?? `refs/heads/${repository.defaultBranch}`;
      const fields: JsonObject = { inputs, ref: branch, workflow };
      emit(sandbox, 'workflow_dispatch', { repository, senderId: by.id, fields });
    },
  };
}

function peopleBuilders(sandbox: Sandbox) {
  const { state } = sandbox;
  const token = (repository: Repository, permissions: Permissions): string => {
    const text = tokenText('ghs');
    state.tokens.set(text, { kind: 'workflow', repositoryId: repository.id, permissions });
    return text;
  };
  return {
    addUser: (login: string, given: NewAccount = {}): Account => addAccount(state, login, given),
    addOrganization: (login: string, owners: readonly Account[] = []): Account => {
      const organization = addAccount(state, login, { type: 'Organization' });
      for (const { id } of owners) joinOrganization(state, organization, id, 'admin');
      return organization;
    },
    addTeam: (organization: Account, slug: string, members: readonly Account[]) =>
      addTeam(state, organization, slug, members),
    /** A person's token: it may do what the person may. */
    userToken: (user: Account): string => {
      const text = tokenText('ghp');
      state.tokens.set(text, { kind: 'user', userId: user.id });
      return text;
    },
    /**
     * The `GITHUB_TOKEN` of a workflow. For a pull request from a fork every permission falls to read, as GitHub's do.
     */
    workflowToken: (repository: Repository, permissions: Permissions, pull?: PullRequest): string => {
      const fork = pull !== undefined && pull.head.repositoryId !== repository.id;
      const reduced = Object.fromEntries(Object.keys(permissions).map((name) => [name, 'read'] as const));
      return token(repository, fork ? reduced : permissions);
    },
  };
}

function pullBuilders(sandbox: Sandbox) {
  const { state } = sandbox;
  return {
    openPullRequest: async (repository: Repository, given: OpenPull): Promise<PullRequest> => {
      const { by, branch, from = repository, base = repository.defaultBranch, draft = false } = given;
      const [sha, baseSha] = await Promise.all([tipOf(from, branch), tipOf(repository, base)]);
      return openPull(sandbox, repository, {
        ...{ title: given.title ?? `Pull request of ${branch}`, body: given.body ?? null, authorId: by.id, draft },
        head: { repository: from, ref: branch, sha },
        base: { ref: base, sha: baseSha },
      });
    },
    editPullRequest: (repository: Repository, pull: PullRequest, by: Account, edit: PullEdit): Promise<void> =>
      editPull(sandbox, repository, pull, edit, by.id),
    merge: (repository: Repository, pull: PullRequest, by: Account, method: 'merge' | 'squash' = 'merge') =>
      mergePull(sandbox, repository, pull, { method, message: undefined, actorId: by.id }),
    /** Reviews the head that stands, or an earlier one. */
    review: (
      repository: Repository,
      pull: PullRequest,
      by: Account,
      verdict: Review['state'],
      more: { readonly body?: string; readonly commitId?: string } = {},
    ): Review => {
      const { body = '', commitId } = more;
      return addReview(sandbox, repository, pull, { userId: by.id, state: verdict, body, commitId });
    },
    dismissReview: (repository: Repository, pull: PullRequest, review: Review, by: Account): void =>
      dismissReview(sandbox, repository, pull, review, by.id),
    editReview: (repository: Repository, pull: PullRequest, review: Review, body: string): void =>
      editReview(sandbox, repository, pull, review, body),
    comment: (repository: Repository, pull: PullRequest, by: Account, body: string): Comment =>
      addComment(sandbox, repository, { number: pull.number, body, userId: by.id, appId: null }),
    editComment: (repository: Repository, comment: Comment, by: Account, body: string): void =>
      editComment(sandbox, repository, comment, body, by.id),
    deleteComment: (repository: Repository, comment: Comment, by: Account): void =>
      deleteComment(sandbox, repository, comment, by.id),
    /** Queues pull requests of one base together. */
    mergeGroup: (
      repository: Repository,
      pulls: readonly PullRequest[],
      by: Account,
      method: QueueMethod = 'merge',
    ): Promise<MergeGroup> => {
      const numbers = pulls.map(({ number }) => number);
      return queue(sandbox, repository, numbers, by.id, method);
    },
    endMergeGroup: (
      repository: Repository,
      group: MergeGroup,
      reason: 'merged' | 'invalidated' | 'dequeued',
      by: Account,
    ): Promise<void> => endGroup(sandbox, repository, group, reason, by.id),
    /** The fork is deleted: pull requests from it lose their head's repository. */
    deleteFork: (fork: Repository): void => {
      state.repositories.delete(fork.id);
      for (const repository of state.repositories.values()) {
        for (const pull of repository.pulls.values()) {
          if (pull.head.repositoryId === fork.id) pull.head.repositoryId = null;
        }
      }
    },
  };
}

function runBuilders(sandbox: Sandbox) {
  return {
    /** Starts a workflow run; its jobs are in progress until `finishJob`. */
    startWorkflowRun: async (repository: Repository, given: StartRun): Promise<WorkflowRun> => {
      const { at, path, name, event = 'pull_request', jobs = ['test'] } = given;
      const pull = 'number' in at ? at : undefined;
      const actorId = given.by?.id ?? pull?.authorId ?? repository.ownerId;
      return startRun(sandbox, repository, {
        ...{ path, name, event, jobs, actorId, title: pull?.title ?? name ?? path },
        headSha: 'number' in at ? at.head.sha : at.sha,
        headBranch: 'number' in at ? at.head.ref : at.branch,
        headRepositoryId: ('number' in at ? at.head.repositoryId : at.repository?.id) ?? repository.id,
      });
    },
    /** Ends a job of the latest attempt; with the last one the run is completed. */
    finishJob: (repository: Repository, run: WorkflowRun, job: string, conclusion: Conclusion): Promise<void> =>
      endJob(sandbox, repository, run, job, conclusion),
    rerun: (repository: Repository, run: WorkflowRun) => newAttempt(sandbox, repository, run),
    repositoryById: (id: number): Repository => repositoryOf(sandbox.state, id),
    accountById: (id: number): Account => accountOf(sandbox.state, id),
    /** What a full ref of a repository points to, such as `refs/pull/1/merge`. */
    ref: (repository: Repository, ref: string): Promise<string | undefined> => readRef(repository.folder, ref),
  };
}

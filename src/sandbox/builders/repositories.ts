import { join } from 'node:path';
import { moveBranch } from '../acts/branches.ts';
import { readRef } from '../git/refs.ts';
import { forkRepository, initRepository, makeCommits } from '../git/write.ts';
import type { FileChange } from '../git/write.ts';
import { accountOf, existing, newId } from '../state.ts';
import type { Account, Activity, MergeSettings, Permission, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';

export type Files = Readonly<Record<string, FileChange>>;

export interface NewRepository {
  readonly private?: boolean;
  readonly defaultBranch?: string;
  /** Files of the first commit; none: an empty repository. */
  readonly files?: Files;
  /** Permissions by login. */
  readonly collaborators?: Readonly<Record<string, Permission>>;
  readonly protectedBranches?: readonly string[];
}

const DEFAULTS: MergeSettings = {
  ...{ squashTitle: 'COMMIT_OR_PR_TITLE', squashMessage: 'COMMIT_MESSAGES' },
  ...{ mergeTitle: 'MERGE_MESSAGE', mergeMessage: 'PR_TITLE' },
};

function emptyRepository(
  sandbox: Sandbox,
  owner: Account,
  name: string,
  more: Pick<Repository, 'private' | 'defaultBranch' | 'parentId'>,
): Repository {
  const at = sandbox.now();
  const id = newId(sandbox.state);
  const repository: Repository = {
    ...{ id, name, ownerId: owner.id, ...more, folder: join(sandbox.folder, `${id}.git`) },
    ...{
      collaborators: new Map(),
      protectedBranches: new Set(),
      requiredChecks: new Map(),
      signedCommits: new Set(),
      mergeSettings: DEFAULTS,
    },
    ...{ workflowPermissions: { default: 'read', canApprove: false }, pulls: new Map(), comments: new Map() },
    ...{ suites: new Map(), checkRuns: new Map(), statuses: [], workflows: new Map(), runs: new Map() },
    ...{ activities: [], rulesets: new Map(), mergeGroups: [], nextNumber: 1, createdAt: at, pushedAt: at },
  };
  sandbox.state.repositories.set(id, repository);
  return repository;
}

export async function addRepository(
  sandbox: Sandbox,
  owner: Account,
  name: string,
  given: NewRepository,
): Promise<Repository> {
  const { defaultBranch = 'main', files = { 'README.md': `# ${name}\n` } } = given;
  const isPrivate = given.private ?? false;
  const more = { private: isPrivate, defaultBranch, parentId: null };
  const repository = emptyRepository(sandbox, owner, name, more);
  for (const branch of given.protectedBranches ?? []) repository.protectedBranches.add(branch);
  await initRepository(repository.folder, defaultBranch);
  if (Object.keys(files).length > 0) {
    await push(sandbox, repository, owner, { branch: defaultBranch, files, message: 'Initial commit' });
  }
  return repository;
}

/** A fork under another account, with all branches as they stand. */
export async function forkOf(sandbox: Sandbox, parent: Repository, owner: Account): Promise<Repository> {
  const more = { private: parent.private, defaultBranch: parent.defaultBranch, parentId: parent.id };
  const fork = emptyRepository(sandbox, owner, parent.name, more);
  await forkRepository(parent.folder, fork.folder);
  return fork;
}

export interface PushCommit {
  readonly message?: string;
  readonly files?: Files;
  /** The author, where it is not the pusher. */
  readonly author?: { readonly name: string; readonly email: string };
  readonly committer?: { readonly name: string; readonly email: string };
  /** Ids of further parents. */
  readonly merges?: readonly string[];
}

export interface Push extends PushCommit {
  readonly branch: string;
  /** Where a new branch starts, or one that is rewritten: a branch or an id. By default the default branch. */
  readonly from?: string;
  /** Rewrites the branch: the commits stand on `from`, and what was there before is gone. */
  readonly force?: boolean;
  /** Several commits instead of one. */
  readonly commits?: readonly PushCommit[];
  readonly activity?: Activity['type'];
}

/** Pushes commits, or an existing commit where none are given, and answers with the new tip. */
export async function push(sandbox: Sandbox, repository: Repository, by: Account, given: Push): Promise<string> {
  const { branch, force = false, from } = given;
  const { folder } = repository;
  const tip = force ? undefined : await readRef(folder, `refs/heads/${branch}`);
  const start = from ?? repository.defaultBranch;
  const parent = tip ?? (await readRef(folder, `refs/heads/${start}`)) ?? (await readRef(folder, `${start}^{commit}`));
  const commits = given.commits ?? (given.files === undefined && given.message === undefined ? [] : [given]);
  const at = sandbox.now();
  const person = { name: by.name ?? by.login, email: by.email ?? `${by.login}@users.noreply.github.com` };
  const sha =
    commits.length === 0
      ? existing(parent, `commit ${start}`)
      : await makeCommits(
          folder,
          parent ?? null,
          commits.map(({ message = 'Change files', files = {}, author = person, committer = author, merges }) => ({
            ...{ message, files, author: { ...author, at }, committer: { ...committer, at } },
            ...(merges === undefined ? {} : { merges }),
          })),
        );
  const type = given.activity === undefined ? {} : { type: given.activity };
  await moveBranch(sandbox, repository, branch, sha, { actorId: by.id, ...type });
  return sha;
}

/** The tip of a branch. @throws Error where there is none */
export async function tipOf(repository: Repository, branch: string): Promise<string> {
  return existing(await readRef(repository.folder, `refs/heads/${branch}`), `branch ${branch}`);
}

/** Gives a repository another name or owner; its former name leads to it (301). */
export function moveRepository(
  sandbox: Sandbox,
  repository: Repository,
  { owner, name = repository.name }: { readonly owner?: Account; readonly name?: string },
): { readonly formerOwner: Account; readonly formerName: string } {
  const formerOwner = accountOf(sandbox.state, repository.ownerId);
  const formerName = repository.name;
  sandbox.state.formerNames.set(`${formerOwner.login}/${formerName}`.toLowerCase(), repository.id);
  repository.name = name;
  if (owner !== undefined) repository.ownerId = owner.id;
  return { formerOwner, formerName };
}

import { diffFiles } from '../git/diff.ts';
import type { FileDiff } from '../git/diff.ts';
import { isAncestor, listCommits, readRef, writeRef, ZERO_SHA } from '../git/refs.ts';
import type { JsonObject } from '../json.ts';
import { iso } from '../json.ts';
import { accountOf, newId } from '../state.ts';
import type { Activity, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { accountByEmail, commitIn } from '../show/commit.ts';
import { repositoryHtml, showRepository } from '../show/repository.ts';
import { emit } from '../webhooks/emit.ts';
import { requestSuites } from './checks.ts';
import { headMoved, baseMoved } from './heads.ts';

/** Commits that a push event lists at most (webhooks docs, "push"). */
const MAX_PUSHED = 2048;

/** Files that it lists of a commit. */
const MAX_PUSHED_FILES = 3000;

export interface MoveOptions {
  readonly actorId: number;
  readonly type?: Activity['type'];
}

/**
 * Moves a branch, makes it or deletes it (null), with everything that follows on GitHub: the activity, the push event,
 * check suites, and pull requests whose head or base it is.
 */
export async function moveBranch(
  sandbox: Sandbox,
  repository: Repository,
  branch: string,
  sha: string | null,
  { actorId, type }: MoveOptions,
): Promise<void> {
  const ref = `refs/heads/${branch}`;
  const before = await readRef(repository.folder, ref);
  if (before === (sha ?? undefined)) return;
  const forced = before !== undefined && sha !== null && !(await isAncestor(repository.folder, before, sha));
  await writeRef(repository.folder, ref, sha);
  repository.pushedAt = sandbox.now();
  const kind =
    sha === null ? 'branch_deletion' : before === undefined ? 'branch_creation' : forced ? 'force_push' : 'push';
  repository.activities.unshift({
    ...{ id: newId(sandbox.state), ref, before: before ?? ZERO_SHA, after: sha ?? ZERO_SHA },
    ...{ at: sandbox.now(), type: type ?? kind, actorId },
  });
  const fields = await pushFields(sandbox, repository, ref, before, sha, forced, actorId);
  emit(sandbox, 'push', { repository, senderId: actorId, fields });
  if (sha !== null) await requestSuites(sandbox, repository, branch, before ?? ZERO_SHA, sha, actorId);
  await headMoved(sandbox, repository, branch, sha, actorId);
  if (sha !== null) await baseMoved(sandbox, repository, branch);
}

async function pushFields(
  sandbox: Sandbox,
  repository: Repository,
  ref: string,
  before: string | undefined,
  after: string | null,
  forced: boolean,
  actorId: number,
): Promise<JsonObject> {
  const html = repositoryHtml(sandbox, repository);
  const known = before ?? (await readRef(repository.folder, `refs/heads/${repository.defaultBranch}`));
  const from = known === after ? null : (known ?? null);
  const pushed = after === null ? [] : await listCommits(repository.folder, from, after, { reverse: true });
  const commits = await Promise.all(pushed.slice(-MAX_PUSHED).map((sha) => pushedCommit(sandbox, repository, sha)));
  const account = accountOf(sandbox.state, actorId);
  return {
    ref,
    before: before ?? ZERO_SHA,
    after: after ?? ZERO_SHA,
    created: before === undefined,
    deleted: after === null,
    forced,
    base_ref: null,
    compare: `${html}/compare/${(before ?? ZERO_SHA).slice(0, 12)}...${(after ?? ZERO_SHA).slice(0, 12)}`,
    commits,
    head_commit: after === null ? null : await pushedCommit(sandbox, repository, after),
    pusher: { name: account.login, email: account.email },
    repository: showRepository(sandbox, repository),
  };
}

async function pushedCommit(sandbox: Sandbox, repository: Repository, sha: string): Promise<JsonObject> {
  const { message, tree, author, committer, parents } = await commitIn(repository, sha);
  const files = await diffFiles(repository.folder, parents[0] ?? null, sha);
  const person = ({ name, email }: typeof author) => {
    const login = accountByEmail(sandbox, email)?.login;
    return { name, email, ...(login === undefined ? {} : { username: login }) };
  };
  return {
    id: sha,
    tree_id: tree,
    distinct: true,
    message,
    timestamp: iso(committer.at),
    url: `${repositoryHtml(sandbox, repository)}/commit/${sha}`,
    author: person(author),
    committer: person(committer),
    ...pushedFiles(files.slice(0, MAX_PUSHED_FILES)),
  };
}

/** A file that moves is one that is added, and one that is removed. */
function pushedFiles(files: readonly FileDiff[]): Record<'added' | 'removed' | 'modified', string[]> {
  const added: string[] = [];
  const removed: string[] = [];
  const modified: string[] = [];
  for (const { status, path, oldPath } of files) {
    if (status === 'removed') removed.push(path);
    else if (status === 'added' || status === 'renamed') added.push(path);
    else modified.push(path);
    if (status === 'renamed' && oldPath !== undefined) removed.push(oldPath);
  }
  return { added, removed, modified };
}

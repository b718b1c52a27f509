import { readRef, writeRef } from '../git/refs.ts';
import { commitTree, fetchCommit, mergeTrees } from '../git/write.ts';
import { repositoryOf } from '../state.ts';
import type { PullRequest, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { showPull } from '../show/pull.ts';
import { emit } from '../webhooks/emit.ts';

/** GitHub's own identity for the merges that it makes. */
export const GITHUB = { name: 'GitHub', email: 'noreply@github.com' };

/** Pull requests that a branch is the head of, with the repositories that they were opened in. */
function pullsFrom({ state }: Sandbox, from: Repository, branch: string) {
  return [...state.repositories.values()].flatMap((repository) =>
    [...repository.pulls.values()]
      .filter(({ state: open, head }) => open === 'open' && head.repositoryId === from.id && head.ref === branch)
      .map((pull) => ({ repository, pull })),
  );
}

/** Follows a head: `synchronize`, or closing where the branch is gone. */
export async function headMoved(
  sandbox: Sandbox,
  from: Repository,
  branch: string,
  sha: string | null,
  actorId: number,
): Promise<void> {
  for (const { repository, pull } of pullsFrom(sandbox, from, branch)) {
    pull.updatedAt = sandbox.now();
    if (sha === null) {
      pull.state = 'closed';
      pull.closedAt = sandbox.now();
      const fields = { number: pull.number, pull_request: await showPull(sandbox, repository, pull) };
      emit(sandbox, 'pull_request.closed', { repository, senderId: actorId, fields });
      continue;
    }
    const before = pull.head.sha;
    await followHead(sandbox, repository, pull, sha);
    const shown = await showPull(sandbox, repository, pull);
    const fields = { number: pull.number, before, after: sha, pull_request: shown };
    emit(sandbox, 'pull_request.synchronize', { repository, senderId: actorId, fields });
  }
}

/** Sets a pull request's head: brings the commit over, keeps it under `refs/pull/<number>/head`, tries the merge. */
export async function followHead(
  sandbox: Sandbox,
  repository: Repository,
  pull: PullRequest,
  sha: string,
): Promise<void> {
  const ref = `refs/pull/${pull.number}/head`;
  const headId = pull.head.repositoryId;
  if (headId !== null && headId !== repository.id) {
    await fetchCommit(repository.folder, repositoryOf(sandbox.state, headId).folder, sha, ref);
  } else await writeRef(repository.folder, ref, sha);
  pull.head.sha = sha;
  await followBase(sandbox, repository, pull);
}

/** Takes the base branch as it stands, and tries the merge. */
export async function followBase(sandbox: Sandbox, repository: Repository, pull: PullRequest): Promise<void> {
  pull.base.sha = (await readRef(repository.folder, `refs/heads/${pull.base.ref}`)) ?? pull.base.sha;
  await tryMerge(sandbox, repository, pull);
}

/** A base branch moved: `base.sha` stays what it was until the pull request itself changes; the merge is tried anew. */
export async function baseMoved(sandbox: Sandbox, repository: Repository, branch: string): Promise<void> {
  for (const pull of repository.pulls.values()) {
    if (pull.state === 'open' && pull.base.ref === branch) await tryMerge(sandbox, repository, pull);
  }
}

async function tryMerge(sandbox: Sandbox, repository: Repository, pull: PullRequest): Promise<void> {
  const { folder } = repository;
  const ref = `refs/pull/${pull.number}/merge`;
  const base = (await readRef(folder, `refs/heads/${pull.base.ref}`)) ?? pull.base.sha;
  const tree = await mergeTrees(folder, base, pull.head.sha);
  pull.mergeable = tree !== undefined;
  pull.mergeCommitSha = null;
  if (tree === undefined) {
    await writeRef(folder, ref, null);
    return;
  }
  const by = { ...GITHUB, at: sandbox.now() };
  const message = `Merge ${pull.head.sha} into ${base}`;
  pull.mergeCommitSha = await commitTree(folder, tree, [base, pull.head.sha], by, by, message);
  await writeRef(folder, ref, pull.mergeCommitSha);
}

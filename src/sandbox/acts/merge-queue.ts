import { readRef } from '../git/refs.ts';
import { commitTree, mergeTrees } from '../git/write.ts';
import { existing } from '../state.ts';
import type { MergeGroup, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { commitIn, showSimpleCommit } from '../show/commit.ts';
import { emit } from '../webhooks/emit.ts';
import { moveBranch } from './branches.ts';
import { GITHUB } from './heads.ts';
import { tellPull } from './pulls.ts';

/**
 * Queues pull requests of one base: their merges, one on top of the other, on a branch of the queue's own, and the
 * event that asks for checks.
 * @throws Error where one of them conflicts
 */
export async function queue(
  sandbox: Sandbox,
  repository: Repository,
  numbers: readonly number[],
  actorId: number,
): Promise<MergeGroup> {
  const { folder } = repository;
  const pulls = numbers.map((number) => existing(repository.pulls.get(number), `pull request ${number}`));
  const last = existing(pulls.at(-1), 'pull request to queue');
  const baseRef = `refs/heads/${last.base.ref}`;
  const baseSha = existing(await readRef(folder, baseRef), baseRef);
  let headSha = baseSha;
  for (const pull of pulls) {
    const tree = existing(await mergeTrees(folder, headSha, pull.head.sha), `merge of pull request ${pull.number}`);
    const by = { ...GITHUB, at: sandbox.now() };
    const message = `Merge pull request #${pull.number} from ${pull.head.ref}\n\n${pull.title}`;
    headSha = await commitTree(folder, tree, [headSha, pull.head.sha], by, by, message);
    await tellPull(sandbox, repository, pull, 'pull_request.enqueued', actorId);
  }
  const branch = `gh-readonly-queue/${last.base.ref}/pr-${last.number}-${baseSha}`;
  const group: MergeGroup = { branch, baseRef, baseSha, headSha, numbers };
  repository.mergeGroups.push(group);
  await moveBranch(sandbox, repository, branch, headSha, { actorId });
  await tell(sandbox, repository, group, 'merge_group.checks_requested', actorId);
  return group;
}

/** Ends a group: merged, or taken out of the queue. */
export async function endGroup(
  sandbox: Sandbox,
  repository: Repository,
  group: MergeGroup,
  reason: 'merged' | 'invalidated' | 'dequeued',
  actorId: number,
): Promise<void> {
  repository.mergeGroups.splice(repository.mergeGroups.indexOf(group), 1);
  const base = group.baseRef.slice('refs/heads/'.length);
  if (reason === 'merged') {
    await moveBranch(sandbox, repository, base, group.headSha, { actorId, type: 'merge_queue_merge' });
  }
  for (const number of group.numbers) {
    const pull = existing(repository.pulls.get(number), `pull request ${number}`);
    if (reason === 'merged') {
      const at = sandbox.now();
      Object.assign(pull, {
        state: 'closed',
        closedAt: at,
        merged: { at, by: actorId },
        mergeCommitSha: group.headSha,
      });
      await tellPull(sandbox, repository, pull, 'pull_request.closed', actorId);
    } else {
      const why = reason === 'dequeued' ? 'MANUAL' : 'CI_FAILURE';
      await tellPull(sandbox, repository, pull, 'pull_request.dequeued', actorId, { reason: why });
    }
  }
  await tell(sandbox, repository, group, 'merge_group.destroyed', actorId, reason);
  await moveBranch(sandbox, repository, group.branch, null, { actorId });
}

async function tell(
  sandbox: Sandbox,
  repository: Repository,
  group: MergeGroup,
  name: 'merge_group.checks_requested' | 'merge_group.destroyed',
  senderId: number,
  reason?: string,
): Promise<void> {
  const merge_group = {
    head_sha: group.headSha,
    head_ref: `refs/heads/${group.branch}`,
    base_sha: group.baseSha,
    base_ref: group.baseRef,
    head_commit: showSimpleCommit(await commitIn(repository, group.headSha)),
  };
  const fields = { merge_group, ...(reason === undefined ? {} : { reason }) };
  emit(sandbox, name, { repository, senderId, fields });
}

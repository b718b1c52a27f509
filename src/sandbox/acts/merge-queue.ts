import { readCommit } from '../git/objects.ts';
import { listCommits, readRef } from '../git/refs.ts';
import { commitTree, mergeTrees } from '../git/write.ts';
import { existing } from '../state.ts';
import type { MergeGroup, PullRequest, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { commitIn, showSimpleCommit } from '../show/commit.ts';
import { emit } from '../webhooks/emit.ts';
import { moveBranch } from './branches.ts';
import { GITHUB } from './heads.ts';
import { tellPull } from './pulls.ts';

/** What a queue makes of a pull request (ruleset rule `merge_queue`, parameter `merge_method`). */
export type QueueMethod = 'merge' | 'squash' | 'rebase';

/**
 * Queues pull requests of one base: what the queue makes of them, one on top of the other, on a branch of the queue's
 * own, and the event that asks for checks.
 * @throws Error where one of them conflicts
 */
export async function queue(
  sandbox: Sandbox,
  repository: Repository,
  numbers: readonly number[],
  actorId: number,
  method: QueueMethod = 'merge',
): Promise<MergeGroup> {
  const { folder } = repository;
  const pulls = numbers.map((number) => existing(repository.pulls.get(number), `pull request ${number}`));
  const last = existing(pulls.at(-1), 'pull request to queue');
  const baseRef = `refs/heads/${last.base.ref}`;
  const baseSha = existing(await readRef(folder, baseRef), baseRef);
  let headSha = baseSha;
  for (const pull of pulls) {
    headSha = await MAKES[method](sandbox, folder, headSha, pull);
    await tellPull(sandbox, repository, pull, 'pull_request.enqueued', actorId);
  }
  const branch = `gh-readonly-queue/${last.base.ref}/pr-${last.number}-${baseSha}`;
  const group: MergeGroup = { branch, baseRef, baseSha, headSha, numbers };
  repository.mergeGroups.push(group);
  await moveBranch(sandbox, repository, branch, headSha, { actorId });
  await tell(sandbox, repository, group, 'merge_group.checks_requested', actorId);
  return group;
}

type Make = (sandbox: Sandbox, folder: string, onto: string, pull: PullRequest) => Promise<string>;

const MAKES: Readonly<Record<QueueMethod, Make>> = {
  merge: async (sandbox, folder, onto, pull) => {
    const by = { ...GITHUB, at: sandbox.now() };
    const message = `Merge pull request #${pull.number} from ${pull.head.ref}\n\n${pull.title}`;
    return commitTree(folder, await merged(folder, onto, pull.head.sha, pull), [onto, pull.head.sha], by, by, message);
  },
  squash: async (sandbox, folder, onto, pull) => {
    const { author } = existing(await readCommit(folder, pull.head.sha), 'head to squash');
    const by = { ...GITHUB, at: sandbox.now() };
    const message = `${pull.title} (#${pull.number})\n\n${pull.body ?? ''}`;
    return commitTree(folder, await merged(folder, onto, pull.head.sha, pull), [onto], author, by, message);
  },
  // Each commit keeps its author and message; what it brings is what a merge of it would bring that far.
  rebase: async (sandbox, folder, onto, pull) => {
    let tip = onto;
    for (const sha of await listCommits(folder, onto, pull.head.sha, { reverse: true })) {
      const { author, message } = existing(await readCommit(folder, sha), 'commit to rebase');
      const by = { ...GITHUB, at: sandbox.now() };
      tip = await commitTree(folder, await merged(folder, onto, sha, pull), [tip], author, by, message);
    }
    return tip;
  },
};

async function merged(folder: string, onto: string, sha: string, { number }: PullRequest): Promise<string> {
  return existing(await mergeTrees(folder, onto, sha), `merge of pull request ${number}`);
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

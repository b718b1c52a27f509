import { mergeTrees, commitTree } from '../git/write.ts';
import { readRef } from '../git/refs.ts';
import type { JsonObject } from '../json.ts';
import type { WebhookName } from '../openapi/used.ts';
import { accountOf, newId } from '../state.ts';
import type { PullRequest, Repository, Review } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { showPull, showReview, showSimplePull } from '../show/pull.ts';
import { emit } from '../webhooks/emit.ts';
import { moveBranch } from './branches.ts';
import { followBase, followHead, GITHUB } from './heads.ts';

export interface NewPull {
  readonly title: string;
  readonly body: string | null;
  readonly authorId: number;
  readonly head: { readonly repository: Repository; readonly ref: string; readonly sha: string };
  readonly base: { readonly ref: string; readonly sha: string };
  readonly draft: boolean;
}

export async function openPull(sandbox: Sandbox, repository: Repository, draft: NewPull): Promise<PullRequest> {
  const at = sandbox.now();
  const number = repository.nextNumber;
  repository.nextNumber += 1;
  const { title, body, authorId } = draft;
  const head = draft.head.repository;
  const pull: PullRequest = {
    ...{ id: newId(sandbox.state), number, title, body, authorId, state: 'open', draft: draft.draft },
    base: { ...draft.base },
    head: { repositoryId: head.id, ownerId: head.ownerId, ref: draft.head.ref, sha: draft.head.sha },
    ...{
      mergeCommitSha: null,
      mergeable: null,
      merged: null,
      createdAt: at,
      updatedAt: at,
      closedAt: null,
      baseChanges: [],
      reviews: [],
    },
  };
  repository.pulls.set(number, pull);
  await followHead(sandbox, repository, pull, draft.head.sha);
  await tellPull(sandbox, repository, pull, 'pull_request.opened', authorId);
  return pull;
}

/** Tells of a pull request. */
export async function tellPull(
  sandbox: Sandbox,
  repository: Repository,
  pull: PullRequest,
  name: WebhookName & `pull_request.${string}`,
  senderId: number,
  more: JsonObject = {},
): Promise<void> {
  const fields = { number: pull.number, pull_request: await showPull(sandbox, repository, pull), ...more };
  emit(sandbox, name, { repository, senderId, fields });
}

export interface PullEdit {
  readonly title?: string | undefined;
  readonly body?: string | null | undefined;
  readonly base?: string | undefined;
  readonly state?: 'open' | 'closed' | undefined;
  readonly draft?: boolean | undefined;
}

/** Changes a pull request, one event for each kind of change. */
export async function editPull(
  sandbox: Sandbox,
  repository: Repository,
  pull: PullRequest,
  edit: PullEdit,
  senderId: number,
): Promise<void> {
  pull.updatedAt = sandbox.now();
  const changes: Record<string, JsonObject> = {};
  if (edit.title !== undefined && edit.title !== pull.title) {
    changes['title'] = { from: pull.title };
    pull.title = edit.title;
  }
  if (edit.body !== undefined && edit.body !== pull.body) {
    changes['body'] = { from: pull.body ?? '' };
    pull.body = edit.body;
  }
  if (edit.base !== undefined && edit.base !== pull.base.ref) {
    changes['base'] = { ref: { from: pull.base.ref }, sha: { from: pull.base.sha } };
    pull.base.ref = edit.base;
    pull.baseChanges.push(sandbox.now());
    await followBase(sandbox, repository, pull);
  }
  if (Object.keys(changes).length > 0) {
    await tellPull(sandbox, repository, pull, 'pull_request.edited', senderId, { changes });
  }
  if (edit.draft !== undefined && edit.draft !== pull.draft) {
    pull.draft = edit.draft;
    const name = edit.draft ? 'pull_request.converted_to_draft' : 'pull_request.ready_for_review';
    await tellPull(sandbox, repository, pull, name, senderId);
  }
  if (edit.state !== undefined && edit.state !== pull.state) {
    pull.state = edit.state;
    pull.closedAt = edit.state === 'closed' ? sandbox.now() : null;
    if (edit.state === 'open') await followBase(sandbox, repository, pull);
    const name = edit.state === 'open' ? 'pull_request.reopened' : 'pull_request.closed';
    await tellPull(sandbox, repository, pull, name, senderId);
  }
}

/** Merges a pull request; undefined where it conflicts. */
export async function mergePull(
  sandbox: Sandbox,
  repository: Repository,
  pull: PullRequest,
  {
    method,
    message,
    actorId,
  }: { readonly method: 'merge' | 'squash'; readonly message: string | undefined; readonly actorId: number },
): Promise<string | undefined> {
  const { folder } = repository;
  const base = (await readRef(folder, `refs/heads/${pull.base.ref}`)) ?? pull.base.sha;
  const tree = await mergeTrees(folder, base, pull.head.sha);
  if (tree === undefined) return undefined;
  const actor = accountOf(sandbox.state, actorId);
  const at = sandbox.now();
  const author = {
    name: actor.name ?? actor.login,
    email: actor.email ?? `${actor.login}@users.noreply.github.com`,
    at,
  };
  const parents = method === 'merge' ? [base, pull.head.sha] : [base];
  const title =
    method === 'merge'
      ? `Merge pull request #${pull.number} from ${accountOf(sandbox.state, pull.head.ownerId).login}/${pull.head.ref}\n\n${pull.title}`
      : `${pull.title} (#${pull.number})\n\n${pull.body ?? ''}`;
  const sha = await commitTree(folder, tree, parents, author, { ...GITHUB, at }, message ?? title);
  pull.state = 'closed';
  pull.closedAt = at;
  pull.updatedAt = at;
  pull.merged = { at, by: actorId };
  pull.mergeCommitSha = sha;
  await moveBranch(sandbox, repository, pull.base.ref, sha, { actorId, type: 'pr_merge' });
  await tellPull(sandbox, repository, pull, 'pull_request.closed', actorId);
  return sha;
}

/** Adds a review at the head that stands, and tells of it. */
export function addReview(
  sandbox: Sandbox,
  repository: Repository,
  pull: PullRequest,
  {
    userId,
    state,
    body,
    commitId,
  }: Pick<Review, 'userId' | 'state' | 'body'> & { readonly commitId?: string | undefined },
): Review {
  const review: Review = {
    ...{ id: newId(sandbox.state), userId, state, body },
    ...{ commitId: commitId ?? pull.head.sha, submittedAt: sandbox.now() },
  };
  pull.reviews.push(review);
  if (state !== 'PENDING') tellReview(sandbox, repository, pull, review, 'pull_request_review.submitted', userId);
  return review;
}

export function dismissReview(
  sandbox: Sandbox,
  repository: Repository,
  pull: PullRequest,
  review: Review,
  senderId: number,
): void {
  review.state = 'DISMISSED';
  tellReview(sandbox, repository, pull, review, 'pull_request_review.dismissed', senderId);
}

export function editReview(
  sandbox: Sandbox,
  repository: Repository,
  pull: PullRequest,
  review: Review,
  body: string,
): void {
  const changes = { body: { from: review.body } };
  review.body = body;
  tellReview(sandbox, repository, pull, review, 'pull_request_review.edited', review.userId, { changes });
}

function tellReview(
  sandbox: Sandbox,
  repository: Repository,
  pull: PullRequest,
  review: Review,
  name: WebhookName & `pull_request_review.${string}`,
  senderId: number,
  more: JsonObject = {},
): void {
  const fields = {
    review: showReview(sandbox, repository, pull, review, true),
    pull_request: showSimplePull(sandbox, repository, pull),
    ...more,
  };
  emit(sandbox, name, { repository, senderId, fields });
}

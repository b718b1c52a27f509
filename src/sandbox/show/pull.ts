import { diffFiles } from '../git/diff.ts';
import { listCommits, mergeBase } from '../git/refs.ts';
import type { JsonObject } from '../json.ts';
import { iso, isoOrNull } from '../json.ts';
import { accountOf, permissionOf, reaches, repositoryOf } from '../state.ts';
import type { PullRequest, Repository, Review } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { nodeId, showAccount } from './account.ts';
import { repositoryApi, repositoryHtml, showRepository } from './repository.ts';

/** How someone stands to a repository, as GitHub derives it from permissions. */
export function association({ state }: Sandbox, repository: Repository, userId: number): string {
  if (repository.ownerId === userId) return 'OWNER';
  if (state.memberships.get(repository.ownerId)?.has(userId) === true) return 'MEMBER';
  if (repository.collaborators.has(userId) && reaches(permissionOf(state, repository, userId), 'read')) {
    return 'COLLABORATOR';
  }
  return 'NONE';
}

/** The shape `pull-request-simple`. */
export function showSimplePull(sandbox: Sandbox, repository: Repository, pull: PullRequest): JsonObject {
  const { state } = sandbox;
  const api = `${repositoryApi(sandbox, repository)}/pulls/${pull.number}`;
  const issue = `${repositoryApi(sandbox, repository)}/issues/${pull.number}`;
  const html = `${repositoryHtml(sandbox, repository)}/pull/${pull.number}`;
  const statuses = `${repositoryApi(sandbox, repository)}/statuses/${pull.head.sha}`;
  const reviewComment = `${repositoryApi(sandbox, repository)}/pulls/comments{/number}`;
  const headRepository = pull.head.repositoryId === null ? undefined : state.repositories.get(pull.head.repositoryId);
  return {
    url: api,
    id: pull.id,
    node_id: nodeId('PullRequest', pull.id),
    html_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    issue_url: issue,
    commits_url: `${api}/commits`,
    review_comments_url: `${api}/comments`,
    review_comment_url: reviewComment,
    comments_url: `${issue}/comments`,
    statuses_url: statuses,
    number: pull.number,
    state: pull.state,
    locked: false,
    title: pull.title,
    user: showAccount(sandbox, pull.authorId),
    body: pull.body,
    labels: [],
    milestone: null,
    active_lock_reason: null,
    created_at: iso(pull.createdAt),
    updated_at: iso(pull.updatedAt),
    closed_at: isoOrNull(pull.closedAt),
    merged_at: isoOrNull(pull.merged?.at ?? null),
    merge_commit_sha: pull.mergeCommitSha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    draft: pull.draft,
    head: {
      label: `${accountOf(state, pull.head.ownerId).login}:${pull.head.ref}`,
      ref: pull.head.ref,
      sha: pull.head.sha,
      user: showAccount(sandbox, pull.head.ownerId),
      // A fork that was deleted (description: not nullable here, but GitHub sends null).
      repo: headRepository === undefined ? null : showRepository(sandbox, headRepository),
    },
    base: {
      label: `${accountOf(state, repository.ownerId).login}:${pull.base.ref}`,
      ref: pull.base.ref,
      sha: pull.base.sha,
      user: showAccount(sandbox, repository.ownerId),
      repo: showRepository(sandbox, repository),
    },
    _links: {
      self: { href: api },
      html: { href: html },
      issue: { href: issue },
      comments: { href: `${issue}/comments` },
      review_comments: { href: `${api}/comments` },
      review_comment: { href: reviewComment },
      commits: { href: `${api}/commits` },
      statuses: { href: statuses },
    },
    author_association: association(sandbox, repository, pull.authorId),
    auto_merge: null,
  };
}

/** The shape `pull-request`: with what GitHub counts. */
export async function showPull(sandbox: Sandbox, repository: Repository, pull: PullRequest): Promise<JsonObject> {
  const { commits, additions, deletions, files } = await pullNumbers(repository, pull);
  return {
    ...showSimplePull(sandbox, repository, pull),
    merged: pull.merged !== null,
    mergeable: pull.state === 'open' ? pull.mergeable : null,
    rebaseable: pull.state === 'open' ? pull.mergeable : null,
    mergeable_state: pull.mergeable === false ? 'dirty' : pull.draft ? 'draft' : 'clean',
    merged_by: pull.merged === null ? null : showAccount(sandbox, pull.merged.by),
    comments: [...repository.comments.values()].filter((one) => one.number === pull.number).length,
    review_comments: 0,
    maintainer_can_modify: false,
    commits,
    additions,
    deletions,
    changed_files: files,
  };
}

// Commits never change, so neither does what lies between two of them.
const numbers = new Map<string, Awaited<ReturnType<typeof countPull>>>();

async function pullNumbers({ folder }: Repository, { base, head }: PullRequest) {
  const key = `${folder} ${base.sha} ${head.sha}`;
  const known = numbers.get(key) ?? (await countPull(folder, base.sha, head.sha));
  numbers.set(key, known);
  return known;
}

async function countPull(folder: string, base: string, head: string) {
  const [commits, files] = await Promise.all([
    listCommits(folder, base, head),
    diffFiles(folder, (await mergeBase(folder, base, head)) ?? null, head),
  ]);
  const sum = (key: 'additions' | 'deletions') => files.reduce((total, file) => total + file[key], 0);
  return {
    commits: commits.length,
    files: files.length,
    additions: sum('additions'),
    deletions: sum('deletions'),
  };
}

/** The shape `pull-request-minimal`. */
export function showMinimalPull(sandbox: Sandbox, repository: Repository, pull: PullRequest): JsonObject {
  const side = (one: Repository, { ref, sha }: { readonly ref: string; readonly sha: string }) => ({
    ref,
    sha,
    repo: { id: one.id, url: repositoryApi(sandbox, one), name: one.name },
  });
  const head = pull.head.repositoryId === null ? repository : repositoryOf(sandbox.state, pull.head.repositoryId);
  return {
    id: pull.id,
    number: pull.number,
    url: `${repositoryApi(sandbox, repository)}/pulls/${pull.number}`,
    head: side(head, pull.head),
    base: side(repository, pull.base),
  };
}

/**
 * The open pull requests that GitHub names in checks and workflow runs of a commit: those whose head is in the
 * repository itself. For forks it names none (description, "Get a check run").
 */
export function namedPulls(sandbox: Sandbox, repository: Repository, headSha: string): readonly JsonObject[] {
  return [...repository.pulls.values()]
    .filter((one) => one.state === 'open' && one.head.sha === headSha && one.head.repositoryId === repository.id)
    .map((one) => showMinimalPull(sandbox, repository, one));
}

/** The shape `pull-request-review`. */
export function showReview(
  sandbox: Sandbox,
  repository: Repository,
  pull: PullRequest,
  review: Review,
  events = false,
): JsonObject {
  const api = `${repositoryApi(sandbox, repository)}/pulls/${pull.number}`;
  const html = `${repositoryHtml(sandbox, repository)}/pull/${pull.number}#pullrequestreview-${review.id}`;
  return {
    id: review.id,
    node_id: nodeId('PullRequestReview', review.id),
    user: showAccount(sandbox, review.userId),
    // REST says the state in capitals, webhooks in small letters and null for no body.
    body: events && review.body === '' ? null : review.body,
    state: events ? review.state.toLowerCase() : review.state,
    html_url: html,
    pull_request_url: api,
    author_association: association(sandbox, repository, review.userId),
    _links: { html: { href: html }, pull_request: { href: api } },
    submitted_at: iso(review.submittedAt),
    commit_id: review.commitId,
    ...(events ? { updated_at: iso(review.submittedAt) } : {}),
  };
}

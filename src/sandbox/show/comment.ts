import type { JsonObject } from '../json.ts';
import { iso } from '../json.ts';
import { appOf } from '../state.ts';
import type { Comment, PullRequest, Reaction, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { nodeId, showAccount, showApp } from './account.ts';
import { association } from './pull.ts';
import { repositoryApi, repositoryHtml } from './repository.ts';

export const REACTIONS = ['+1', '-1', 'laugh', 'hooray', 'confused', 'heart', 'rocket', 'eyes'] as const;

const rollup = (url: string, reactions: readonly Reaction[]): JsonObject => ({
  url: `${url}/reactions`,
  total_count: reactions.length,
  ...Object.fromEntries(
    REACTIONS.map((name) => [name, reactions.filter(({ content }) => content === name).length] as const),
  ),
});

/** The shape `issue-comment`. */
export function showComment(sandbox: Sandbox, repository: Repository, comment: Comment): JsonObject {
  const url = `${repositoryApi(sandbox, repository)}/issues/comments/${comment.id}`;
  return {
    url,
    html_url: `${repositoryHtml(sandbox, repository)}/pull/${comment.number}#issuecomment-${comment.id}`,
    issue_url: `${repositoryApi(sandbox, repository)}/issues/${comment.number}`,
    id: comment.id,
    node_id: nodeId('IssueComment', comment.id),
    user: showAccount(sandbox, comment.userId),
    created_at: iso(comment.createdAt),
    updated_at: iso(comment.updatedAt),
    body: comment.body,
    author_association: association(sandbox, repository, comment.userId),
    reactions: rollup(url, comment.reactions),
    performed_via_github_app: comment.appId === null ? null : showApp(sandbox, appOf(sandbox.state, comment.appId)),
  };
}

/** The shape `reaction`. */
export function showReaction(sandbox: Sandbox, { id, userId, content, createdAt }: Reaction): JsonObject {
  return {
    id,
    node_id: nodeId('Reaction', id),
    user: showAccount(sandbox, userId),
    content,
    created_at: iso(createdAt),
  };
}

/** A pull request as the issue that it also is, which events of comments carry. */
export function showIssue(sandbox: Sandbox, repository: Repository, pull: PullRequest): JsonObject {
  const url = `${repositoryApi(sandbox, repository)}/issues/${pull.number}`;
  const html = `${repositoryHtml(sandbox, repository)}/pull/${pull.number}`;
  return {
    url,
    repository_url: repositoryApi(sandbox, repository),
    labels_url: `${url}/labels{/name}`,
    comments_url: `${url}/comments`,
    events_url: `${url}/events`,
    html_url: html,
    id: pull.id + 500_000_000,
    node_id: nodeId('Issue', pull.id),
    number: pull.number,
    title: pull.title,
    user: showAccount(sandbox, pull.authorId),
    labels: [],
    state: pull.state,
    locked: false,
    assignee: null,
    assignees: [],
    milestone: null,
    comments: [...repository.comments.values()].filter(({ number }) => number === pull.number).length,
    created_at: iso(pull.createdAt),
    updated_at: iso(pull.updatedAt),
    closed_at: pull.closedAt === null ? null : iso(pull.closedAt),
    author_association: association(sandbox, repository, pull.authorId),
    active_lock_reason: null,
    draft: pull.draft,
    pull_request: {
      url: `${repositoryApi(sandbox, repository)}/pulls/${pull.number}`,
      html_url: html,
      diff_url: `${html}.diff`,
      patch_url: `${html}.patch`,
      merged_at: pull.merged === null ? null : iso(pull.merged.at),
    },
    body: pull.body,
    reactions: rollup(url, []),
  };
}

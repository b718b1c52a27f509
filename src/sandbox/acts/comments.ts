import type { WebhookName } from '../openapi/used.ts';
import type { JsonObject } from '../json.ts';
import { existing, newId } from '../state.ts';
import type { Comment, Reaction, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { showComment, showIssue } from '../show/comment.ts';
import { emit } from '../webhooks/emit.ts';

export function addComment(
  sandbox: Sandbox,
  repository: Repository,
  { number, body, userId, appId }: Pick<Comment, 'number' | 'body' | 'userId' | 'appId'>,
): Comment {
  const at = sandbox.now();
  const comment: Comment = {
    ...{ id: newId(sandbox.state), number, body, userId, appId, createdAt: at, updatedAt: at, reactions: [] },
  };
  repository.comments.set(comment.id, comment);
  tell(sandbox, repository, comment, 'issue_comment.created', userId);
  return comment;
}

export function editComment(
  sandbox: Sandbox,
  repository: Repository,
  comment: Comment,
  body: string,
  userId: number,
): void {
  const changes = { body: { from: comment.body } };
  comment.body = body;
  // Times have whole seconds: an edit within the second would not show.
  comment.updatedAt = Math.max(sandbox.now(), comment.createdAt + 1000);
  tell(sandbox, repository, comment, 'issue_comment.edited', userId, { changes });
}

export function deleteComment(sandbox: Sandbox, repository: Repository, comment: Comment, userId: number): void {
  repository.comments.delete(comment.id);
  tell(sandbox, repository, comment, 'issue_comment.deleted', userId);
}

/** Adds a reaction; one person's same reaction twice is one. */
export function addReaction(
  sandbox: Sandbox,
  comment: Comment,
  userId: number,
  content: string,
): { readonly reaction: Reaction; readonly isNew: boolean } {
  const known = comment.reactions.find((one) => one.userId === userId && one.content === content);
  if (known !== undefined) return { reaction: known, isNew: false };
  const reaction = { id: newId(sandbox.state), userId, content, createdAt: sandbox.now() };
  comment.reactions.push(reaction);
  return { reaction, isNew: true };
}

function tell(
  sandbox: Sandbox,
  repository: Repository,
  comment: Comment,
  name: WebhookName & `issue_comment.${string}`,
  senderId: number,
  more: JsonObject = {},
): void {
  const pull = existing(repository.pulls.get(comment.number), `pull request ${comment.number}`);
  const fields = {
    issue: showIssue(sandbox, repository, pull),
    comment: showComment(sandbox, repository, comment),
    ...more,
  };
  emit(sandbox, name, { repository, senderId, fields });
}

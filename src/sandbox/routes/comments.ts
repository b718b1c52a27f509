import { addComment, addReaction, deleteComment, editComment } from '../acts/comments.ts';
import { ApiError, created, invalid, noContent, notFound, ok } from '../http/answer.ts';
import { bodyOf, idParam, queryText, repo, writer } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { listAnswer } from '../http/pages.ts';
import { textOf } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { permissionOf, reaches } from '../state.ts';
import type { Comment } from '../state.ts';
import { showComment, showReaction } from '../show/comment.ts';
import { commentIn, pullIn } from './find.ts';

const show = (call: Call, comment: Comment): JsonObject => showComment(call.sandbox, repo(call), comment);

/** The text of a comment. @throws ApiError 422 for one that is empty or too long */
function commentBody(call: Call): string {
  const body = textOf(bodyOf(call), 'body') ?? '';
  const { textCharacters } = call.sandbox.limits;
  if (body.trim() === '')
    throw new ApiError(422, 'Validation Failed', [{ resource: 'IssueComment', field: 'body', code: 'missing_field' }]);
  if ([...body].length > textCharacters) {
    throw invalid('IssueComment', 'body', `body is too long (maximum is ${textCharacters} characters)`);
  }
  return body;
}

/** Others' comments are changed only by people who may write; apps change only their own and people's where they may. */
function mayChange(call: Call, comment: Comment): void {
  const { userId } = writer(call);
  if (comment.userId === userId || call.caller.kind !== 'user') return;
  const { state } = call.sandbox;
  if (!reaches(permissionOf(state, repo(call), userId), 'write')) {
    throw new ApiError(403, 'Must have admin rights to Repository.');
  }
}

function since(call: Call, comments: readonly Comment[]): readonly Comment[] {
  const time = queryText(call, 'since');
  return time === undefined ? comments : comments.filter(({ updatedAt }) => updatedAt >= Date.parse(time));
}

function listAll(call: Call) {
  const key = queryText(call, 'sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const down = queryText(call, 'direction') === 'desc' ? -1 : 1;
  const all = since(call, [...repo(call).comments.values()]).toSorted((a, b) => (a[key] - b[key]) * down);
  return listAnswer(call, all, (one) => show(call, one));
}

export const COMMENT_ROUTES = {
  'issues/create-comment': (call) => {
    const { number } = pullIn(call, 'issue_number');
    const body = commentBody(call);
    const comment = addComment(call.sandbox, repo(call), { number, body, ...writer(call) });
    return created(show(call, comment));
  },
  'issues/list-comments': (call) => {
    const pull = pullIn(call, 'issue_number');
    const all = [...repo(call).comments.values()].filter(({ number }) => number === pull.number);
    return listAnswer(call, since(call, all), (one) => show(call, one));
  },
  'issues/list-comments-for-repo': listAll,
  'issues/get-comment': (call) => ok(show(call, commentIn(call))),
  'issues/update-comment': (call) => {
    const comment = commentIn(call);
    mayChange(call, comment);
    editComment(call.sandbox, repo(call), comment, commentBody(call), writer(call).userId);
    return ok(show(call, comment));
  },
  'issues/delete-comment': (call) => {
    const comment = commentIn(call);
    mayChange(call, comment);
    deleteComment(call.sandbox, repo(call), comment, writer(call).userId);
    return noContent();
  },
  'reactions/create-for-issue-comment': (call) => {
    const content = textOf(bodyOf(call), 'content') ?? '';
    const { reaction, isNew } = addReaction(call.sandbox, commentIn(call), writer(call).userId, content);
    return { status: isNew ? 201 : 200, body: showReaction(call.sandbox, reaction) };
  },
  'reactions/list-for-issue-comment': (call) => {
    const content = queryText(call, 'content');
    const all = commentIn(call).reactions.filter((one) => content === undefined || one.content === content);
    return listAnswer(call, all, (one) => showReaction(call.sandbox, one));
  },
  'reactions/delete-for-issue-comment': (call) => {
    const { reactions } = commentIn(call);
    const at = reactions.findIndex(({ id }) => id === idParam(call, 'reaction_id'));
    if (at < 0) throw notFound();
    reactions.splice(at, 1);
    return noContent();
  },
} satisfies Routes;

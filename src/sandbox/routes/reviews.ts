import { addReview, dismissReview } from '../acts/pulls.ts';
import { ApiError, invalid, notFound, ok } from '../http/answer.ts';
import { bodyOf, idParam, repo, writer } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { listAnswer } from '../http/pages.ts';
import { listOf, textOf } from '../json.ts';
import type { Review } from '../state.ts';
import { showReview } from '../show/pull.ts';
import { pullIn } from './find.ts';

const STATES: Readonly<Record<string, Review['state']>> = {
  APPROVE: 'APPROVED',
  REQUEST_CHANGES: 'CHANGES_REQUESTED',
  COMMENT: 'COMMENTED',
};

function reviewIn(call: Call): Review {
  const found = pullIn(call).reviews.find(({ id }) => id === idParam(call, 'review_id'));
  if (found === undefined) throw notFound();
  return found;
}

/** Reviews that the caller sees: one that was not submitted only its author. */
function visible(call: Call): readonly Review[] {
  const own = call.caller.kind === 'user' ? call.caller.account.id : undefined;
  return pullIn(call).reviews.filter(({ state, userId }) => state !== 'PENDING' || userId === own);
}

function create(call: Call) {
  const { sandbox } = call;
  const pull = pullIn(call);
  const body = bodyOf(call);
  const event = textOf(body, 'event');
  const text = textOf(body, 'body') ?? '';
  const { userId } = writer(call);
  if (listOf(body, 'comments').length > 0) throw new ApiError(422, 'The sandbox has no comments in reviews.');
  if (event !== undefined && event !== 'APPROVE' && text === '') {
    throw new ApiError(422, 'Unprocessable Entity', [
      { resource: 'PullRequestReview', code: 'custom', message: 'body is required' },
    ]);
  }
  if (userId === pull.authorId && event !== undefined && event !== 'COMMENT') {
    const what = event === 'APPROVE' ? 'approve' : 'request changes on';
    throw invalid('PullRequestReview', 'event', `Can not ${what} your own pull request`);
  }
  const state = event === undefined ? 'PENDING' : (STATES[event] ?? 'COMMENTED');
  const review = addReview(sandbox, repo(call), pull, {
    userId,
    state,
    body: text,
    commitId: textOf(body, 'commit_id'),
  });
  return ok(showReview(sandbox, repo(call), pull, review));
}

export const REVIEW_ROUTES = {
  'pulls/create-review': create,
  'pulls/list-reviews': (call) => {
    const pull = pullIn(call);
    return listAnswer(call, visible(call), (one) => showReview(call.sandbox, repo(call), pull, one));
  },
  'pulls/get-review': (call) => ok(showReview(call.sandbox, repo(call), pullIn(call), reviewIn(call))),
  'pulls/dismiss-review': (call) => {
    const review = reviewIn(call);
    if (review.state !== 'APPROVED' && review.state !== 'CHANGES_REQUESTED') {
      throw new ApiError(422, `Can not dismiss a ${review.state.toLowerCase()} pull request review`);
    }
    dismissReview(call.sandbox, repo(call), pullIn(call), review, writer(call).userId);
    return ok(showReview(call.sandbox, repo(call), pullIn(call), review));
  },
} satisfies Routes;

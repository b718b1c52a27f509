import type { ReviewFacts } from '../../../gate/facts.ts';
import { GHOST, loginOf } from './identity.ts';
import type { ReviewNode } from './pull-query.ts';

const STATES: Readonly<Record<string, ReviewFacts['state']>> = {
  APPROVED: 'approved',
  CHANGES_REQUESTED: 'changes_requested',
  COMMENTED: 'commented',
  DISMISSED: 'dismissed',
};

/**
 * Reviews as facts: all of them, of every person, in GitHub's order; what stands is for the gate to say. One that
 * was not submitted is left out: only its author sees it. That its text was edited does not matter: its state cannot
 * be edited, only dismissed. @see PullRequestReviewState of GitHub's GraphQL schema
 */
export function reviewsOf(nodes: readonly ReviewNode[]): ReviewFacts[] {
  return nodes.flatMap(({ fullDatabaseId, state, author, submittedAt, commit }) => {
    const known = STATES[state];
    if (known === undefined || submittedAt === null || fullDatabaseId === null) return [];
    return [
      {
        id: fullDatabaseId,
        user_id: author?.databaseId ?? null,
        login: author === null ? GHOST : loginOf(author),
        state: known,
        commit_sha: commit?.oid ?? null,
        submitted_at: submittedAt,
      },
    ];
  });
}

import type { Config } from '../config/schema.ts';
import type { DecisionFacts, Facts, Identity, Person } from './facts.ts';
import { PERMISSIONS } from './facts.ts';

/** Whether someone's decision counts, and why not. */
export type Standing =
  { readonly counts: true; readonly selfApproval: boolean } | { readonly counts: false; readonly why: string };

/**
 * Whether a person may decide about this pull request: a user with enough permission who had no hand in it.
 * People are compared by the platform's numeric id, and by login where an id is missing on either side.
 */
export function standingOf(facts: Facts, config: Config, userId: number | null, login: string): Standing {
  const person = facts.people.find((one) => (userId === null ? one.login === login : one.id === userId));
  if (person === undefined) return { counts: false, why: `nothing is known of ${login}'s permission` };
  if (person.type !== 'user') return { counts: false, why: `${person.login} is no person` };
  if (PERMISSIONS.indexOf(person.permission) < PERMISSIONS.indexOf(config.people.permission)) {
    return {
      counts: false,
      why: `${person.login} has ${person.permission} permission, and ${config.people.permission} is needed`,
    };
  }
  const part = partIn(facts, person);
  if (part === undefined) return { counts: true, selfApproval: false };
  if (config.people.self_approval === 'admins' && person.permission === 'admin')
    return { counts: true, selfApproval: true };
  return { counts: false, why: `${person.login} is ${part}` };
}

function partIn(facts: Facts, person: Person): string | undefined {
  const is = (identity: Identity | undefined): boolean => identity !== undefined && samePerson(identity, person);
  if (is(facts.subject.author)) return "the pull request's author";
  if (is(facts.last_pusher)) return 'the last pusher';
  return facts.commits.some((commit) => is(commit.author) || is(commit.committer))
    ? 'an author of its commits'
    : undefined;
}

function samePerson(identity: Identity, person: Person): boolean {
  if (identity.id !== undefined) return identity.id === person.id;
  return identity.login !== undefined && identity.login.toLowerCase() === person.login.toLowerCase();
}

/** A decision and whether it counts here. */
export interface WeighedDecision {
  readonly decision: DecisionFacts;
  readonly standing: Standing;
}

/**
 * Decisions of given kinds that are bound to this head (or, for a contract, to its digest).
 * @param binds whether a decision is about the thing in question
 */
export function decisionsFor(
  facts: Facts,
  config: Config,
  kinds: readonly DecisionFacts['kind'][],
  binds: (decision: DecisionFacts) => boolean,
): WeighedDecision[] {
  return facts.decisions
    .filter((decision) => kinds.includes(decision.kind) && binds(decision))
    .map((decision) => ({ decision, standing: weigh(facts, config, decision) }));
}

function weigh(facts: Facts, config: Config, decision: DecisionFacts): Standing {
  if (decision.edited) return { counts: false, why: 'the comment was edited' };
  const bound =
    decision.kind === 'approve-contract' ||
    (facts.subject.head.sha !== null && decision.head_sha === facts.subject.head.sha);
  if (!bound)
    return { counts: false, why: `it was made at another head (${decision.head_sha?.slice(0, 8) ?? 'none'})` };
  if (decision.until !== undefined && decision.until < facts.now.slice(0, 10))
    return { counts: false, why: `it ended on ${decision.until}` };
  return standingOf(facts, config, decision.user_id, decision.login);
}

/** Approving reviews at this head by permitted people: they also agree to edits of the control plane. */
export function approvingReviewers(
  facts: Facts,
  config: Config,
  eligible: (person: Person) => boolean = () => true,
): string[] {
  return latestReviews(facts).flatMap((review) => {
    if (review.state !== 'approved' || review.commit_sha === null || review.commit_sha !== facts.subject.head.sha)
      return [];
    const standing = standingOf(facts, config, review.user_id, review.login);
    const person = facts.people.find((one) =>
      review.user_id === null ? one.login === review.login : one.id === review.user_id,
    );
    return standing.counts && person !== undefined && eligible(person) ? [review.login] : [];
  });
}

/**
 * The review of each reviewer that stands. As on GitHub, a later comment takes nothing back; only an approval,
 * a request for changes or a dismissal replaces what was said before.
 */
export function latestReviews(facts: Facts): Facts['reviews'] {
  const standing = new Map<string, Facts['reviews'][number]>();
  const ordered = [...facts.reviews].sort((a, b) =>
    a.submitted_at < b.submitted_at ? -1 : a.submitted_at > b.submitted_at ? 1 : a.id - b.id,
  );
  for (const review of ordered) {
    if (review.state === 'commented' || review.state === 'pending') continue;
    standing.set(review.user_id === null ? `login:${review.login.toLowerCase()}` : `id:${review.user_id}`, review);
  }
  return [...standing.values()];
}

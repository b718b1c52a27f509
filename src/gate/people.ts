import { demandsOf } from '../config/schema.ts';
import type { Config, Demand } from '../config/schema.ts';
import type { DecisionFacts, Facts, Identity, Person } from './facts.ts';
import { PERMISSIONS } from './facts.ts';

/** Whether someone's decision counts, and why not. */
export type Standing =
  | { readonly counts: true; readonly selfApproval: boolean; readonly person: Person }
  | { readonly counts: false; readonly why: string };

/**
 * What is known of someone: by the platform's numeric id, or by login where it gives none. Where a platform says two
 * things of one person, the lesser permission counts.
 */
export function personOf(facts: Facts, userId: number | null, login: string): Person | undefined {
  const is = (person: Person): boolean =>
    userId === null ? person.login.toLowerCase() === login.toLowerCase() : person.id === userId;
  return facts.people
    .filter(is)
    .reduce<Person | undefined>(
      (least, one) => (least === undefined || rank(one) < rank(least) ? one : least),
      undefined,
    );
}

function rank({ permission }: Person): number {
  return PERMISSIONS.indexOf(permission);
}

/** Whether a person has the permission that decisions need. */
export function isPermitted(config: Config, person: Person): boolean {
  return person.type === 'user' && rank(person) >= PERMISSIONS.indexOf(config.people.permission);
}

/**
 * Whether a person may decide about this pull request: a user with enough permission who had no hand in it. On the
 * platform that takes knowing who opened it and who pushed last.
 */
export function standingOf(facts: Facts, config: Config, userId: number | null, login: string): Standing {
  const person = personOf(facts, userId, login);
  if (person === undefined) return { counts: false, why: `nothing is known of ${login}'s permission` };
  if (person.type !== 'user') return { counts: false, why: `${person.login} is no person` };
  if (!isPermitted(config, person)) {
    return {
      counts: false,
      why: `${person.login} has ${person.permission} permission, and ${config.people.permission} is needed`,
    };
  }
  if (facts.profile === 'github' && (facts.subject.author === undefined || facts.last_pusher === undefined)) {
    return { counts: false, why: `it is not known whether ${person.login} opened the pull request or pushed last` };
  }
  const part = partIn(facts, person);
  if (part === undefined) return { counts: true, selfApproval: false, person };
  if (config.people.self_approval === 'admins' && person.permission === 'admin')
    return { counts: true, selfApproval: true, person };
  return { counts: false, why: `${person.login} is ${part}` };
}

function partIn(facts: Facts, person: Person): string | undefined {
  const is = (identity: Identity | undefined): boolean => identity !== undefined && samePerson(identity, person);
  if (is(facts.subject.author)) return "the pull request's author";
  if (is(facts.last_pusher)) return 'the last pusher';
  if (facts.commits.some((commit) => is(commit.author) || is(commit.committer))) return 'an author of its commits';
  if (facts.commits.some(({ co_authors }) => co_authors?.some(is) === true)) return 'a co-author of its commits';
  // Whoever pushed a commit may have written another's name into it.
  return facts.commits.some(({ pusher }) => is(pusher)) ? 'a pusher of its commits' : undefined;
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
 * Decisions of a kind, weighed: bound to this head (or, for a contract, to its digest), not edited, not run out.
 * @param binds whether a decision is about the thing in question
 */
export function decisionsFor(
  facts: Facts,
  config: Config,
  kind: DecisionFacts['kind'],
  binds: (decision: DecisionFacts) => boolean,
): WeighedDecision[] {
  return facts.decisions
    .filter((decision) => decision.kind === kind && binds(decision))
    .map((decision) => ({ decision, standing: weigh(facts, config, decision) }));
}

function weigh(facts: Facts, config: Config, decision: DecisionFacts): Standing {
  if (decision.edited) return { counts: false, why: 'the comment was edited' };
  const bound =
    decision.kind === 'approve-contract' ||
    (facts.subject.head.sha !== null && decision.head_sha === facts.subject.head.sha);
  if (!bound)
    return { counts: false, why: `it was made at another head (${decision.head_sha?.slice(0, 8) ?? 'none'})` };
  if (decision.kind !== 'approve-contract' && isOfOldBase(facts, decision.at))
    return { counts: false, why: `${decision.login} decided before the pull request was given its base` };
  if (decision.until !== undefined && decision.until < utcDay(facts.now))
    return { counts: false, why: `it ended on ${decision.until}` };
  return standingOf(facts, config, decision.user_id, decision.login);
}

/**
 * Whether something was said before the pull request was given the base that it has: the same head brings other changes
 * into another base. Times have whole seconds, so what was said in that second is not known to be later.
 */
function isOfOldBase({ subject }: Facts, at: string): boolean {
  return subject.base_changed_at !== undefined && secondOf(at) <= secondOf(subject.base_changed_at);
}

/** The second of a point in time, since 1970. */
export function secondOf(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}

/** The day of a point in time, in UTC, as YYYY-MM-DD. */
export function utcDay(time: string): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Why decisions do not count, as a sentence to add; empty where there is nothing to say. */
export function notCounted(reasons: readonly string[]): string {
  return reasons.length === 0 ? '' : ` Not counted: ${[...new Set(reasons)].join('; ')}.`;
}

/** The reasons for which weighed decisions do not count. */
export function reasonsAgainst(decisions: readonly WeighedDecision[]): string[] {
  return decisions.flatMap(({ standing }) => (standing.counts ? [] : [standing.why]));
}

const ANYONE: Demand = { teams: [], people: [] };

/** The demands of a key of the config; one that any permitted person meets where it names none. */
export function demandsFor(value: Demand | readonly Demand[] | undefined): readonly Demand[] {
  const demands = demandsOf(value);
  return demands.length === 0 ? [ANYONE] : demands;
}

/** The first demand that none of some people meets, in words; undefined where all are met. */
export function openDemand(demands: readonly Demand[], people: readonly Person[]): string | undefined {
  const open = demands.find((demand) => !people.some((person) => meets(person, demand)));
  if (open === undefined) return undefined;
  const named = [...open.teams.map((team) => `a member of ${team}`), ...open.people];
  return named.length === 0 ? 'a permitted person' : named.join(' or ');
}

function meets(person: Person, { teams, people }: Demand): boolean {
  if (teams.length === 0 && people.length === 0) return true;
  return (
    people.some((login) => login.toLowerCase() === person.login.toLowerCase()) ||
    teams.some((team) => person.teams.includes(team))
  );
}

/** An approving review at this head, and whether it counts. */
export interface WeighedReview {
  readonly review: Facts['reviews'][number];
  readonly standing: Standing;
}

/** The approving reviews that stand, weighed: at this head, by permitted people. */
export function approvingReviews(facts: Facts, config: Config): WeighedReview[] {
  const head = facts.subject.head.sha;
  return latestReviews(facts)
    .filter((review) => review.state === 'approved')
    .map((review): WeighedReview => {
      const standing = standingOf(facts, config, review.user_id, review.login);
      if (!standing.counts) return { review, standing };
      if (isOfOldBase(facts, review.submitted_at)) {
        const why = `${review.login} approved before the pull request was given its base`;
        return { review, standing: { counts: false, why } };
      }
      if (head !== null && review.commit_sha === head) return { review, standing };
      const at = review.commit_sha?.slice(0, 8) ?? 'unknown';
      return { review, standing: { counts: false, why: `${review.login} approved an older head (${at})` } };
    });
}

/**
 * The review of each reviewer that stands. As on GitHub, a later comment takes nothing back; only an approval,
 * a request for changes or a dismissal replaces what was said before.
 */
export function latestReviews(facts: Facts): Facts['reviews'] {
  const standing = new Map<string, Facts['reviews'][number]>();
  const ordered = [...facts.reviews].sort(
    (a, b) => Date.parse(a.submitted_at) - Date.parse(b.submitted_at) || a.id - b.id,
  );
  for (const review of ordered) {
    if (review.state === 'commented' || review.state === 'pending') continue;
    standing.set(review.user_id === null ? `login:${review.login.toLowerCase()}` : `id:${review.user_id}`, review);
  }
  return [...standing.values()];
}

/** Logins of those whose decisions or approvals count although they had a hand in the pull request. */
export function selfApprovers(facts: Facts, config: Config): string[] {
  const standings = [
    ...facts.decisions.map((decision) => weigh(facts, config, decision)),
    ...approvingReviews(facts, config).map(({ standing }) => standing),
  ];
  return [...new Set(standings.flatMap((one) => (one.counts && one.selfApproval ? [one.person.login] : [])))].sort();
}

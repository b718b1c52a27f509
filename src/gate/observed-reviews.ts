import { demandsOf } from '../config/schema.ts';
import type { Config, Demand } from '../config/schema.ts';
import type { Facts, Person } from './facts.ts';
import { latestReviews, standingOf } from './people.ts';

/** What the platform shows of reviews at this head. */
export interface ReviewObservation {
  readonly state: 'approved' | 'changes-requested' | 'none';
  /** `github:review:<id>` of those that count. */
  readonly records: readonly string[];
  readonly by: readonly string[];
  /** Reviews that do not count, and why. */
  readonly ignored: readonly string[];
  /** A demand of the config that nobody has met yet, in words. */
  readonly open: string | undefined;
  readonly selfApproval: boolean;
}

interface Counting {
  readonly record: string;
  readonly login: string;
  readonly self: boolean;
  readonly person: Person;
}

/** Looks for approving reviews at this head by permitted people, of the teams or people that the config names. */
export function observeReviews(facts: Facts, config: Config, gateId: string): ReviewObservation {
  const approved: Counting[] = [];
  const refused: Counting[] = [];
  const ignored: string[] = [];
  for (const review of latestReviews(facts)) {
    if (review.state === 'dismissed') continue;
    const standing = standingOf(facts, config, review.user_id, review.login);
    const person = facts.people.find((one) =>
      review.user_id === null ? one.login === review.login : one.id === review.user_id,
    );
    if (!standing.counts || person === undefined) {
      ignored.push(standing.counts ? `nothing is known of ${review.login}` : standing.why);
      continue;
    }
    const counting = { record: `github:review:${review.id}`, login: review.login, self: standing.selfApproval, person };
    // A request for changes stands until its author takes it back, whatever was pushed since.
    if (review.state === 'changes_requested') refused.push(counting);
    else if (review.commit_sha !== null && review.commit_sha === facts.subject.head.sha) approved.push(counting);
    else ignored.push(`${review.login} approved an older head (${review.commit_sha?.slice(0, 8) ?? 'unknown'})`);
  }
  const open = demandsOfGate(config, gateId).find((demand) => !approved.some(({ person }) => meets(person, demand)));
  const state = refused.length > 0 ? 'changes-requested' : open === undefined ? 'approved' : 'none';
  const counting = refused.length > 0 ? refused : approved;
  return {
    state,
    records: counting.map((one) => one.record),
    by: counting.map((one) => one.login),
    ignored,
    open: open === undefined ? undefined : demandText(open),
    selfApproval: approved.length > 0 && approved.every((one) => one.self),
  };
}

const ANYONE: readonly Demand[] = [{ teams: [], people: [] }];

function demandsOfGate(config: Config, gateId: string): readonly Demand[] {
  const demands = demandsOf(Object.entries(config.evidence.reviews).find(([gate]) => gate === gateId)?.[1]);
  return demands.length === 0 ? ANYONE : demands;
}

/** Whether a person is one of those whom the config wants for a gate's approval. */
export function mayDecideGate(config: Config, gateId: string, person: Person): boolean {
  return demandsOfGate(config, gateId).some((demand) => meets(person, demand));
}

function meets(person: Person, { teams, people }: Demand): boolean {
  if (teams.length === 0 && people.length === 0) return true;
  return (
    people.some((login) => login.toLowerCase() === person.login.toLowerCase()) ||
    teams.some((team) => person.teams.includes(team))
  );
}

function demandText({ teams, people }: Demand): string {
  const named = [...teams.map((team) => `a member of ${team}`), ...people];
  return named.length === 0 ? 'a permitted person' : named.join(' or ');
}

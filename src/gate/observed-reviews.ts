import type { Config } from '../config/schema.ts';
import type { Facts, Person } from './facts.ts';
import { approvingReviews, demandsFor, isPermitted, latestReviews, openDemand, personOf } from './people.ts';

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

/** Looks for approving reviews at this head by permitted people, of the teams or people that the config names. */
export function observeReviews(facts: Facts, config: Config, gateId: string): ReviewObservation {
  // A request for changes stands until its author takes it back, whatever was pushed since.
  const requests = latestReviews(facts).filter((review) => review.state === 'changes_requested');
  const refused = requests.filter((review) => mayObject(config, personOf(facts, review.user_id, review.login)));
  const weighed = approvingReviews(facts, config);
  const approved = weighed.flatMap(({ review, standing }) =>
    standing.counts ? [{ review, person: standing.person, self: standing.selfApproval }] : [],
  );
  const open = openDemand(
    reviewDemands(config, gateId),
    approved.map(({ person }) => person),
  );
  const counting = refused.length > 0 ? refused : approved.map(({ review }) => review);
  return {
    state: refused.length > 0 ? 'changes-requested' : open === undefined ? 'approved' : 'none',
    records: counting.map(({ id }) => `github:review:${id}`),
    by: counting.map(({ login }) => login),
    ignored: [
      ...weighed.flatMap(({ standing }) => (standing.counts ? [] : [standing.why])),
      ...requests
        .filter((review) => !refused.includes(review))
        .map(({ login }) => `${login} requested changes without the permission to decide`),
    ],
    open,
    selfApproval: approved.length > 0 && approved.every(({ self }) => self),
  };
}

/** Who has to approve for a gate, as the config says. */
export function reviewDemands(config: Config, gateId: string): ReturnType<typeof demandsFor> {
  return demandsFor(Object.entries(config.evidence.reviews).find(([gate]) => gate === gateId)?.[1]);
}

// An objection also counts of someone who had a hand in the change: else it were enough to write a reviewer's address
// into a commit to be rid of it. Of someone unknown it counts too: what could not be looked up is no consent.
function mayObject(config: Config, person: Person | undefined): boolean {
  return person === undefined || isPermitted(config, person);
}

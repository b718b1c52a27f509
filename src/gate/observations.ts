import { isClaimPath } from '../checks/scope/check.ts';
import type { JudgedAssertion, Observation, ObservationInput } from './observation.ts';
import { observeReviews, reviewDemands } from './observed-reviews.ts';
import { testsObservation, waivedObservation } from './observed-test-gates.ts';
import { OUTCOMES } from './outcome.ts';
import { decisionsFor, notCounted, openDemand, reasonsAgainst } from './people.ts';
import type { TrustLevel } from './trust.ts';

/**
 * What is observed of an assertion; undefined where only the ledger can speak: tasks, run status, workspace
 * isolation and most capabilities everywhere, and almost everything on the local profile.
 */
export function gateObservation(input: ObservationInput): Observation | undefined {
  const { facts, kind, ledger } = input;
  const tests = kind === 'implementation_tests' || kind === 'baseline_check' || ledger.subject_id === 'tests.execute';
  if (tests) return testsObservation(input);
  if (facts.profile === 'local') return undefined;
  if (ledger.subject_id === 'repository.write') return filesObservation(input);
  switch (kind) {
    case 'peer_review':
    case 'security_review':
    case 'migration_review':
      return reviewObservation(input);
    case 'manual_approval':
      return approvalObservation(input);
    case 'final_verification':
      return finalObservation(input);
    case 'workspace_isolation':
    case undefined:
      return undefined;
  }
}

function reviewObservation({ facts, config, ledger }: ObservationInput): Observation {
  const review = observeReviews(facts, config, ledger.subject_id);
  const { records } = review;
  const by = review.by.join(', ');
  switch (review.state) {
    case 'changes-requested':
      return {
        standing: 'failed',
        trust: 'platform',
        reason: `${by} requested changes.`,
        records,
        who: 'agent',
        how: 'Address the review; its author then approves or dismisses it.',
      };
    case 'approved': {
      const self = review.selfApproval ? ' It is a self-approval, which the config allows to administrators.' : '';
      return { standing: 'satisfied', trust: 'platform', reason: `Approved at this head by ${by}.${self}`, records };
    }
    case 'none': {
      if (ledger.status === 'waived') return waivedObservation(ledger);
      const ignored = notCounted(review.ignored);
      const wanted = review.open ?? 'a permitted person';
      return {
        standing: 'pending',
        trust: 'declared',
        reason: `${ledger.subject_id} awaits an approving review at this head by ${wanted}.${ignored}`,
        records: [],
        who: 'person',
        how: `An approving review by ${wanted}.`,
      };
    }
  }
}

function approvalObservation({ facts, config, contract, ledger }: ObservationInput): Observation {
  const decisions = decisionsFor(
    facts,
    config,
    'approve-contract',
    (decision) => decision.subject === contract.contract_digest,
  );
  const counting = decisions.flatMap(({ decision, standing }) =>
    standing.counts ? [{ decision, person: standing.person }] : [],
  );
  const open = openDemand(
    reviewDemands(config, ledger.subject_id),
    counting.map(({ person }) => person),
  );
  if (open === undefined) {
    return {
      standing: 'satisfied',
      trust: 'platform',
      reason: `${counting.map(({ decision }) => decision.login).join(', ')} approved the contract.`,
      records: counting.map(({ decision }) => decision.source),
    };
  }
  return {
    standing: 'pending',
    trust: 'declared',
    reason: `${ledger.subject_id} awaits an approval of the contract by ${open}.${notCounted(reasonsAgainst(decisions))}`,
    records: [],
    who: 'person',
    how: `A permitted person reads the contract and approves it (digest ${contract.contract_digest.slice(0, 12)}): \`/countersign approve contract\``,
  };
}

function finalObservation(input: ObservationInput): Observation {
  const { others, config } = input;
  const review = config.evidence.final_verification === 'review' ? reviewObservation(input) : undefined;
  if (review !== undefined && review.standing !== 'satisfied') return review;
  const open = others.filter((one) => one.need !== undefined);
  const worst = open.reduce<JudgedAssertion | undefined>(
    (a, b) => (a === undefined || rank(b) > rank(a) ? b : a),
    undefined,
  );
  if (worst?.need === undefined) {
    const reason = `Everything else is satisfied.${review === undefined ? '' : ` ${review.reason}`}`;
    const trust = review === undefined ? bestOf(others) : review.trust;
    return { standing: 'satisfied', trust, reason, records: review?.records ?? [] };
  }
  const standing = worst.need.outcome === 'pending' ? 'pending' : 'unverified';
  return {
    standing,
    trust: 'declared',
    reason: `${open.length} other assertion(s) are not satisfied yet.`,
    records: [],
    who: worst.need.who,
    how: 'Satisfy the others; nothing else is needed here.',
    follows: true,
  };
}

function rank({ need }: JudgedAssertion): number {
  return need === undefined ? -1 : OUTCOMES.indexOf(need.outcome);
}

// That the others are satisfied is a conclusion from what the platform shows, as far as it shows anything.
function bestOf(others: readonly JudgedAssertion[]): TrustLevel {
  return others.some(({ assertion }) => assertion.required && assertion.trust !== 'declared') ? 'platform' : 'declared';
}

/** The files that the platform says are changed, against those that the ledger's records name. */
function filesObservation({ facts }: ObservationInput): Observation | undefined {
  const work = facts.files.filter((file) => !isClaimPath(file.path));
  if (work.length === 0) return undefined;
  return {
    standing: 'satisfied',
    trust: 'platform',
    reason: `${work.length} file(s) outside the ledger are changed.`,
    records: ['github:files'],
  };
}

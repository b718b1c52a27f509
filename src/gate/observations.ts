import type { Config } from '../config/schema.ts';
import type { Contract } from '../domain/contracts/contract.ts';
import type { GateKind } from '../domain/contracts/gates.ts';
import type { Assertion } from '../domain/evaluation/assertion.ts';
import { isClaimPath } from '../checks/scope/check.ts';
import type { JudgedAssertion } from './assertions.ts';
import type { Facts } from './facts.ts';
import { observeReviews } from './observed-reviews.ts';
import { observeTests, testTampering } from './observed-tests.ts';
import { OUTCOMES } from './outcome.ts';
import type { Need } from './outcome.ts';
import { decisionsFor } from './people.ts';
import type { TrustLevel } from './trust.ts';

/** What was observed of an assertion, beside what the ledger says. */
export type Observation =
  | {
      readonly standing: 'satisfied' | 'waived' | 'not-applicable';
      readonly trust: TrustLevel;
      readonly reason: string;
      readonly records: readonly string[];
    }
  | {
      readonly standing: 'pending' | 'unverified' | 'failed';
      readonly trust: TrustLevel;
      readonly reason: string;
      readonly records: readonly string[];
      readonly who: Need['who'];
      readonly how: string;
    };

/** What an observation is made from. */
export interface ObservationInput {
  readonly facts: Facts;
  readonly config: Config;
  readonly contract: Contract;
  readonly ledger: Assertion;
  readonly kind: GateKind | undefined;
  /** The other assertions of the run, for the gate that waits for all of them. */
  readonly others: readonly JudgedAssertion[];
}

/**
 * What is observed of an assertion; undefined where only the ledger can speak: tasks, run status, workspace
 * isolation and most capabilities everywhere, and almost everything on the local profile.
 */
export function gateObservation(input: ObservationInput): Observation | undefined {
  const { facts, kind, ledger } = input;
  const tests = kind === 'implementation_tests' || kind === 'baseline_check' || ledger.subject_id === 'tests.execute';
  if (tests && facts.rerun?.ran === true) return rerunObservation(input, facts.rerun);
  if (facts.profile === 'local') return undefined;
  if (tests) return testObservation(input);
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

function rerunObservation({ facts }: ObservationInput, rerun: Extract<Facts['rerun'], { ran: true }>): Observation {
  const at = rerun.head_sha === facts.subject.head.sha;
  if (!at)
    return {
      standing: 'unverified',
      trust: 'declared',
      reason: 'The tests were run again at another head.',
      records: [],
      who: 'operator',
      how: 'Run them at this head.',
    };
  const command = rerun.command.join(' ');
  if (rerun.exit_code === 0)
    return {
      standing: 'satisfied',
      trust: 'reexecuted',
      reason: `The base's test command (${command}) passed when it was run again at this head.`,
      records: ['rerun:tests'],
    };
  return {
    standing: 'failed',
    trust: 'reexecuted',
    reason: `The base's test command (${command}) ended with ${rerun.exit_code} when it was run again at this head.`,
    records: ['rerun:tests'],
    who: 'agent',
    how: 'Mend what the tests show.',
  };
}

function testObservation({ facts, config, ledger }: ObservationInput): Observation {
  const tests = observeTests(facts, config);
  const { records, why: reason } = tests;
  switch (tests.state) {
    case 'failed':
      return { standing: 'failed', trust: 'platform', reason, records, who: 'agent', how: 'Mend what the job shows.' };
    case 'passed':
      break;
    case 'running':
      if (ledger.status === 'waived') return waivedObservation(ledger);
      return {
        standing: 'pending',
        trust: 'platform',
        reason,
        records,
        who: 'platform',
        how: 'Wait for the job to end; the verdict is brought up to date then.',
      };
    case 'missing':
      if (ledger.status === 'waived') return waivedObservation(ledger);
      return { standing: 'unverified', trust: 'declared', reason, records, who: 'maintainer', how: tests.how };
  }
  const tampering = testTampering(facts, config);
  if (tampering.length === 0) return { standing: 'satisfied', trust: 'platform', reason, records };
  const shown = tampering.slice(0, 5).join('; ') + (tampering.length > 5 ? `; and ${tampering.length - 5} more` : '');
  const confirmed = decisionsFor(facts, config, ['confirm-tests'], () => true).find((one) => one.standing.counts);
  if (confirmed !== undefined) {
    return {
      standing: 'satisfied',
      trust: 'declared',
      reason: `${reason} ${shown}. ${confirmed.decision.login} confirmed the tests at this head.`,
      records,
    };
  }
  return {
    standing: 'pending',
    trust: 'declared',
    reason: `${reason} But the pull request changes what they show: ${shown}.`,
    records,
    who: 'person',
    how: 'A permitted person looks at these changes and confirms: /countersign confirm tests <reason>',
  };
}

function waivedObservation(ledger: Assertion): Observation {
  return { standing: 'waived', trust: 'declared', reason: ledger.reason, records: [] };
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
      const ignored = review.ignored.length === 0 ? '' : ` Not counted: ${review.ignored.join('; ')}.`;
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
    ['approve-contract'],
    (decision) => decision.subject === contract.contract_digest,
  );
  const counting = decisions.find((one) => one.standing.counts);
  if (counting !== undefined) {
    return {
      standing: 'satisfied',
      trust: 'platform',
      reason: `${counting.decision.login} approved the contract.`,
      records: [counting.decision.source],
    };
  }
  const ignored = decisions.flatMap(({ standing }) => (standing.counts ? [] : [standing.why]));
  const note = ignored.length === 0 ? '' : ` Not counted: ${ignored.join('; ')}.`;
  return {
    standing: 'pending',
    trust: 'declared',
    reason: `${ledger.subject_id} awaits a permitted person's approval of the contract.${note}`,
    records: [],
    who: 'person',
    how: `A permitted person reads the contract and approves it (digest ${contract.contract_digest.slice(0, 12)}): /countersign approve contract`,
  };
}

function finalObservation(input: ObservationInput): Observation {
  const { others, config } = input;
  if (config.evidence.final_verification === 'review') {
    const review = reviewObservation(input);
    if (review.standing !== 'satisfied') return review;
  }
  const open = others.filter((one) => one.need !== undefined);
  const worst = open.reduce<JudgedAssertion | undefined>(
    (a, b) => (a === undefined || rank(b) > rank(a) ? b : a),
    undefined,
  );
  if (worst?.need === undefined) {
    return { standing: 'satisfied', trust: floorOf(others), reason: 'Everything else is satisfied.', records: [] };
  }
  const standing = worst.need.outcome === 'pending' ? 'pending' : 'unverified';
  return {
    standing,
    trust: 'declared',
    reason: `${open.length} other assertion(s) are not satisfied yet.`,
    records: [],
    who: worst.need.who,
    how: 'Satisfy the others; nothing else is needed here.',
  };
}

function rank({ need }: JudgedAssertion): number {
  return need === undefined ? -1 : OUTCOMES.indexOf(need.outcome);
}

function floorOf(others: readonly JudgedAssertion[]): TrustLevel {
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

import type { Assertion } from '../domain/evaluation/assertion.ts';
import type { Facts } from './facts.ts';
import type { Observation, ObservationInput } from './observation.ts';
import { observeTests } from './observed-tests.ts';
import { decisionsFor, notCounted, reasonsAgainst } from './people.ts';
import { testTampering } from './test-tampering.ts';

/** What is observed of the tests: by the platform, and by running them again. Undefined where nothing is. */
export function testsObservation(input: ObservationInput): Observation | undefined {
  const { facts } = input;
  const rerun = facts.rerun?.ran === true ? rerunObservation(input, facts.rerun) : undefined;
  if (facts.profile === 'local') return rerun;
  const platform = testObservation(input);
  // One failure is enough, whoever saw it.
  return rerun === undefined || platform.standing === 'failed' ? platform : rerun;
}

// Undefined where it shows nothing that the ledger does not say.
function rerunObservation(
  input: ObservationInput,
  rerun: Extract<Facts['rerun'], { ran: true }>,
): Observation | undefined {
  const { facts, config } = input;
  const records = ['rerun:tests'];
  if (rerun.head_sha !== facts.subject.head.sha)
    return {
      standing: 'unverified',
      trust: 'declared',
      reason: 'The tests were run again at another head.',
      records: [],
      who: 'operator',
      how: 'Run them at this head.',
    };
  const command = rerun.command.join(' ');
  if (rerun.exit_code !== 0)
    return {
      standing: 'failed',
      trust: 'reexecuted',
      reason: `The base's test command (${command}) ended with ${rerun.exit_code} when it was run again at this head.`,
      records,
      who: 'agent',
      how: 'Mend what the tests show.',
    };
  // Where the head decides what the command does, running it again shows no more than the head's own word.
  if (facts.profile === 'local' && testTampering(facts, config).length > 0) return undefined;
  const reason = `The base's test command (${command}) passed when it was run again at this head.`;
  return passedTests(input, { trust: 'reexecuted', reason, records });
}

function testObservation(input: ObservationInput): Observation {
  const { facts, config, ledger } = input;
  const tests = observeTests(facts, config);
  const { records, why: reason } = tests;
  switch (tests.state) {
    case 'failed':
      return { standing: 'failed', trust: 'platform', reason, records, who: 'agent', how: 'Mend what the job shows.' };
    case 'passed':
      return passedTests(input, { trust: 'platform', reason, records }, tests.doubts);
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
}

/** Tests that passed, unless the pull request changes what they show: then a person has to look. */
function passedTests(
  { facts, config, contract, ledger }: ObservationInput,
  passed: Pick<Observation, 'trust' | 'reason' | 'records'>,
  doubts: readonly string[] = [],
): Observation {
  const tampering = testTampering(facts, config);
  if (tampering.length + doubts.length === 0) return { standing: 'satisfied', ...passed };
  const { reason, records } = passed;
  const shown = [
    ...(tampering.length === 0 ? [] : [`the pull request changes what they show: ${listText(tampering)}`]),
    ...(doubts.length === 0 ? [] : [listText(doubts)]),
  ].join(', and ');
  const decisions = decisionsFor(
    facts,
    config,
    'confirm-tests',
    ({ subject }) => subject === '' || subject === contract.run_id,
  );
  const confirmed = decisions.find((one) => one.standing.counts);
  if (confirmed !== undefined) {
    return {
      standing: 'satisfied',
      trust: 'declared',
      reason: `${reason} But ${shown}. ${confirmed.decision.login} confirmed the tests at this head.`,
      records,
    };
  }
  if (ledger.status === 'waived') return waivedObservation(ledger);
  return {
    standing: 'pending',
    trust: 'declared',
    reason: `${reason} But ${shown}.${notCounted(reasonsAgainst(decisions))}`,
    records,
    who: 'person',
    how:
      tampering.length > 0
        ? 'A permitted person looks at these changes and confirms: `/countersign confirm tests <reason>`'
        : 'Push another commit, so that the tests run for this pull request alone; or a permitted person looks at the run and confirms: `/countersign confirm tests <reason>`',
  };
}

const listText = (list: readonly string[]): string =>
  list.slice(0, 5).join('; ') + (list.length > 5 ? `; and ${list.length - 5} more` : '');

/** The standing of a waived gate of which nothing better was observed. */
export function waivedObservation(ledger: Assertion): Observation {
  return { standing: 'waived', trust: 'declared', reason: ledger.reason, records: [] };
}

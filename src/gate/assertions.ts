import type { Config } from '../config/schema.ts';
import type { Contract } from '../domain/contracts/contract.ts';
import { currentState } from '../domain/contracts/ledger.ts';
import type { Run } from '../domain/contracts/ledger.ts';
import type { RunState } from '../domain/contracts/state.ts';
import type { GateKind } from '../domain/contracts/gates.ts';
import type { Assertion } from '../domain/evaluation/assertion.ts';
import type { EvidenceRecord } from '../domain/evidence/record.ts';
import type { Report } from '../domain/evaluation/report.ts';
import type { Facts } from './facts.ts';
import { ledgerRemedy } from './ledger-remedy.ts';
import { demandTests } from './no-tests.ts';
import { gateObservation } from './observations.ts';
import type { AssertionStanding, GateAssertion, JudgedAssertion, Observation } from './observation.ts';
import { isAtLeast } from './trust.ts';

export type { AssertionStanding };

/** Joins a run's report over its files with what was observed, assertion by assertion. */
export function judgeAssertions(
  facts: Facts,
  config: Config,
  contract: Contract,
  report: Report,
  { run, records }: { readonly run: Run; readonly records: readonly EvidenceRecord[] },
): JudgedAssertion[] {
  const judging = { facts, config, contract, records, state: currentState(run) };
  const kinds = new Map<string, GateKind>(contract.gates.map((gate) => [gate.id, gate.kind]));
  const isFinal = (one: Assertion): boolean =>
    one.category === 'gate' && kinds.get(one.subject_id) === 'final_verification';
  const others = report.assertions
    .filter((one) => !isFinal(one))
    .map((one) => judge(judging, one, kinds.get(one.subject_id), []));
  const byId = new Map(others.map((one) => [one.assertion.id, one]));
  for (const one of report.assertions.filter(isFinal)) {
    byId.set(one.id, judge(judging, one, 'final_verification', others));
  }
  return report.assertions.flatMap((one) => byId.get(one.id) ?? []);
}

interface Judging {
  readonly facts: Facts;
  readonly config: Config;
  readonly contract: Contract;
  readonly records: readonly EvidenceRecord[];
  readonly state: RunState;
}

function judge(
  judging: Judging,
  ruled: Assertion,
  kind: GateKind | undefined,
  others: readonly JudgedAssertion[],
): JudgedAssertion {
  const { facts, config, contract, records } = judging;
  const ledger = demandTests(ruled, kind, records);
  const own = fromLedger(ledger, kind, judging);
  const observed = gateObservation({ facts, config, contract, ledger, kind, others });
  const joined = observed === undefined ? own : join(own, observed, contract.run_id);
  return demandTrust(joined, config, contract.run_id);
}

function fromLedger(
  ledger: Assertion,
  kind: GateKind | undefined,
  { contract, records, state }: Judging,
): JudgedAssertion {
  const run = contract.run_id;
  const standing = LEDGER_STANDING[ledger.status];
  const assertion: GateAssertion = {
    id: ledger.id,
    category: ledger.category,
    subject: ledger.subject_id,
    required: ledger.required,
    standing,
    trust: 'declared',
    reason: ledger.reason,
    evidence: ledger.evidence_ids,
  };
  if (!ledger.required || (standing !== 'unverified' && standing !== 'failed')) return { assertion, need: undefined };
  const naming = kind === undefined ? [] : records.filter(({ id }) => ledger.evidence_ids.includes(id));
  const how = ledgerRemedy(ledger, kind, contract, state, naming);
  return { assertion, need: { outcome: standing, what: ledger.reason, who: 'agent', how, run } };
}

const LEDGER_STANDING = {
  pass: 'satisfied',
  fail: 'failed',
  unverified: 'unverified',
  waived: 'waived',
  not_applicable: 'not-applicable',
} as const satisfies Record<Assertion['status'], AssertionStanding>;

// Opposite statements: failed. Evidence that fails is never outvoted, neither by the platform nor by the ledger.
function join(own: JudgedAssertion, observed: Observation, run: string): JudgedAssertion {
  const { assertion } = own;
  if (assertion.standing === 'failed') {
    const contradicts = observed.standing === 'satisfied';
    const reason = contradicts
      ? `${assertion.reason} ${observed.reason} They contradict each other.`
      : assertion.reason;
    const evidence = [...assertion.evidence, ...observed.records];
    return {
      assertion: { ...assertion, reason, evidence },
      need: own.need === undefined ? undefined : { ...own.need, what: reason },
    };
  }
  const evidence = [...assertion.evidence, ...observed.records];
  const joined: GateAssertion = {
    ...assertion,
    standing: observed.standing,
    trust: observed.trust,
    reason: observed.reason,
    evidence,
  };
  if (!('who' in observed) || !assertion.required || observed.follows === true)
    return { assertion: joined, need: undefined };
  return {
    assertion: joined,
    need: { outcome: observed.standing, what: observed.reason, who: observed.who, how: observed.how, run },
  };
}

function demandTrust(judged: JudgedAssertion, config: Config, run: string): JudgedAssertion {
  const { assertion } = judged;
  const demanded = Object.entries(config.evidence.trust).find(([gate]) => gate === assertion.subject)?.[1];
  if (demanded === undefined || assertion.standing !== 'satisfied' || isAtLeast(assertion.trust, demanded))
    return judged;
  const what = `${assertion.subject} is only ${assertion.trust}, and the config demands ${demanded}.`;
  const how =
    demanded === 'reexecuted'
      ? 'Have it judged with `countersign evaluate --rerun`.'
      : 'Have it judged on the platform, by the Action or the App.';
  return {
    assertion: { ...assertion, standing: 'unverified', reason: what },
    need: { outcome: 'unverified', what, who: 'operator', how, run },
  };
}

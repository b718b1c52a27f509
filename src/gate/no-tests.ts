import type { CapabilityId } from '../domain/capabilities/catalogue.ts';
import type { GateKind } from '../domain/contracts/gates.ts';
import type { Assertion } from '../domain/evaluation/assertion.ts';
import { capabilityWeight, gateWeight } from '../domain/evaluation/ruleset.ts';
import type { Weight } from '../domain/evaluation/ruleset.ts';
import type { EvidenceRecord } from '../domain/evidence/record.ts';

/**
 * The assertion as it stands in the verdict: unverified where all that it passes by in rule set 1 are results in
 * which no test ran. An exit code of 0 says nothing then: a suite that found no test, or skipped every one, has it too.
 * @param kind of the gate, where the assertion is about one
 */
export function demandTests(
  assertion: Assertion,
  kind: GateKind | undefined,
  records: readonly EvidenceRecord[],
): Assertion {
  if (assertion.status !== 'pass') return assertion;
  const passing = records.filter(
    (record) => assertion.evidence_ids.includes(record.id) && weight(assertion, kind, record) === 'pass',
  );
  if (passing.length === 0 || !passing.every(isWithoutTests)) return assertion;
  const ids = passing.map(({ id }) => id).join(', ');
  return { ...assertion, status: 'unverified', reason: `${assertion.subject_id}: no test ran in ${ids}.` };
}

/** Whether a record is a result of tests of which none ran. */
export function isWithoutTests(record: EvidenceRecord): boolean {
  return record.kind === 'test_result' && BigInt(record.payload.passed) + BigInt(record.payload.failed) === 0n;
}

function weight({ category, subject_id: id }: Assertion, kind: GateKind | undefined, record: EvidenceRecord): Weight {
  if (category === 'capability') return id === TESTS_EXECUTE ? capabilityWeight(id, record) : undefined;
  return kind === undefined ? undefined : gateWeight(kind, record);
}

const TESTS_EXECUTE = 'tests.execute' satisfies CapabilityId;

import type { GateKind } from '../domain/contracts/gates.ts';
import { REVIEW_TYPE_OF_GATE } from '../domain/evaluation/ruleset.ts';
import type { EvidenceRecord } from '../domain/evidence/record.ts';
import { isWithoutTests } from './no-tests.ts';

type Kind = EvidenceRecord['kind'];

/** Kinds of records that a gate takes (rule set 1). */
const TAKEN: Readonly<Record<GateKind, readonly Kind[]>> = {
  implementation_tests: ['test_result'],
  baseline_check: ['test_result', 'command_result'],
  workspace_isolation: ['workspace'],
  peer_review: ['review'],
  security_review: ['review'],
  migration_review: ['review'],
  manual_approval: ['review'],
  final_verification: ['review'],
};

/** Records that are named one by one; the rest is counted. */
const MAX_NAMED = 3;

/**
 * Why the records that name a gate do not count for it, as sentences; empty where there are none. Whoever added one
 * would otherwise add the like again.
 */
export function unqualified(kind: GateKind, records: readonly EvidenceRecord[]): string {
  const named = records.slice(0, MAX_NAMED).map((record) => `${record.id} does not count: ${why(kind, record)}.`);
  const more = records.length - named.length;
  return [...named, ...(more > 0 ? [`Nor do ${more} more.`] : [])].join(' ');
}

function why(kind: GateKind, record: EvidenceRecord): string {
  const taken = TAKEN[kind];
  if (!taken.includes(record.kind)) return `its kind is ${record.kind}, and this gate takes ${taken.join(' or ')}`;
  if (record.kind === 'review') {
    const wanted = Object.entries(REVIEW_TYPE_OF_GATE).find(([gate]) => gate === kind)?.[1] ?? 'another';
    return `it is a review of type ${record.payload.review_type}, and this gate takes ${wanted}`;
  }
  if (isWithoutTests(record)) return 'no test ran in it (passed and failed are 0)';
  return 'it has no artifact, such as the log, and so is a bare claim';
}

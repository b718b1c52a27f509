import type { CapabilityId } from '../capabilities/catalogue.ts';
import { requirementsOf } from '../capabilities/resolution.ts';
import type { Requirement } from '../capabilities/resolution.ts';
import type { Contract } from '../contracts/contract.ts';
import type { GateKind } from '../contracts/gates.ts';
import type { GateState, RunState, TaskState } from '../contracts/state.ts';
import { isFailing } from '../evidence/payload.ts';
import type { Review } from '../evidence/payload.ts';
import type { EvidenceRecord } from '../evidence/record.ts';
import { ASSERTION_REASONS as SAY } from '../format-texts.ts';
import type { Assertion, AssertionStatus } from './assertion.ts';

/** What a record says to a question; undefined where it has no bearing on it. */
export type Weight = 'fail' | 'pass' | 'neutral' | undefined;

/** The assertions of rule set 1 over a contract, a state and records in order of number. */
export function assertionsOf(
  contract: Contract,
  state: RunState,
  records: readonly EvidenceRecord[],
  extra: readonly CapabilityId[],
): Assertion[] {
  const byTask = groupBy(records, (record) => record.task_ids);
  const byGate = groupBy(records, (record) => record.gate_ids);
  return [
    lifecycle(state),
    ...state.tasks.map((task) => taskAssertion(task, byTask.get(task.id) ?? [])),
    ...state.gates.filter((gate) => gate.required).map((gate) => gateAssertion(gate, byGate.get(gate.id) ?? [])),
    ...requirementsOf(contract, extra).map((requirement) => capabilityAssertion(requirement, records)),
  ];
}

function groupBy(
  records: readonly EvidenceRecord[],
  keysOf: (record: EvidenceRecord) => readonly string[],
): Map<string, EvidenceRecord[]> {
  const groups = new Map<string, EvidenceRecord[]>();
  for (const record of records) {
    for (const key of keysOf(record)) {
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [record]);
      else group.push(record);
    }
  }
  return groups;
}

function lifecycle(state: RunState): Assertion {
  const said = (status: AssertionStatus, reason: string): Assertion => ({
    id: 'run.lifecycle',
    category: 'lifecycle',
    subject_id: state.run_id,
    required: true,
    status,
    reason,
    evidence_ids: [],
  });
  switch (state.status) {
    case 'finished':
      return said('pass', SAY.finished);
    case 'failed':
    case 'cancelled':
      return said('fail', SAY.terminalFailure(state.status));
    case 'prepared':
    case 'active':
    case 'blocked':
      return said('unverified', SAY.nonTerminal(state.status));
  }
}

function taskAssertion(task: TaskState, naming: readonly EvidenceRecord[]): Assertion {
  // A workspace or a review says nothing about whether the work itself was carried out.
  const linked = naming.filter((record) => record.kind !== 'workspace' && record.kind !== 'review');
  const failing = linked.filter(isFailing);
  const said = (status: AssertionStatus, reason: string, required = true): Assertion => ({
    id: `task.${task.id}.evidence`,
    category: 'task',
    subject_id: task.id,
    required,
    status,
    reason,
    evidence_ids: idsOf(linked),
  });
  if (task.status === 'skipped') return said('not_applicable', SAY.taskSkipped(task.id), false);
  if (task.status !== 'done') return said('unverified', SAY.taskOpen(task.id, task.status));
  if (linked.length === 0) return said('unverified', SAY.taskWithoutEvidence(task.id));
  if (failing.length > 0) return said('fail', SAY.taskFailing(task.id, joined(failing)));
  return said('pass', SAY.taskBacked(task.id, joined(linked)));
}

function gateAssertion(gate: GateState, linked: readonly EvidenceRecord[]): Assertion {
  const said = (status: AssertionStatus, reason: string, from: readonly EvidenceRecord[] = linked): Assertion => ({
    id: `gate.${gate.id}.evidence`,
    category: 'gate',
    subject_id: gate.id,
    required: true,
    status,
    reason,
    evidence_ids: idsOf(from),
  });
  if (gate.disposition === 'waived') return said('waived', SAY.gateWaived(gate.id));
  if (gate.disposition === 'pending') return said('unverified', SAY.gatePending(gate.id));
  const weighed = weigh(linked, (record) => gateWeight(gate.kind, record));
  const counting = weighed.counting.length > 0 ? weighed.counting : linked;
  if (weighed.fail.length > 0) return said('fail', SAY.gateFailing(gate.id, joined(weighed.fail)), counting);
  if (weighed.pass.length > 0) return said('pass', SAY.gateVerified(gate.id, joined(weighed.pass)), counting);
  return said('unverified', SAY.gateUnproven(gate.id), counting);
}

/** The type of review that a gate takes. */
export const REVIEW_TYPE_OF_GATE = {
  peer_review: 'peer',
  security_review: 'security',
  migration_review: 'migration',
  manual_approval: 'manual',
  final_verification: 'final',
} as const satisfies Partial<Record<GateKind, Review['review_type']>>;

/** What a record that names a gate says of it, by the gate's kind. */
export function gateWeight(kind: GateKind, record: EvidenceRecord): Weight {
  switch (kind) {
    case 'implementation_tests':
      return record.kind === 'test_result' ? provenWeight(record) : undefined;
    case 'baseline_check':
      return record.kind === 'test_result' || record.kind === 'command_result' ? provenWeight(record) : undefined;
    case 'workspace_isolation':
      if (record.kind !== 'workspace') return undefined;
      return record.payload.mode === 'isolated' ? 'pass' : 'fail';
    case 'peer_review':
    case 'security_review':
    case 'migration_review':
    case 'manual_approval':
    case 'final_verification':
      if (record.kind !== 'review' || record.payload.review_type !== REVIEW_TYPE_OF_GATE[kind]) return undefined;
      return record.payload.outcome === 'approved' ? 'pass' : 'fail';
  }
}

// A result without an artifact is a bare claim: it neither proves nor refutes unless it failed.
function provenWeight(record: EvidenceRecord): Weight {
  if (isFailing(record)) return 'fail';
  return record.artifacts.length > 0 ? 'pass' : 'neutral';
}

function capabilityAssertion(requirement: Requirement, records: readonly EvidenceRecord[]): Assertion {
  const { capability_id: id, source } = requirement;
  const said = (
    status: AssertionStatus,
    reason: string,
    from: readonly EvidenceRecord[] = [],
    required = true,
  ): Assertion => ({
    id: `capability.${id}.observed`,
    category: 'capability',
    subject_id: id,
    required,
    status,
    reason,
    evidence_ids: idsOf(from),
  });
  if (id === 'context.consume' || id === 'repository.read')
    return said('not_applicable', SAY.notObservable(id), [], false);
  const { fail, pass, counting } = weigh(records, (record) => capabilityWeight(id, record));
  if (fail.length > 0) return said('fail', SAY.capabilityFailing(id, source, joined(fail)), counting);
  if (pass.length > 0) return said('pass', SAY.capabilityObserved(id, source, joined(pass)), counting);
  return said('unverified', SAY.capabilityUnobserved(id, source), counting);
}

/** What any record of a run says of a capability. */
export function capabilityWeight(id: CapabilityId, record: EvidenceRecord): Weight {
  switch (id) {
    case 'context.consume':
    case 'repository.read':
      return undefined;
    case 'repository.write':
      return record.kind === 'file_change' ? 'pass' : undefined;
    case 'workspace.current':
    case 'workspace.isolated':
      if (record.kind !== 'workspace') return undefined;
      if (`workspace.${record.payload.mode}` === id) return 'pass';
      return record.capability_ids.includes(id) ? 'fail' : undefined;
    case 'tests.execute':
      return record.kind === 'test_result' ? outcomeWeight(record) : undefined;
    case 'shell.execute':
      return record.kind === 'command_result' ? outcomeWeight(record) : undefined;
    case 'git.inspect':
    case 'git.modify':
      return record.kind === 'git_result' && `git.${record.payload.operation}` === id ? 'pass' : undefined;
    case 'mcp.invoke':
      return record.kind === 'tool_invocation' ? outcomeWeight(record) : undefined;
    case 'subagents.delegate':
      return record.kind === 'delegation' ? outcomeWeight(record) : undefined;
  }
}

function outcomeWeight(record: EvidenceRecord): Weight {
  return isFailing(record) ? 'fail' : 'pass';
}

interface Weighed {
  readonly fail: readonly EvidenceRecord[];
  readonly pass: readonly EvidenceRecord[];
  readonly counting: readonly EvidenceRecord[];
}

function weigh(records: readonly EvidenceRecord[], weightOf: (record: EvidenceRecord) => Weight): Weighed {
  const weighed = records.map((record) => ({ record, weight: weightOf(record) }));
  const pick = (...weights: Weight[]): EvidenceRecord[] =>
    weighed.filter(({ weight }) => weights.includes(weight)).map(({ record }) => record);
  return { fail: pick('fail'), pass: pick('pass'), counting: pick('fail', 'pass', 'neutral') };
}

function idsOf(records: readonly EvidenceRecord[]): string[] {
  return records.map((record) => record.id);
}

function joined(records: readonly EvidenceRecord[]): string {
  return idsOf(records).join(', ');
}

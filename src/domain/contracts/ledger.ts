import { Refusal } from '../errors.ts';
import { revisionName } from '../identifiers.ts';
import { fileExists, readDocument } from '../project.ts';
import type { Project } from '../project.ts';
import { loadContract, statePath } from './contract-store.ts';
import type { BoundContract } from './contract-store.ts';
import type { Contract } from './contract.ts';
import { readState } from './state.ts';
import type { RunState } from './state.ts';
import {
  allows,
  changeKind,
  GATE_TRANSITIONS,
  preconditionFault,
  RUN_TRANSITIONS,
  TASK_TRANSITIONS,
} from './transitions.ts';
import type { Change } from './transitions.ts';

/** A run with its whole ledger; `states[0]` is revision 1, the last one is current. */
export interface Run extends BoundContract {
  readonly states: readonly RunState[];
}

/** The current state of a run. */
export function currentState(run: Run): RunState {
  const state = run.states.at(-1);
  if (state === undefined) throw new TypeError('a run without states');
  return state;
}

/** Loads a run: contract, then the whole ledger. @throws Refusal RAPID1001–1008, 1011, 1012 */
export function loadRun(project: Project, runId: string): Run {
  return loadLedger(project, loadContract(project, runId));
}

/** Loads and checks every state from 1 to the current one. */
export function loadLedger(project: Project, bound: BoundContract): Run {
  const states: RunState[] = [];
  for (let revision = 1; revision <= bound.record.current_state_revision; revision += 1) {
    const state = loadStateFile(project, bound.contract, revision, 'RAPID1011');
    const before = states.at(-1);
    const path = statePath(bound.contract.run_id, revision);
    if (before === undefined) checkInitial(state, path);
    else checkStep(before, state, path);
    states.push(state);
  }
  return { ...bound, states };
}

/**
 * One state of a run. The whole ledger is checked first; a revision beyond the current one is read and
 * checked against the contract only.
 * @throws Refusal RAPID1012 for a revision below 1, RAPID1007 where there is none of that number
 */
export function stateAt(project: Project, run: Run, revision: number): RunState {
  if (!Number.isSafeInteger(revision) || revision < 1) {
    throw new Refusal('RAPID1012', `Invalid state revision '${revision}': must be an integer from 1.`);
  }
  return run.states[revision - 1] ?? loadStateFile(project, run.contract, revision, 'RAPID1007');
}

function loadStateFile(
  project: Project,
  contract: Contract,
  revision: number,
  missing: 'RAPID1007' | 'RAPID1011',
): RunState {
  const path = statePath(contract.run_id, revision);
  if (!fileExists(project, path, 'RAPID1008')) {
    throw new Refusal(missing, `${path} of run '${contract.run_id}' does not exist.`, { where: path });
  }
  const node = readDocument(project, path, { unsafe: 'RAPID1008', malformed: 'RAPID1012' });
  const state = readState(node, { code: 'RAPID1012', file: path, reading: project.reading });
  checkAgainstContract(state, contract, revision, path);
  return state;
}

function invalid(path: string, message: string): Refusal {
  return new Refusal('RAPID1012', `${path}: ${message}.`, { where: path });
}

function checkAgainstContract(state: RunState, contract: Contract, revision: number, path: string): void {
  if (state.run_id !== contract.run_id)
    throw invalid(path, `'run_id' is '${state.run_id}', but the run is '${contract.run_id}'`);
  if (state.revision !== revision) {
    throw invalid(path, `'revision' is ${state.revision}, but the file is ${revisionName(revision)}.json`);
  }
  if (state.tasks.length !== contract.tasks.length) {
    throw invalid(path, `the count of tasks is ${state.tasks.length}, but the contract has ${contract.tasks.length}`);
  }
  if (state.gates.length !== contract.gates.length) {
    throw invalid(path, `the count of gates is ${state.gates.length}, but the contract has ${contract.gates.length}`);
  }
  for (const [index, task] of contract.tasks.entries()) {
    const own = state.tasks[index];
    if (own === undefined || own.id !== task.id || own.description !== task.description) {
      throw invalid(path, `task '${task.id}' is not the one of the contract`);
    }
  }
  for (const [index, gate] of contract.gates.entries()) {
    const own = state.gates[index];
    if (own?.id !== gate.id) throw invalid(path, `gate '${own?.id ?? ''}' stands where the contract has '${gate.id}'`);
    for (const key of ['kind', 'phase', 'required', 'waivable'] as const) {
      if (own[key] !== gate[key]) throw invalid(path, `'${key}' of gate '${gate.id}' is not that of the contract`);
    }
  }
}

function checkInitial(state: RunState, path: string): void {
  if (state.status !== 'prepared') throw invalid(path, `the first state is '${state.status}', not 'prepared'`);
  if (state.change_kind !== 'run.prepared') {
    throw invalid(path, `'change_kind' of the first state is '${state.change_kind}', not 'run.prepared'`);
  }
  for (const task of state.tasks) {
    if (task.status !== 'pending' || task.reason !== '')
      throw invalid(path, `task '${task.id}' does not start as pending without a reason`);
  }
  for (const gate of state.gates) {
    if (gate.disposition !== 'pending' || gate.reason !== '')
      throw invalid(path, `gate '${gate.id}' does not start as pending without a reason`);
  }
}

/** Refuses a step from one state to the next that no command could have made. */
export function checkStep(before: RunState, after: RunState, path: string): void {
  const changes = changesBetween(before, after);
  const [change] = changes;
  if (change === undefined || changes.length > 1) {
    throw invalid(path, `run '${after.run_id}' changes ${changes.length} things in one step, not exactly one`);
  }
  const from = fromOf(before, change);
  if (change.to === from)
    throw invalid(path, `run '${after.run_id}': the reason of '${idOf(change)}' changed, but nothing else`);
  const targets = targetsOf(change, from);
  if (!allows(targets, change.to)) throw invalid(path, `'${idOf(change)}' cannot go from '${from}' to '${change.to}'`);
  const missing = preconditionFault(before, change);
  if (missing !== undefined) throw invalid(path, missing);
  if (after.change_kind !== changeKind(change)) {
    throw invalid(
      path,
      `run '${after.run_id}': 'change_kind' is '${after.change_kind}', but the step is '${changeKind(change)}'`,
    );
  }
}

// Ids, texts, kinds and flags of both are those of the contract: only these fields can differ.
function changesBetween(before: RunState, after: RunState): Change[] {
  const changes: Change[] = [];
  if (before.status !== after.status) changes.push({ subject: 'status', to: after.status });
  for (const [index, task] of after.tasks.entries()) {
    const old = before.tasks[index];
    if (task.status === old?.status && task.reason === old.reason) continue;
    changes.push({ subject: 'task', id: task.id, to: task.status });
  }
  for (const [index, gate] of after.gates.entries()) {
    const old = before.gates[index];
    if (gate.disposition === old?.disposition && gate.reason === old.reason) continue;
    changes.push({ subject: 'gate', id: gate.id, to: gate.disposition });
  }
  return changes;
}

function idOf(change: Change): string {
  return change.subject === 'status' ? 'run status' : change.id;
}

function fromOf(before: RunState, change: Change): string {
  switch (change.subject) {
    case 'status':
      return before.status;
    case 'task':
      return before.tasks.find((task) => task.id === change.id)?.status ?? '';
    case 'gate':
      return before.gates.find((gate) => gate.id === change.id)?.disposition ?? '';
  }
}

function targetsOf(change: Change, from: string): readonly string[] {
  const table: Readonly<Record<string, readonly string[]>> =
    change.subject === 'status' ? RUN_TRANSITIONS : change.subject === 'task' ? TASK_TRANSITIONS : GATE_TRANSITIONS;
  return table[from] ?? [];
}

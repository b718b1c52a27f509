import { Refusal } from '../errors.ts';
import { STATE_REASONS } from '../format-texts.ts';
import { isTaskId } from '../identifiers.ts';
import { without } from '../json/canonical.ts';
import { trim } from '../text/trim.ts';
import { gateOf, taskOf } from './contract.ts';
import type { Contract } from './contract.ts';
import { DISPOSITIONS, RUN_STATUSES, sealState, TASK_STATUSES } from './state.ts';
import type { Disposition, GateState, RunState, RunStatus, TaskState, TaskStatus } from './state.ts';

/** Which run status may follow which. */
export const RUN_TRANSITIONS = {
  prepared: ['active', 'cancelled'],
  active: ['blocked', 'finished', 'failed', 'cancelled'],
  blocked: ['active', 'failed', 'cancelled'],
  finished: [],
  failed: [],
  cancelled: [],
} as const satisfies Record<RunStatus, readonly RunStatus[]>;

/** Which task status may follow which. */
export const TASK_TRANSITIONS = {
  pending: ['in_progress', 'skipped'],
  in_progress: ['blocked', 'done', 'skipped'],
  blocked: ['in_progress', 'skipped'],
  done: [],
  skipped: [],
} as const satisfies Record<TaskStatus, readonly TaskStatus[]>;

/** Which gate disposition may follow which. */
export const GATE_TRANSITIONS = {
  pending: ['acknowledged', 'waived'],
  acknowledged: [],
  waived: [],
} as const satisfies Record<Disposition, readonly Disposition[]>;

/** One change of a run: the only kinds of step that a ledger can hold. */
export type Change =
  | { readonly subject: 'status'; readonly to: RunStatus }
  | { readonly subject: 'task'; readonly id: string; readonly to: TaskStatus }
  | { readonly subject: 'gate'; readonly id: string; readonly to: Disposition };

/** What a precondition of a change is missing, or undefined where the state allows it. */
export function preconditionFault(state: RunState, change: Change): string | undefined {
  switch (change.subject) {
    case 'status':
      return statusPreconditionFault(state, change.to);
    case 'task':
      return state.status === 'active'
        ? undefined
        : `task '${change.id}' cannot change while the run is '${state.status}'`;
    case 'gate':
      return gatePreconditionFault(state, change.id);
  }
}

function statusPreconditionFault(state: RunState, to: RunStatus): string | undefined {
  if (to !== 'active' && to !== 'finished') return undefined;
  const open = openGate(state, 'pre_execution');
  if (open !== undefined) return `required gate '${open.id}' is still pending`;
  if (to === 'active') return undefined;
  const task = openTask(state);
  if (task !== undefined) return `task '${task.id}' is '${task.status}', neither done nor skipped`;
  const after = openGate(state, 'post_execution');
  return after === undefined ? undefined : `required gate '${after.id}' is still pending`;
}

function gatePreconditionFault(state: RunState, id: string): string | undefined {
  const gate = state.gates.find((one) => one.id === id);
  if (gate === undefined) return undefined;
  if (gate.phase === 'pre_execution') {
    return state.status === 'prepared'
      ? undefined
      : `gate '${id}' can only change while the run is prepared, not '${state.status}'`;
  }
  if (state.status !== 'active') return `gate '${id}' can only change while the run is active, not '${state.status}'`;
  const task = openTask(state);
  return task === undefined
    ? undefined
    : `gate '${id}' needs task '${task.id}' done or skipped; it is '${task.status}'`;
}

function openGate(state: RunState, phase: GateState['phase']): GateState | undefined {
  return state.gates.find((gate) => gate.phase === phase && gate.required && gate.disposition === 'pending');
}

function openTask(state: RunState): TaskState | undefined {
  return state.tasks.find((task) => task.status !== 'done' && task.status !== 'skipped');
}

/** `change_kind` of a change. */
export function changeKind(change: Change): string {
  return change.subject === 'status' ? `run.status.${change.to}` : `${change.subject}.${change.id}.${change.to}`;
}

/**
 * The next state of a run whose status changes.
 * @param reason the caller's, or undefined; the standard reason stands where it is blank
 * @throws Refusal RAPID1009 unknown or forbidden status, RAPID1014 precondition
 */
export function changeStatus(state: RunState, statusText: string, reason?: string): RunState {
  const word = trim(statusText).toLowerCase();
  const to = RUN_STATUSES.find((status) => status === word);
  if (to === undefined)
    throw new Refusal('RAPID1009', `Unknown run status '${statusText}': must be one of ${RUN_STATUSES.join(', ')}.`);
  if (!allows(RUN_TRANSITIONS[state.status], to)) {
    throw new Refusal('RAPID1009', `Run '${state.run_id}' cannot go from '${state.status}' to '${to}'.`);
  }
  checkPrecondition(state, { subject: 'status', to });
  return next(state, { status: to }, { subject: 'status', to }, reason, STATE_REASONS.status(state.status, to));
}

/**
 * The next state of a run of which one task changes.
 * @throws Refusal RAPID1010 unknown or malformed task, unknown or forbidden status; RAPID1014 run not active
 */
export function changeTask(
  contract: Contract,
  state: RunState,
  taskText: string,
  statusText: string,
  reason?: string,
): RunState {
  const id = trim(taskText);
  if (!isTaskId(id)) throw new Refusal('RAPID1010', `Invalid task id '${taskText}'.`);
  const word = trim(statusText).toLowerCase();
  const to = TASK_STATUSES.find((status) => status === word);
  if (to === undefined)
    throw new Refusal('RAPID1010', `Unknown task status '${statusText}': must be one of ${TASK_STATUSES.join(', ')}.`);
  const change: Change = { subject: 'task', id, to };
  checkPrecondition(state, change);
  taskOf(contract, id, 'RAPID1010');
  const from = state.tasks.find((task) => task.id === id)?.status ?? 'pending';
  if (!allows(TASK_TRANSITIONS[from], to))
    throw new Refusal('RAPID1010', `Task '${id}' cannot go from '${from}' to '${to}'.`);
  const tasks = state.tasks.map((task) =>
    task.id === id ? { ...task, status: to, reason: trim(reason ?? '') } : task,
  );
  return next(state, { tasks }, change, reason, STATE_REASONS.task(id, to));
}

const DISPOSITION_WORDS: Readonly<Record<string, Disposition>> = {
  ack: 'acknowledged',
  acknowledge: 'acknowledged',
  acknowledged: 'acknowledged',
  waive: 'waived',
  waived: 'waived',
  pending: 'pending',
};

/** The disposition that a word of a command means, or undefined. */
export function dispositionOf(text: string): Disposition | undefined {
  const word = trim(text).toLowerCase();
  return Object.hasOwn(DISPOSITION_WORDS, word) ? DISPOSITION_WORDS[word] : undefined;
}

/**
 * The next state of a run of which one gate changes.
 * @throws Refusal RAPID1013 malformed or unknown gate, not waivable, no reason, forbidden change; RAPID1014 phase
 */
export function changeGate(
  contract: Contract,
  state: RunState,
  gateText: string,
  dispositionText: string,
  reason?: string,
): RunState {
  const id = trim(gateText);
  if (id === '') throw new Refusal('RAPID1013', 'A gate id must be a non-empty text.');
  const to = dispositionOf(dispositionText);
  if (to === undefined) {
    throw new Refusal(
      'RAPID1013',
      `Unknown disposition '${dispositionText}': must be one of ${DISPOSITIONS.join(', ')}.`,
    );
  }
  const given = trim(reason ?? '');
  const gate = state.gates.find((one) => one.id === id);
  if (to === 'waived') {
    if (gate !== undefined && !gate.waivable) throw new Refusal('RAPID1013', `Gate '${id}' is not waivable.`);
    if (given === '') throw new Refusal('RAPID1013', `Waiving gate '${id}' needs a reason.`);
  }
  const change: Change = { subject: 'gate', id, to };
  checkPrecondition(state, change);
  if (gate === undefined) gateOf(contract, id, 'RAPID1013');
  const from = gate?.disposition ?? 'pending';
  if (!allows(GATE_TRANSITIONS[from], to))
    throw new Refusal('RAPID1013', `Gate '${id}' cannot go from '${from}' to '${to}'.`);
  const gates = state.gates.map((one) => (one.id === id ? { ...one, disposition: to, reason: given } : one));
  return next(state, { gates }, change, reason, STATE_REASONS.gate(id, to));
}

/** Whether a table of transitions allows a step. */
export function allows<T extends string>(targets: readonly T[], to: T): boolean {
  return targets.includes(to);
}

function checkPrecondition(state: RunState, change: Change): void {
  const missing = preconditionFault(state, change);
  if (missing !== undefined) throw new Refusal('RAPID1014', `Run '${state.run_id}': ${missing}.`);
}

function next(
  state: RunState,
  changed: Partial<Pick<RunState, 'status' | 'tasks' | 'gates'>>,
  change: Change,
  reason: string | undefined,
  standard: string,
): RunState {
  const given = trim(reason ?? '');
  return sealState({
    ...without(state, 'content_digest'),
    ...changed,
    revision: state.revision + 1,
    change_kind: changeKind(change),
    reason: given === '' ? standard : given,
  });
}

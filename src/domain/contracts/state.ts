import {
  booleanAt,
  coded,
  convertedAt,
  convertedNonBlankAt,
  countAt,
  fault,
  listAt,
  objectAt,
  versionAt,
  wordAt,
} from '../fields.ts';
import { STATE_REASONS } from '../format-texts.ts';
import { checkRunId, isGateId, numberedId } from '../identifiers.ts';
import { digestOf } from '../json/canonical.ts';
import type { JsonNode } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import { ownDigestAt } from '../own-digest.ts';
import { trim } from '../text/trim.ts';
import type { Contract } from './contract.ts';
import { GATE_KINDS, PHASES } from './gates.ts';
import type { Gate } from './gates.ts';

export const RUN_STATUSES = ['prepared', 'active', 'blocked', 'finished', 'failed', 'cancelled'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const TASK_STATUSES = ['pending', 'in_progress', 'blocked', 'done', 'skipped'] as const;
export type TaskStatus = (typeof TASK_STATUSES)[number];

export const DISPOSITIONS = ['pending', 'acknowledged', 'waived'] as const;
export type Disposition = (typeof DISPOSITIONS)[number];

export interface TaskState {
  readonly id: string;
  readonly description: string;
  readonly status: TaskStatus;
  readonly reason: string;
}

export interface GateState extends Omit<Gate, 'reason'> {
  readonly disposition: Disposition;
  readonly reason: string;
}

/** One entry of a run's append-only ledger; fields in the order in which they are written. */
export interface RunState {
  readonly schema_version: 1;
  readonly run_id: string;
  readonly revision: number;
  readonly status: RunStatus;
  readonly tasks: readonly TaskState[];
  readonly gates: readonly GateState[];
  /** What changed: `run.prepared`, `run.status.<status>`, `task.<id>.<status>`, `gate.<id>.<disposition>`. */
  readonly change_kind: string;
  readonly reason: string;
  readonly content_digest: string;
}

/** A state with its digest. */
export function sealState(body: Omit<RunState, 'content_digest'>): RunState {
  return { ...body, content_digest: digestOf(body) };
}

/** The first state of a run of a contract. */
export function initialState(contract: Contract): RunState {
  return sealState({
    schema_version: 1,
    run_id: contract.run_id,
    revision: 1,
    status: 'prepared',
    tasks: contract.tasks.map(({ id, description }) => ({ id, description, status: 'pending', reason: '' })),
    gates: contract.gates.map(({ id, kind, phase, required, waivable }) => ({
      id,
      kind,
      phase,
      required,
      waivable,
      disposition: 'pending',
      reason: '',
    })),
    change_kind: 'run.prepared',
    reason: STATE_REASONS.prepared,
  });
}

const STATE_KEYS = [
  'schema_version',
  'run_id',
  'revision',
  'status',
  'tasks',
  'gates',
  'change_kind',
  'reason',
  'content_digest',
];

/**
 * Reads a state document by its own rules; ledger and contract are `checkLedger`'s.
 * @throws Refusal RAPID1012 (`place.code`); RAPID1005 for an unknown gate kind or phase
 */
export function readState(node: JsonNode, place: JsonPlace): RunState {
  const object = objectAt(node, 'the state', place, STATE_KEYS);
  versionAt(object, place);
  const body = {
    schema_version: 1,
    run_id: checkRunId(convertedAt(object, 'run_id', place), place.code),
    revision: countAt(object, 'revision', 1, place),
    status: wordAt(object, 'status', RUN_STATUSES, place),
    tasks: listAt(object, 'tasks', place).map((item, index) => readTaskState(item, index, place)),
    gates: listAt(object, 'gates', place).map((item) => readGateState(item, place)),
    change_kind: convertedNonBlankAt(object, 'change_kind', place),
    reason: trim(convertedAt(object, 'reason', place)),
  } as const;
  const content_digest = ownDigestAt(object, 'content_digest', digestOf(body), place);
  return { ...body, content_digest };
}

function readTaskState(node: JsonNode, index: number, place: JsonPlace): TaskState {
  const object = objectAt(node, 'a task', place, ['id', 'description', 'status', 'reason']);
  const id = convertedNonBlankAt(object, 'id', place);
  const expected = numberedId('T', index + 1);
  if (id !== expected) throw fault(place, `task ids must run without gap: '${id}' stands where '${expected}' belongs.`);
  return {
    id,
    description: convertedNonBlankAt(object, 'description', place),
    status: wordAt(object, 'status', TASK_STATUSES, place),
    reason: trim(convertedAt(object, 'reason', place)),
  };
}

function readGateState(node: JsonNode, place: JsonPlace): GateState {
  const keys = ['id', 'kind', 'phase', 'required', 'waivable', 'disposition', 'reason'];
  const object = objectAt(node, 'a gate', place, keys);
  const id = convertedNonBlankAt(object, 'id', place);
  if (!isGateId(id)) throw fault(place, `Invalid gate id '${id}'.`);
  const words = coded(place, 'RAPID1005');
  const gate: GateState = {
    id,
    kind: wordAt(object, 'kind', GATE_KINDS, words),
    phase: wordAt(object, 'phase', PHASES, words),
    required: booleanAt(object, 'required', place),
    waivable: booleanAt(object, 'waivable', place),
    disposition: wordAt(object, 'disposition', DISPOSITIONS, place, 'exact'),
    reason: trim(convertedAt(object, 'reason', place)),
  };
  if (gate.disposition === 'waived' && !gate.waivable) throw fault(place, `gate '${id}' is waived, but not waivable.`);
  if (gate.disposition === 'waived' && gate.reason === '')
    throw fault(place, `gate '${id}' is waived without a reason.`);
  return gate;
}

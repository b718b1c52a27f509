import fc from 'fast-check';
import { makeContract, tasksOf } from '../../../src/domain/contracts/contract.ts';
import type { Contract } from '../../../src/domain/contracts/contract.ts';
import { GATE_IDS, GATES } from '../../../src/domain/contracts/gates.ts';
import type { Gate } from '../../../src/domain/contracts/gates.ts';
import { checkStep, loadRun } from '../../../src/domain/contracts/ledger.ts';
import {
  DISPOSITIONS,
  initialState,
  readState,
  RUN_STATUSES,
  TASK_STATUSES,
} from '../../../src/domain/contracts/state.ts';
import type { RunState } from '../../../src/domain/contracts/state.ts';
import { changeGate, changeStatus, changeTask } from '../../../src/domain/contracts/transitions.ts';
import { isRefusal } from '../../../src/domain/errors.ts';
import { revisionName } from '../../../src/domain/identifiers.ts';
import { canonicalJson, sha256, writeJson } from '../../../src/domain/json/canonical.ts';
import { readJson } from '../../../src/domain/json/read.ts';
import { memoryTree } from '../../support/memory-tree.ts';
import { holds, law, same } from './property.ts';
import type { Property } from './property.ts';

const CONTEXT = 'context\n';
const MANIFEST = writeJson({
  schema_version: 1,
  mode: 'feature',
  harness: 'codex',
  max_chars: 1,
  compiled_chars: 1,
  selected: [],
  skipped: [],
  conflicts: [],
});

const gates = fc.subarray([...GATE_IDS]).chain((ids) =>
  fc.tuple(
    ...ids.map((id) =>
      fc.record({ required: fc.boolean(), waivable: fc.boolean() }).map(({ required, waivable }): Gate => {
        const { kind, phase } = GATES[id];
        return { id, kind, phase, required, waivable, reason: 'r' };
      }),
    ),
  ),
);

/** Contracts with any tasks, gates and flags. */
export const contract: fc.Arbitrary<Contract> = fc
  .record({
    tasks: fc.array(fc.constantFrom('Do it', 'Überprüfen', 'x😀'), { maxLength: 4 }),
    gates,
    isolated: fc.boolean(),
  })
  .map(({ tasks, gates: chosen, isolated }) =>
    makeContract({
      run_id: 'run-1',
      spec_id: 'spec',
      spec_revision: 1,
      spec_content_digest: '0'.repeat(64),
      harness: 'codex',
      context_digest: sha256(CONTEXT),
      context_manifest_digest: sha256(MANIFEST),
      project_model_digest: '0'.repeat(64),
      policy_source: 'default',
      policy_digest: '0'.repeat(64),
      decision: {
        classification: 'bounded',
        risk: 'medium',
        risk_signals: [],
        workspace: isolated ? 'isolated_required' : 'current_allowed',
        gates: chosen,
        reasons: ['mode.feature'],
      },
      tasks: tasksOf(tasks),
    }),
  );

type Operation = (contract: Contract, state: RunState) => RunState;

const junk = fc.constantFrom(
  '',
  ' ',
  'DONE',
  ' Active ',
  'waive',
  'nonsense',
  '__proto__',
  'constructor',
  'T000',
  '\u0085',
);
const reason = fc.option(fc.constantFrom('', ' ', 'because', ' so ', '\u200b'), { nil: undefined });
const statusWord = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...RUN_STATUSES) }, junk);
const taskWord = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...TASK_STATUSES) }, junk);
const gateWord = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...DISPOSITIONS, 'ack', 'WAIVE') }, junk);
const taskId = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom('T001', 'T002', ' T003 ', 'T004') },
  junk,
  fc.constant('T005'),
);
const gateId = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...GATE_IDS) }, junk, fc.constant('gate.none'));

const wild: fc.Arbitrary<Operation> = fc.oneof(
  fc.tuple(statusWord, reason).map(
    ([to, why]): Operation =>
      (_contract, state) =>
        changeStatus(state, to, why),
  ),
  fc.tuple(taskId, taskWord, reason).map(
    ([id, to, why]): Operation =>
      (bound, state) =>
        changeTask(bound, state, id, to, why),
  ),
  fc.tuple(gateId, gateWord, reason).map(
    ([id, to, why]): Operation =>
      (bound, state) =>
        changeGate(bound, state, id, to, why),
  ),
);

// Wild operations alone seldom come far: this one takes the next step towards the end of the run.
const onward: Operation = (bound, state) => {
  const open = (phase: string) => state.gates.find((gate) => gate.phase === phase && gate.disposition === 'pending');
  const before = open('pre_execution');
  if (state.status === 'prepared')
    return before === undefined ? changeStatus(state, 'active') : changeGate(bound, state, before.id, 'ack');
  if (state.status === 'blocked') return changeStatus(state, 'active');
  const task = state.tasks.find(({ status }) => status !== 'done' && status !== 'skipped');
  if (task !== undefined)
    return changeTask(bound, state, task.id, task.status === 'in_progress' ? 'done' : 'in_progress');
  const after = open('post_execution');
  return after === undefined ? changeStatus(state, 'finished') : changeGate(bound, state, after.id, 'ack');
};

/** Any sequence of operations on any contract. */
export const history = fc.tuple(contract, fc.array(fc.oneof(wild, fc.constant(onward)), { maxLength: 40 }));

const CODES = ['RAPID1009', 'RAPID1010', 'RAPID1013', 'RAPID1014'];

/** The states that operations lead to; a refused operation leaves the state as it is, and its code is looked at. */
export function statesOf([bound, operations]: readonly [Contract, readonly Operation[]]): RunState[] {
  const states = [initialState(bound)];
  for (const operation of operations) {
    const state = states.at(-1) ?? initialState(bound);
    try {
      states.push(operation(bound, state));
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      holds(CODES.includes(thrown.code), `refused with ${thrown.code}: ${thrown.message}`);
      holds(thrown.message.length > 10, 'a refusal without a message');
    }
  }
  return states;
}

// The rules of a state, told again and not taken from the code under test.
function checkInvariants(state: RunState): void {
  const open = (phase: string) =>
    state.gates.some((gate) => gate.phase === phase && gate.required && gate.disposition === 'pending');
  const waived = state.gates.filter(({ disposition }) => disposition === 'waived');
  holds(
    waived.every(({ waivable, reason: why }) => waivable && why.trim() !== ''),
    'waived without right or reason',
  );
  if (state.status !== 'prepared' && state.status !== 'cancelled')
    holds(!open('pre_execution'), `${state.status} with an open gate before execution`);
  if (state.status === 'prepared')
    holds(
      state.tasks.every(({ status }) => status === 'pending'),
      'a task moved before the run was active',
    );
  if (state.status !== 'finished') return;
  holds(!open('post_execution'), 'finished with an open gate');
  holds(
    state.tasks.every(({ status }) => status === 'done' || status === 'skipped'),
    'finished with an open task',
  );
}

export const LEDGER_LAWS: readonly Property[] = [
  law('no sequence of operations leads to an invalid state, and every refusal has a code', history, (given) => {
    const states = statesOf(given);
    for (const [index, state] of states.entries()) {
      checkInvariants(state);
      same(state.revision, index + 1, 'revision');
      const place = { code: 'RAPID1012', file: 'state', reading: 'strict' } as const;
      same(
        canonicalJson(readState(readJson(writeJson(state), place), place)),
        canonicalJson(state),
        'state read again',
      );
      const before = states[index - 1];
      if (before === undefined) continue;
      holds(!['finished', 'failed', 'cancelled'].includes(before.status), `a step after ${before.status}`);
      checkStep(before, state, 'state');
    }
  }),
  law('every ledger that operations write is loaded in strict reading', history, (given) => {
    const [bound] = given;
    const states = statesOf(given);
    const folder = `.rapid-os/runs/${bound.run_id}`;
    const record = {
      schema_version: 1,
      id: bound.run_id,
      spec_id: bound.spec_id,
      spec_revision: 1,
      contract_digest: bound.contract_digest,
      current_state_revision: states.length,
    };
    const files = new Map([
      [`${folder}/run.json`, writeJson(record)],
      [`${folder}/contract.json`, writeJson(bound)],
      [`${folder}/context.md`, CONTEXT],
      [`${folder}/context-manifest.json`, MANIFEST],
      ...states.map((state) => [`${folder}/states/${revisionName(state.revision)}.json`, writeJson(state)] as const),
    ]);
    const tree = memoryTree(new Map([...files].map(([path, text]) => [path, Buffer.from(text)])));
    const run = loadRun({ tree, reading: 'strict' }, bound.run_id);
    same(canonicalJson(run.states), canonicalJson(states), 'states');
    same(canonicalJson(run.contract), canonicalJson(bound), 'contract');
  }),
  law('a state that skips a step or changes two things at once is refused', history, (given) => {
    const states = statesOf(given);
    for (const [index, state] of states.entries()) {
      const later = states[index + 2];
      if (later === undefined) continue;
      // Two steps can undo each other in one thing; then at least `change_kind` or nothing at all is left.
      let refused = false;
      try {
        checkStep(state, { ...later, revision: state.revision + 1 }, 'state');
      } catch (thrown) {
        refused = isRefusal(thrown);
        if (!refused) throw thrown;
      }
      if (!refused) holds(isOneStep(state, later), `two steps passed as one at ${index}`);
    }
  }),
];

// The only two steps that together look like one: the same subject, with a direct way to its last word.
function isOneStep(before: RunState, after: RunState): boolean {
  const changed = [
    before.status !== after.status,
    ...after.tasks.map((task, index) => canonicalJson(task) !== canonicalJson(before.tasks[index] ?? null)),
    ...after.gates.map((gate, index) => canonicalJson(gate) !== canonicalJson(before.gates[index] ?? null)),
  ];
  return changed.filter(Boolean).length === 1;
}

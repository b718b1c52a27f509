import fc from 'fast-check';
import { CAPABILITY_IDS } from '../../../src/domain/capabilities/catalogue.ts';
import type { Contract } from '../../../src/domain/contracts/contract.ts';
import { RUN_STATUSES, sealState, TASK_STATUSES } from '../../../src/domain/contracts/state.ts';
import type { RunState } from '../../../src/domain/contracts/state.ts';
import { VERDICTS } from '../../../src/domain/evaluation/assertion.ts';
import { evaluate, readReport } from '../../../src/domain/evaluation/report.ts';
import { REVIEW_OUTCOMES, REVIEW_TYPES } from '../../../src/domain/evidence/payload.ts';
import type { Observation } from '../../../src/domain/evidence/payload.ts';
import { sealRecord } from '../../../src/domain/evidence/record.ts';
import type { EvidenceRecord } from '../../../src/domain/evidence/record.ts';
import { numberedId } from '../../../src/domain/identifiers.ts';
import { canonicalJson, writeJson } from '../../../src/domain/json/canonical.ts';
import { readJson } from '../../../src/domain/json/read.ts';
import { contract } from './ledger.ts';
import { holds, law, same } from './property.ts';
import type { Property } from './property.ts';

const outcome = fc.constantFrom('success' as const, 'failure' as const);
const exit = fc.constantFrom(0, 0, 0, 1, -1, 2n ** 60n);

const observation: fc.Arbitrary<Observation> = fc.oneof(
  exit.map((exit_code): Observation => ({ kind: 'command_result', payload: { label: 'build', exit_code } })),
  fc.tuple(exit, fc.constantFrom(0, 0, 2)).map(([exit_code, failed]): Observation => ({
    kind: 'test_result',
    payload: { suite: 'unit', exit_code, passed: 1, failed, skipped: 0 },
  })),
  fc.constant<Observation>({ kind: 'file_change', payload: { paths: ['a.ts'] } }),
  fc.constantFrom('inspect' as const, 'modify' as const).map((operation): Observation => ({
    kind: 'git_result',
    payload: { operation },
  })),
  fc.constantFrom('current' as const, 'isolated' as const).map((mode): Observation => ({
    kind: 'workspace',
    payload: { mode },
  })),
  fc
    .tuple(fc.constantFrom(...REVIEW_TYPES), fc.constantFrom(...REVIEW_OUTCOMES))
    .map(([review_type, said]): Observation => ({
      kind: 'review',
      payload: { review_type, outcome: said, reviewer: 'ann' },
    })),
  outcome.map((said): Observation => ({ kind: 'tool_invocation', payload: { tool_id: 'grep', outcome: said } })),
  outcome.map((said): Observation => ({ kind: 'delegation', payload: { target: 'helper', outcome: said } })),
  fc.constant<Observation>({ kind: 'artifact', payload: { label: 'log' } }),
);

interface Drawn {
  readonly observation: Observation;
  readonly tasks: readonly number[];
  readonly gates: readonly number[];
  readonly capabilities: readonly (typeof CAPABILITY_IDS)[number][];
  readonly artifact: boolean;
}

const drawn: fc.Arbitrary<Drawn> = fc.record({
  observation,
  tasks: fc.array(fc.nat(3), { maxLength: 2 }),
  gates: fc.array(fc.nat(7), { maxLength: 3 }),
  capabilities: fc.subarray([...CAPABILITY_IDS], { maxLength: 3 }),
  artifact: fc.boolean(),
});

interface Case {
  readonly bound: Contract;
  readonly state: RunState;
  readonly records: readonly EvidenceRecord[];
  readonly extra: readonly (typeof CAPABILITY_IDS)[number][];
}

// States need not be reachable: an evaluation judges whatever state it is given.
const judged: fc.Arbitrary<Case> = contract.chain((bound) =>
  fc
    .record({
      status: fc.oneof({ weight: 3, arbitrary: fc.constant('finished' as const) }, fc.constantFrom(...RUN_STATUSES)),
      tasks: fc.array(
        fc.oneof({ weight: 4, arbitrary: fc.constant('done' as const) }, fc.constantFrom(...TASK_STATUSES)),
        {
          minLength: 4,
          maxLength: 4,
        },
      ),
      gates: fc.array(
        fc.oneof(
          { weight: 4, arbitrary: fc.constant('acknowledged' as const) },
          fc.constantFrom('pending' as const, 'waived' as const),
        ),
        { minLength: 8, maxLength: 8 },
      ),
      drawn: fc.array(drawn, { maxLength: 12 }),
      extra: fc.subarray([...CAPABILITY_IDS], { maxLength: 2 }),
    })
    .map(({ status, tasks, gates, drawn: draws, extra }) => {
      const state = sealState({
        schema_version: 1,
        run_id: bound.run_id,
        revision: 9,
        status,
        tasks: bound.tasks.map((task, index) => ({ ...task, status: tasks[index] ?? 'done', reason: '' })),
        gates: bound.gates.map((gate, index) => {
          const disposition = gates[index] ?? 'acknowledged';
          return { ...gate, disposition, reason: 'because' };
        }),
        change_kind: 'x',
        reason: '',
      });
      return { bound, state, records: draws.map((draw, index) => recordOf(bound, state, draw, index)), extra };
    }),
);

function recordOf(bound: Contract, state: RunState, draw: Drawn, index: number): EvidenceRecord {
  const id = numberedId('E', index + 1);
  const some = <T>(items: readonly T[], at: readonly number[]): T[] =>
    items.length === 0 ? [] : [...new Set(at.flatMap((n) => items[n % items.length] ?? []))];
  const path = `.rapid-os/evidence/${bound.run_id}/artifacts/${id}/log`;
  const withArtifact = draw.artifact || draw.observation.kind === 'artifact';
  return sealRecord({
    schema_version: 1,
    id,
    run_id: bound.run_id,
    contract_digest: bound.contract_digest,
    state_revision: state.revision,
    state_digest: state.content_digest,
    observation: draw.observation,
    producer: 'tester',
    summary: 's',
    task_ids: some(bound.tasks, draw.tasks)
      .map((task) => task.id)
      .sort(),
    gate_ids: some(bound.gates, draw.gates)
      .map((gate) => gate.id)
      .sort(),
    capability_ids: draw.capabilities,
    artifacts: withArtifact ? [{ path, sha256: '0'.repeat(64), size_bytes: 1 }] : [],
  });
}

// How good a verdict is: `fail` 0, `unverified` 1, `pass_with_waivers` 2, `pass` 3.
function worth({ bound, state, records, extra }: Case): number {
  return VERDICTS.length - 1 - VERDICTS.indexOf(evaluate(bound, state, records, extra).verdict);
}

/** Evidence that something went wrong: a failing result, or a review that does not approve. */
function isBad(record: EvidenceRecord): boolean {
  switch (record.kind) {
    case 'command_result':
      return Number(record.payload.exit_code) !== 0;
    case 'test_result':
      return Number(record.payload.exit_code) !== 0 || record.payload.failed > 0;
    case 'review':
      return record.payload.outcome !== 'approved';
    case 'tool_invocation':
    case 'delegation':
      return record.payload.outcome === 'failure';
    case 'file_change':
    case 'git_result':
    case 'workspace':
    case 'artifact':
      return false;
  }
}

export const EVALUATION_LAWS: readonly Property[] = [
  law('more evidence of failure never improves a verdict', fc.tuple(judged, fc.nat()), ([given, cut]) => {
    const kept = given.records.filter((record, index) => !isBad(record) || index < cut % (given.records.length + 1));
    holds(worth(given) <= worth({ ...given, records: kept }), 'failing evidence improved the verdict');
  }),
  // A record of a workspace can count against a run (the wrong one), so it is no mere support.
  law(
    'taking away evidence that counts against nothing never improves a verdict',
    fc.tuple(judged, fc.nat()),
    ([given, mask]) => {
      const kept = given.records.filter(
        (record, index) => isBad(record) || record.kind === 'workspace' || ((mask >> (index % 31)) & 1) === 1,
      );
      holds(worth({ ...given, records: kept }) <= worth(given), 'less evidence improved the verdict');
    },
  ),
  law('requiring more capabilities never improves a verdict', judged, (given) => {
    holds(worth(given) <= worth({ ...given, extra: [] }), 'a requirement improved the verdict');
  }),
  law('no verdict passes without a finished run, done tasks and settled gates', judged, (given) => {
    const { bound, state } = given;
    if (worth(given) < 2) return;
    same(state.status, 'finished', 'status');
    holds(
      state.tasks.every(({ status }) => status === 'done' || status === 'skipped'),
      'an open task',
    );
    holds(
      state.gates.every((gate) => !gate.required || gate.disposition !== 'pending'),
      'an open gate',
    );
    const waived = state.gates.some((gate) => gate.required && gate.disposition === 'waived');
    same(worth(given), waived ? 2 : 3, 'waivers');
    for (const task of state.tasks.filter(({ status }) => status === 'done')) {
      holds(
        given.records.some((record) => record.task_ids.includes(task.id) && !isBad(record)),
        `${task.id} unproven`,
      );
    }
    same(bound.run_id, state.run_id, 'run');
  }),
  law('a report is read again as it was written, in strict reading', judged, ({ bound, state, records, extra }) => {
    const report = evaluate(bound, state, records, extra);
    const place = { code: 'RAPID1221', file: 'report', reading: 'strict' } as const;
    same(canonicalJson(readReport(readJson(writeJson(report), place), place)), canonicalJson(report), 'report');
  }),
];

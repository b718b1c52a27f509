import { describe, expect, it } from '@jest/globals';
import { ledgerRemedy } from '../../src/gate/ledger-remedy.ts';
import type { EvidenceRecord } from '../../src/domain/evidence/record.ts';
import { ASSERTION_REASONS } from '../../src/domain/format-texts.ts';

const contract = { run_id: 'run-1', harness: 'cursor' };
type State = Parameters<typeof ledgerRemedy>[3];
const stateOf = (status: State['status'], task: State['tasks'][number]['status'] = 'done'): State => ({
  status,
  tasks: [{ id: 'T1', status: task, reason: '' }] as unknown as State['tasks'],
});
const finished = stateOf('finished');
const assertion = (category: 'task' | 'gate' | 'capability', id: string, reason: string) =>
  ({
    id: `${category}.${id}`,
    category,
    subject_id: id,
    status: 'unverified',
    reason,
    required: true,
    evidence_ids: [],
  }) as const;

describe('ledgerRemedy', () => {
  it.each([
    ['a task', assertion('task', 'T1', ASSERTION_REASONS.taskWithoutEvidence('T1')), undefined, 'harness:cursor'],
    ['a gate', assertion('gate', 'gate.tests', 'no evidence'), 'implementation_tests', 'harness:cursor'],
    ['a review', assertion('gate', 'gate.review', 'no evidence'), 'peer_review', 'user'],
    ['the final look', assertion('gate', 'gate.final-verification', 'no evidence'), 'final_verification', 'user'],
    ['a capability', assertion('capability', 'repository.write', 'no evidence'), undefined, 'harness:cursor'],
  ] as const)('of %s is a command for this run and who vouches for it', (_, one, kind, producer) => {
    const remedy = ledgerRemedy(one, kind, contract, finished);
    expect(remedy).toContain('countersign evidence add run-1 ');
    expect(remedy).toContain(`--producer ${producer} `);
    expect(remedy).not.toMatch(/<id>/);
  });

  it.each(['implementation_tests', 'final_verification'] as const)(
    'of %s cannot be run as it stands: a record stays for good',
    (kind) => {
      const remedy = ledgerRemedy(assertion('gate', 'gate.one', 'no evidence'), kind, contract, finished);
      const payload = /--payload '([^']*)'/.exec(remedy)?.[1] ?? '{}';
      expect(() => void JSON.parse(payload)).toThrow(SyntaxError);
      expect(() => void JSON.parse(payload.replaceAll('…', '1'))).not.toThrow();
    },
  );

  it.each([
    [
      'a test result without a log',
      'implementation_tests',
      { kind: 'test_result', payload: { passed: 1, failed: 0 }, artifacts: [] },
      'no artifact',
    ],
    [
      'one in which no test ran',
      'implementation_tests',
      { kind: 'test_result', payload: { passed: 0, failed: 0 }, artifacts: [{}] },
      'no test ran',
    ],
    ['a command for tests', 'implementation_tests', { kind: 'command_result' }, 'takes test_result'],
    ['a change for the baseline', 'baseline_check', { kind: 'file_change' }, 'takes test_result or command_result'],
    [
      'a peer review as the last look',
      'final_verification',
      { kind: 'review', payload: { review_type: 'peer' } },
      'final',
    ],
  ] as const)('says why %s does not count', (_, kind, record, why) => {
    const records = [{ id: 'E007', ...record }] as unknown as readonly EvidenceRecord[];
    const one = {
      ...assertion('gate', 'gate.one', ASSERTION_REASONS.gateUnproven('gate.one')),
      evidence_ids: ['E007'],
    };
    expect(ledgerRemedy(one, kind, contract, finished, records)).toMatch(
      new RegExp(`^E007 does not count: .*${why}.*\\. Add evidence`),
    );
  });

  it('counts records that do not count where there are many', () => {
    const records = Array.from({ length: 9 }, (_, at) => ({ id: `E00${at}`, kind: 'workspace' }));
    const one = assertion('gate', 'gate.one', ASSERTION_REASONS.gateUnproven('gate.one'));
    const remedy = ledgerRemedy(
      one,
      'peer_review',
      contract,
      finished,
      records as unknown as readonly EvidenceRecord[],
    );
    expect(remedy).toContain('Nor do 6 more.');
    expect(remedy).not.toContain('E003');
  });

  it.each(['lifecycle', 'gate'] as const)('of a %s that fails leads away from the run', (category) => {
    const failed = { ...assertion('gate', 'gate.tests', 'failing'), category, status: 'fail' } as const;
    expect(ledgerRemedy(failed, undefined, contract, finished)).toContain(
      'a new branch from the base, without this run',
    );
  });

  describe('names only what the state of the run allows', () => {
    const open = assertion('task', 'T1', ASSERTION_REASONS.taskOpen('T1', 'pending'));
    const pending = assertion('gate', 'gate.one', ASSERTION_REASONS.gatePending('gate.one'));
    const lifecycle = { ...assertion('gate', 'run-1', ''), category: 'lifecycle' } as const;
    const named = (one: Parameters<typeof ledgerRemedy>[0], state: State): string[] =>
      ledgerRemedy(one, undefined, contract, state)
        .split('\n')
        .flatMap((line) => /^ {4}countersign run (.*)$/.exec(line)?.[1] ?? []);

    it.each([
      ['a run that was not begun', lifecycle, stateOf('prepared'), ['status run-1 active', 'status run-1 finished']],
      ['one that is blocked', lifecycle, stateOf('blocked'), ['status run-1 active', 'status run-1 finished']],
      ['one under way', lifecycle, stateOf('active'), ['status run-1 finished']],
      ['a task to begin', open, stateOf('active', 'pending'), ['task run-1 T1 in_progress', 'task run-1 T1 done']],
      ['one that is blocked', open, stateOf('active', 'blocked'), ['task run-1 T1 in_progress', 'task run-1 T1 done']],
      ['one under way', open, stateOf('active', 'in_progress'), ['task run-1 T1 done']],
      ['a gate', pending, stateOf('active'), ['gate run-1 gate.one acknowledged']],
      ['a task of a run that was cancelled', open, stateOf('cancelled', 'pending'), []],
      ['a gate of a run that failed', pending, stateOf('failed'), []],
    ] as const)('of %s', (_, one, state, commands) => {
      expect(named(one, state)).toEqual(commands);
      if (commands.length === 0) expect(ledgerRemedy(one, undefined, contract, state)).toContain('a new branch');
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import { ledgerRemedy } from '../../src/gate/ledger-remedy.ts';
import { ASSERTION_REASONS } from '../../src/domain/format-texts.ts';

const contract = { run_id: 'run-1', harness: 'cursor' };
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
    ['a task', assertion('task', 'T1', ASSERTION_REASONS.taskWithoutEvidence('T1')), undefined],
    ['a gate', assertion('gate', 'gate.review', 'no evidence'), 'peer_review'],
    ['a capability', assertion('capability', 'repository.write', 'no evidence'), undefined],
  ] as const)('of %s is a command for this run and its harness', (_, one, kind) => {
    const remedy = ledgerRemedy(one, kind, contract);
    expect(remedy).toContain('countersign evidence add run-1 ');
    expect(remedy).toContain('--producer harness:cursor ');
    expect(remedy).not.toMatch(/<id>/);
  });
});

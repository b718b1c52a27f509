import { describe, expect, it } from '@jest/globals';
import { stepAnnotations } from '../../src/render/annotations.ts';
import { checkConclusion, commitStatus, exitCode, modeText } from '../../src/render/check-output.ts';
import { finding, report } from '../support/reports.ts';
import type { ReportBody, ReportNeed } from '../support/reports.ts';

const awaited = (who: ReportNeed['who']): ReportNeed => ({ outcome: 'pending', what: 'x', who, how: 'y' });

describe('what follows from an outcome in mode enforce', () => {
  it.each<[ReportBody['outcome'], ReportNeed['who'][], string, string | null, string, number]>([
    ['verified', [], 'completed', 'success', 'success', 0],
    ['not-governed', [], 'completed', 'success', 'success', 0],
    ['pending', ['platform'], 'in_progress', null, 'pending', 5],
    ['pending', ['platform', 'person'], 'completed', 'action_required', 'pending', 5],
    ['pending', ['maintainer'], 'completed', 'action_required', 'pending', 5],
    ['unverified', ['person'], 'completed', 'failure', 'failure', 1],
    ['failed', [], 'completed', 'failure', 'failure', 1],
    ['incomplete', [], 'completed', 'failure', 'failure', 4],
  ])('%s, awaiting %j: %s, %s, %s, exit %d', (outcome, whos, status, conclusion, state, exit) => {
    const judged = report({ outcome, needs: whos.map(awaited) });
    expect(checkConclusion(judged)).toEqual({ status, conclusion });
    expect(commitStatus(judged).state).toBe(state);
    expect(exitCode(judged)).toBe(exit);
    expect(modeText(judged)).toBeUndefined();
  });
});

describe.each(['warn', 'observe'] as const)('in mode %s', (mode) => {
  it.each<[ReportBody['outcome'], string | undefined]>([
    ['verified', undefined],
    ['not-governed', undefined],
    ['pending', `Mode ${mode}: the check passes. In mode enforce it would conclude action_required (exit 5).`],
    ['unverified', `Mode ${mode}: the check passes. In mode enforce it would conclude failure (exit 1).`],
    ['failed', `Mode ${mode}: the check passes. In mode enforce it would conclude failure (exit 1).`],
    ['incomplete', `Mode ${mode}: the check passes. In mode enforce it would conclude failure (exit 4).`],
  ])('%s passes and says: %s', (outcome, text) => {
    const judged = report({ mode, outcome, needs: [awaited('person')] });
    expect(checkConclusion(judged)).toEqual({ status: 'completed', conclusion: 'success' });
    expect(commitStatus(judged).state).toBe('success');
    expect(exitCode(judged)).toBe(0);
    expect(modeText(judged)).toBe(text);
  });

  it('nothing is annotated as an error', () => {
    const judged = report({ mode, outcome: 'failed', findings: [finding({ severity: 'block' })] });
    expect(stepAnnotations(judged).map((one) => one.level)).toEqual(['warning']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { PART_CHECKS, partCheckRun } from '../../src/render/part-check.ts';
import { bytesOf, CHECK_TEXT_LIMIT, CHECK_TITLE_LIMIT } from '../../src/render/limits.ts';
import { REPORT_CASES } from '../support/report-cases.ts';
import { finding, report } from '../support/reports.ts';

const credited = finding({
  rule: 'attribution/co-author',
  severity: 'block',
  place: { at: 'commit', sha: 'd'.repeat(40), part: 'message' },
  message: 'A trailer credits an agent.',
  remedy: 'Amend the commit.',
});
const leaked = finding({
  rule: 'secrets/npm-token',
  severity: 'block',
  place: { at: 'file', path: 'a.txt', line: 3 },
  message: 'A token of npm stands here.',
  remedy: 'Revoke it.',
});
const need = ({ message, remedy }: typeof credited) =>
  ({ outcome: 'failed', what: message, who: 'agent', how: remedy }) as const;
const failed = (mode: 'enforce' | 'warn' = 'enforce') =>
  report({ mode, outcome: 'failed', findings: [credited, leaked], needs: [need(credited), need(leaked)] });

describe('the check of one check', () => {
  it('shows its own findings and no other', () => {
    const { conclusion, output } = partCheckRun(failed(), 'attribution');
    expect(conclusion).toEqual({ status: 'completed', conclusion: 'failure' });
    expect(output.title).toBe('1 blocking finding: A trailer credits an agent.');
    expect(`${output.summary}${output.text}`).toContain('attribution/co-author');
    expect(`${output.summary}${output.text}`).not.toContain('npm');
  });

  it('annotates the lines that it found', () => {
    expect(partCheckRun(failed(), 'secrets').annotations).toMatchObject([{ level: 'error', file: 'a.txt', line: 3 }]);
    expect(partCheckRun(failed(), 'attribution').annotations).toEqual([]);
  });

  it('passes where only others failed, and says what it looked at', () => {
    const other = report({ outcome: 'failed', findings: [leaked], needs: [need(leaked)] });
    const { conclusion, output } = partCheckRun(other, 'attribution');
    expect(conclusion).toEqual({ status: 'completed', conclusion: 'success' });
    expect([output.title, output.summary]).toEqual(['No model attribution', expect.stringContaining('Looked at')]);
  });

  it('does not pass where something could not be looked at', () => {
    const unread = { outcome: 'incomplete', what: 'a.txt could not be read.', who: 'operator', how: 'Again.' } as const;
    for (const check of PART_CHECKS) {
      const { conclusion, output } = partCheckRun(report({ outcome: 'incomplete', needs: [unread] }), check);
      expect(conclusion).toEqual({ status: 'completed', conclusion: 'failure' });
      expect(output.title).toContain('a.txt could not be read');
    }
  });

  it('passes with findings that do not block, and counts them', () => {
    const note = { ...credited, severity: 'warn' } as const;
    const { conclusion, output } = partCheckRun(report({ findings: [note] }), 'attribution');
    expect([conclusion.conclusion, output.title]).toEqual([
      'success',
      'No model attribution (1 finding that does not block)',
    ]);
  });

  it('passes in a mode that lets everything pass, and says so', () => {
    const { conclusion, output } = partCheckRun(failed('warn'), 'attribution');
    expect(conclusion.conclusion).toBe('success');
    expect(output.summary).toContain('Mode warn: the check passes.');
  });

  it('is not concerned with what the verdict awaits', () => {
    const awaited = { outcome: 'pending', what: 'A review is awaited.', who: 'person', how: 'Review.' } as const;
    expect(partCheckRun(report({ outcome: 'pending', needs: [awaited] }), 'secrets').conclusion.conclusion).toBe(
      'success',
    );
  });

  it.each(Object.entries(REPORT_CASES))('keeps its limits: %s', (_, given) => {
    for (const check of PART_CHECKS) {
      const { title, summary, text } = partCheckRun(given, check).output;
      expect(title.length).toBeLessThanOrEqual(CHECK_TITLE_LIMIT);
      expect(title).not.toBe('');
      for (const one of [summary, text]) expect(bytesOf(one)).toBeLessThanOrEqual(CHECK_TEXT_LIMIT);
    }
  });
});

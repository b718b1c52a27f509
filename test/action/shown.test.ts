import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { jobAnnotations } from '../../src/action/annotations.ts';
import { jobExit } from '../../src/action/exit.ts';
import { logLine } from '../../src/action/finish.ts';
import type { Judged } from '../../src/judge/judged.ts';
import { worstOf } from '../../src/judge/worst.ts';
import { noOutputs, outputsOf } from '../../src/action/outputs.ts';
import { writeReportFiles } from '../../src/action/report-files.ts';
import { summaryText } from '../../src/action/summary.ts';
import { factsSchema } from '../../src/gate/facts.ts';
import type { Facts } from '../../src/gate/facts.ts';
import type { GateReport } from '../../src/gate/report.ts';
import { CONSEQUENCES, OUTCOMES } from '../../src/gate/outcome.ts';
import { JOB_SUMMARY_LIMIT } from '../../src/render/limits.ts';
import { finding, report, run } from '../support/reports.ts';

const sha = 'a'.repeat(40);
const FACTS: Facts = factsSchema.parse({
  ...{ schema_version: 1, engine: 'test', profile: 'github', now: '2026-12-01T12:00:00Z', commits: [], files: [] },
  subject: {
    kind: 'pull-request',
    base: { ref: 'main', sha },
    head: { ref: 'feature', sha },
    merge_base: sha,
  },
  base: { covers: [''], entries: [] },
  head: { covers: [''], entries: [] },
});

function judged(changes: Partial<GateReport>, caller?: Facts['caller']): Judged {
  return { facts: caller === undefined ? FACTS : { ...FACTS, caller }, report: report(changes) };
}

describe('the exit code of the job', () => {
  it.each(OUTCOMES)('is the one of outcome %s, and 0 in modes that let everything pass', (outcome) => {
    expect(jobExit([judged({ outcome })])).toBe(CONSEQUENCES[outcome].exit);
    expect(jobExit([judged({ outcome, mode: 'warn' })])).toBe(0);
    expect(jobExit([judged({ outcome, mode: 'observe' })])).toBe(0);
  });

  it('is the one of the worst', () => {
    const [good, waits, bad] = [
      judged({ outcome: 'verified' }),
      judged({ outcome: 'pending' }),
      judged({ outcome: 'failed' }),
    ];
    expect(jobExit([good, waits, bad])).toBe(1);
    expect(jobExit([good, waits])).toBe(5);
    expect(jobExit([good])).toBe(0);
    expect(worstOf([good, bad, waits])).toBe(bad);
  });

  it('is not excused by a worse one whose mode lets it pass', () => {
    const [loose, strict] = [judged({ outcome: 'incomplete', mode: 'observe' }), judged({ outcome: 'pending' })];
    expect(worstOf([loose, strict])).toBe(strict);
    expect(jobExit([loose, strict])).toBe(5);
  });

  it('lets pass what fail-on leaves out, where the workflow is the one of the base', () => {
    const workflow = { path: '.github/workflows/x.yml', changed: false };
    expect(jobExit([judged({ outcome: 'pending' }, { workflow, fail_on: ['failed'] })])).toBe(0);
    expect(jobExit([judged({ outcome: 'failed' }, { workflow, fail_on: ['failed'] })])).toBe(1);
    expect(jobExit([judged({ outcome: 'pending' }, { workflow: { ...workflow, changed: true }, fail_on: [] })])).toBe(
      5,
    );
    expect(jobExit([judged({ outcome: 'pending' }, { fail_on: [] })])).toBe(5);
  });
});

describe('the outputs', () => {
  const files = { report: '/tmp/report.json', sarif: '/tmp/report.sarif' };

  it('are those of action.yml', () => {
    const action = parse(readFileSync(join(import.meta.dirname, '../../action.yml'), 'utf8')) as { outputs: object };
    expect(Object.keys(outputsOf(report(), files))).toEqual(Object.keys(action.outputs));
    expect(Object.keys(noOutputs(''))).toEqual(Object.keys(action.outputs));
  });

  it('say the worst of several runs, and nothing where there is none', () => {
    const runs = [
      run({ run_id: 'a', resolution: { status: 'compatible' }, report: { verdict: 'pass' } }),
      run({ run_id: 'b', resolution: { status: 'unresolved' }, report: { verdict: 'pass_with_waivers' } }),
    ];
    expect(outputsOf(report({ runs }), files)).toMatchObject({
      ...{ compatibility: 'unresolved', evaluation: 'pass_with_waivers', 'run-ids': '["a","b"]' },
    });
    expect(outputsOf(report({ runs: [] }), files)).toMatchObject({
      compatibility: '',
      evaluation: '',
      'run-ids': '[]',
    });
  });

  it('say nothing good of a run of which nothing is known', () => {
    const runs = [
      run({ resolution: { status: 'compatible' }, report: { verdict: 'pass' } }),
      run({ run_id: 'b', resolution: null, report: null }),
    ];
    expect(outputsOf(report({ runs }), files)).toMatchObject({ compatibility: 'unresolved', evaluation: 'unverified' });
  });
});

describe('annotations', () => {
  it('sum up first and keep ten of a level', () => {
    const findings = Array.from({ length: 30 }, (_, index) =>
      finding({ id: `f${index}`, severity: 'block', place: { at: 'file', path: `src/${index}.ts`, line: 1 } }),
    );
    const all = jobAnnotations(
      [judged({ outcome: 'failed', headline: 'UNVERIFIED (failed): x', findings })],
      [{ level: 'error', text: 'It could not be published.' }],
    );
    const errors = all.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(10);
    expect(errors[0]?.message).toBe('UNVERIFIED (failed): x');
    expect(errors[1]?.message).toBe('It could not be published.');
    expect(errors.at(-1)?.message).toContain('23 more annotations left out');
  });
});

describe('the summary', () => {
  it('begins with the verdict that counts and keeps the limit', () => {
    const long = Array.from({ length: 3000 }, (_, index) =>
      finding({ id: `f${index}`, severity: 'block', message: 'm'.repeat(390), remedy: `r${index}` }),
    );
    const many = Array.from({ length: 10 }, () => judged({ outcome: 'failed', findings: long }));
    const text = summaryText(
      many,
      Array.from({ length: 500 }, () => 'A remark. '.repeat(30)),
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(JOB_SUMMARY_LIMIT);
    expect(text.split('\n')[0]).toMatch(/^Pull request \d+ at /);
  });
});

describe('a line of the log', () => {
  it.each([
    '::error::x',
    'a\n::set-output name=verdict::VERIFIED',
    '##[set-output name=verdict]VERIFIED',
    'x ##[add-mask]a\r\n##[error]',
    '\u2028::error::x',
  ])('is no command: %j', (text) => {
    const shown = logLine(text);
    expect(shown).not.toContain('##[');
    expect(shown).toMatch(/^Countersign: [^\r\n\u2028]*$/);
  });
});

describe('the files', () => {
  it('are written into a folder of their own', () => {
    const temp = mkdtempSync(join(tmpdir(), 'countersign-temp-'));
    const one = writeReportFiles(judged({}), temp, true);
    const other = writeReportFiles(judged({}), temp, false);
    expect(one.report).not.toBe(other.report);
    expect(JSON.parse(readFileSync(one.report, 'utf8'))).toMatchObject({ schema_version: 1 });
    expect(JSON.parse(readFileSync(one.sarif, 'utf8'))).toMatchObject({ version: '2.1.0' });
    expect(() => writeReportFiles(judged({}), join(temp, 'none'), false)).toThrow(
      expect.objectContaining({ code: 'CS1201' }),
    );
    rmSync(temp, { recursive: true });
  });
});

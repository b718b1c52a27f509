import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { governingRuns, MAX_RUNS, trailerRuns } from '../../src/gate/governing.ts';
import type { Facts } from '../../src/gate/facts.ts';
import { SEED } from '../support/random.ts';
import { both, changed, facts, judge, needs, project, withFacts } from './support.ts';

const bare: Partial<Facts> = { files: [changed('src/app.ts')], commits: [] };
const subject =
  (changes: Partial<Facts['subject']>) =>
  (given: Facts): Facts => ({ ...given, subject: { ...given.subject, ...changes } });
const named = (edit: (given: Facts) => Facts) => governingRuns(facts({ edit: both(withFacts(bare), edit) }));

describe('where runs are named', () => {
  const message =
    (text: string) =>
    (given: Facts): Facts => ({
      ...given,
      commits: facts().commits.map((commit) => ({ ...commit, message: text, ledger_changes: [] })),
    });
  const rows: readonly [string, (given: Facts) => Facts, string, string[]][] = [
    ['the input', withFacts({ named_runs: ['a'] }), 'a', ['input']],
    ['a trailer of the body', subject({ body: 'Text\n\nCountersign-Run: a\n' }), 'a', ['trailer']],
    ['the other trailer', subject({ body: 'Rapid-Run: a' }), 'a', ['trailer']],
    ['a trailer of a commit', message('Subject\n\nCountersign-Run: a\n'), 'a', ['trailer']],
    ['the branch', subject({ head: { ref: 'rapid/a', sha: null } }), 'a', ['branch']],
    ['the branch as a full ref', subject({ head: { ref: 'refs/heads/rapid/a', sha: null } }), 'a', ['branch']],
    ['a changed folder of a run', withFacts({ files: [changed('.rapid-os/runs/a/run.json')] }), 'a', ['changed']],
    [
      'a changed folder of evidence',
      withFacts({ files: [changed('.rapid-os/evidence/a/records/E001.json')] }),
      'a',
      ['changed'],
    ],
    [
      'a changed folder of reports',
      withFacts({ files: [changed('.rapid-os/evals/a/reports/0001.json')] }),
      'a',
      ['changed'],
    ],
    [
      'a file moved out of there',
      withFacts({ files: [changed('x', { status: 'renamed', old_path: '.rapid-os/runs/a/run.json' })] }),
      'a',
      ['changed'],
    ],
    [
      'a commit that touched it, though the whole does not',
      (given) => ({
        ...given,
        commits: facts().commits.map((commit) => ({
          ...commit,
          message: '',
          ledger_changes: [{ status: 'deleted', path: '.rapid-os/runs/a/run.json' }],
        })),
      }),
      'a',
      ['changed'],
    ],
    [
      'several ways',
      both(withFacts({ named_runs: ['a', 'a'] }), subject({ body: 'Rapid-Run: a' })),
      'a',
      ['input', 'trailer'],
    ],
  ];
  it.each(rows)('%s', (_name, edit, runId, namedBy) => {
    expect(named(edit)).toEqual([{ runId, namedBy }]);
  });

  it.each([
    ['another branch', subject({ head: { ref: 'feature/rapid/a', sha: null } })],
    ['a branch below it', subject({ head: { ref: 'rapid/a/b', sha: null } })],
    ['a branch whose name is no run id', subject({ head: { ref: 'rapid/A_b', sha: null } })],
    ['the title', subject({ title: 'Countersign-Run: a' })],
    ['a spec', withFacts({ files: [changed('.rapid-os/specs/a/spec.json')] })],
    [
      'a copy from there',
      withFacts({ files: [changed('docs/x.md', { status: 'copied', old_path: '.rapid-os/runs/a/context.md' })] }),
    ],
    ['the folder in other letter case', withFacts({ files: [changed('.Rapid-OS/runs/a/run.json')] })],
  ])('not %s', (_name, edit) => {
    expect(named(edit)).toEqual([]);
  });

  it('are joined, and all must hold', () => {
    const report = judge({ edit: withFacts({ named_runs: ['other'] }) });
    expect(report.runs.map((run) => run.run_id)).toEqual([project().runId, 'other'].sort());
    expect(report.outcome).toBe('unverified');
  });
});

describe('trailers', () => {
  it.each([
    ['Countersign-Run: a', ['a']],
    ['COUNTERSIGN-RUN:a', ['a']],
    ['rapid-run :\ta  ', ['a']],
    ['Rapid-Run: a\r\nRapid-Run: b\rRapid-Run: c', ['a', 'b', 'c']],
    ['> Countersign-Run: a', []],
    ['- Countersign-Run: a', []],
    ['    Countersign-Run: a', []],
    ['see Countersign-Run: a', []],
    ['`Countersign-Run: a`', []],
    ['Countersign-Run: a b', []],
    ['Countersign-Run:', []],
    ['Сountersign-Run: a', []],
    ['Countersign‑Run: a', []],
    ['Countersign-Run： a', []],
    ['Countersign-Run: а', ['а']],
    ['Countersign-Run: a\u200b', ['a\u200b']],
    ['Countersign-Run: ../../etc', ['../../etc']],
    ['```\nCountersign-Run: a\n```', []],
    ['~~~~\nCountersign-Run: a\n~~~\nCountersign-Run: b\n~~~~\nCountersign-Run: c', ['c']],
    ['~~~\n```\n~~~\nCountersign-Run: a', ['a']],
    ['```yaml\nCountersign-Run: a\n``` no end\nCountersign-Run: b\n```\nCountersign-Run: c', ['c']],
    ['``\nCountersign-Run: a', ['a']],
    ['    ```\nCountersign-Run: a', ['a']],
    ['<!-- \nCountersign-Run: a\n-->', ['a']],
  ])('%j name %j', (text, runs) => {
    expect(trailerRuns(text)).toEqual(runs);
  });

  it('come to an end on hostile text', () => {
    const tabs = `Countersign-Run${'\t'.repeat(200_000)}:`;
    const long = `Countersign-Run: ${'x'.repeat(200_000)}`;
    expect(
      trailerRuns([tabs, long, '`'.repeat(200_000), ' '.repeat(200_000), '~~~'.repeat(1000)].join('\n\n')),
    ).toEqual([]);
  });

  it('never lose one that stands before any fence', () => {
    fc.assert(
      fc.property(fc.string(), (rest) => trailerRuns(`Countersign-Run: a\n${rest}`)[0] === 'a'),
      { seed: SEED, numRuns: 200 },
    );
  });
});

describe('names that are no run ids', () => {
  it.each(['A', '../x', 'a\u200b', 'а', '__proto__', 'constructor', 'x'.repeat(64), '-a', '.', 'a.b'])(
    '%j name a run that cannot hold',
    (name) => {
      const report = judge({ edit: withFacts({ named_runs: [name] }) });
      expect(report.runs.map((run) => run.run_id)).toContain(name);
      expect(['failed', 'unverified']).toContain(report.outcome);
      expect(report.word).toBe('UNVERIFIED');
    },
  );

  it('are kept apart from those that are', () => {
    const run = project().runId;
    const report = judge({ edit: withFacts({ named_runs: [`${run}\u200b`] }) });
    expect(report.runs).toHaveLength(2);
    expect(needs(report, 'failed')).toContain('Invalid run id');
  });
});

it('more runs than can be judged are incomplete', () => {
  const many = Array.from({ length: MAX_RUNS + 1 }, (_, index) => `r${index}`);
  const report = judge({ edit: withFacts({ named_runs: many }) });
  expect(report.outcome).toBe('incomplete');
  expect(needs(report, 'incomplete')).toContain(`Only ${MAX_RUNS} of ${MAX_RUNS + 2} governing runs were judged.`);
  expect(report.runs).toHaveLength(MAX_RUNS);
});

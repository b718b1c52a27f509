import { describe, expect, it } from '@jest/globals';
import type { DecisionFacts, Facts } from '../../src/gate/facts.ts';
import type { GovernedOptions } from '../support/governed.ts';
import { CONFIG_TEXT, decision, OLDER, testRun } from '../support/facts.ts';
import { forged } from './forge.ts';
import { assertionOf, both, changed, judge, needs, project, withFacts, withPeople } from './support.ts';

const WAIVED: GovernedOptions = { waive: { 'gate.tests': 'No tests here' } };
const SKIPPED: GovernedOptions = { tasks: ['Write it', 'Describe it'], skip: ['T002'] };
const NO_TASKS: GovernedOptions = { tasks: [] };
const RESEARCH: GovernedOptions = { mode: 'research' };

/** The waiver of tests counts where the platform shows nothing better of them. */
const untested = withFacts({ workflow_runs: [testRun({ jobs: [] })] });
const deciding = (...decisions: DecisionFacts[]) =>
  both(
    withPeople(
      { id: 1, login: 'coder' },
      { id: 9, login: 'rita', permission: 'read' },
      { id: 8, login: 'robo', type: 'bot', permission: 'admin' },
    ),
    withFacts({ decisions }),
  );
const runId = (options: GovernedOptions): string => project(options).runId;

const KINDS: readonly [string, GovernedOptions, DecisionFacts['kind'], string][] = [
  ['a skipped task', SKIPPED, 'confirm-skip', 'T002'],
  ['a contract without tasks', NO_TASKS, 'confirm-skip', 'tasks'],
  ['a contract in mode research', RESEARCH, 'confirm-skip', 'research'],
];

describe.each(['github', 'local'] as const)('on the %s profile', (profile) => {
  describe.each(KINDS)('%s', (_name, options, kind, subject) => {
    const outcome = (edit: (given: Facts) => Facts): string => judge({ project: options, profile, edit }).outcome;

    it('waits for a person', () => {
      const report = judge({ project: options, profile });
      expect(report.outcome).toBe('pending');
      expect(report.runs[0]?.excuses).toEqual([expect.objectContaining({ kind: 'skip', subject, confirmed_by: null })]);
    });

    it.each([
      ['any', ''],
      ['by its name', subject],
      ['of the run', runId(options)],
    ])('holds once it is confirmed: %s', (_how, about) => {
      expect(outcome(deciding(decision(kind, { subject: about })))).toBe('verified');
      expect(
        judge({ project: options, profile, edit: deciding(decision(kind)) }).runs[0]?.excuses[0]?.confirmed_by,
      ).toBe('ana');
    });

    it.each([
      ['by the author', { user_id: 1, login: 'coder' }],
      ['by a reader', { user_id: 9, login: 'rita' }],
      ['by a bot', { user_id: 8, login: 'robo' }],
      ['by someone unknown', { user_id: 77 }],
      ['at an older head', { head_sha: OLDER }],
      ['in an edited comment', { edited: true }],
      ['until yesterday', { until: '2026-11-30' }],
      ['about something else', { subject: 'T009' }],
      ['about another run', { subject: `${runId(options)}-2` }],
      ['about a part of its name', { subject: runId(options).slice(0, 4) }],
    ] as const)('does not hold confirmed %s', (_how, changes) => {
      expect(outcome(deciding(decision(kind, changes)))).toBe('pending');
    });

    it('is not confirmed by another kind of decision', () => {
      const others = (['approve', 'approve-contract', 'confirm-waiver', 'confirm-tests', 'allow'] as const).map((one) =>
        decision(one),
      );
      expect(outcome(deciding(...others))).toBe('pending');
    });
  });

  it('a failing test is not waived away', () => {
    const failing = {
      kind: 'test_result',
      producer: 'user',
      summary: 'x',
      gate_ids: ['gate.baseline'],
      payload: { suite: 'u', exit_code: 1, passed: 0, failed: 1, skipped: 0 },
    };
    expect(
      judge({ project: { ...WAIVED, more: [failing] }, profile, edit: deciding(decision('confirm-waiver')) }).outcome,
    ).toBe('failed');
  });
});

describe('a waiver', () => {
  const config = `${CONFIG_TEXT}`;
  it('of tests waits for a person where nothing shows tests', () => {
    const report = judge({ project: WAIVED, config, edit: untested });
    expect(assertionOf(report, 'gate.tests').standing).toBe('waived');
    expect(report.runs[0]?.excuses).toEqual([
      {
        kind: 'waiver',
        subject: 'gate.tests',
        reason: "Gate 'gate.tests' is waived: No tests here",
        confirmed_by: null,
      },
    ]);
    expect(needs(report, 'pending')).toContain('No tests here. Nobody has confirmed it.');
  });

  it('on the local profile waits, and holds with a caveat once it is confirmed', () => {
    expect(judge({ project: WAIVED, profile: 'local' }).outcome).toBe('pending');
    const report = judge({
      project: WAIVED,
      profile: 'local',
      edit: deciding(decision('confirm-waiver', { subject: 'gate.tests' })),
    });
    expect(report.headline).toBe('VERIFIED (declared evidence only; with confirmed waivers)');
  });

  it('is not needed where the job succeeded', () => {
    const report = judge({ project: WAIVED });
    expect(report.outcome).toBe('verified');
    expect(report.runs[0]?.excuses).toEqual([]);
  });

  it('does not outweigh a job that failed', () => {
    const edit = both(
      deciding(decision('confirm-waiver')),
      withFacts({ workflow_runs: [testRun({ job: { conclusion: 'failure' } })] }),
    );
    expect(judge({ project: WAIVED, edit }).outcome).toBe('failed');
  });

  it('of a review holds once it is confirmed', () => {
    const options: GovernedOptions = { risk: 'high', waive: { 'gate.review': 'Alone' } };
    expect(judge({ project: options }).outcome).toBe('pending');
    expect(
      judge({ project: options, edit: deciding(decision('confirm-waiver', { subject: 'gate.review' })) }).headline,
    ).toContain('with confirmed waivers');
    expect(
      judge({ project: options, edit: deciding(decision('confirm-waiver', { subject: 'gate.tests' })) }).outcome,
    ).toBe('pending');
    expect(judge({ project: options, edit: deciding(decision('confirm-skip')) }).outcome).toBe('pending');
  });
});

describe('work outside .rapid-os', () => {
  const only =
    (path: string, old_path?: string) =>
    (given: Facts): Facts => ({
      ...given,
      files: [
        ...given.files.filter((file) => file.path.startsWith('.rapid-os/')),
        changed(path, old_path === undefined ? {} : { status: 'renamed', old_path }),
      ],
    });
  const config = `${CONFIG_TEXT}scope: { enforce: off }`;

  it.each([
    ['.rapid-os/notes.md', undefined, 'verified'],
    ['src/a.ts', undefined, 'pending'],
    ['.rapid-os/notes.md', 'src/a.ts', 'pending'],
    ['src/a.ts', '.rapid-os/notes.md', 'pending'],
    ['.Rapid-OS/a.ts', undefined, 'pending'],
    ['rapid-os/a.ts', undefined, 'pending'],
  ] as const)('%s (from %s) makes a contract without tasks %s', (path, old, outcome) => {
    const options: GovernedOptions = { ...NO_TASKS, changed: old === undefined ? [path] : [path, old] };
    expect(judge({ project: options, config, profile: 'local', edit: only(path, old) }).outcome).toBe(outcome);
  });
});

it('a contract that hides its mode is in mode research where its spec is', () => {
  const hiding = forged((contract) => {
    contract.decision.reasons = ['mode.feature'];
  }, RESEARCH);
  const report = judge({ project: { ...RESEARCH, until: 'created' }, head: () => hiding });
  expect(needs(report, 'failed')).toBe('');
  expect(needs(report, 'pending')).toContain('The contract is in mode research');
});

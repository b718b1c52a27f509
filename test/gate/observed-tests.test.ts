import { describe, expect, it } from '@jest/globals';
import type { WorkflowRun } from '../../src/gate/facts.ts';
import type { Outcome } from '../../src/gate/outcome.ts';
import { decision, HEAD, OLDER, testRun, WORKFLOW } from '../support/facts.ts';
import { assertionOf, both, changed, judge, needs, project, withFacts, withFiles, withPeople } from './support.ts';

const runs = (...workflow_runs: WorkflowRun[]) => withFacts({ workflow_runs });
const job = (changes: Partial<WorkflowRun['jobs'][number]>, run: Partial<WorkflowRun> = {}): WorkflowRun =>
  testRun({ ...run, job: changes });
const ended = (conclusion: NonNullable<WorkflowRun['conclusion']>, run: Partial<WorkflowRun> = {}): WorkflowRun =>
  job({ conclusion }, { conclusion, ...run });
const open = (status: WorkflowRun['status'], run: Partial<WorkflowRun> = {}): WorkflowRun =>
  job({ status, conclusion: null }, { status, conclusion: null, ...run });
const jobs = (...names: string[]): WorkflowRun['jobs'] =>
  names.map((name, index) => ({ id: 100 + index, name, status: 'completed', conclusion: 'success' }));

/** A config that names jobs of the workflow. */
const naming = (list: string): string => `evidence: { tests: { workflows: [{ path: ${WORKFLOW}, jobs: ${list} }] } }`;

describe('the tests on the github profile', () => {
  const rows: readonly [string, WorkflowRun[], Outcome][] = [
    ['success', [ended('success')], 'verified'],
    ['failure', [ended('failure')], 'failed'],
    ['timed out', [ended('timed_out')], 'failed'],
    ['a start that failed', [ended('startup_failure')], 'failed'],
    ['cancelled', [ended('cancelled')], 'unverified'],
    ['skipped', [ended('skipped')], 'unverified'],
    ['neutral', [ended('neutral')], 'unverified'],
    ['stale', [ended('stale')], 'unverified'],
    ['action required', [ended('action_required')], 'unverified'],
    ['completed without a conclusion', [job({ conclusion: null })], 'unverified'],
    ['running', [open('in_progress')], 'pending'],
    ['queued', [open('queued')], 'pending'],
    ['waiting for a deployment', [open('waiting')], 'pending'],
    ['requested', [open('requested')], 'pending'],
    ['pending', [open('pending')], 'pending'],
    ['no run yet', [], 'pending'],
    ['of another event', [testRun({ event: 'workflow_dispatch' })], 'pending'],
    ['of pull_request_target, which does not test the head', [testRun({ event: 'pull_request_target' })], 'pending'],
    ['of another head', [testRun({ head_sha: OLDER })], 'pending'],
    ['of a job of the same name in another workflow', [testRun({ path: '.github/workflows/other.yml' })], 'pending'],
    ['of the path in other letter case', [testRun({ path: '.github/workflows/CI.yml' })], 'pending'],
    ['by push', [testRun({ event: 'push' })], 'verified'],
    ['by merge group', [testRun({ event: 'merge_group' })], 'verified'],
    ['an older attempt failed', [ended('failure'), testRun({ attempt: 2 })], 'verified'],
    ['only an older attempt succeeded', [testRun(), ended('failure', { attempt: 2 })], 'failed'],
    ['the latest attempt runs', [testRun(), open('in_progress', { attempt: 2 })], 'pending'],
    ['an older run was cancelled', [ended('cancelled'), testRun({ id: 12 })], 'verified'],
    ['a newer run hides a failure', [ended('failure'), testRun({ id: 12 })], 'failed'],
    ['a newer run was cancelled', [testRun(), ended('cancelled', { id: 12 })], 'unverified'],
    ['one event failed', [testRun(), ended('failure', { id: 12, event: 'push' })], 'failed'],
    ['one event was skipped', [testRun(), ended('skipped', { id: 12, event: 'push' })], 'unverified'],
    ['one event runs', [testRun(), open('queued', { id: 12, event: 'push' })], 'pending'],
    ['no job at all, ended', [testRun({ jobs: [] })], 'unverified'],
    ['no job at all, failed', [testRun({ jobs: [], conclusion: 'failure' })], 'failed'],
    ['no job yet', [testRun({ jobs: [], status: 'in_progress', conclusion: null })], 'pending'],
    ['the job is missing', [testRun({ jobs: jobs('build') })], 'unverified'],
    [
      'the job is missing so far',
      [testRun({ jobs: jobs('build'), status: 'in_progress', conclusion: null })],
      'pending',
    ],
    [
      'another job failed',
      [
        testRun({
          conclusion: 'failure',
          jobs: [...jobs('test'), { id: 9, name: 'lint', status: 'completed', conclusion: 'failure' }],
        }),
      ],
      'verified',
    ],
    ['a job whose name only looks alike', [testRun({ jobs: jobs('tеst') })], 'unverified'],
    ['a job in other letter case', [testRun({ jobs: jobs('Test') })], 'unverified'],
    [
      'two jobs of the name, one skipped',
      [testRun({ jobs: [...jobs('test'), { id: 9, name: 'test', status: 'completed', conclusion: 'skipped' }] })],
      'unverified',
    ],
    [
      'one skipped and one running: something is wrong already',
      [
        testRun({
          status: 'in_progress',
          conclusion: null,
          jobs: [
            { id: 8, name: 'test', status: 'completed', conclusion: 'skipped' },
            { id: 9, name: 'test', status: 'queued', conclusion: null },
          ],
        }),
      ],
      'unverified',
    ],
    ['started for another pull request only', [testRun({ pull_requests: [8] })], 'pending'],
    ['started for this and another pull request', [testRun({ pull_requests: [8, 7] })], 'verified'],
    [
      'a newer one started for another pull request',
      [ended('skipped'), testRun({ id: 12, pull_requests: [8] })],
      'unverified',
    ],
  ];
  it.each(rows)('%s', (_name, workflow_runs, outcome) => {
    const report = judge({ edit: runs(...workflow_runs) });
    expect(report.outcome).toBe(outcome);
    const standing = outcome === 'verified' ? 'satisfied' : outcome;
    for (const subject of ['gate.tests', 'gate.baseline', 'tests.execute']) {
      expect(assertionOf(report, subject).standing).toBe(standing);
    }
  });

  it('names the observed jobs as evidence beside the ledger', () => {
    expect(assertionOf(judge(), 'gate.tests').evidence).toEqual(['E001', 'github:run:11/1/test']);
    expect(assertionOf(judge(), 'gate.tests').trust).toBe('platform');
  });

  it('is unverified where no workflow is named, with the YAML to paste', () => {
    const report = judge({ config: null });
    expect(report.outcome).toBe('unverified');
    expect(report.needs.find((need) => need.what.includes('names no workflow'))?.how).toContain('workflows:\n');
  });

  it.each([
    ['a pattern, all succeeded', "['test (*)']", jobs('test (a)', 'test (b)'), 'completed', 'verified'],
    ['a pattern, the run goes on', "['test (*)']", jobs('test (a)'), 'in_progress', 'pending'],
    ['a name, the run goes on', '[test]', jobs('test'), 'in_progress', 'verified'],
    ['a pattern that matches nothing', "['unit *']", jobs('test'), 'completed', 'unverified'],
    ['two names, one missing', '[test, lint]', jobs('test'), 'completed', 'unverified'],
    ['a called workflow', "['ci / test']", jobs('ci / test'), 'completed', 'verified'],
    ['a pattern is no regular expression', "['te.t']", jobs('test'), 'completed', 'unverified'],
  ] as const)('job names: %s', (_name, list, some, status, outcome) => {
    const run = testRun({ jobs: [...some], status, conclusion: status === 'completed' ? 'success' : null });
    expect(judge({ config: naming(list), edit: runs(run) }).outcome).toBe(outcome);
  });

  it('a pattern of which one job failed', () => {
    const run = testRun({
      jobs: [...jobs('test (a)'), { id: 9, name: 'test (b)', status: 'completed', conclusion: 'failure' }],
    });
    expect(judge({ config: naming("['test (*)']"), edit: runs(run) }).outcome).toBe('failed');
  });

  it('wants every workflow that is named, and takes the worst', () => {
    const config = `evidence: { tests: { workflows: [{ path: ${WORKFLOW}, jobs: [test] }, { path: .github/workflows/b.yml, jobs: [test] }] } }`;
    const second = (run: Partial<WorkflowRun>): WorkflowRun =>
      testRun({ id: 12, path: '.github/workflows/b.yml', ...run });
    expect(judge({ config }).outcome).toBe('pending');
    expect(judge({ config, edit: runs(testRun(), second({})) }).outcome).toBe('verified');
    expect(judge({ config, edit: runs(ended('failure'), second({ jobs: [] })) }).outcome).toBe('failed');
    expect(judge({ config, edit: runs(open('queued'), second({ jobs: [] })) }).outcome).toBe('unverified');
  });

  it('has a failing record of the ledger stand against a green job', () => {
    const failing = {
      kind: 'test_result',
      producer: 'harness:codex',
      summary: 'x',
      gate_ids: ['gate.tests'],
      payload: { suite: 'unit', exit_code: 1, passed: 0, failed: 1, skipped: 0 },
    };
    const report = judge({ project: { more: [failing] } });
    expect(report.outcome).toBe('failed');
    expect(assertionOf(report, 'gate.tests').reason).toContain('contradict');
  });

  it('has a green job stand for a record that is missing', () => {
    const without = project({ without: ['gate.tests', 'gate.baseline'] });
    expect(without.runId).not.toBe('');
    expect(judge({ project: { without: ['gate.tests', 'gate.baseline'] } }).outcome).toBe('verified');
    expect(judge({ project: { without: ['gate.tests', 'gate.baseline'] }, profile: 'local' }).outcome).toBe(
      'unverified',
    );
  });
});

describe('the tests on the local profile', () => {
  it('rest on the ledger alone', () => {
    const report = judge({ profile: 'local', config: null, edit: runs(ended('failure')) });
    expect(report.outcome).toBe('verified');
    expect(assertionOf(report, 'gate.tests')).toMatchObject({ standing: 'satisfied', trust: 'declared' });
  });
});

describe('a result in which no test ran', () => {
  const result = (gate_ids: string[], payload: object): object => ({
    kind: 'test_result',
    producer: 'harness:codex',
    summary: 'x',
    gate_ids,
    payload: { suite: 'unit', exit_code: 0, passed: 0, failed: 0, skipped: 0, ...payload },
    artifacts: ['out/test.log'],
  });
  const command = {
    kind: 'command_result',
    producer: 'harness:codex',
    summary: 'x',
    gate_ids: ['gate.baseline'],
    payload: { label: 'npm test', exit_code: 0 },
    artifacts: ['out/test.log'],
  };
  const standings = (report: ReturnType<typeof judge>) =>
    ['gate.tests', 'gate.baseline', 'tests.execute'].map((id) => assertionOf(report, id).standing);

  it.each([
    ['none was found', { passed: 0 }],
    ['all were skipped', { passed: 0, skipped: 12 }],
  ])('shows nothing: %s', (_, tests) => {
    const report = judge({ profile: 'local', project: { tests } });
    expect(report.outcome).toBe('unverified');
    expect(standings(report)).toEqual(['unverified', 'unverified', 'unverified']);
    expect(assertionOf(report, 'gate.tests').reason).toBe('gate.tests: no test ran in E001.');
    const need = report.needs.find(({ what }) => what.startsWith('gate.tests'));
    expect(need?.how).toMatch(/^E001 does not count: no test ran in it.*Add evidence/);
  });

  it.each([
    [
      'another result',
      [result(['gate.tests', 'gate.baseline'], { passed: 1 })],
      ['satisfied', 'satisfied', 'satisfied'],
    ],
    ['a command, for the baseline alone', [command], ['unverified', 'satisfied', 'unverified']],
  ])('stands behind what does show it: %s', (_, more, expected) => {
    expect(standings(judge({ profile: 'local', project: { tests: { passed: 0 }, more } }))).toEqual(expected);
  });

  it('fails as ever where it says that it failed', () => {
    expect(judge({ profile: 'local', project: { tests: { passed: 0, exit_code: 1 } } }).outcome).toBe('failed');
  });

  it('leaves the job of the platform to say that the tests ran', () => {
    expect(judge({ project: { tests: { passed: 0 } } }).outcome).toBe('verified');
  });

  it('leaves rule set 1 as it is', () => {
    const [run] = judge({ profile: 'local', project: { tests: { passed: 0 } } }).runs;
    expect(run?.report?.verdict).toBe('pass');
  });
});

describe('running the tests again', () => {
  const rerun = (exit_code: number, head_sha = HEAD) =>
    withFacts({ rerun: { ran: true, command: ['npm', 'test'], exit_code, head_sha } });

  it.each([
    ['local', 0, HEAD, 'verified'],
    ['local', 1, HEAD, 'failed'],
    ['local', 0, OLDER, 'unverified'],
    ['github', 0, HEAD, 'verified'],
    ['github', 137, HEAD, 'failed'],
    ['github', 0, OLDER, 'unverified'],
  ] as const)('on %s with exit code %s at %s', (profile, code, sha, outcome) => {
    expect(judge({ profile, edit: rerun(code, sha) }).outcome).toBe(outcome);
  });

  it('counts as reexecuted, and can be demanded', () => {
    const config = `evidence: { trust: { gate.tests: reexecuted, gate.baseline: reexecuted } }`;
    const report = judge({ profile: 'local', config, edit: rerun(0) });
    expect(report.headline).toContain('VERIFIED (reexecuted');
    const without = judge({ profile: 'local', config });
    expect(without.outcome).toBe('unverified');
    expect(needs(without, 'unverified')).toContain('gate.tests is only declared, and the config demands reexecuted.');
  });

  it('hides no failure that the platform saw', () => {
    expect(judge({ edit: both(rerun(0), runs(ended('failure'))) }).outcome).toBe('failed');
  });

  it('shows nothing where the head decides what the command does', () => {
    const tampered = both(rerun(0), withFiles(changed('Makefile')), withFacts({}));
    const config = 'scope: { enforce: off }\nevidence: { trust: { gate.tests: reexecuted } }';
    expect(judge({ profile: 'local', config, edit: tampered }).outcome).toBe('unverified');
    expect(judge({ config: 'scope: { enforce: off }', edit: tampered }).outcome).toBe('pending');
    const failing = both(rerun(1), withFiles(changed('Makefile')));
    expect(judge({ profile: 'local', config: 'scope: { enforce: off }', edit: failing }).outcome).toBe('failed');
  });

  it('is incomplete where it was wanted and could not be done', () => {
    const report = judge({ edit: withFacts({ rerun: { ran: false, why: 'npm ci ended with 1' } }) });
    expect(report.outcome).toBe('incomplete');
    expect(needs(report, 'incomplete')).toContain('npm ci ended with 1');
  });
});

describe('confirming tests that the pull request changes', () => {
  const config = `${naming('[test]')}\nscope: { enforce: off }`;
  const tampered = withFiles(changed('Makefile'));
  const confirmed = (changes: Parameters<typeof decision>[1] = {}) =>
    both(
      tampered,
      withPeople({ id: 9, login: 'reader', permission: 'read' }, { id: 1, login: 'coder' }),
      withFacts({ decisions: [decision('confirm-tests', changes)] }),
    );

  it('is waited for', () => {
    const report = judge({ config, edit: tampered });
    expect(report.outcome).toBe('pending');
    expect(assertionOf(report, 'gate.tests')).toMatchObject({ standing: 'pending', trust: 'declared' });
  });

  it.each([
    ['by a permitted person', {}, 'verified'],
    ['about this run', { subject: project().runId }, 'verified'],
    ['about another run', { subject: 'other-run' }, 'pending'],
    ['by the author', { user_id: 1, login: 'coder' }, 'pending'],
    ['by a reader', { user_id: 9, login: 'reader' }, 'pending'],
    ['by someone unknown', { user_id: 99, login: 'ana' }, 'pending'],
    ['at an older head', { head_sha: OLDER }, 'pending'],
    ['at no head', { head_sha: null }, 'pending'],
    ['in a comment that was edited', { edited: true }, 'pending'],
    ['until yesterday', { until: '2026-11-30' }, 'pending'],
    ['until today', { until: '2026-12-01' }, 'verified'],
  ] as const)('%s', (_name, changes, outcome) => {
    expect(judge({ config, edit: confirmed(changes) }).outcome).toBe(outcome);
  });

  it('leaves them declared', () => {
    expect(assertionOf(judge({ config, edit: confirmed() }), 'gate.tests').trust).toBe('declared');
    const demanding = `evidence: { trust: { gate.tests: platform }, tests: { workflows: [{ path: ${WORKFLOW}, jobs: [test] }] } }\nscope: { enforce: off }`;
    expect(judge({ config: demanding, edit: confirmed() }).outcome).toBe('unverified');
  });

  it('says why a decision does not count', () => {
    expect(needs(judge({ config, edit: confirmed({ edited: true }) }), 'pending')).toContain(
      'Not counted: the comment was edited.',
    );
  });

  it('is not done by another kind of decision', () => {
    const other = both(
      tampered,
      withFacts({ decisions: [decision('approve'), decision('confirm-skip'), decision('allow')] }),
    );
    expect(judge({ config, edit: other }).outcome).toBe('pending');
  });
});

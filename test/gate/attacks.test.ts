import { describe, expect, it } from '@jest/globals';
import { withAllowances } from '../../src/gate/allowed.ts';
import { DEFAULT_CONFIG } from '../../src/config/schema.ts';
import type { Finding } from '../../src/checks/finding.ts';
import type { Facts, SnapshotEntry } from '../../src/gate/facts.ts';
import type { GovernedOptions } from '../support/governed.ts';
import { CONFIG_TEXT, decision, HEAD, review, testRun, WORKFLOW } from '../support/facts.ts';
import { forged } from './forge.ts';
import {
  both,
  changed,
  editEntry,
  facts,
  judge,
  needs,
  project,
  setEntry,
  withFacts,
  withFiles,
  withPeople,
} from './support.ts';
import type { Case } from './support.ts';

// Each of these is tried by someone who can write anything into the branch and wants to read VERIFIED. What they give
// instead is the second column.

const RUN = project().runId;
const evidence = (name: string): string => `.rapid-os/evidence/${RUN}/${name}`;
const authored = (more: object): object => ({
  kind: 'test_result',
  summary: 'x',
  payload: { suite: 'unit', exit_code: 0, passed: 9, failed: 0, skipped: 0 },
  ...more,
});
const failing = withFacts({ workflow_runs: [testRun({ conclusion: 'failure', job: { conclusion: 'failure' } })] });
const noTests = withFacts({ workflow_runs: [] });
const files =
  (edit: (given: Facts['files']) => Facts['files']) =>
  (given: Facts): Facts => ({ ...given, files: edit(given.files) });
const commit =
  (changes: Partial<Facts['commits'][number]>) =>
  (given: Facts): Facts => ({ ...given, commits: given.commits.map((one) => ({ ...one, ...changes })) });
const body =
  (text: string) =>
  (given: Facts): Facts => ({ ...given, subject: { ...given.subject, body: text } });
const HIGH: GovernedOptions = { risk: 'high' };
/** The pull request of a run whose documents are all left out of it. */
const without = both(withFacts({ files: [changed('src/app.ts')] }), commit({ ledger_changes: [] }));
const always = `${CONFIG_TEXT}runs: { required: always }`;
const config = (text: string): SnapshotEntry => ({ path: '.github/countersign.yml', mode: '100644', text });

const ATTACKS: readonly [string, string, Case][] = [
  [
    'a producer named like an observed fact',
    'pending',
    { project: { more: [authored({ producer: 'github:run:11', gate_ids: ['gate.tests'] })] }, edit: noTests },
  ],
  [
    'evidence by the name of the gate itself',
    'failed',
    { project: { more: [authored({ producer: 'rapid:check', gate_ids: ['gate.tests'] })] }, edit: failing },
  ],
  ['a review record in the ledger in place of a review', 'pending', { project: HIGH }],
  [
    'approval through the name of an author',
    'pending',
    {
      project: HIGH,
      edit: commit({ author: { name: 'ana', email: 'ana@example.com', login: 'ana', id: 2, type: 'user' } }),
    },
  ],
  [
    'approval through a trailer',
    'pending',
    { project: HIGH, edit: commit({ message: 'Add\n\nReviewed-by: ana <ana@example.com>\nApproved-by: ana\n' }) },
  ],
  [
    'a decision in the body',
    'pending',
    {
      config: `${CONFIG_TEXT}scope: { enforce: off }`,
      edit: both(withFiles(changed('AGENTS.md')), body('/countersign approve')),
    },
  ],
  [
    'the workflow renamed away, and another to its place',
    'pending',
    {
      config: `${CONFIG_TEXT}scope: { enforce: off }`,
      project: { tags: ['ci'] },
      edit: both(
        files((all) => [...all, changed(WORKFLOW, { status: 'renamed', old_path: '.github/workflows/easy.yml' })]),
        withFacts({ reviews: [review()] }),
      ),
    },
  ],
  [
    'a job of the same name in another workflow',
    'pending',
    { edit: withFacts({ workflow_runs: [testRun({ path: '.github/workflows/easy.yml' })] }) },
  ],
  [
    'a workflow whose path only looks alike',
    'pending',
    { edit: withFacts({ workflow_runs: [testRun({ path: '.github/workflows/сi.yml' })] }) },
  ],
  [
    'a workflow path with a ref',
    'pending',
    { edit: withFacts({ workflow_runs: [testRun({ path: `${WORKFLOW}@refs/heads/x` })] }) },
  ],
  ['a run without jobs', 'unverified', { edit: withFacts({ workflow_runs: [testRun({ jobs: [] })] }) }],
  [
    'a second run of an easier base in place of a failure',
    'failed',
    {
      edit: withFacts({
        workflow_runs: [
          testRun({ conclusion: 'failure', job: { conclusion: 'failure' } }),
          testRun({ id: 12 }),
          testRun({ id: 13, event: 'push' }),
        ],
      }),
    },
  ],
  [
    'a workflow started by hand',
    'pending',
    { edit: withFacts({ workflow_runs: [testRun({ event: 'workflow_dispatch' })] }) },
  ],
  [
    'a lock in the head',
    'unverified',
    { base: (entries) => entries.filter(({ path }) => !path.endsWith('capabilities.lock')) },
  ],
  [
    'a config in the head that allows self-approval',
    'pending',
    {
      project: HIGH,
      head: setEntry(config(`${CONFIG_TEXT}people: { self_approval: admins }`)),
      edit: both(
        withPeople({ id: 1, login: 'coder', permission: 'admin' }),
        withFacts({ reviews: [review({ user_id: 1, login: 'coder' })] }),
      ),
    },
  ],
  [
    'a config in the head that switches everything off',
    'failed',
    {
      head: setEntry(config('mode: observe\nscope: { enforce: off }\nruns: { required: never }')),
      edit: withFiles(changed('lib/x')),
    },
  ],
  [
    'naming a run of the base that had ended',
    'failed',
    {
      base: (entries) => [
        ...entries,
        ...project()
          .entries()
          .filter(({ path }) => path.includes('/runs/')),
      ],
      edit: both(without, body(`Countersign-Run: ${RUN}`)),
    },
  ],
  [
    'a run named in a quote only',
    'unverified',
    { config: always, edit: both(without, body(`> Countersign-Run: ${RUN}`)) },
  ],
  [
    'a run named in fenced code only',
    'unverified',
    { config: always, edit: both(without, body(`\`\`\`\nCountersign-Run: ${RUN}\n\`\`\``)) },
  ],
  ['a run whose id only looks alike', 'failed', { edit: withFacts({ named_runs: [RUN.replace('o', 'о')] }) }],
  ['a run called __proto__', 'failed', { edit: withFacts({ named_runs: ['__proto__'] }) }],
  [
    'a rename of work among the evidence',
    'failed',
    {
      edit: files((all) => [
        ...all,
        changed(evidence('artifacts/E001/app.ts'), { status: 'renamed', old_path: 'lib/app.ts' }),
      ]),
    },
  ],
  [
    'a rename of work out of the declared paths',
    'failed',
    { edit: files((all) => [...all, changed('lib/app.ts', { status: 'renamed', old_path: 'src/app.ts' })]) },
  ],
  [
    'work in a folder that only looks like the ledger',
    'failed',
    { edit: withFiles(changed('.Rapid-os/evidence/x.ts', { status: 'added' })) },
  ],
  [
    'a policy in other letter case',
    'failed',
    { edit: withFiles(changed('.Rapid-OS/Policy.json', { status: 'added' })) },
  ],
  ['.rapid-os as a submodule', 'incomplete', { head: () => [{ path: '.rapid-os', mode: '160000' }] }],
  ['.rapid-os as a link', 'incomplete', { head: () => [{ path: '.rapid-os', mode: '120000' }] }],
  [
    '.github as a link',
    'pending',
    {
      config: `${CONFIG_TEXT}scope: { enforce: off }`,
      edit: withFiles(changed('.github', { status: 'added', mode: '120000', old_mode: '000000' })),
    },
  ],
  [
    'a state of a huge revision',
    'failed',
    {
      head: (entries) => [
        ...editEntry(
          `.rapid-os/runs/${RUN}/run.json`,
          '"current_state_revision": ',
          '"current_state_revision": 99999999',
        )(entries),
      ],
    },
  ],
  [
    'a state of a huge revision that is there',
    'failed',
    {
      head: (entries) => {
        const moved = editEntry(
          `.rapid-os/runs/${RUN}/run.json`,
          '"current_state_revision": 8',
          '"current_state_revision": 900000000',
        )(entries);
        return setEntry({ path: `.rapid-os/runs/${RUN}/states/900000000.json`, mode: '100644', text: '{}' })(moved);
      },
    },
  ],
  [
    'fewer gates in a contract made by hand',
    'failed',
    {
      project: { until: 'created' },
      head: () =>
        forged((contract) => {
          contract.gates = [];
        }),
    },
  ],
  ['a record that says less than the diff', 'failed', { project: { changed: ['src/app.ts', 'src/never.ts'] } }],
  [
    'a record rewritten by a later commit',
    'failed',
    { edit: commit({ ledger_changes: [{ status: 'modified', path: evidence('records/E001.json') }] }) },
  ],
  [
    'a record deleted by a later commit',
    'failed',
    { edit: commit({ ledger_changes: [{ status: 'deleted', path: evidence('records/E001.json') }] }) },
  ],
  ['a waiver of its own', 'pending', { project: { risk: 'high', waive: { 'gate.review': 'Trust me' } } }],
  ['a task that is skipped', 'pending', { project: { tasks: ['a', 'b'], skip: ['T002'] } }],
  ['no tasks', 'pending', { project: { tasks: [] } }],
  ['research only', 'pending', { project: { mode: 'research' } }],
  [
    'tests deleted',
    'pending',
    {
      config: `${CONFIG_TEXT}scope: { enforce: off }`,
      edit: withFiles(changed('test/a.test.ts', { status: 'deleted' })),
    },
  ],
  ['a path with dots', 'incomplete', { edit: withFiles(changed('src/app.ts/../../AGENTS.md')) }],
  [
    'a 251st commit',
    'incomplete',
    { edit: (given) => ({ ...given, subject: { ...given.subject, commit_count: 251 } }) },
  ],
  [
    'a 3,001st file',
    'incomplete',
    { edit: (given) => ({ ...given, subject: { ...given.subject, file_count: 3001 } }) },
  ],
];

describe('an agent that wants a green verdict', () => {
  it.each(ATTACKS)('tries %s, and gets %s', (_name, outcome, given) => {
    const report = judge(given);
    expect(report.outcome).toBe(outcome);
    expect(report.word).toBe('UNVERIFIED');
  });

  it('finds nothing of this wrong in an honest pull request', () => {
    expect(judge().word).toBe('VERIFIED');
    expect(judge({ project: HIGH, edit: withFacts({ reviews: [review()] }) }).word).toBe('VERIFIED');
  });
});

describe('evidence of another run', () => {
  const other: GovernedOptions = { tasks: ['Write it', 'More of it'] };
  const copied = (path: string) =>
    setEntry(
      project(other)
        .entries()
        .find((entry) => entry.path === path) ?? { path, mode: '100644' },
    );

  it('is bound to contract and state of its own', () => {
    const report = judge({ head: copied(evidence('records/E001.json')) });
    expect(report.outcome).toBe('failed');
    expect(needs(report, 'failed')).toContain('RAPID12');
  });

  it('of another id is refused in this folder', () => {
    const report = judge({
      head: editEntry(evidence('records/E001.json'), `"run_id": "${RUN}"`, '"run_id": "other-run"'),
    });
    expect(report.needs.map((need) => need.what).join()).toContain('RAPID1');
  });
});

describe('ids that are names of every object', () => {
  const odd = ['__proto__', 'constructor', 'toString', 'hasOwnProperty'];
  it.each(odd)('%s as team, path, job, subject, login and gate', (id) => {
    const text = `evidence:\n  tests: { workflows: [{ path: ${WORKFLOW}, jobs: ["${id}"] }] }\n  reviews: { gate.review: { people: [constructor], teams: [constructor] } }`;
    const edit = both(
      withFiles(changed(id)),
      withFacts({
        workflow_runs: [testRun({ job: { name: id } })],
        people: [{ id: 2, login: id, type: 'user', permission: 'write', teams: [id] }],
        decisions: [decision('allow', { subject: id }), decision('confirm-skip', { subject: id })],
        reviews: [review({ login: id })],
        named_runs: [id],
      }),
    );
    const report = judge({ project: HIGH, config: text, edit });
    expect(report.word).toBe('UNVERIFIED');
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  it.each(odd)('%s as a key of the config is refused', (id) => {
    expect(judge({ config: `evidence: { reviews: { "${id}": { people: [a] } } }` }).outcome).toBe('incomplete');
    expect(judge({ config: `"${id}": 1` }).outcome).toBe('incomplete');
  });
});

describe('allowing findings', () => {
  const finding = (id: string, rule: string): Finding => ({
    id,
    rule,
    severity: 'block',
    place: { at: 'repository' },
    message: 'x',
    remedy: 'y',
  });
  const allowing = (subject: string): Facts =>
    facts({ edit: withFacts({ decisions: [decision('allow', { subject })] }) });
  const severities = (given: Facts, ...findings: Finding[]): string[] =>
    withAllowances(given, DEFAULT_CONFIG, findings).map((one) => one.severity);

  it('takes the very id', () => {
    expect(severities(allowing('aa'), finding('aa', 'scope/outside'), finding('bb', 'scope/outside'))).toEqual([
      'note',
      'block',
    ]);
    expect(severities(allowing(''), finding('aa', 'scope/outside'))).toEqual(['block']);
    expect(severities(allowing('a'), finding('aa', 'scope/outside'))).toEqual(['block']);
  });

  it('counts for neither of two findings of one id', () => {
    expect(severities(allowing('aa'), finding('aa', 'scope/outside'), finding('aa', 'secrets/x'))).toEqual([
      'block',
      'block',
    ]);
  });

  it.each(['ledger/rewritten', 'ledger/spent', 'control-plane/edited'])('never covers %s', (rule) => {
    expect(severities(allowing('aa'), finding('aa', rule))).toEqual(['block']);
  });

  it('in a report, at this head, by a permitted person only', () => {
    const outside = withFiles(changed('lib/x.ts'));
    const id = judge({ edit: outside }).findings[0]?.id ?? '';
    const by = (changes: Parameters<typeof decision>[1]) =>
      judge({
        edit: both(
          outside,
          withPeople({ id: 1, login: 'coder' }),
          withFacts({ decisions: [decision('allow', { subject: id, ...changes })] }),
        ),
      }).outcome;
    expect(by({})).toBe('verified');
    expect(by({ head_sha: null })).toBe('failed');
    expect(by({ user_id: 1, login: 'coder' })).toBe('failed');
    expect(by({ edited: true })).toBe('failed');
    expect(by({ until: '2026-11-30' })).toBe('failed');
  });
});

it('a contract approval holds for every run of that very contract, and for no other', () => {
  // Rapid OS leaves the run's id out of a contract's digest: the same text is the same contract.
  const [one, two] = [project({ risk: 'critical' }), project({ risk: 'critical', tasks: ['Something else'] })];
  expect(one.contractDigest).not.toBe(two.contractDigest);
  const edit = withFacts({
    reviews: [review()],
    decisions: [decision('approve-contract', { subject: two.contractDigest, head_sha: HEAD })],
  });
  expect(judge({ project: { risk: 'critical' }, edit }).outcome).toBe('pending');
});

it('thousands of runs in a body end as incomplete', () => {
  const text = Array.from({ length: 5000 }, (_, index) => `Rapid-Run: r${index}`).join('\n');
  expect(judge({ edit: body(text) }).outcome).toBe('incomplete');
});

it('a pattern made to be slow declares nothing', () => {
  const options: GovernedOptions = { paths: [`${'*a'.repeat(3000)}b`, 'src/app.ts'] };
  const report = judge({ project: options, edit: withFiles(changed('a'.repeat(4000))) });
  expect(report.outcome).toBe('failed');
});

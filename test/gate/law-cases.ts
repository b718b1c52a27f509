import fc from 'fast-check';
import type { Facts, Job, WorkflowRun } from '../../src/gate/facts.ts';
import { CONFIG_TEXT, decision, OLDER, review, testRun } from '../support/facts.ts';
import { SEED } from '../support/random.ts';
import { both, changed, facts, project, withFacts, withFiles, withPeople } from './support.ts';
import type { Case } from './support.ts';

export const OFF = `${CONFIG_TEXT}scope: { enforce: off }\n`;
const everything = withFacts({
  reviews: [review(), review({ id: 32, user_id: 50, login: 'bo' })],
  decisions: [
    decision('approve'),
    decision('confirm-tests'),
    decision('confirm-skip'),
    decision('confirm-waiver'),
    decision('allow'),
    decision('approve-contract', {
      subject: project({ risk: 'critical' }).contractDigest,
      source: 'github:comment:42',
    }),
  ],
});
const people = withPeople({ login: 'bo' }, { id: 9, login: 'rita', permission: 'read' });
const job = (changes: Partial<Job>): WorkflowRun => testRun({ id: 12, event: 'push', job: changes });

/** Pull requests of every outcome, with much that could be taken from them. No evidence of theirs fails. */
const CASES: readonly Case[] = [
  {},
  { profile: 'local' },
  { project: { risk: 'critical' }, config: OFF, edit: both(people, everything) },
  {
    project: { risk: 'critical' },
    config: OFF,
    edit: both(
      people,
      everything,
      withFiles(changed('AGENTS.md'), changed('Makefile'), changed('test/a.ts', { status: 'deleted' })),
    ),
  },
  {
    project: { risk: 'high', waive: { 'gate.review': 'x' } },
    edit: both(people, withFacts({ decisions: [decision('confirm-waiver')] })),
  },
  { project: { tasks: ['a', 'b'], skip: ['T002'] }, edit: both(people, everything) },
  {
    project: { risk: 'high' },
    edit: both(
      people,
      withFacts({ reviews: [review({ state: 'changes_requested' }), review({ id: 33, user_id: 50, login: 'bo' })] }),
    ),
  },
  {
    project: { risk: 'high' },
    edit: both(
      people,
      withFacts({ reviews: [review({ id: 30, commit_sha: OLDER }), review({ id: 33, user_id: 9, login: 'rita' })] }),
    ),
  },
  { edit: withFacts({ workflow_runs: [testRun(), job({ conclusion: 'skipped' })] }) },
  { edit: withFacts({ workflow_runs: [testRun(), job({ status: 'queued', conclusion: null })] }) },
  { project: { until: 'active' } },
  { project: { unknown: ['tests.execute'] } },
  {
    config: `${CONFIG_TEXT}runs: { required: always }`,
    edit: withFacts({ files: [changed('src/app.ts')], commits: [] }),
  },
  {
    config: 'runs: { required: never }',
    edit: both(people, withFacts({ files: [changed('AGENTS.md')], commits: [], reviews: [review()] })),
  },
  {
    config: null,
    base: () => [],
    edit: both(
      people,
      withFacts({
        files: [changed('.rapid-os/capabilities.lock', { status: 'added' })],
        commits: [],
        reviews: [review()],
      }),
    ),
  },
  { edit: withFiles(changed('lib/outside.ts')) },
  { edit: withFacts({ unread: [{ what: 'x', why: 'y' }] }) },
];
export const GIVEN: readonly Facts[] = CASES.map((one) => facts(one));
export const anyCase = fc.constantFrom(...GIVEN);
export const options = { seed: SEED, numRuns: 60 } as const;

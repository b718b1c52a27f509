import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decide } from '../../src/gate/decide.ts';
import { factsSchema } from '../../src/gate/facts.ts';
import type { Facts, Job, WorkflowRun } from '../../src/gate/facts.ts';
import { isImpossiblePath } from '../../src/gate/canonical-facts.ts';
import { OUTCOMES } from '../../src/gate/outcome.ts';
import { gateReportSchema } from '../../src/gate/report.ts';
import type { GateReport } from '../../src/gate/report.ts';
import { SEED } from '../support/random.ts';
import { CONFIG_TEXT, decision, OLDER, review, testRun, WORKFLOW } from '../support/facts.ts';
import { both, changed, dropEntry, facts, judged, project, withFacts, withFiles, withPeople } from './support.ts';
import type { Case } from './support.ts';

const OFF = `${CONFIG_TEXT}scope: { enforce: off }\n`;
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
const GIVEN = CASES.map((one) => facts(one));
const anyCase = fc.constantFrom(...GIVEN);
const options = { seed: SEED, numRuns: 60 } as const;

const rank = (report: GateReport): number => OUTCOMES.indexOf(report.outcome);
/** Whether a pull request may pass. */
const good = ({ outcome }: GateReport): boolean => outcome === 'verified' || outcome === 'not-governed';

function neverGood(before: Facts, after: Facts): void {
  if (!good(judged(before)))
    expect(judged(after)).not.toMatchObject({ outcome: expect.stringMatching(/^(verified|not-governed)$/) });
}
function neverBetter(before: Facts, after: Facts): void {
  expect(rank(judged(after))).toBeGreaterThanOrEqual(rank(judged(before)));
}

it('the cases have every outcome among them', () => {
  expect(new Set(GIVEN.map((given) => decide(given).outcome))).toEqual(new Set(OUTCOMES));
});

describe('fewer facts', () => {
  const without = <T>(list: readonly T[], at: number): T[] =>
    list.filter((_, index) => index !== at % Math.max(list.length, 1));

  // Of every case each single fact is taken away: there are few enough. What speaks for the pull request, or says who
  // speaks, never makes it better by being gone.
  it.each([
    [
      'a workflow run whose jobs succeeded',
      (given: Facts, at: number): Facts => ({
        ...given,
        workflow_runs: given.workflow_runs.filter(
          (run, index) => index !== at || run.jobs.some((one) => one.conclusion !== 'success'),
        ),
      }),
    ],
    [
      'an approving review',
      (given: Facts, at: number): Facts => ({
        ...given,
        reviews: given.reviews.filter((one, index) => index !== at || one.state !== 'approved'),
      }),
    ],
    ['a decision', (given: Facts, at: number): Facts => ({ ...given, decisions: without(given.decisions, at) })],
    [
      'a person, of whom then nothing is known',
      (given: Facts, at: number): Facts => ({ ...given, people: without(given.people, at) }),
    ],
  ])('without %s no outcome is better', (_name, drop) => {
    for (const given of GIVEN) for (let at = 0; at < 6; at += 1) neverBetter(given, drop(given, at));
  });

  it('without the last pusher or the author none is better', () => {
    for (const given of GIVEN) {
      const { last_pusher: _gone, ...rest } = given;
      neverBetter(given, rest);
      const { author: _author, ...subject } = given.subject;
      // Who opened it may show an agent, which demands a run: here nobody does.
      neverGood(given, { ...given, subject });
    }
  });

  // A record that fails and was never committed cannot be missed, so this holds for evidence that does not fail. The
  // order of outcomes may change: a run of which less is there is missing rather than wrong.
  it('without a document of the head nothing passes that did not', () => {
    fc.assert(
      fc.property(anyCase, fc.nat(), (given, at) => {
        const entries = without(given.head.entries, at);
        neverGood(given, { ...given, head: { ...given.head, entries } });
      }),
      { ...options, numRuns: 150 },
    );
  });

  it('a document of the run that is gone never leaves it verified', () => {
    const run = project();
    const needed = run.entries().filter(({ path }) => /\/(?:runs|evidence|specs)\//.test(path));
    for (const { path } of needed) {
      const report = judged(facts({ profile: 'local', head: dropEntry(path) }));
      // Records that nothing rests on alone may go: the ledger says less, and still enough.
      if (good(report)) expect(path).toMatch(/\/records\/E00\d\.json$|\/specs\/demo\/spec\.json$/);
    }
  });

  // What the base holds are the rules. A rule that is gone asks for less, so there is no such law for it; but a place
  // that nobody looked at is not taken for an empty one.
  it('without a look at a place of the base nothing passes', () => {
    const covers = [
      '.rapid-os/capabilities.lock',
      '.rapid-os/policy.json',
      '.github/countersign.yml',
      `.rapid-os/runs/${project().runId}`,
    ];
    const narrow = (left: readonly string[]): Facts => {
      const given = facts();
      const entries = given.base.entries.filter(({ path }) =>
        left.some((cover) => path === cover || path.startsWith(`${cover}/`)),
      );
      return { ...given, base: { covers: [...left], entries } };
    };
    expect(judged(narrow(covers)).outcome).toBe('verified');
    for (const gone of covers)
      expect(judged(narrow(covers.filter((cover) => cover !== gone))).outcome).toBe('incomplete');
  });

  it('what is known not to be read makes everything incomplete', () => {
    for (const given of GIVEN)
      expect(judged({ ...given, unread: [...given.unread, { what: 'a', why: 'b' }] }).outcome).toBe('incomplete');
  });
});

describe('less trust', () => {
  // Where somebody objects, the objection loses weight with the person, so this is about pull requests without one.
  const calm = GIVEN.filter((given) => given.reviews.every((one) => one.state !== 'changes_requested'));

  it('in people makes no outcome better', () => {
    for (const given of calm) {
      for (const permission of ['none', 'read', 'triage'] as const)
        neverBetter(given, { ...given, people: given.people.map((one) => ({ ...one, permission })) });
      for (const type of ['bot', 'app', 'unknown'] as const)
        neverBetter(given, { ...given, people: given.people.map((one) => ({ ...one, type })) });
    }
  });

  it('in decisions makes no outcome better', () => {
    for (const given of GIVEN) {
      neverBetter(given, { ...given, decisions: given.decisions.map((one) => ({ ...one, edited: true })) });
      neverBetter(given, { ...given, decisions: given.decisions.map((one) => ({ ...one, until: '2020-01-01' })) });
      neverBetter(given, {
        ...given,
        reviews: given.reviews.map((one) => (one.state === 'approved' ? { ...one, commit_sha: OLDER } : one)),
      });
    }
  });

  it('that the config asks for more of makes no outcome better', () => {
    const stricter = [
      'evidence: { trust: { gate.tests: platform } }',
      'evidence: { trust: { gate.tests: reexecuted } }',
      'people: { permission: admin }',
      'control_plane: { approvers: { people: [nobody] } }',
      'evidence: { reviews: { gate.review: { teams: [none] } } }',
      'evidence: { final_verification: review }',
    ];
    for (const given of calm) {
      for (const text of stricter) {
        const after = { ...given, organisation_config: { state: 'read', text, source: 'acme/.github' } } as const;
        if (judged(given).outcome !== 'not-governed') neverGood(given, after);
      }
    }
  });
});

describe('more failing evidence', () => {
  const failing: readonly ((given: Facts) => Facts)[] = [
    (given) => ({
      ...given,
      workflow_runs: [
        ...given.workflow_runs,
        testRun({ id: 90, conclusion: 'failure', job: { conclusion: 'failure' } }),
      ],
    }),
    (given) => ({
      ...given,
      workflow_runs: [...given.workflow_runs, testRun({ id: 1, event: 'push', job: { conclusion: 'timed_out' } })],
    }),
    (given) => ({
      ...given,
      reviews: [...given.reviews, review({ id: 90, user_id: 77, login: 'new', state: 'changes_requested' })],
    }),
    (given) => ({
      ...given,
      reviews: [...given.reviews, review({ id: 90, state: 'changes_requested', submitted_at: '2026-12-01T11:30:00Z' })],
    }),
    (given) => ({
      ...given,
      rerun: { ran: true, command: ['x'], exit_code: 1, head_sha: given.subject.head.sha ?? OLDER },
    }),
    (given) => ({ ...given, rerun: { ran: false, why: 'x' } }),
    (given) => ({
      ...given,
      commits: given.commits.map((one) => ({
        ...one,
        ledger_changes: [
          ...one.ledger_changes,
          { status: 'modified', path: `.rapid-os/runs/${project().runId}/contract.json` },
        ],
      })),
    }),
    (given) => ({ ...given, named_runs: [...given.named_runs, 'no-such-run'] }),
  ];
  it.each(failing.map((more, index) => [index, more] as const))('makes no outcome better (%s)', (_index, more) => {
    for (const given of GIVEN) neverBetter(given, more(given));
  });
});

describe('a larger diff', () => {
  const segment = fc.constantFrom(
    'src',
    'test',
    '.github',
    'workflows',
    'auth',
    'AGENTS.md',
    'a.ts',
    'a.test.ts',
    'Makefile',
    'ü',
    'x y',
    '.rapid-os',
    'policy.json',
    'package.json',
    '__proto__',
    'migrations',
  );
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));
  const file = fc.record({
    path,
    status: fc.constantFrom('added', 'modified', 'deleted', 'type-changed'),
    mode: fc.constantFrom('100644', '120000', '160000'),
    old_mode: fc.constant('100644'),
  } as const);

  // Of files that no record names, since a record of a file that is not changed fails; outside runs and evidence, since
  // those name a run; and where work is changed already, since a change of files is evidence of one capability.
  it('makes no outcome better', () => {
    fc.assert(
      fc.property(anyCase, fc.array(file, { minLength: 1, maxLength: 4 }), (given, more) =>
        neverBetter(given, { ...given, files: [...given.files, ...more] }),
      ),
      options,
    );
  });
});

describe('decide is a function', () => {
  const shuffled = <T>(list: readonly T[], order: readonly number[]): T[] =>
    list
      .map((item, index) => ({ item, key: order[index % order.length] ?? 0 }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);

  it('of what the facts say, in whatever order', () => {
    fc.assert(
      fc.property(anyCase, fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 }), (given, order) => {
        const mixed: Facts = {
          ...given,
          files: shuffled(given.files, order),
          workflow_runs: shuffled(given.workflow_runs, order),
          reviews: shuffled(given.reviews, order),
          decisions: shuffled(given.decisions, order),
          people: shuffled(given.people, order),
          named_runs: shuffled(given.named_runs, order),
          base: { covers: given.base.covers, entries: shuffled(given.base.entries, order) },
          head: { covers: given.head.covers, entries: shuffled(given.head.entries, order) },
          commits: given.commits.map((commit) => ({
            ...commit,
            ledger_changes: shuffled(commit.ledger_changes, order),
          })),
        };
        expect(decide(mixed)).toEqual(decide(given));
      }),
      options,
    );
  });

  it('that leaves its facts as they are', () => {
    for (const given of GIVEN) {
      const before = JSON.stringify(given);
      decide(given);
      expect(JSON.stringify(given)).toBe(before);
    }
  });

  it('of time only through dates that mean something', () => {
    for (const given of GIVEN) {
      const later = decide({ ...given, now: '2031-05-06T07:08:09Z' });
      expect(later.report_digest).toBe(decide(given).report_digest);
      expect(later.evaluated_at).not.toBe(given.now);
    }
    const promoting = facts({ config: `${CONFIG_TEXT}mode: warn\npromote: { to: enforce, on: 2027-01-01 }` });
    expect(decide({ ...promoting, now: '2027-01-01T00:00:00Z' }).report_digest).not.toBe(
      decide(promoting).report_digest,
    );
    const expiring = facts({
      config: OFF,
      edit: both(
        withFiles(changed('AGENTS.md')),
        withFacts({ decisions: [decision('approve', { until: '2026-12-31' })] }),
      ),
    });
    expect(decide(expiring).outcome).toBe('verified');
    expect(decide({ ...expiring, now: '2027-01-01T00:00:00Z' }).outcome).toBe('pending');
  });
});

describe('whatever passes the schema of facts', () => {
  const hostile = fc.constantFrom(
    '',
    '..',
    '__proto__',
    '\ud800',
    '\u202e',
    '\0',
    '/',
    'a/../b',
    '.rapid-os',
    '.rapid-os/runs//x',
    `.rapid-os/runs/${project().runId}/run.json`,
    'x'.repeat(5000),
    '{',
    '[]',
    'null',
    '```',
    WORKFLOW,
    '.github/countersign.yml',
    'Countersign-Run: a',
  );
  const value = fc.oneof(
    hostile,
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1e15,
      [],
      {},
      'deleted',
      'renamed',
      'copied',
      '120000',
      '160000',
      'f'.repeat(40),
      'github',
      'local',
      'working-tree',
      'bot',
      '2026-12-01T00:00:00+14:00',
    ),
    fc.string(),
  );

  it('gives a report that follows its own', () => {
    let tried = 0;
    fc.assert(
      fc.property(
        anyCase,
        fc.array(fc.tuple(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 6 }), value), {
          minLength: 1,
          maxLength: 3,
        }),
        (given, edits) => {
          const copy: unknown = JSON.parse(JSON.stringify(given));
          for (const [way, put] of edits) mutate(copy, way, put);
          const parsed = factsSchema.safeParse(copy);
          if (!parsed.success) return;
          tried += 1;
          const report = decide(parsed.data);
          gateReportSchema.parse(report);
          if (parsed.data.files.some(({ path }) => isImpossiblePath(path))) expect(report.outcome).toBe('incomplete');
        },
      ),
      { ...options, numRuns: 600 },
    );
    expect(tried).toBeGreaterThan(100);
  });
});

/** Replaces something somewhere inside, or takes it away. */
function mutate(at: unknown, way: readonly number[], put: unknown): void {
  if (typeof at !== 'object' || at === null) return;
  const keys = Object.keys(at);
  const key = keys[(way[0] ?? 0) % Math.max(keys.length, 1)];
  if (key === undefined) return;
  const inner: unknown = Reflect.get(at, key);
  if (way.length > 1 && typeof inner === 'object' && inner !== null) mutate(inner, way.slice(1), put);
  else if (put === true && Array.isArray(at)) at.splice(Number(key), 1);
  else if (put === true) Reflect.deleteProperty(at, key);
  else Reflect.set(at, key, put);
}

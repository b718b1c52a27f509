import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decide } from '../../src/gate/decide.ts';
import type { Facts } from '../../src/gate/facts.ts';
import { OUTCOMES } from '../../src/gate/outcome.ts';
import type { GateReport } from '../../src/gate/report.ts';
import { OLDER, review, testRun } from '../support/facts.ts';
import { anyCase, GIVEN, options } from './law-cases.ts';
import { dropEntry, facts, judged, project } from './support.ts';

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
      '.rapid-os/harnesses',
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

import { describe, expect, it } from '@jest/globals';
import type { Facts, Identity, Person, ReviewFacts } from '../../src/gate/facts.ts';
import type { Outcome } from '../../src/gate/outcome.ts';
import type { GovernedOptions } from '../support/governed.ts';
import { CONFIG_TEXT, decision, OLDER, review } from '../support/facts.ts';
import { assertionOf, both, judge, needs, project, rulesOf, withFacts, withPeople } from './support.ts';

const HIGH: GovernedOptions = { risk: 'high' };
const MIGRATION: GovernedOptions = { tags: ['migration'] };
const SECURITY: GovernedOptions = { tags: ['security'] };
const CRITICAL: GovernedOptions = { risk: 'critical' };

const reviews = (...given: ReviewFacts[]) => withFacts({ reviews: given });
const person = (changes: Partial<Person>): Partial<Person> => ({ id: 5, login: 'bo', ...changes });
const byBo = (changes: Partial<ReviewFacts> = {}): ReviewFacts =>
  review({ id: 35, user_id: 5, login: 'bo', ...changes });

function asCommitter(identity: Partial<Identity>): (given: Facts) => Facts {
  return (given) => ({
    ...given,
    commits: given.commits.map((commit) => ({ ...commit, author: { ...commit.author, ...identity } })),
  });
}

describe('gate.review on the github profile', () => {
  const rows: readonly [string, (given: Facts) => Facts, Outcome][] = [
    ['approved', reviews(review()), 'verified'],
    ['none yet, whatever the committed review record says', reviews(), 'pending'],
    ['only a comment', reviews(review({ state: 'commented' })), 'pending'],
    ['a draft', reviews(review({ state: 'pending' })), 'pending'],
    ['changes requested', reviews(review({ state: 'changes_requested' })), 'failed'],
    [
      'changes requested at an older head',
      reviews(review({ state: 'changes_requested', commit_sha: OLDER })),
      'failed',
    ],
    [
      'changes requested, then dismissed',
      reviews(review({ state: 'changes_requested' }), review({ id: 32, state: 'dismissed' })),
      'pending',
    ],
    [
      'changes requested, then approved',
      reviews(review({ state: 'changes_requested' }), review({ id: 32 })),
      'verified',
    ],
    ['approved, then changes requested', reviews(review(), review({ id: 32, state: 'changes_requested' })), 'failed'],
    ['approved, then a comment', reviews(review(), review({ id: 32, state: 'commented' })), 'verified'],
    ['approved, then dismissed', reviews(review(), review({ id: 32, state: 'dismissed' })), 'pending'],
    ['approved at an older head', reviews(review({ commit_sha: OLDER })), 'pending'],
    ['approved at no head', reviews(review({ commit_sha: null })), 'pending'],
    [
      'approved at an older head and commented at this',
      reviews(review({ commit_sha: OLDER }), review({ id: 32, state: 'commented' })),
      'pending',
    ],
    ['by a bot', both(withPeople(person({ type: 'bot', permission: 'admin' })), reviews(byBo())), 'pending'],
    ['by an app', both(withPeople(person({ type: 'app', permission: 'admin' })), reviews(byBo())), 'pending'],
    [
      'by the author',
      both(withPeople({ id: 1, login: 'coder' }), reviews(byBo({ user_id: 1, login: 'coder' }))),
      'pending',
    ],
    ['by a committer', both(asCommitter({ id: 2, login: 'ana' }), reviews(review())), 'pending'],
    [
      'by the last pusher',
      both(withFacts({ last_pusher: { name: 'Ana', email: '', type: 'user', id: 2 } }), reviews(review())),
      'pending',
    ],
    ['by a reader', both(withPeople(person({ permission: 'read' })), reviews(byBo())), 'pending'],
    ['by someone in triage', both(withPeople(person({ permission: 'triage' })), reviews(byBo())), 'pending'],
    ['by someone unknown', reviews(byBo()), 'pending'],
    ['by someone unknown with a known login', reviews(review({ user_id: 77 })), 'pending'],
    [
      'one approves, another requests changes',
      both(withPeople(person({})), reviews(review(), byBo({ state: 'changes_requested' }))),
      'failed',
    ],
    [
      'a reader requests changes',
      both(withPeople(person({ permission: 'read' })), reviews(review(), byBo({ state: 'changes_requested' }))),
      'verified',
    ],
    [
      'a bot requests changes',
      both(withPeople(person({ type: 'bot' })), reviews(review(), byBo({ state: 'changes_requested' }))),
      'verified',
    ],
    ['someone unknown requests changes', reviews(review(), byBo({ state: 'changes_requested' })), 'failed'],
    [
      'someone requests changes whose address was written into a commit',
      both(
        withPeople(person({})),
        asCommitter({ id: 5, login: 'bo' }),
        reviews(review(), byBo({ state: 'changes_requested' })),
      ),
      'failed',
    ],
    ['a decision in a comment is no review', withFacts({ decisions: [decision('approve')] }), 'pending'],
  ];
  it.each(rows)('%s', (_name, edit, outcome) => {
    const report = judge({ project: HIGH, edit });
    expect(report.outcome).toBe(outcome);
    expect(assertionOf(report, 'gate.review').standing).toBe(outcome === 'verified' ? 'satisfied' : outcome);
  });

  it('names the review', () => {
    const one = assertionOf(judge({ project: HIGH, edit: reviews(review()) }), 'gate.review');
    expect(one).toMatchObject({ trust: 'platform', evidence: ['E003', 'github:review:31'] });
  });

  it('says whose reviews do not count', () => {
    expect(needs(judge({ project: HIGH, edit: reviews(review({ commit_sha: OLDER }), byBo()) }), 'pending')).toContain(
      "Not counted: ana approved an older head (cccccccc); nothing is known of bo's permission.",
    );
  });

  it('holds a committed record that rejects against an approval', () => {
    const more = [
      {
        kind: 'review',
        producer: 'user',
        summary: 'x',
        gate_ids: ['gate.review'],
        payload: { review_type: 'peer', outcome: 'changes_requested', reviewer: 'bo' },
      },
    ];
    expect(judge({ project: { ...HIGH, more }, edit: reviews(review()) }).outcome).toBe('failed');
  });

  it('needs no record in the ledger', () => {
    expect(judge({ project: { ...HIGH, without: ['gate.review'] }, edit: reviews(review()) }).outcome).toBe('verified');
  });
});

describe('who has to review', () => {
  const config = `${CONFIG_TEXT}  reviews: { gate.security-review: [{ teams: [security] }, { people: [bo] }] }`;
  it.each([
    ['nobody of them', [], {}, 'pending'],
    ['one of two demands', ['security'], {}, 'pending'],
    ['both demands', ['security'], { reviews: true }, 'verified'],
    ['another team', ['Security'], { reviews: true }, 'pending'],
  ] as const)('%s', (_name, teams, more, outcome) => {
    const edit = both(
      withFacts({ people: [{ id: 2, login: 'ana', type: 'user', permission: 'write', teams: [...teams] }] }),
      withPeople(person({})),
      reviews(review(), ...('reviews' in more ? [byBo()] : [])),
    );
    expect(judge({ project: SECURITY, config, edit }).outcome).toBe(outcome);
  });

  it('does not bind another gate', () => {
    expect(judge({ project: HIGH, config, edit: reviews(review()) }).outcome).toBe('verified');
  });
});

describe('the other review gates', () => {
  it.each([
    ['gate.migration-review', MIGRATION],
    ['gate.security-review', SECURITY],
  ] as const)('%s', (gate, options) => {
    expect(assertionOf(judge({ project: options }), gate).standing).toBe('pending');
    expect(assertionOf(judge({ project: options, edit: reviews(review()) }), gate).standing).toBe('satisfied');
    expect(
      judge({ project: options, profile: 'local', edit: reviews(review({ state: 'changes_requested' })) }).outcome,
    ).toBe('verified');
  });
});

describe('self-approval', () => {
  const own = both(
    withFacts({ people: [{ id: 1, login: 'coder', type: 'user', permission: 'admin', teams: [] }] }),
    reviews(review({ user_id: 1, login: 'coder' })),
  );
  const config = `${CONFIG_TEXT}people: { self_approval: admins }`;

  it('counts only where the base allows it, and the verdict shows it', () => {
    expect(judge({ project: HIGH, edit: own }).outcome).toBe('pending');
    const report = judge({ project: HIGH, config, edit: own });
    expect(report.headline).toMatch(/^VERIFIED \(.*with self-approval\)$/);
    expect(report.notes.join()).toContain('coder had a hand in it');
    expect(assertionOf(report, 'gate.review').reason).toContain('self-approval');
  });

  it('is not allowed by the config of the head', () => {
    const head = (entries: Facts['head']['entries']): Facts['head']['entries'] =>
      entries.map((entry) => (entry.path === '.github/countersign.yml' ? { ...entry, text: config } : entry));
    expect(judge({ project: HIGH, head, edit: own }).outcome).toBe('pending');
  });

  it('shows for decisions too', () => {
    const edit = both(
      own,
      reviews(review({ user_id: 1, login: 'coder' })),
      withFacts({
        decisions: [
          decision('approve-contract', { user_id: 1, login: 'coder', subject: project(CRITICAL).contractDigest }),
        ],
      }),
    );
    expect(judge({ project: CRITICAL, config, edit }).headline).toContain('self-approval');
  });
});

describe('gate.manual-approval', () => {
  const digest = project(CRITICAL).contractDigest;
  const approving = (changes: Parameters<typeof decision>[1] = {}) =>
    both(
      reviews(review()),
      withPeople(person({}), { id: 9, login: 'rita', permission: 'read' }, { id: 1, login: 'coder' }),
      withFacts({ decisions: [decision('approve-contract', { subject: digest, ...changes })] }),
    );

  it.each([
    ['by a permitted person', {}, 'verified'],
    ['at an older head: it is bound to the contract', { head_sha: OLDER }, 'verified'],
    ['of another contract', { subject: 'f'.repeat(64) }, 'pending'],
    ['of no contract', { subject: '' }, 'pending'],
    ['of a prefix of the digest', { subject: digest.slice(0, 12) }, 'pending'],
    ['of the run', { subject: project(CRITICAL).runId }, 'pending'],
    ['by the author', { user_id: 1, login: 'coder' }, 'pending'],
    ['by a reader', { user_id: 9, login: 'rita' }, 'pending'],
    ['edited', { edited: true }, 'pending'],
    ['run out', { until: '2026-11-30' }, 'pending'],
  ] as const)('approved %s', (_name, changes, outcome) => {
    expect(judge({ project: CRITICAL, edit: approving(changes) }).outcome).toBe(outcome);
  });

  it('is not given by a review', () => {
    const report = judge({ project: CRITICAL, edit: reviews(review()) });
    expect(assertionOf(report, 'gate.manual-approval').standing).toBe('pending');
    expect(assertionOf(report, 'gate.review').standing).toBe('satisfied');
  });

  it('asks those whom the config names', () => {
    const config = `${CONFIG_TEXT}  reviews: { gate.manual-approval: { people: [bo] } }`;
    expect(needs(judge({ project: CRITICAL, config, edit: approving() }), 'pending')).toContain(
      'an approval of the contract by bo',
    );
    expect(judge({ project: CRITICAL, config, edit: approving({ user_id: 5, login: 'bo' }) }).outcome).toBe('verified');
  });

  it('rests on the ledger on the local profile', () => {
    const report = judge({ project: CRITICAL, profile: 'local' });
    expect(assertionOf(report, 'gate.manual-approval')).toMatchObject({ standing: 'satisfied', trust: 'declared' });
  });
});

describe('gate.final-verification', () => {
  it('waits for everything else', () => {
    expect(assertionOf(judge(), 'gate.final-verification')).toMatchObject({ standing: 'satisfied', trust: 'platform' });
    const waiting = judge({ edit: withFacts({ workflow_runs: [] }) });
    expect(assertionOf(waiting, 'gate.final-verification').standing).toBe('pending');
    const missing = judge({ project: { without: ['T001'] } });
    expect(assertionOf(missing, 'gate.final-verification').standing).toBe('unverified');
    expect(missing.outcome).toBe('unverified');
  });

  it('needs a review besides where the config says so', () => {
    const config = `${CONFIG_TEXT}  final_verification: review`;
    expect(judge({ config }).outcome).toBe('pending');
    expect(judge({ config, edit: reviews(review({ state: 'changes_requested' })) }).outcome).toBe('failed');
    const report = judge({ config, edit: reviews(review()) });
    expect(report.outcome).toBe('verified');
    expect(assertionOf(report, 'gate.final-verification').evidence).toContain('github:review:31');
    const waiting = judge({ config, edit: both(reviews(review()), withFacts({ workflow_runs: [] })) });
    expect(assertionOf(waiting, 'gate.final-verification').standing).toBe('pending');
  });

  it('fails where the ledger rejects it', () => {
    const more = [
      {
        kind: 'review',
        producer: 'user',
        summary: 'x',
        gate_ids: ['gate.final-verification'],
        payload: { review_type: 'final', outcome: 'rejected', reviewer: 'bo' },
      },
    ];
    expect(judge({ project: { more } }).outcome).toBe('failed');
  });

  it('is the ledger alone on the local profile', () => {
    expect(assertionOf(judge({ profile: 'local' }), 'gate.final-verification').trust).toBe('declared');
    expect(judge({ profile: 'local', project: { without: ['gate.final-verification'] } }).outcome).toBe('unverified');
  });
});

describe('what only the ledger can say', () => {
  it.each([
    ['a task without evidence', { without: ['T001'] }, 'task.T001.evidence', 'unverified'],
    ['a run that goes on', { until: 'active' }, 'run.lifecycle', 'unverified'],
    ['a run that is done and not finished', { until: 'done' }, 'run.lifecycle', 'unverified'],
    ['no word of the workspace', { without: ['workspace'] }, 'capability.workspace.current.observed', 'unverified'],
    [
      'isolation without evidence',
      { ...HIGH, without: ['workspace'] },
      'gate.gate.workspace-isolation.evidence',
      'unverified',
    ],
  ] as const)('%s', (_name, options, id, standing) => {
    for (const profile of ['github', 'local'] as const) {
      const report = judge({ project: options, profile, edit: reviews(review()) });
      const one = report.runs[0]?.assertions.find((assertion) => assertion.id === id);
      expect(one).toMatchObject({ standing, trust: 'declared' });
      expect(report.outcome).toBe('unverified');
    }
  });

  it('is counted as declared', () => {
    const report = judge({ project: HIGH, edit: reviews(review()) });
    expect(assertionOf(report, 'gate.workspace-isolation')).toMatchObject({ standing: 'satisfied', trust: 'declared' });
    expect(assertionOf(report, 'T001').trust).toBe('declared');
    expect(rulesOf(report)).toEqual([]);
  });
});

describe('files', () => {
  it('are seen by the platform, whatever the ledger says', () => {
    const report = judge({ project: { without: ['file_change'] } });
    expect(assertionOf(report, 'repository.write')).toMatchObject({
      standing: 'satisfied',
      trust: 'platform',
      evidence: ['github:files'],
    });
    expect(judge({ profile: 'local', project: { without: ['file_change'] } }).outcome).toBe('unverified');
  });

  it('must be there: a record of others contradicts them', () => {
    for (const profile of ['github', 'local'] as const) {
      const report = judge({ profile, project: { changed: ['src/app.ts', 'src/b.ts', 'src/c.ts'] } });
      expect(report.outcome).toBe('failed');
      expect(needs(report, 'failed')).toContain('which the pull request does not change: src/b.ts, src/c.ts.');
    }
  });

  it('count under both names of a rename', () => {
    const edit = (given: Facts): Facts => ({
      ...given,
      files: [
        ...given.files.filter(({ path }) => path !== 'src/app.ts'),
        { status: 'renamed', path: 'src/new.ts', old_path: 'src/app.ts', mode: '100644', old_mode: '100644' },
      ],
    });
    expect(needs(judge({ edit }), 'failed')).not.toContain('Evidence E003');
  });

  it('are not compared with records that the base holds', () => {
    const options: GovernedOptions = { changed: ['src/b.ts'], until: 'finished' };
    const report = judge({
      project: options,
      base: (entries) => [
        ...entries,
        ...project(options)
          .entries()
          .filter(({ path }) => path.includes('/records/')),
      ],
    });
    expect(needs(report, 'failed')).toBe('');
  });
});

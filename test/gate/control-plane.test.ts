import { describe, expect, it } from '@jest/globals';
import type { DecisionFacts, Facts, FileChange, SnapshotEntry } from '../../src/gate/facts.ts';
import { CONFIG_TEXT, decision, OLDER, review } from '../support/facts.ts';
import {
  both,
  changed,
  dropEntry,
  judge,
  needs,
  rulesOf,
  setEntry,
  withFacts,
  withFiles,
  withPeople,
} from './support.ts';
import type { Case } from './support.ts';

const OFF = `${CONFIG_TEXT}scope: { enforce: off }\n`;
const LOCK = '.rapid-os/capabilities.lock';
const bare = (...files: FileChange[]) => withFacts({ files, commits: [] });
const deciding = (...decisions: DecisionFacts[]) => withFacts({ decisions });
const outcome = (edit: (given: Facts) => Facts, config = OFF, more: Case = {}): string =>
  judge({ config, ...more, edit: both(withFiles(changed('AGENTS.md')), edit) }).outcome;

describe('an edit of the control plane', () => {
  it('waits for a person', () => {
    const report = judge({
      config: OFF,
      edit: withFiles(changed('AGENTS.md'), changed('CLAUDE.md', { status: 'deleted' })),
    });
    expect(report.outcome).toBe('pending');
    expect(rulesOf(report)).toEqual(['control-plane/edited']);
    expect(needs(report, 'pending')).toBe('The pull request changes files that govern the gate: AGENTS.md, CLAUDE.md.');
    expect(report.needs[0]?.who).toBe('person');
  });

  it.each([
    ['an approving review', withFacts({ reviews: [review()] }), 'verified'],
    ['a decision', deciding(decision('approve')), 'verified'],
    ['an approving review at an older head', withFacts({ reviews: [review({ commit_sha: OLDER })] }), 'pending'],
    ['a decision at an older head', deciding(decision('approve', { head_sha: OLDER })), 'pending'],
    ['an edited decision', deciding(decision('approve', { edited: true })), 'pending'],
    [
      'a decision of another kind',
      deciding(decision('approve-contract'), decision('confirm-tests'), decision('allow')),
      'pending',
    ],
    ['a decision about something else', deciding(decision('approve', { subject: 'demo-r1-run-001' })), 'pending'],
    ['a review that was dismissed', withFacts({ reviews: [review({ state: 'dismissed' })] }), 'pending'],
    ['a comment', withFacts({ reviews: [review({ state: 'commented' })] }), 'pending'],
    [
      'the author',
      both(
        withPeople({ id: 1, login: 'coder', permission: 'admin' }),
        deciding(decision('approve', { user_id: 1, login: 'coder' })),
      ),
      'pending',
    ],
    [
      'a reader',
      both(
        withFacts({ people: [{ id: 2, login: 'ana', type: 'user', permission: 'read', teams: [] }] }),
        withFacts({ reviews: [review()] }),
      ),
      'pending',
    ],
    [
      'a bot',
      both(
        withFacts({ people: [{ id: 2, login: 'ana', type: 'bot', permission: 'admin', teams: [] }] }),
        withFacts({ reviews: [review()] }),
      ),
      'pending',
    ],
  ])('approved by %s', (_name, edit, expected) => {
    expect(outcome(edit)).toBe(expected);
    expect(outcome(edit, OFF, { profile: 'local' })).toBe(expected);
  });

  it('says whose word does not count', () => {
    const report = judge({
      config: OFF,
      edit: both(
        withFiles(changed('AGENTS.md')),
        deciding(decision('approve', { edited: true })),
        withFacts({ reviews: [review({ commit_sha: OLDER })] }),
      ),
    });
    expect(needs(report, 'pending')).toContain(
      'Not counted: the comment was edited; ana approved an older head (cccccccc).',
    );
  });

  it('asks those whom the config names, each of them', () => {
    const config = `${OFF}control_plane: { approvers: [{ teams: [platform] }, { people: [bo] }] }`;
    const people = (...teams: string[]) =>
      withFacts({ people: [{ id: 2, login: 'ana', type: 'user', permission: 'write', teams }] });
    const approvals = withFacts({
      reviews: [review()],
      decisions: [decision('approve', { user_id: 50, login: 'bo' })],
    });
    expect(outcome(both(people(), withPeople({ login: 'bo' }), approvals), config)).toBe('pending');
    expect(outcome(both(people('platform'), approvals), config)).toBe('pending');
    expect(outcome(both(people('platform'), withPeople({ login: 'bo' }), approvals), config)).toBe('verified');
    const open = judge({
      config,
      edit: both(withFiles(changed('AGENTS.md')), people('platform'), withFacts({ reviews: [review()] })),
    });
    expect(open.needs[0]?.how).toContain('by bo');
    expect(open.control_plane.approved_by).toEqual(['ana']);
  });

  it('touches what is moved away, and what is moved there', () => {
    for (const [path, old_path] of [
      ['docs/old.yml', '.github/workflows/ci.yml'],
      ['.github/workflows/x.yml', 'docs/x.yml'],
    ] as const) {
      expect(
        judge({ config: 'runs: { required: never }', edit: bare(changed(path, { status: 'renamed', old_path })) })
          .outcome,
      ).toBe('pending');
    }
    expect(
      judge({
        config: 'runs: { required: never }',
        edit: bare(changed('docs/x.yml', { status: 'copied', old_path: '.github/workflows/ci.yml' })),
      }).outcome,
    ).toBe('not-governed');
  });

  it('is also an edit of what the config adds, in any letter case', () => {
    const config =
      'runs: { required: never }\ncontrol_plane: { paths: ["Deploy/**", scripts/release.sh] }\nsecrets: { baseline: sec/known.json }';
    for (const path of ['Deploy/a', 'deploy/A', 'scripts/Release.sh', 'sec/known.json', 'Deploy']) {
      expect(judge({ config, edit: bare(changed(path)) }).outcome).toBe('pending');
    }
    expect(judge({ config, edit: bare(changed('deployment/a')) }).outcome).toBe('not-governed');
  });

  it('counts the approvals of many files once, and shows few of them', () => {
    const many = Array.from({ length: 300 }, (_, index) => changed(`d${String(index).padStart(3, '0')}/AGENTS.md`));
    const report = judge({ config: 'runs: { required: never }', edit: bare(...many) });
    expect(report.needs).toHaveLength(1);
    expect(report.needs[0]?.what).toContain('d004/AGENTS.md and 295 more.');
    expect(report.findings).toHaveLength(300);
  });
});

describe('where nothing governs yet', () => {
  const none: Case = { config: null, base: () => [] };
  const head =
    (...paths: string[]) =>
    (): SnapshotEntry[] =>
      paths.map((path) => ({ path, mode: '100644' as const, text: '' }));

  it('edits are notes', () => {
    const report = judge({
      ...none,
      head: head(),
      edit: bare(changed('AGENTS.md'), changed('.rapid-os/policy.json', { status: 'added' })),
    });
    expect(report.outcome).toBe('not-governed');
    expect(report.findings.map(({ severity, rule }) => [severity, rule])).toEqual([
      ['note', 'control-plane/ungoverned'],
      ['note', 'control-plane/ungoverned'],
    ]);
  });

  it.each([LOCK, '.github/countersign.yml'])('bringing %s in says bootstrap and needs an approval', (path) => {
    const edit = bare(changed(path, { status: 'added' }));
    const report = judge({ ...none, head: head(path), edit });
    expect(report.outcome).toBe('pending');
    expect(report.control_plane.situation).toBe('bootstrap');
    expect(rulesOf(report)).toEqual(['control-plane/bootstrap']);
    expect(needs(report, 'pending')).toContain('brings the gate in');
    expect(judge({ ...none, head: head(path), edit: both(edit, withFacts({ reviews: [review()] })) }).outcome).toBe(
      'not-governed',
    );
    expect(
      judge({
        ...none,
        head: head(path),
        edit: both(
          edit,
          withPeople({ id: 1, login: 'coder', permission: 'admin' }),
          deciding(decision('approve', { user_id: 1, login: 'coder' })),
        ),
      }).outcome,
    ).toBe('pending');
  });

  it('a config that allows self-approval does not apply to the pull request that brings it in', () => {
    const text = 'people: { self_approval: admins }';
    const edit = both(
      bare(changed('.github/countersign.yml', { status: 'added' })),
      withPeople({ id: 1, login: 'coder', permission: 'admin' }),
      deciding(decision('approve', { user_id: 1, login: 'coder' })),
    );
    expect(
      judge({ ...none, head: () => [{ path: '.github/countersign.yml', mode: '100644', text }], edit }).outcome,
    ).toBe('pending');
  });

  it('a run beside the first lock is not verified by it', () => {
    const report = judge({
      project: { paths: ['src/app.ts', LOCK] },
      config: null,
      base: () => [],
      edit: both(withFiles(changed(LOCK, { status: 'added' })), withFacts({ reviews: [review()] })),
    });
    expect(report.outcome).toBe('unverified');
    expect(needs(report, 'unverified')).toContain('The base has no');
  });
});

describe('taking the gate away', () => {
  it.each([LOCK, '.github/countersign.yml'])('%s', (path) => {
    const report = judge({
      config: 'runs: { required: never }',
      head: dropEntry(path),
      edit: bare(changed(path, { status: 'deleted', mode: '000000' })),
    });
    expect(report.control_plane.situation).toBe('governed');
    expect(report.outcome).toBe('pending');
  });

  it('is governed where the rules at the base cannot even be read', () => {
    const report = judge({
      config: null,
      base: () => setEntry({ path: LOCK, mode: '100644', text: '{' })([]),
      head: () => [],
      edit: bare(changed(LOCK)),
    });
    expect(report.control_plane.situation).toBe('governed');
    expect(report.outcome).toBe('incomplete');
  });
});

import { describe, expect, it } from '@jest/globals';
import { LEDGER_RULES } from '../../src/gate/append-only.ts';
import type { Facts, LedgerChange } from '../../src/gate/facts.ts';
import type { GovernedOptions } from '../support/governed.ts';
import { OLDER } from '../support/facts.ts';
import { both, changed, judge, needs, project, rulesOf, setEntry, withFiles } from './support.ts';

const RUN = project().runId;
const RECORD = `.rapid-os/runs/${RUN}/run.json`;
const record = (revision: number, more: object = {}): string =>
  JSON.stringify({ schema_version: 1, id: RUN, current_state_revision: revision, ...more });

/** Adds a commit, before the head, that changes the ledger. */
function withCommit(...ledger_changes: LedgerChange[]): (given: Facts) => Facts {
  return (given) => {
    const [head] = given.commits;
    if (head === undefined) throw new Error('no commit');
    return { ...given, commits: [{ ...head, sha: OLDER, message: 'Earlier', ledger_changes }, ...given.commits] };
  };
}

const rewrites = (change: LedgerChange): boolean =>
  rulesOf(judge({ edit: withCommit(change) })).includes('ledger/rewritten');
const moved = (before: string | undefined, after: string | undefined): LedgerChange => ({
  status: 'modified',
  path: RECORD,
  ...(before === undefined ? {} : { before }),
  ...(after === undefined ? {} : { after }),
});

describe('a commit that rewrites the ledger', () => {
  it.each([
    [`.rapid-os/evidence/${RUN}/records/E001.json`],
    [`.rapid-os/evidence/${RUN}/artifacts/E001/test.log`],
    [`.rapid-os/runs/${RUN}/contract.json`],
    [`.rapid-os/runs/${RUN}/states/0001.json`],
    [`.rapid-os/evals/${RUN}/reports/0001.json`],
    ['.rapid-os/evidence/another-run/records/E001.json'],
  ])('%s', (path) => {
    for (const status of ['modified', 'deleted', 'type-changed'] as const)
      expect(rewrites({ status, path })).toBe(true);
    expect(rewrites({ status: 'renamed', path: 'elsewhere', old_path: path })).toBe(true);
    expect(rewrites({ status: 'renamed', path: `${path}.json`, old_path: path })).toBe(true);
    expect(rewrites({ status: 'added', path })).toBe(false);
    expect(rewrites({ status: 'copied', path, old_path: '.rapid-os/evidence/x/y' })).toBe(false);
    expect(rewrites({ status: 'renamed', path, old_path: 'src/log.txt' })).toBe(false);
  });

  it('does not count outside the ledger', () => {
    expect(rewrites({ status: 'modified', path: '.rapid-os/specs/demo/spec.json' })).toBe(false);
    expect(rewrites({ status: 'modified', path: '.rapid-os/policy.json' })).toBe(false);
  });

  it('fails even where a later commit restores it', () => {
    const path = `.rapid-os/evidence/${RUN}/records/E001.json`;
    const report = judge({
      edit: both(withCommit({ status: 'modified', path }), withCommit({ status: 'modified', path })),
    });
    expect(report.outcome).toBe('failed');
    expect(needs(report, 'failed')).toContain(`Commit ${OLDER.slice(0, 12)} rewrites ${path} (modified).`);
  });
});

describe('a run record', () => {
  it.each([
    ['moves forward', record(1), record(2), false],
    ['moves forward by several', record(1), record(9), false],
    ['moves forward in another form', record(1), `${record(2)}\n`, false],
    ['stays', record(1), record(1), true],
    ['moves backward', record(2), record(1), true],
    ['changes another field', record(1), record(2, { contract_digest: 'x' }), true],
    ['loses a field', record(1, { a: 1 }), record(2), true],
    ['turns its revision into a text', record(1), '{"schema_version":1,"id":"x","current_state_revision":"2"}', true],
    ['repeats a key', record(1), record(2).replace('}', ',"current_state_revision":3}'), true],
    ['is no JSON any more', record(1), '{', true],
    ['is a list', '[]', '[]', true],
    ['has no text before', undefined, record(2), true],
    ['has no text after', record(1), undefined, true],
  ] as const)('that %s', (_name, before, after, found) => {
    expect(rewrites(moved(before, after))).toBe(found);
  });

  it.each(['deleted', 'type-changed'] as const)('%s', (status) => {
    expect(rewrites({ status, path: RECORD, before: record(1), after: record(2) })).toBe(true);
  });
});

describe('the whole difference from the base', () => {
  const path = `.rapid-os/evidence/${RUN}/records/E009.json`;
  it.each([
    ['modified', changed(path)],
    ['deleted', changed(path, { status: 'deleted', mode: '000000' })],
    ['moved away', changed('x', { status: 'renamed', old_path: path })],
    ['turned into a link', changed(path, { status: 'type-changed', mode: '120000' })],
  ])('fails where a record is %s, also where no commit shows it', (_name, file) => {
    const report = judge({ edit: withFiles(file) });
    expect(rulesOf(report)).toContain('ledger/rewritten');
    expect(report.outcome).toBe('failed');
  });

  it('names a file once, whoever rewrites it', () => {
    const report = judge({ edit: both(withFiles(changed(path)), withCommit({ status: 'modified', path })) });
    expect(report.findings.filter((finding) => finding.rule === 'ledger/rewritten')).toHaveLength(1);
  });

  describe('of a run record', () => {
    const old = 'older-run-001';
    const at = `.rapid-os/runs/${old}/run.json`;
    const base = (text: string) => setEntry({ path: at, mode: '100644', text });
    const found = (before: string, after: string, edit = withFiles(changed(at))): boolean =>
      rulesOf(judge({ base: base(before), head: base(after), edit })).includes('ledger/rewritten');

    it('may move forward', () => {
      expect(found(record(1), record(2))).toBe(false);
      expect(found(record(2), record(1))).toBe(true);
      expect(found(record(1), record(2, { harness: 'other' }))).toBe(true);
    });

    it('must be shown by texts or by a commit', () => {
      expect(rulesOf(judge({ edit: withFiles(changed(at)) }))).toContain('ledger/rewritten');
      const shown = both(
        withFiles(changed(at)),
        withCommit({ status: 'modified', path: at, before: record(1), after: record(2) }),
      );
      expect(rulesOf(judge({ edit: shown }))).not.toContain('ledger/rewritten');
    });
  });
});

describe('a run that had ended at the base', () => {
  const withRun = (options: GovernedOptions) => ({
    project: options,
    base: (rules: Facts['base']['entries']) => [
      ...rules,
      ...project(options)
        .entries()
        .filter(({ path }) => path.includes('/runs/')),
    ],
  });

  it('is spent', () => {
    const report = judge(withRun({}));
    expect(report.outcome).toBe('failed');
    expect(rulesOf(report)).toEqual(['ledger/spent']);
    expect(needs(report, 'failed')).toContain(`Run '${RUN}' was finished at the base already.`);
  });

  it.each(['active', 'done', 'created'] as const)('is not where it was only %s', (until) => {
    expect(rulesOf(judge(withRun({ until })))).toEqual([]);
  });

  it('is spent where it cannot be read there', () => {
    const given = withRun({});
    const base = (rules: Facts['base']['entries']): Facts['base']['entries'] =>
      given.base(rules).map((entry) => (entry.path === RECORD ? { ...entry, text: '{' } : entry));
    expect(needs(judge({ base }), 'failed')).toContain('cannot be read there');
  });

  it('is incomplete where nobody looked', () => {
    const report = judge({
      edit: (given) => ({
        ...given,
        base: {
          ...given.base,
          covers: ['.rapid-os/capabilities.lock', '.rapid-os/policy.json', '.rapid-os/harnesses', '.github'],
        },
      }),
    });
    expect(report.outcome).toBe('incomplete');
  });

  it('is no matter in a working tree', () => {
    const given = withRun({});
    const report = judge({
      ...given,
      profile: 'local',
      edit: (one) => ({ ...one, subject: { ...one.subject, kind: 'working-tree' } }),
    });
    expect(report.outcome).toBe('verified');
  });
});

describe('a spec revision that the base holds', () => {
  const path = '.rapid-os/specs/demo/revisions/0001/revision.json';
  it.each([
    ['modified', changed(path), 'failed'],
    ['its tasks modified', changed('.rapid-os/specs/demo/revisions/0001/tasks.md'), 'failed'],
    ['moved away', changed('.rapid-os/specs/x', { status: 'renamed', old_path: path }), 'failed'],
    ['added', changed(path, { status: 'added' }), 'verified'],
    ['another revision', changed('.rapid-os/specs/demo/revisions/0002/revision.json'), 'verified'],
    ['of another spec', changed('.rapid-os/specs/demo2/revisions/0001/revision.json'), 'verified'],
  ] as const)('%s', (_name, file, outcome) => {
    expect(judge({ edit: withFiles(file) }).outcome).toBe(outcome);
  });
});

it('every rule says why and what to do', () => {
  for (const rule of Object.values(LEDGER_RULES)) {
    expect(rule.severity).toBe('block');
    expect([rule.title, rule.why, rule.remedy].every((text) => text.endsWith('.'))).toBe(true);
  }
});

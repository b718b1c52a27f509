import { describe, expect, it } from '@jest/globals';
import { failingOutcomes } from '../../src/gate/caller.ts';
import type { Caller } from '../../src/gate/facts.ts';
import { CONFIG_TEXT } from '../support/facts.ts';
import { facts, judge, judged, needs } from './support.ts';

const WORKFLOW = '.github/workflows/countersign.yml';
const same = { path: WORKFLOW, changed: false };
const edited = { path: WORKFLOW, changed: true };

function withCaller(caller: Caller, config: string | null = CONFIG_TEXT) {
  return judge({ config, edit: (given) => ({ ...given, caller }) });
}

describe('the mode that the caller asks for', () => {
  it.each<[string, Caller, string | null, string, string]>([
    ['a stricter one counts', { mode: 'enforce' }, `${CONFIG_TEXT}mode: warn\n`, 'enforce', ''],
    [
      'a stricter one from an edited file counts',
      { mode: 'enforce', workflow: edited },
      'mode: observe\n',
      'enforce',
      '',
    ],
    [
      'a laxer one does not',
      { mode: 'warn', workflow: same },
      CONFIG_TEXT,
      'enforce',
      'the config at the base is stricter',
    ],
    ['a laxer one without a config does', { mode: 'warn', workflow: same }, null, 'warn', ''],
    [
      'but not from a file that the pull request edits',
      { mode: 'warn', workflow: edited },
      null,
      'enforce',
      'edits it',
    ],
    ['nor from one that is not known', { mode: 'warn' }, null, 'enforce', 'not known where'],
  ])('%s', (_, caller, config, mode, note) => {
    const report = withCaller(caller, config);
    expect(report.mode).toBe(mode);
    expect(report.notes.join('\n')).toContain(note);
  });

  it('is in the digest of the config that the verdict is bound to', () => {
    const config = `${CONFIG_TEXT}mode: warn\n`;
    expect(withCaller({ mode: 'enforce' }, config).config_digest).not.toBe(withCaller({}, config).config_digest);
  });

  it('never makes a day of promotion later', () => {
    const config = `${CONFIG_TEXT}mode: observe\npromote: { to: enforce, on: 2026-11-01 }\n`;
    expect(withCaller({ mode: 'warn', workflow: same }, config).mode).toBe('enforce');
  });
});

describe('the outcomes that fail the job', () => {
  it.each<[string, Caller | undefined, string]>([
    ['all where nobody asks', undefined, 'pending unverified failed incomplete'],
    ['those that are asked for', { fail_on: ['failed'], workflow: same }, 'failed'],
    ['all where the file is edited', { fail_on: ['failed'], workflow: edited }, 'pending unverified failed incomplete'],
    ['all where the file is not known', { fail_on: [] }, 'pending unverified failed incomplete'],
  ])('%s', (_, caller, expected) => {
    const given = { ...facts(), ...(caller === undefined ? {} : { caller }) };
    expect(failingOutcomes(given).join(' ')).toBe(expected);
  });

  it('are told where they are fewer', () => {
    const notes = withCaller({ fail_on: ['failed', 'incomplete'], workflow: same }).notes.join('\n');
    expect(notes).toContain('The job passes where the outcome is pending or unverified');
  });

  it('are told where the wish does not count', () => {
    expect(withCaller({ fail_on: ['failed'], workflow: edited }).notes.join('\n')).toContain(
      `Input fail-on of ${WORKFLOW} does not count`,
    );
  });
});

describe('the run that the caller demands', () => {
  const bare = (caller: Caller, config: string) =>
    judge({
      config,
      edit: (given) => ({
        ...given,
        caller,
        files: [{ status: 'modified', path: 'a.txt', mode: '100644', old_mode: '100644' }],
        commits: given.commits.map((commit) => ({ ...commit, message: 'Change a', ledger_changes: [] })),
        subject: { ...given.subject, head: { ...given.subject.head, ref: 'topic' }, body: '' },
        named_runs: [],
      }),
    });

  it('is demanded though the config does not', () => {
    const report = bare({ require: 'always' }, 'runs: { required: never }\n');
    expect(needs(report, 'unverified')).toContain('demand');
    expect(bare({}, 'runs: { required: never }\n').outcome).toBe('not-governed');
  });

  it('is still demanded where the caller asks for less', () => {
    const report = bare({ require: 'never', workflow: same }, 'runs: { required: always }\n');
    expect(needs(report, 'unverified')).toContain('demand');
  });
});

describe('the path of the config', () => {
  const other = '.github/gate.yml';
  const given = (caller: Caller) =>
    facts({
      base: (entries) => [...entries, { path: other, mode: '100644', text: 'mode: observe\n' }],
      edit: (one) => ({ ...one, caller, base: { ...one.base, covers: [...one.base.covers, other] } }),
    });

  it('counts where the workflow is the base’s', () => {
    expect(judged(given({ config: other, workflow: same })).mode).toBe('observe');
  });

  it('does not where the pull request edits the workflow', () => {
    const report = judged(given({ config: other, workflow: edited }));
    expect(report.mode).toBe('enforce');
    expect(report.notes.join('\n')).toContain('Input config');
  });

  it('makes that file part of the control plane', () => {
    const one = given({ config: other, workflow: same });
    const files = [...one.files, { status: 'modified', path: other, mode: '100644', old_mode: '100644' } as const];
    expect(judged({ ...one, files }).findings.map(({ rule }) => rule)).toContain('control-plane/edited');
  });
});

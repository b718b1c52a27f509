import { describe, expect, it } from '@jest/globals';
import type { Facts, SnapshotEntry } from '../../src/gate/facts.ts';
import type { Outcome } from '../../src/gate/outcome.ts';
import { CONFIG_TEXT } from '../support/facts.ts';
import { PATHS } from '../support/documents.ts';
import { both, changed, dropEntry, judge, needs, project, setEntry, withFacts, withFiles } from './support.ts';
import type { Case } from './support.ts';

const CONFIG = '.github/countersign.yml';
const file = (path: string, text: string): SnapshotEntry => ({ path, mode: '100644', text });
const organisation = (organisation_config: Facts['organisation_config']) => withFacts({ organisation_config });

describe('the rules come from the base', () => {
  const heads: readonly [string, (entries: SnapshotEntry[]) => SnapshotEntry[]][] = [
    [
      'a config that names other tests',
      setEntry(file(CONFIG, 'evidence: { tests: { workflows: [{ path: .github/workflows/none.yml, jobs: [x] }] } }')),
    ],
    ['a config that is invalid', setEntry(file(CONFIG, 'nonsense: {'))],
    ['no config', dropEntry(CONFIG)],
    ['a config in mode observe', setEntry(file(CONFIG, 'mode: observe'))],
    ['no lock', dropEntry(PATHS.lock)],
    ['a lock that is malformed', setEntry(file(PATHS.lock, '{'))],
    ['another profile', setEntry(file(PATHS.profile, '{}'))],
    ['a stricter policy', setEntry(file(PATHS.policy, '{"schema_version":1,"minimum_risk":"critical"}'))],
    ['a policy that is malformed', setEntry(file(PATHS.policy, '{'))],
  ];
  it.each(heads)('%s in the head has no effect', (_name, head) => {
    const [here, plain] = [judge({ head }), judge()];
    expect(here.report_digest).toBe(plain.report_digest);
    expect(here.outcome).toBe('verified');
  });

  it.each([CONFIG, PATHS.lock, PATHS.profile, PATHS.policy, '.rapid-os/config.json'])(
    'but changing %s needs an approval',
    (path) => {
      const report = judge({ edit: withFiles(changed(path)), config: `${CONFIG_TEXT}scope: { enforce: off }` });
      expect(report.outcome).toBe('pending');
      expect(report.control_plane).toEqual({ situation: 'governed', approved_by: [] });
    },
  );
});

describe('what of the rules is missing or wrong at the base', () => {
  const lockOf =
    (edit: (text: string) => string) =>
    (entries: SnapshotEntry[]): SnapshotEntry[] =>
      entries.map((entry) => (entry.path === PATHS.lock ? { ...entry, text: edit(entry.text ?? '') } : entry));
  const rows: readonly [string, Case, Outcome, string][] = [
    ['no lock', { base: dropEntry(PATHS.lock) }, 'unverified', 'The base has no .rapid-os/capabilities.lock'],
    ['a lock that is malformed', { base: setEntry(file(PATHS.lock, '{')) }, 'incomplete', 'RAPID1'],
    ['a lock that is empty', { base: setEntry(file(PATHS.lock, '')) }, 'incomplete', 'RAPID1'],
    [
      'a lock whose digest is not its own',
      { base: lockOf((text) => text.replace(/[0-9a-f]{64}/, 'f'.repeat(64))) },
      'incomplete',
      'RAPID1',
    ],
    ['a lock that is a link', { base: setEntry({ path: PATHS.lock, mode: '120000' }) }, 'incomplete', 'CS1107'],
    [
      'a lock that was not read',
      { base: setEntry({ path: PATHS.lock, mode: '100644' }) },
      'incomplete',
      'cannot be read',
    ],
    [
      'a lock that is no UTF-8',
      { base: setEntry({ path: PATHS.lock, mode: '100644', base64: '/w==' }) },
      'incomplete',
      'UTF-8',
    ],
    [
      'a lock that repeats a key',
      { base: lockOf((text) => text.replace('{', '{"schema_version": 1,')) },
      'incomplete',
      'CS11',
    ],
    [
      'a lock without the harness',
      {
        project: { harness: 'own-tool' },
        base: (entries) => [
          ...entries.filter(({ path }) => path !== PATHS.lock),
          ...project()
            .entries()
            .filter(({ path }) => path === PATHS.lock),
        ],
      },
      'unverified',
      "Harness 'own-tool' is not in the base's lock.",
    ],
    [
      'a harness that cannot do it',
      { project: { unsupported: ['repository.write'] } },
      'failed',
      'is incompatible with harness',
    ],
    [
      'a harness of which nothing is known',
      { project: { unknown: ['repository.write'] } },
      'unverified',
      'is unresolved with harness',
    ],
    [
      'a policy that is malformed',
      { base: setEntry(file(PATHS.policy, '{')) },
      'incomplete',
      'The policy at the base cannot be used',
    ],
    [
      'a policy that loosens',
      { base: setEntry(file(PATHS.policy, '{"schema_version":1,"waivable_gate_ids":["gate.baseline"]}')) },
      'incomplete',
      'RAPID1006',
    ],
    ['a policy that is a folder', { base: setEntry(file(`${PATHS.policy}/x`, '')) }, 'incomplete', 'RAPID1008'],
    ['a config that is no YAML', { base: setEntry(file(CONFIG, 'a: [')) }, 'incomplete', 'The config is invalid'],
    [
      'a config with an unknown key',
      { base: setEntry(file(CONFIG, 'moed: warn')) },
      'incomplete',
      'The config is invalid',
    ],
    ['a config that is a link', { base: setEntry({ path: CONFIG, mode: '120000' }) }, 'incomplete', 'cannot be read'],
    [
      'a config that is a submodule',
      { base: setEntry({ path: CONFIG, mode: '160000' }) },
      'incomplete',
      'cannot be read',
    ],
    [
      'a config that is a folder',
      { base: setEntry(file(`${CONFIG}/x`, '')), config: null },
      'incomplete',
      'cannot be read',
    ],
    [
      'a config that was not read',
      { base: setEntry({ path: CONFIG, mode: '100644' }) },
      'incomplete',
      'cannot be read',
    ],
    [
      'a config that is no UTF-8',
      { base: setEntry({ path: CONFIG, mode: '100644', base64: '/w==' }) },
      'incomplete',
      'cannot be read',
    ],
    [
      'a folder of the config that is a link',
      { base: setEntry({ path: '.github', mode: '120000' }), config: null },
      'incomplete',
      'cannot be read',
    ],
    [
      'a config where nobody looked',
      { config: null, edit: (given) => ({ ...given, base: { ...given.base, covers: ['.rapid-os'] } }) },
      'incomplete',
      'cannot be read',
    ],
    [
      'a lock where nobody looked',
      {
        edit: (given) => ({
          ...given,
          base: {
            entries: given.base.entries.filter(({ path }) => path !== PATHS.lock),
            covers: [CONFIG, '.rapid-os/policy.json', '.rapid-os/runs'],
          },
        }),
      },
      'incomplete',
      'not',
    ],
    [
      'an organisation whose config cannot be read',
      { edit: organisation({ state: 'unreadable', why: '403', source: 'acme/.github' }) },
      'incomplete',
      'The config acme/.github cannot be read: 403',
    ],
    [
      'an organisation whose config is invalid',
      { edit: organisation({ state: 'read', text: 'x: 1', source: 'acme/.github' }) },
      'incomplete',
      'The config is invalid',
    ],
    [
      'an organisation whose config is empty',
      { edit: organisation({ state: 'read', text: '', source: 'acme/.github' }) },
      'verified',
      '',
    ],
  ];
  it.each(rows)('%s', (_name, given, outcome, text) => {
    const report = judge(given);
    expect(report.outcome).toBe(outcome);
    expect(report.needs.map((need) => need.what).join('\n')).toContain(text);
  });

  it('an empty config says the same as its defaults', () => {
    const report = judge({ config: '', profile: 'local' });
    expect(report.outcome).toBe('verified');
    expect(judge({ config: '' }).outcome).toBe('unverified');
  });

  it('is no excuse for the run: it is judged as far as it goes', () => {
    const report = judge({ base: setEntry(file(PATHS.policy, '{')), project: { unsupported: ['repository.write'] } });
    expect(needs(report, 'failed')).toContain('is incompatible');
  });
});

describe("the organisation's config", () => {
  it('demands what the repository cannot take back', () => {
    const text = `${CONFIG_TEXT}  trust: { gate.tests: reexecuted }`;
    const report = judge({
      config: `${CONFIG_TEXT}  trust: { gate.tests: declared }`,
      edit: organisation({ state: 'read', text, source: 'acme/.github' }),
    });
    expect(report.outcome).toBe('unverified');
    expect(report.notes.join()).toContain('evidence.trust');
  });

  it('governs a repository without one of its own', () => {
    const bare = both(
      organisation({ state: 'read', text: 'runs: { required: always }', source: 'acme/.github' }),
      withFacts({ files: [changed('src/a.ts')], commits: [] }),
    );
    const report = judge({ config: null, base: () => [], head: () => [], edit: bare });
    expect(report.outcome).toBe('unverified');
    expect(needs(report, 'unverified')).toContain('demands a governed run');
  });
});

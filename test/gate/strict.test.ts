import { describe, expect, it } from '@jest/globals';
import type { Facts, SnapshotEntry } from '../../src/gate/facts.ts';
import type { Outcome } from '../../src/gate/outcome.ts';
import type { GovernedOptions } from '../support/governed.ts';
import {
  changed,
  dropEntry,
  editEntry,
  facts,
  judge,
  judged,
  needs,
  project,
  setEntry,
  withFacts,
  withFiles,
} from './support.ts';

const RUN = project().runId;
const at = (name: string): string => `.rapid-os/runs/${RUN}/${name}`;
const evidence = (name: string): string => `.rapid-os/evidence/${RUN}/${name}`;
type Edit = (entries: SnapshotEntry[]) => SnapshotEntry[];
const link = (path: string): Edit => setEntry({ path, mode: '120000' });
const submodule = (path: string): Edit => setEntry({ path, mode: '160000' });
/** Puts something in a folder's place. */
const instead =
  (path: string, mode: '120000' | '160000'): Edit =>
  (entries) => [...entries.filter((entry) => !entry.path.startsWith(`${path}/`)), { path, mode }];

describe('strict reading of the head', () => {
  const rows: readonly [string, Edit, Outcome, string][] = [
    ['a key that stands twice', editEntry(at('contract.json'), '{', '{"schema_version": 1,'), 'incomplete', 'CS1101'],
    [
      'a key that stands twice in a state',
      editEntry(at('states/0001.json'), '{', '{"schema_version": 1,'),
      'incomplete',
      'CS1101',
    ],
    [
      'a key that stands twice in a record',
      editEntry(evidence('records/E001.json'), '{', '{"schema_version": 1,'),
      'incomplete',
      'CS1101',
    ],
    ['a contract that is a link', link(at('contract.json')), 'incomplete', 'CS1107'],
    ['a record that is a link', link(evidence('records/E001.json')), 'incomplete', 'CS1107'],
    ['an artifact that is a link', link(evidence('artifacts/E001/out/test.log')), 'incomplete', 'CS1107'],
    ['an artifact that is a submodule', submodule(evidence('artifacts/E001/out/test.log')), 'failed', 'RAPID1205'],
    ['a run folder that is a link', instead(`.rapid-os/runs/${RUN}`, '120000'), 'incomplete', 'CS1107'],
    ['a run folder that is a submodule', instead(`.rapid-os/runs/${RUN}`, '160000'), 'incomplete', 'RAPID1008'],
    ['.rapid-os that is a link', instead('.rapid-os', '120000'), 'incomplete', 'CS1107'],
    ['.rapid-os that is a submodule', instead('.rapid-os', '160000'), 'incomplete', 'RAPID1008'],
    ['evidence that is a link', instead('.rapid-os/evidence', '120000'), 'incomplete', 'CS1107'],
    [
      'an empty digest',
      editEntry(
        at('contract.json'),
        /"contract_digest": "[0-9a-f]{64}"/.exec(
          project()
            .entries()
            .find(({ path }) => path === at('contract.json'))?.text ?? '',
        )?.[0] ?? '',
        '"contract_digest": ""',
      ),
      'incomplete',
      'CS11',
    ],
    ['a context with CR line ends', editEntry(at('context.md'), '\n', '\r\n'), 'incomplete', 'CS1110'],
    [
      'a contract that is no UTF-8',
      setEntry({ path: at('contract.json'), mode: '100644', base64: '/w==' }),
      'incomplete',
      'RAPID1008',
    ],
    [
      'a contract that was not read',
      setEntry({ path: at('contract.json'), mode: '100644' }),
      'incomplete',
      'RAPID1008',
    ],
    [
      'an artifact that was not read',
      setEntry({ path: evidence('artifacts/E001/out/test.log'), mode: '100644' }),
      'incomplete',
      'RAPID120',
    ],
    [
      'a contract that is no JSON',
      setEntry({ path: at('contract.json'), mode: '100644', text: '{' }),
      'failed',
      'RAPID1002',
    ],
    [
      'a contract that is empty',
      setEntry({ path: at('contract.json'), mode: '100644', text: '' }),
      'failed',
      'RAPID1002',
    ],
    ['no contract', dropEntry(at('contract.json')), 'failed', 'RAPID1002'],
    ['no states', dropEntry(at('states')), 'failed', 'RAPID1011'],
    ['a gap in the states', dropEntry(at('states/0002.json')), 'failed', 'states'],
    ['no context', dropEntry(at('context.md')), 'failed', 'RAPID1004'],
    ['no run at all', dropEntry(`.rapid-os/runs/${RUN}`), 'unverified', 'RAPID1007'],
    ['no spec', dropEntry('.rapid-os/specs'), 'unverified', 'RAPID80'],
    ['a gap in the records', dropEntry(evidence('records/E002.json')), 'failed', 'RAPID120'],
    ['an artifact that is gone', dropEntry(evidence('artifacts/E001')), 'failed', 'RAPID120'],
    [
      'an artifact of other bytes',
      setEntry({ path: evidence('artifacts/E001/out/test.log'), mode: '100644', text: '99 passed\n' }),
      'failed',
      'RAPID1205',
    ],
    [
      'an artifact of which only another digest is known',
      setEntry({ path: evidence('artifacts/E001/out/test.log'), mode: '100644', size: 10, sha256: 'f'.repeat(64) }),
      'failed',
      'RAPID1205',
    ],
    [
      'a record changed behind its digest',
      editEntry(evidence('records/E001.json'), 'Unit tests', 'Unit test'),
      'failed',
      'RAPID120',
    ],
    [
      'a file that does not belong to the evidence',
      setEntry({ path: evidence('extra.txt'), mode: '100644', text: '' }),
      'failed',
      'RAPID1202',
    ],
    ['no evidence at all', dropEntry('.rapid-os/evidence'), 'unverified', 'evidence'],
    [
      'a report that is forged',
      setEntry({ path: `.rapid-os/evals/${RUN}/reports/0001.json`, mode: '100644', text: '{}' }),
      'failed',
      'RAPID1221',
    ],
  ];
  it.each(rows)('%s', (_name, head, outcome, text) => {
    for (const profile of ['github', 'local'] as const) {
      const report = judge({ profile, head });
      expect(report.needs.map((need) => need.what).join('\n')).toContain(text);
      expect(report.outcome).toBe(outcome);
    }
  });

  it('an artifact of which only its digest was kept is fine', () => {
    const log = project()
      .entries()
      .find(({ path }) => path === evidence('artifacts/E001/out/test.log'));
    const record =
      project()
        .entries()
        .find(({ path }) => path === evidence('records/E001.json'))?.text ?? '';
    const sha256 = /"sha256": "([0-9a-f]{64})"/.exec(record)?.[1] ?? '';
    const size = Buffer.byteLength(log?.text ?? '');
    expect(
      judge({ head: setEntry({ path: evidence('artifacts/E001/out/test.log'), mode: '100644', size, sha256 }) })
        .outcome,
    ).toBe('verified');
  });

  it('is incomplete where nobody looked', () => {
    const report = judge({
      edit: (given) => ({
        ...given,
        head: {
          entries: given.head.entries.filter(({ path }) => !path.startsWith('.rapid-os/evidence')),
          covers: [`.rapid-os/runs/${RUN}`, '.rapid-os/specs'],
        },
      }),
    });
    expect(report.outcome).toBe('incomplete');
  });
});

describe('counts', () => {
  const counting =
    (changes: Partial<Facts['subject']>) =>
    (given: Facts): Facts => ({ ...given, subject: { ...given.subject, ...changes } });
  const files = facts().files.length;
  it.each([
    [{ commit_count: 2 }, 'incomplete', 'Only 1 of 2 commits were seen.'],
    [{ commit_count: 1 }, 'verified', ''],
    [{ commit_count: 0 }, 'verified', ''],
    [{ file_count: files + 1 }, 'incomplete', `Only ${files} of ${files + 1} changed files were seen.`],
    [{ file_count: files }, 'verified', ''],
  ] as const)('%j', (changes, outcome, text) => {
    const report = judge({ edit: counting(changes) });
    expect(report.outcome).toBe(outcome);
    expect(needs(report, 'incomplete')).toBe(text);
  });
});

describe('names that no checkout can hold', () => {
  it.each(['../x', 'a/../b', '/etc/passwd', 'a//b', './a', '', 'a/.', 'a\0b'])('%j is incomplete', (path) => {
    for (const file of [changed(path), changed('src/app.ts', { status: 'renamed', old_path: path })]) {
      const report = judge({ edit: withFiles(file) });
      expect(report.outcome).toBe('incomplete');
      expect(needs(report, 'incomplete')).toContain('has a name that no checkout can hold');
    }
  });
});

describe('what was not read', () => {
  it.each(['reviews', 'workflow runs', 'commits'])('%s', (what) => {
    const report = judge({
      edit: withFacts({
        unread: [
          { what, why: 'HTTP 502' },
          { what: 'x', why: 'y' },
        ],
      }),
    });
    expect(report.outcome).toBe('incomplete');
    expect(needs(report, 'incomplete')).toContain(`${what} could not be read: HTTP 502`);
  });

  it('keeps even a pull request without a run from being at ease', () => {
    const report = judge({
      config: 'runs: { required: never }',
      edit: withFacts({ files: [], commits: [], unread: [{ what: 'x', why: 'y' }] }),
    });
    expect(report.outcome).toBe('incomplete');
  });
});

it('a run in a folder of another name is refused', () => {
  const other: GovernedOptions = { tasks: ['Other'] };
  const moved = project(other)
    .entries()
    .filter(({ path }) => path.startsWith(`.rapid-os/runs/${RUN}/`))
    .map((entry) => ({ ...entry, path: entry.path.replace(RUN, 'copied-run') }));
  const report = judged(
    facts({ head: (entries) => [...entries, ...moved], edit: withFacts({ named_runs: ['copied-run'] }) }),
  );
  expect(report.outcome).toBe('unverified');
  expect(needs(report, 'unverified')).toContain(
    `is the record of run '${RUN}', but the folder is named for 'copied-run'`,
  );
});

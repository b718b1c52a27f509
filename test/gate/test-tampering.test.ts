import { describe, expect, it } from '@jest/globals';
import { DEFAULT_CONFIG } from '../../src/config/schema.ts';
import type { Config } from '../../src/config/schema.ts';
import { DEFAULT_TEST_INPUTS } from '../../src/config/test-inputs.ts';
import type { FileChange, SnapshotEntry } from '../../src/gate/facts.ts';
import { testTampering } from '../../src/gate/test-tampering.ts';
import { WORKFLOW } from '../support/facts.ts';
import { changed, facts, setEntry, withFacts } from './support.ts';

const config = (inputs: readonly string[] = DEFAULT_TEST_INPUTS): Config => ({
  ...DEFAULT_CONFIG,
  evidence: {
    ...DEFAULT_CONFIG.evidence,
    tests: { ...DEFAULT_CONFIG.evidence.tests, workflows: [{ path: WORKFLOW, jobs: ['test'] }], inputs: [...inputs] },
  },
});

function found(
  files: FileChange[],
  inputs?: readonly string[],
  texts: readonly [string, string, string][] = [],
): readonly string[] {
  const put = (side: 1 | 2) => (entries: SnapshotEntry[]) =>
    texts.reduce((all, row) => setEntry({ path: row[0], mode: '100644', text: row[side] })(all), entries);
  return testTampering(facts({ base: put(1), head: put(2), edit: withFacts({ files }) }), config(inputs));
}

describe('what steers the tests', () => {
  const steering: readonly string[] = [
    WORKFLOW,
    '.github/workflows/reusable.yml',
    '.github/actions/setup/index.js',
    'tools/action.yml',
    'tools/deep/action.yaml',
    '.rapid-os/config.json',
    'Makefile',
    'sub/makefile',
    'GNUmakefile',
    'rules.mk',
    'justfile',
    'Taskfile.yml',
    'Rakefile',
    'jest.config.js',
    'vitest.config.ts',
    'vitest.workspace.ts',
    'karma.conf.js',
    '.mocharc.json',
    'ava.config.js',
    'playwright.config.ts',
    'cypress.config.ts',
    'pytest.ini',
    'a/conftest.py',
    'tox.ini',
    'noxfile.py',
    'phpunit.xml',
    'phpunit.xml.dist',
    '.rspec',
    '.github/workflows',
  ];
  it.each(steering)('%s', (path) => {
    expect(found([changed(path)])).toHaveLength(1);
  });

  it('tries every default pattern that names a whole file', () => {
    const whole = DEFAULT_TEST_INPUTS.filter((entry) => !entry.includes('#'));
    const unmatched = whole.filter((entry) => !steering.some((path) => found([changed(path)], [entry]).length === 1));
    expect(unmatched).toEqual([]);
  });

  it.each(['added', 'deleted', 'type-changed'] as const)('the workflow %s', (status) => {
    expect(found([changed(WORKFLOW, { status })])[0]).toContain('is the workflow that runs the tests');
  });

  it('the workflow renamed away, and another renamed to its place', () => {
    expect(found([changed('old.yml', { status: 'renamed', old_path: WORKFLOW })])).toHaveLength(1);
    expect(found([changed(WORKFLOW, { status: 'renamed', old_path: 'old.yml' })])).toHaveLength(1);
  });

  it('what workflows call counts even where the config lists other inputs', () => {
    expect(found([changed('.github/actions/setup/index.js')], [])).toHaveLength(1);
    expect(found([changed('tools/action.yml')], [])).toHaveLength(1);
    expect(found([changed('Makefile')], [])).toEqual([]);
    expect(found([changed('ci/run.sh')], ['ci/**'])).toHaveLength(1);
  });

  it('copying a file from there changes nothing there', () => {
    expect(found([changed('docs/example.mk.txt', { status: 'copied', old_path: 'rules.mk' })])).toEqual([]);
  });

  it.each(['src/app.ts', 'README.md', 'docs/Makefile.md', 'testing.ts', 'contest/a.ts'])('not %s', (path) => {
    expect(found([changed(path, { status: 'deleted' })])).toEqual([]);
  });
});

describe('package.json', () => {
  const compared = (before: string, after: string): readonly string[] =>
    found([changed('package.json')], undefined, [['package.json', before, after]]);

  it('steers by its scripts', () => {
    expect(compared('{"scripts":{"test":"jest"}}', '{"scripts":{"test":"true"}}')).toHaveLength(1);
    expect(compared('{}', '{"scripts":{"test":"true"}}')).toHaveLength(1);
    expect(compared('{"scripts":{}}', '{}')).toHaveLength(1);
    expect(compared('{"jest":{"testMatch":["a"]}}', '{"jest":{"testMatch":["b"]}}')).toHaveLength(1);
  });

  it('does not by a dependency', () => {
    const scripts = '"scripts":{"test":"jest"}';
    expect(compared(`{${scripts},"dependencies":{"a":"1"}}`, `{"dependencies":{"a":"2"},${scripts}}`)).toEqual([]);
  });

  it.each([
    ['no JSON', '{}', '{'],
    ['no object', '[]', '1'],
    ['nested too deeply', '{}', `{"scripts":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
    ['a prototype', '{"scripts":{"test":"jest"}}', '{"__proto__":{"scripts":{"test":"jest"}}}'],
  ])('counts as changed where it cannot be compared: %s', (_name, before, after) => {
    expect(compared(before, after)).toHaveLength(1);
  });

  it('takes of two keys of one name the later one, as npm does', () => {
    expect(
      compared('{"scripts":{"test":"jest"}}', '{"scripts":{"test":"jest"},"scripts":{"test":"true"}}'),
    ).toHaveLength(1);
  });

  it.each(['added', 'deleted', 'renamed', 'type-changed'] as const)('counts where it is %s', (status) => {
    expect(
      found([changed('sub/package.json', { status, ...(status === 'renamed' ? { old_path: 'a.json' } : {}) })]),
    ).toHaveLength(1);
  });
});

describe('tests that go away', () => {
  const renamed = (from: string, to: string): readonly string[] =>
    found([changed(to, { status: 'renamed', old_path: from })]);

  it.each([
    'test/a.ts',
    'src/a.test.ts',
    'src/a_test.go',
    'pkg/test_a.py',
    'spec/a.rb',
    '__tests__/a.js',
    'a/tests/b.c',
    'src/a.spec.ts',
    'Test/A.java',
  ])('%s deleted', (path) => {
    expect(found([changed(path, { status: 'deleted' })])).toHaveLength(1);
    expect(found([changed(path, { status: 'type-changed', mode: '120000' })])).toHaveLength(1);
    expect(found([changed(path)])).toEqual([]);
    expect(found([changed(path, { status: 'added' })])).toEqual([]);
  });

  it.each<[string, number | undefined, boolean]>([
    ['test/a.test.ts', 0, true],
    ['test/a.test.ts', 1, false],
    ['test/a.test.ts', undefined, false],
    ['tests/__init__.py', 0, false],
  ])('emptied: %s of %s bytes', (path, size, isGone) => {
    const reasons = found([changed(path, size === undefined ? {} : { size })], []);
    expect(reasons).toEqual(isGone ? [`${path} is a test and is emptied`] : []);
  });

  it('renamed away', () => {
    expect(renamed('src/a.test.ts', 'src/a.ts')).toHaveLength(1);
    expect(renamed('test/a.test.ts', 'test/a.ts')).toHaveLength(1);
    expect(renamed('test/a.test.ts', 'test/a.test.txt')).toHaveLength(1);
    expect(renamed('test/a.ts', 'test/a.ts.disabled')).toHaveLength(1);
    expect(renamed('test/a.ts', 'attic/a.ts')).toHaveLength(1);
  });

  it('renamed and still a test', () => {
    expect(renamed('test/a.test.ts', 'test/b.test.ts')).toEqual([]);
    expect(renamed('test/a.ts', 'tests/sub/a.ts')).toEqual([]);
    expect(renamed('src/a.ts', 'test/a.ts')).toEqual([]);
  });

  // With a regular expression that backtracks these would not come to an end.
  it('judges hostile names', () => {
    const slow = [
      'test_'.repeat(50_000),
      '.test'.repeat(50_000),
      `${'tests'.repeat(50_000)}x`,
      `${'/test_'.repeat(40_000)}.p`,
    ];
    expect(found(slow.map((path) => changed(`a${path}`, { status: 'deleted' })))).toHaveLength(1);
  });
});

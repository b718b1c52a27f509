import { describe, expect, it } from '@jest/globals';
import { readExtends } from '../../src/config/extends.ts';
import { configDigest, requiredRuns, resolveConfig } from '../../src/config/layers.ts';
import type { LayerReading } from '../../src/config/layers.ts';
import { parseConfig } from '../../src/config/parse.ts';
import { DEFAULT_CONFIG } from '../../src/config/schema.ts';
import { DEFAULT_TEST_INPUTS, readTestInput, testInputFault, testInputOf } from '../../src/config/test-inputs.ts';

const ABSENT: LayerReading = { state: 'absent' };
const UNREADABLE: LayerReading = { state: 'unreadable', file: 'acme/.github', reason: 'HTTP 403' };
const file = (text: string, path = 'countersign.yml'): LayerReading => ({ state: 'read', file: path, text });

describe('the configuration in force', () => {
  it('is the default where no file is there', () => {
    expect(resolveConfig({ organisation: ABSENT, repository: ABSENT })).toEqual({
      state: 'config',
      config: DEFAULT_CONFIG,
      present: false,
      notes: [],
      layerNotes: [],
    });
  });

  it.each([
    ['repository', { organisation: ABSENT, repository: file('') }],
    ['organisation', { organisation: file(''), repository: ABSENT }],
  ])('is the default where the file of the %s is empty, and present', (_name, layers) => {
    expect(resolveConfig(layers)).toMatchObject({ state: 'config', config: DEFAULT_CONFIG, present: true });
  });

  it('is what both say, with the notes of both and of the merge', () => {
    const reading = resolveConfig({
      organisation: file('people: {permission: admin}\nruns:\n', 'org.yml'),
      repository: file('people: {permission: write}\nscope:\n', 'repo.yml'),
    });
    expect(reading).toMatchObject({
      config: { people: { permission: 'admin' } },
      notes: [{ path: 'org.yml' }, { path: 'repo.yml' }],
      layerNotes: [{ key: 'people.permission' }],
    });
  });

  it.each([
    ['the organisation', { organisation: UNREADABLE, repository: file('mode: enforce') }],
    ['the repository', { organisation: file('mode: enforce'), repository: UNREADABLE }],
    ['both', { organisation: UNREADABLE, repository: UNREADABLE }],
    ['the organisation, beside a faulty file', { organisation: UNREADABLE, repository: file('nonsense: 1') }],
  ])('is none where the file of %s cannot be read', (_name, layers) => {
    expect(resolveConfig(layers)).toEqual(UNREADABLE);
  });

  it('is none where a file is faulty, and the problems of both are told', () => {
    const reading = resolveConfig({
      organisation: file('extends: acme/more', 'org.yml'),
      repository: file('mdoe: warn', 'repo.yml'),
    });
    expect(reading).toMatchObject({
      state: 'invalid',
      problems: [
        { path: 'org.yml', key: 'extends' },
        { path: 'repo.yml', key: 'mdoe' },
      ],
    });
  });
});

describe('whether runs are demanded', () => {
  const always = { ...DEFAULT_CONFIG, runs: { ...DEFAULT_CONFIG.runs, required: 'always' as const } };
  it.each([
    [DEFAULT_CONFIG, false, false, 'never'],
    [DEFAULT_CONFIG, false, true, 'agents'],
    [DEFAULT_CONFIG, true, false, 'agents'],
    [always, true, true, 'always'],
  ])('with configuration %#', (config, there, lock, expected) => {
    expect(requiredRuns(config, { config: there, lock })).toBe(expected);
  });
});

describe('the digest of a configuration', () => {
  const digest = (text: string) => {
    const parsed = parseConfig(text, 'f');
    if (!parsed.ok) throw new Error(text);
    return configDigest(parsed.config);
  };

  it('is that of its meaning, not of its text', () => {
    expect(configDigest(DEFAULT_CONFIG)).toMatch(/^[0-9a-f]{64}$/);
    expect(digest('# nothing\n')).toBe(configDigest(DEFAULT_CONFIG));
    expect(digest('comment: always\nmode: "enforce"\n')).toBe(configDigest(DEFAULT_CONFIG));
    expect(digest('version: 1.0')).toBe(configDigest(DEFAULT_CONFIG));
  });

  it.each(['mode: warn', 'scope: {allow: [a]}', 'evidence: {trust: {gate.tests: platform}}'])(
    'changes with %s',
    (text) => {
      expect(digest(text)).not.toBe(configDigest(DEFAULT_CONFIG));
    },
  );
});

describe('where the organisation’s file lies', () => {
  it.each([
    ['acme/.github', 'acme', '.github', '.github/countersign.yml', undefined],
    ['acme/policies@v1', 'acme', 'policies', '.github/countersign.yml', 'v1'],
    ['acme/policies/gate/strict.yml', 'acme', 'policies', 'gate/strict.yml', undefined],
    ['acme/policies/strict.yml@release/2.x', 'acme', 'policies', 'strict.yml', 'release/2.x'],
  ])('%s', (text, owner, repository, path, ref) => {
    expect(readExtends(text)).toEqual({ owner, repository, path, ref });
  });

  it.each([
    '',
    'acme',
    'acme/',
    '/x',
    'acme/..',
    'acme/./x',
    'acme/x/../y',
    'acme/x//y',
    'acme/x/',
    'acme/x@',
    'acme/x@-f',
    'acme/x@a..b',
    'acme/x@a@b',
    'acme/x@a b',
    'https://github.com/acme/x',
    'acme/x?y',
    'a b/c',
    'acme/x\n',
    `acme/x@${'a'.repeat(1e6)}`,
    'a/'.repeat(5e5),
  ])('is not said by %.40j', (text) => {
    expect(readExtends(text)).toBeUndefined();
  });
});

describe('what decides what the tests do', () => {
  it.each([
    ['**/package.json#scripts', '**/package.json', 'scripts'],
    ['a.json#b#c', 'a.json#b#c', undefined],
    ['C#/x', 'C#/x', undefined],
    ['x.json', 'x.json', undefined],
  ])('%s is taken apart', (entry, glob, key) => {
    expect(readTestInput(entry)).toEqual({ glob, key });
  });

  it.each([
    ['Makefile', 'all'],
    ['packages/a/Makefile', 'all'],
    ['package.json', ['scripts', 'jest', 'mocha', 'ava']],
    ['packages/a/package.json', ['scripts', 'jest', 'mocha', 'ava']],
    ['.github/actions/build/index.js', 'all'],
    ['.github/workflows/reusable.yml', 'all'],
    ['.rapid-os/config.json', 'all'],
    ['web/vitest.config.ts', 'all'],
    ['src/a.ts', []],
    ['package-lock.json', []],
  ])('%s by default: %j', (path, expected) => {
    expect(testInputOf(path, DEFAULT_TEST_INPUTS)).toEqual(expected);
  });

  it('is the whole file where one entry says so', () => {
    expect(testInputOf('package.json', ['**/package.json#scripts', 'package.json'])).toBe('all');
  });

  it('is said by sound patterns', () => {
    expect(DEFAULT_TEST_INPUTS.map(testInputFault).filter((fault) => fault !== undefined)).toEqual([]);
    expect(testInputFault('../package.json#scripts')).toMatch(/'\.\.'/);
  });
});

import { describe, expect, it } from '@jest/globals';
import { MAX_GLOB_LENGTH } from '../../src/config/globs.ts';
import type { Facts, FileChange } from '../../src/gate/facts.ts';
import { declaredPaths } from '../../src/gate/scope.ts';
import { CONFIG_TEXT } from '../support/facts.ts';
import { changed, judge, rulesOf, withFacts, withFiles } from './support.ts';

describe('a declared path', () => {
  it.each([
    ['src/app.ts', 'src/app.ts', true],
    ['src', 'src/app.ts', true],
    ['src/a', 'src/app.ts', false],
    ['src/app.ts', 'src', false],
    ['src', 'SRC/app.ts', false],
    ['src/**', 'src/deep/app.ts', true],
    ['src/*.ts', 'src/deep/app.ts', false],
    ['src/?.ts', 'src/a.ts', true],
    ['**/*.yml', '.github/workflows/ci.yml', true],
    ['src/[id]', 'src/[id]/page.tsx', true],
    ['src/{a,b}', 'src/a/x', false],
    ['__proto__', '__proto__/x', true],
    ['.', 'src', false],
  ])('%s and %s: %s', (declared, path, expected) => {
    expect(declaredPaths([declared])(path)).toBe(expected);
    expect(declaredPaths(['other', declared, 'x/**'])(path)).toBe(expected);
  });

  it('that is too long to be matched covers nothing', () => {
    const pattern = `${'*a'.repeat(MAX_GLOB_LENGTH)}`;
    expect(declaredPaths([pattern])('a'.repeat(5000))).toBe(false);
    expect(declaredPaths(['*'.padEnd(MAX_GLOB_LENGTH, 'a')])('a'.repeat(MAX_GLOB_LENGTH - 1))).toBe(true);
  });

  it('none covers nothing', () => {
    expect(declaredPaths([])('a')).toBe(false);
  });
});

const config = (text: string): string => `${CONFIG_TEXT}${text}`;

describe('a change outside the affected paths', () => {
  it.each([
    ['block', 'failed', ['scope/outside']],
    ['warn', 'verified', ['scope/outside']],
    ['off', 'verified', []],
  ] as const)('with enforce %s is %s', (enforce, outcome, rules) => {
    const report = judge({
      config: config(`scope: { enforce: ${enforce} }`),
      edit: withFiles(changed('src/other.ts')),
    });
    expect(report.outcome).toBe(outcome);
    expect(rulesOf(report)).toEqual(rules);
  });

  it.each([
    ['a rename out', changed('lib/app.ts', { status: 'renamed', old_path: 'src/app.ts' }), ['lib/app.ts']],
    ['a rename in', changed('src/app.ts', { status: 'renamed', old_path: 'lib/app.ts' }), ['lib/app.ts']],
    ['a copy from outside', changed('src/app.ts', { status: 'copied', old_path: 'lib/app.ts' }), []],
    ['a copy to outside', changed('lib/app.ts', { status: 'copied', old_path: 'src/app.ts' }), ['lib/app.ts']],
    ['a deletion', changed('lib/app.ts', { status: 'deleted' }), ['lib/app.ts']],
    ['a file whose name only begins alike', changed('src/app.tsx'), ['src/app.tsx']],
    ['a claim', changed('.rapid-os/specs/demo/x', { status: 'added' }), []],
    ['a claim in other letter case', changed('.RAPID-OS/runs/x', { status: 'added' }), ['.RAPID-OS/runs/x']],
    [
      'a rename of work among the claims',
      changed('.rapid-os/evidence/demo-r1-run-001/x', { status: 'renamed', old_path: 'lib/app.ts' }),
      ['lib/app.ts'],
    ],
  ] as [string, FileChange, string[]][])('%s', (_name, file, outside) => {
    const report = judge({ edit: withFiles(file) });
    const found = report.findings.filter(({ rule }) => rule === 'scope/outside');
    expect(found.map(({ place }) => (place.at === 'file' ? place.path : ''))).toEqual(outside);
  });

  it('is allowed where the config lists it, under both names of a rename', () => {
    const allowing = config('scope: { allow: [package-lock.json, "vendor/**"] }');
    const outcome = (file: FileChange): string => judge({ config: allowing, edit: withFiles(file) }).outcome;
    expect(outcome(changed('package-lock.json'))).toBe('verified');
    expect(outcome(changed('vendor/a', { status: 'renamed', old_path: 'vendor/b' }))).toBe('verified');
    expect(outcome(changed('vendor/a', { status: 'renamed', old_path: 'lib/b' }))).toBe('failed');
    expect(outcome(changed('lib/b', { status: 'renamed', old_path: 'vendor/a' }))).toBe('failed');
  });

  it('is not allowed by the config of the head', () => {
    const head = (entries: Facts['head']['entries']): Facts['head']['entries'] =>
      entries.map((entry) =>
        entry.path === '.github/countersign.yml' ? { ...entry, text: 'scope: { enforce: off }' } : entry,
      );
    expect(judge({ head, edit: withFiles(changed('lib/a')) }).outcome).toBe('failed');
  });

  it('shows few of many declared paths', () => {
    const paths = Array.from({ length: 50 }, (_, index) => `p${String(index).padStart(2, '0')}`);
    const report = judge({
      project: { paths, changed: ['p01/x'] },
      edit: withFacts({ files: [changed('q'), changed('p01/x')] }),
    });
    expect(report.findings[0]?.message).toBe('q lies outside the affected paths: p00, p01, p02, p03, p04 and 45 more.');
  });
});

it('a spec that declares nothing is a note', () => {
  const report = judge({ project: { paths: [] }, edit: withFiles(changed('lib/a.ts')) });
  expect(report.outcome).toBe('verified');
  expect(report.findings.map(({ rule, severity }) => [rule, severity])).toEqual([['scope/undeclared', 'note']]);
});

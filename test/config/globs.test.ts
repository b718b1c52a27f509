import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { globFault, globMatcher, matchesGlob, matchesWildcard, MAX_GLOB_LENGTH } from '../../src/config/globs.ts';

describe('a pattern', () => {
  it.each([
    ['README.md', 'README.md', true],
    ['docs/README.md', 'README.md', false],
    ['readme.md', 'README.md', false],
    ['a.md', '*.md', true],
    ['docs/a.md', '*.md', false],
    ['.md', '*.md', true],
    ['.github/workflows/ci.yml', '**/*.yml', true],
    ['node_modules/.pnpm/x/dist/i.js', '**/dist/**', true],
    ['ci.yml', '**/*.yml', true],
    ['src/a.ts', 'src/**', true],
    ['src/a/b/c.ts', 'src/**', true],
    ['src', 'src/**', true],
    ['src', 'src/', true],
    ['src/a', 'src/', true],
    ['srcs/a', 'src/', false],
    ['src/a', 'src', false],
    ['src/x/test/a.ts', 'src/**/test/*', true],
    ['src/test/a.ts', 'src/**/test/*', true],
    ['src/test/x/a.ts', 'src/**/test/*', false],
    ['a/x/b/x/b/c', 'a/**/b/c', true],
    ['ab', 'a?', true],
    ['a/', 'a?', false],
    ['a', 'a?', false],
    ['a😀', 'a?', true],
    ['a/b', 'a?b', false],
    ['app/[id].tsx', 'app/[id].tsx', true],
    ['app/i.tsx', 'app/[id].tsx', false],
    ['a+b(c)|d^$.x', 'a+b(c)|d^$.x', true],
    ['axx', 'a.x', false],
    ['anything/at/all', '**', true],
    ['anything/at/all', '**/*', true],
    ['./src/auth/a.ts', 'src/auth/**', true],
    ['src//auth/a.ts', './src//auth/**', true],
    ['src/auth/', 'src/auth', true],
    ['', '**', false],
    ['a\\b', 'a/b', false],
    ['aXbXc', 'a*b*c', true],
    ['abcb', 'a*b', true],
    ['abc', 'a*b', false],
  ])('%j matches %j: %s', (path, pattern, expected) => {
    expect(matchesGlob(path, pattern)).toBe(expected);
  });

  it('refuses a path that leaves the repository', () => {
    expect(() => matchesGlob('src/../.github/x', '**')).toThrow(expect.objectContaining({ code: 'CS1403' }));
  });

  it('agrees with a regular expression that says the same', () => {
    const segment = fc.string({ unit: fc.constantFrom('a', 'b', '.', '*', '?'), minLength: 1, maxLength: 4 });
    const parts = fc.array(fc.oneof(segment, fc.constant('**')), { minLength: 1, maxLength: 5 });
    const name = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 4 });
    const isPlain = (text: string) => text !== '.' && text !== '..';
    const names = fc.array(name.filter(isPlain), { minLength: 1, maxLength: 6 });
    const patterns = parts.filter((list) =>
      list.every((part) => part === '**' || (isPlain(part) && !part.includes('**'))),
    );
    fc.assert(
      fc.property(names, patterns, (path, pattern) => {
        expect(matchesGlob(path.join('/'), pattern.join('/'))).toBe(oracle(pattern).test(`/${path.join('/')}`));
      }),
      { numRuns: 2000 },
    );
  });

  it('ends on hostile patterns and paths', () => {
    const pattern = `${'*a'.repeat(MAX_GLOB_LENGTH / 2 - 1)}b`;
    expect(globFault(pattern)).toBeUndefined();
    expect(matchesGlob('a'.repeat(100_000), pattern)).toBe(false);
    const deep = `${'**/a/'.repeat(MAX_GLOB_LENGTH / 5 - 1)}b`;
    expect(globFault(deep)).toBeUndefined();
    expect(matchesGlob('a/'.repeat(50_000), deep)).toBe(false);
  });
});

// `/**` is any number of segments; every other segment is `/` and its characters.
function oracle(pattern: readonly string[]): RegExp {
  const body = pattern.map((part) => {
    if (part === '**') return '(?:/[^/]+)*';
    return `/${part.replaceAll('.', '\\.').replaceAll('?', '[^/]').replaceAll('*', '[^/]*')}`;
  });
  return new RegExp(`^${body.join('')}$`);
}

describe('several patterns', () => {
  it('match where one does, and none matches nothing', () => {
    expect(globMatcher(['a', 'b/'])('b/c')).toBe(true);
    expect(globMatcher(['a', 'b/'])('c')).toBe(false);
    expect(globMatcher([])('a')).toBe(false);
  });
});

describe('no pattern', () => {
  it.each([
    ['', /empty/],
    ['  ', /empty/],
    ['!src', /negation/],
    ['/src', /root/],
    ['src\\a', /backslash/],
    ['{a,b}', /braces/],
    ['a{b}c', /braces/],
    ['../a', /'\.\.'/],
    ['a/..', /'\.\.'/],
    ['a**', /whole segment/],
    ['a/***/b', /whole segment/],
    ['./', /name something/],
    ['a'.repeat(MAX_GLOB_LENGTH + 1), /at most 512/],
  ])('is %.20j', (text, message) => {
    expect(globFault(text)).toMatch(message);
  });

  it.each(['a', '**', '**/*.ts', 'a{', '}a{', 'a..b', '...', 'docs/', '[id]', 'a!'])('is not %j', (text) => {
    expect(globFault(text)).toBeUndefined();
  });
});

describe('the name of a job', () => {
  it.each([
    ['test (20, ubuntu)', 'test (*)', true],
    ['test', 'test (*)', false],
    ['ci / test', 'ci / *', true],
    ['ci / test', '*', true],
    ['tests', 'test', false],
    ['test?', 'test?', true],
    ['tests', 'test?', false],
  ])('%j is meant by %j: %s', (name, pattern, expected) => {
    expect(matchesWildcard(name, pattern)).toBe(expected);
  });
});

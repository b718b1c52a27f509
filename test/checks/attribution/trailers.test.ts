import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cleanMessage } from '../../../src/checks/attribution/cleanup.ts';
import { gitTrailers } from '../../../src/checks/attribution/trailers.ts';

/** How many messages are compared with git; each costs one process. */
const RUNS = 400;

function git(args: readonly string[], input: string): string {
  const result = spawnSync('git', [...args], {
    input,
    encoding: 'utf8',
    cwd: tmpdir(),
    env: { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1', GIT_DIR: '/nonexistent' },
  });
  if (result.status !== 0) throw new Error(result.stderr);
  return result.stdout;
}

function parsedByGit(message: string): string[] {
  const output = git(['interpret-trailers', '--parse', '--no-divider'], message);
  // Git leaves the carriage return of a folded line inside the value.
  return output
    .replaceAll('\r', '')
    .split('\n')
    .filter((line) => line !== '');
}

const ours = (message: string): string[] => gitTrailers(message).map(({ key, value }) => `${key}: ${value}`);

const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'Co-authored-by: Ana <ana@example.test>',
      'co-AUTHORED-by : B',
      'Fixes:#1',
      'Key:',
      'a-1: b:c',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'Signed-off-by: Ana <a@example.test>',
      '(cherry picked from commit 1234)',
      'Signed-off-by:no blank',
    ),
  },
  { weight: 3, arbitrary: fc.constantFrom(' folded', '\tfolded by tab', '   ', '\t', '  a: b') },
  { weight: 3, arbitrary: fc.constantFrom('', '', '') },
  {
    weight: 3,
    arbitrary: fc.constantFrom(
      'Some prose here.',
      'two words: no key',
      'K_y: underscore',
      ': no key',
      'Clé: accent',
      '> quoted: x',
      '---',
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '# comment',
      '#x: y',
      'Conflicts:',
      '\tpath/of/conflict',
      '# ------------------------ >8 ------------------------',
    ),
  },
  {
    weight: 1,
    arbitrary: fc.string({ unit: fc.constantFrom('a', '-', ':', ' ', '\t', '#', '>', 'é'), maxLength: 12 }),
  },
);

const message = fc
  .record({
    lines: fc.array(line, { minLength: 1, maxLength: 14 }),
    ending: fc.constantFrom('\n', '\r\n'),
    last: fc.boolean(),
  })
  .map(({ lines, ending, last }) => lines.join(ending) + (last ? ending : ''));

describe('trailers', () => {
  it('are those that git reads', () => {
    let withTrailers = 0;
    fc.assert(
      fc.property(message, (text) => {
        // Git looks for comments and conflicts byte by byte, before it minds line ends.
        fc.pre(!(text.includes('\r') && /Conflicts:|>8|^#|^\r/m.test(text)));
        const expected = parsedByGit(text);
        if (expected.length > 0) withTrailers += 1;
        expect(ours(text)).toEqual(expected);
      }),
      { numRuns: RUNS },
    );
    // The comparison is worth nothing if hardly any message has trailers.
    expect(withTrailers).toBeGreaterThan(RUNS / 10);
  });

  it.each([
    ['blanks around the colon', 'x\n\nA \t:  b  \n', ['A: b']],
    ['folding over three lines', 'x\n\nA: b\n c\n\td\n', ['A: b c d']],
    ['a title of trailers', 'A: b\nC: d\n', []],
    ['a quarter of trailers with one of git', 'x\n\nprose\nprose\nprose\nSigned-off-by: A\n', ['Signed-off-by: A']],
    ['less than a quarter', 'x\n\nprose\nprose\nprose\nprose\nSigned-off-by: A\n', []],
    ['prose with a trailer of no one', 'x\n\nprose\nprose\nA: b\n', []],
    ['comments below', 'x\n\nA: b\n# comment\n\n', ['A: b']],
    ['conflicts below', 'x\n\nA: b\n\nConflicts:\n\tone\n\ttwo\n', ['A: b']],
    ['an earlier paragraph', 'x\n\nA: b\n\nprose\n', []],
    ['CRLF', 'x\r\n\r\nA: b\r\n c\r\n', ['A: b c']],
  ])('%s', (_, text, expected) => {
    expect(ours(text)).toEqual(expected);
    expect(parsedByGit(text)).toEqual(expected);
  });

  it('tell their lines', () => {
    expect(gitTrailers('x\n\nA: b\n c\nD: e\n').map(({ key, line: at, lines }) => [key, at, lines])).toEqual([
      ['A', 3, 2],
      ['D', 5, 1],
    ]);
  });
});

describe('the message that git records', () => {
  it.each([
    ['whitespace' as const, []],
    ['strip' as const, ['--strip-comments']],
  ])('is what git stripspace makes of it (%s)', (cleanup, options) => {
    fc.assert(
      fc.property(message, (text) => {
        expect(cleanMessage(text, cleanup)).toBe(git(['stripspace', ...options], text));
      }),
      { numRuns: RUNS / 4 },
    );
  });

  it('ends at the scissors line', () => {
    const text = 'x\n\n# ------------------------ >8 ------------------------\nrest\n';
    expect(cleanMessage(text, 'scissors')).toBe('x\n');
    expect(cleanMessage(text, 'whitespace', '#', true)).toBe('x\n');
    expect(cleanMessage(text.slice(3), 'scissors')).toBe('');
    expect(cleanMessage(text, 'verbatim')).toBe(text);
  });
});

import { describe, expect, it } from '@jest/globals';
import { changedLines, likeness } from '../../../src/sources/secrets/changed-lines.ts';

const rows = (count: number): string[] => Array.from({ length: count }, (_, index) => `row ${index + 1}`);
const shown = (before: string | undefined, after: string): string[] => {
  const { text, lines } = changedLines(before, after);
  return text === '' && lines.length === 0
    ? []
    : text
        .split(/\r\n|\r|\n/)
        .map((row, at) => `${lines[at]?.isAdded === true ? '+' : ' '}${lines[at]?.number} ${row}`);
};

describe('changed lines', () => {
  it.each([
    ['nothing before', undefined, 'a\nb\n', ['+1 a', '+2 b']],
    ['nothing new', 'a\nb\n', 'b\na\n', []],
    ['a line that the last one of a file ends', 'a', 'a\nb', [' 1 a', '+2 b']],
    ['a carriage return within a line', 'a\n', 'a\nb\rc\n', [' 1 a', '+2 b', '+2 c']],
    ['an empty file', 'a\n', '', []],
  ] as const)('of %s', (_what, before, after, expected) => {
    expect(shown(before, after)).toEqual(expected);
  });

  it('stand among three others, and hunks apart', () => {
    const before = rows(30);
    const after = [...before];
    after[4] = 'new';
    after[24] = 'newer';
    const found = shown(before.join('\n'), after.join('\n'));
    expect(found.filter((row) => row.startsWith('+'))).toEqual(['+5 new', '+25 newer']);
    expect(found).toEqual([
      ...[' 2 row 2', ' 3 row 3', ' 4 row 4', '+5 new', ' 6 row 6', ' 7 row 7', ' 8 row 8', ' 22 '],
      ...[' 22 row 22', ' 23 row 23', ' 24 row 24', '+25 newer', ' 26 row 26', ' 27 row 27', ' 28 row 28'],
    ]);
  });
});

describe('likeness', () => {
  it.each([
    ['the same', 'a\nb\n', 'a\nb\n', 1],
    ['half of it', 'aa\nbb\n', 'aa\ncc\n', 0.5],
    ['nothing', 'a', 'b', 0],
  ])('is the share that both have: %s', (_what, before, after, expected) => {
    expect(Math.abs(likeness(before, after) - expected)).toBeLessThan(0.15);
  });
});

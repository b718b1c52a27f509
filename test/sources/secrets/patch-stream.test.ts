import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isRefusal } from '../../../src/domain/errors.ts';
import { patchStream } from '../../../src/sources/secrets/patch-stream.ts';
import type { PatchedFile } from '../../../src/sources/secrets/patch-stream.ts';

const [A, B, C, NONE] = ['a', 'b', 'c', '0'].map((digit) => digit.repeat(40)) as [string, string, string, string];

/** What git prints for a commit: entries, then patches. */
function printed(commit: string, entries: readonly string[], patches: string): Buffer {
  return Buffer.from(`${commit}\0${entries.join('')}\0${patches}`);
}
const added = (path: string): string => `:000000 100644 ${NONE} ${B} A\0${path}\0`;
const head = (rows: string): string =>
  `diff --git a/x b/x\nnew file mode 100644\nindex ${NONE}..${B}\n--- /dev/null\n+++ b/x\n${rows}`;

function read(bytes: Buffer, cuts: readonly number[] = [], limit = 1000): PatchedFile[] {
  const stream = patchStream(limit);
  const at = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  const files = [0, ...at].flatMap((from, index) => stream.push(bytes.subarray(from, at[index] ?? bytes.length)));
  return [...files, ...stream.end()];
}
const codeOf = (bytes: Buffer): string => {
  try {
    return read(bytes).length.toString();
  } catch (thrown) {
    return isRefusal(thrown) ? thrown.code : String(thrown);
  }
};

const SAMPLE = Buffer.concat([
  printed(
    A,
    [added('one\ntwo'), `:100644 100644 ${A} ${C} M\0m\0`],
    `${head(`@@ -0,0 +1,3 @@\n+diff --git a/x b/x\n+${C}\0\n+\\ x\n\\ No newline at end of file\n`)}diff --git a/m b/m\nindex ${A}..${C} 100644\n--- a/m\n+++ b/m\n@@ -1,2 +1,2 @@ @@ -9 +9 @@\n a\n--- b\n+++ c\n@@ -8 +8 @@\n-x\n+y\n`,
  ),
  printed(
    C,
    [
      `:100644 120000 ${A} ${B} T\0l\0`,
      `:100644 100644 ${A} ${B} R070\0old\0new\0`,
      `:100644 100644 ${A} ${C} M\0bin\0`,
    ],
    `diff --git a/l b/l\ndeleted file mode 100644\nindex ${A}..${NONE}\n--- a/l\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\ndiff --git a/l b/l\nnew file mode 120000\nindex ${NONE}..${B}\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+target\ndiff --git a/old b/new\nsimilarity index 70%\nrename from old\nrename to new\nindex ${A}..${B} 100644\n--- a/old\n+++ b/new\n@@ -3,0 +4 @@\n+z\ndiff --git a/bin b/bin\nindex ${A}..${C} 100644\nBinary files a/bin and b/bin differ\n`,
  ),
]);

describe('patchStream', () => {
  it('takes paths from the entries and lines from the hunks', () => {
    const files = read(SAMPLE).map(({ commit, path, content }) => [
      commit.charAt(0),
      path,
      content.kind === 'lines' ? content.text : content.kind,
      content.kind === 'lines'
        ? content.lines.map(({ number, isAdded }) => `${number}${isAdded ? '+' : ''}`).join(' ')
        : '',
    ]);
    expect(files).toEqual([
      ['a', 'one\ntwo', `diff --git a/x b/x\n${C}\0\n\\ x`, '1+ 2+ 3+'],
      ['a', 'm', 'a\n++ c\n\ny', '1 2+ 8 8+'],
      ['c', 'l', '', ''],
      ['c', 'l', 'target', '1+'],
      ['c', 'new', 'z', '4+'],
      ['c', 'bin', 'hidden', ''],
    ]);
  });

  it('reads the same wherever the stream is cut', () => {
    const whole = read(SAMPLE);
    fc.assert(
      fc.property(fc.array(fc.nat(SAMPLE.length), { maxLength: 40 }), (cuts) => {
        expect(read(SAMPLE, cuts)).toEqual(whole);
      }),
    );
  });

  it.each([
    ['many lines', '+0123456789\n'.repeat(100), 100, 1100],
    ['one line', `+${'x'.repeat(2000)}\n`, 1, 2001],
  ])('tells only how many bytes there are beyond the limit: %s', (_, rows, count, size) => {
    const bytes = printed(
      A,
      [added('x'), added('y')],
      head(`@@ -0,0 +1,${count} @@\n${rows}`) + head('@@ -0,0 +1 @@\n+ok\n'),
    );
    for (const cuts of [[], [300, 700, 900, 1500]]) {
      expect(read(bytes, cuts).map(({ content }) => content)).toMatchObject([
        { kind: 'too-large', size },
        { kind: 'lines', text: 'ok' },
      ]);
    }
  });

  it.each<[string, Buffer]>([
    ['no id of a commit', printed('x', [], '')],
    ['no entry', printed(A, ['x\0y\0'], '')],
    ['an entry without a path', Buffer.from(`${A}\0:000000 100644 ${NONE} ${B} A\0\0`)],
    ['a patch without an entry', printed(A, [], head(''))],
    ['an entry without a patch', printed(A, [added('x'), added('y')], head(''))],
    ['a patch of another file', printed(A, [`:100644 100644 ${A} ${C} M\0m\0`], head(''))],
    ['a hunk that is cut', printed(A, [added('x')], head('@@ -0,0 +1,2 @@\n+x\n'))],
    ['a line that is cut', printed(A, [added('x')], head('@@ -0,0 +1 @@\n+x'))],
  ])('refuses %s', (_, bytes) => {
    expect(codeOf(bytes)).toBe('CS1502');
  });
});

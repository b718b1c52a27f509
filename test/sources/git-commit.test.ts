import { describe, expect, it } from '@jest/globals';
import { parseCommit, readCommitText } from '../../src/sources/git-commit.ts';

function commit(encodings: readonly string[], message: Uint8Array): Uint8Array {
  const headers = encodings.map((name) => `encoding ${name}\n`).join('');
  return Buffer.concat([
    Buffer.from(`tree 1\nauthor A <a@x> 1 +0000\ncommitter C <c@x> 1 +0000\n${headers}\n`),
    message,
  ]);
}

describe("a commit's message", () => {
  it.each([
    ['no encoding', [], 'café'],
    ['UTF-8', ['UTF-8'], 'café'],
    ['utf8', ['utf8'], 'café'],
    ['Latin 1', ['ISO-8859-1'], 'café'],
    ['the names of iconv', ['CP1252'], 'café'],
    ['Shift_JIS', ['SHIFT_JIS'], 'plain'],
    ['GB 18030', ['GB18030'], 'plain'],
    ['a code page of DOS', ['IBM850'], 'plain'],
    ['an empty name', [''], 'plain'],
  ])('is read in an encoding that extends ASCII: %s', (_what, encodings, text) => {
    expect(parseCommit(commit(encodings, Buffer.from(text)))).toMatchObject({ message: text });
    expect(parseCommit(commit(encodings, Buffer.from(text))).unreadEncoding).toBeUndefined();
  });

  it.each(
    (
      'UTF-7 utf7 UNICODE-1-1-UTF-7 UTF-7-IMAP UTF-16 UTF-16LE utf-16be UCS-2 UNICODE UTF-32 UTF-32BE UCS-4 ISO-10646-UCS-4 ' +
      'IBM037 CP037 ibm-037 037 EBCDIC-US EBCDICUS IBM500 CP500 IBM1047 CP1140 IBM273 IBM1026 OSF10020025 ' +
      'ISO-2022-JP ISO-2022-KR ISO-2022-CN HZ-GB-2312 x-none'
    ).split(' '),
  )('is unread in %s', (encoding) => {
    const parsed = parseCommit(commit([encoding], Buffer.from('+AEM-redit')));
    expect(parsed).toMatchObject({ message: '', unreadEncoding: encoding, author: { name: 'A', email: 'a@x' } });
    expect(readCommitText(Buffer.from('x'), encoding)).toBeUndefined();
  });

  it.each([[['UTF-8', 'UTF-7']], [['UTF-7', 'UTF-8']]])(
    'is unread where one of several encodings hides: %j',
    (names) => {
      expect(parseCommit(commit(names, Buffer.from('x')))).toMatchObject({ message: '', unreadEncoding: 'UTF-7' });
    },
  );

  it('is read in what a hostile name claims without delay', () => {
    for (const name of ['iso8859'.repeat(20_000), 'x'.repeat(200_000), ' '.repeat(200_000)])
      expect(readCommitText(Buffer.from('x'), name)).toBe(name.trim() === '' ? 'x' : undefined);
  });
});

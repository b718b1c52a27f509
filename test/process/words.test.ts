import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { MAX_COMMAND_LENGTH, splitWords } from '../../src/process/words.ts';
import { codeOf } from '../support/sample.ts';

const SPLIT: readonly (readonly [string, readonly string[]])[] = [
  ['npm test', ['npm', 'test']],
  ['  npm\t run   test:unit ', ['npm', 'run', 'test:unit']],
  [`pytest -k 'a and b'`, ['pytest', '-k', 'a and b']],
  [`pytest -k "it's fine"`, ['pytest', '-k', "it's fine"]],
  [`a'b c'"d e"f`, ['ab cd ef']],
  [`a '' ""`, ['a', '', '']],
  [`run a\\ b \\; \\$HOME`, ['run', 'a b', ';', '$HOME']],
  [`run "a\\"b" "\\$x" "\\\\" "a\\n"`, ['run', 'a"b', '$x', '\\', 'a\\n']],
  [`run ';&|<>$\`()*?~#'`, ['run', ';&|<>$`()*?~#']],
  ['run ";&|<>()*?~#"', ['run', ';&|<>()*?~#']],
  ['env NODE_ENV=test npm test', ['env', 'NODE_ENV=test', 'npm', 'test']],
  [`"A=b" c`, ['A=b', 'c']],
  ['run é日本', ['run', 'é日本']],
];

const REFUSED = [
  ...['', '  \t ', `'' a`, 'a; b', 'a;b', 'a && b', 'a & b', 'a | b', 'a > b', 'a < b', 'a $HOME', 'a ${x}', 'a $(b)'],
  ...[
    'a `b`',
    'a (b)',
    'a *.ts',
    'a b?',
    'a ~/x',
    'a # b',
    'a\nb',
    'a\r\nb',
    `'a\nb'`,
    '"a\nb"',
    'a \\\nb',
    '"$HOME"',
    '"`b`"',
  ],
  ...['"$(rm -rf x)"', "'open", '"open', 'open\\', 'A=b c', '_x=', 'a \0', "'\u0001'", '"\u001b[2J"', 'a \\\0'],
];

describe('words of a command', () => {
  it.each(SPLIT)('%j are %j', (text, words) => {
    expect(splitWords(text)).toEqual(words);
  });

  it.each(REFUSED.map((text) => [text]))('refuses %j', (text) => {
    expect(codeOf(() => splitWords(text))).toBe('CS1305');
  });

  it('are what was quoted, whatever it is', () => {
    const word = fc.string({ unit: fc.constantFrom(...`ab '"\\$\`;|*~# =é日`) });
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const quoted = words.map((one) => `'${one.replaceAll("'", `'\\''`)}'`);
        expect(splitWords(['run', ...quoted].join(' '))).toEqual(['run', ...words]);
      }),
    );
  });

  it('never hold a bare operator: what is not refused starts one program', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...`a ;&|<>$\`()*?~#\n`) }), (text) => {
        const bare = /[;&|<>$`()*?~#\n]/.test(text) || text.trim() === '';
        expect(codeOf(() => splitWords(text))).toBe(bare ? 'CS1305' : 'no refusal');
      }),
    );
  });

  it('take time that grows with the length only', () => {
    expect(codeOf(() => splitWords('a'.repeat(MAX_COMMAND_LENGTH + 1)))).toBe('CS1305');
    expect(splitWords(`${"''".repeat(MAX_COMMAND_LENGTH / 2 - 1)}ab`)).toEqual(['ab']);
  });
});

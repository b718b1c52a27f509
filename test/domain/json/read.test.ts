import { describe, expect, it } from '@jest/globals';
import { typeName } from '../../../src/domain/json/node.ts';
import { readJson } from '../../../src/domain/json/read.ts';
import type { Reading } from '../../../src/domain/json/read.ts';
import { codeOf } from '../../support/sample.ts';

const read = (text: string, reading: Reading = 'compatible') =>
  readJson(text, { code: 'RAPID1102', file: 'a.json', reading });

describe('readJson', () => {
  it.each([
    ['', 'the text ends too early'],
    ['\ufeff{}', 'expected a value'],
    ['{} {}', "more text after the document's end"],
    ['{"a" 1}', "expected ':' after a key"],
    ['{"a":1 "b":2}', "expected ',' or '}'"],
    ['{"a":1,}', 'expected a key in double quotes'],
    ['{a:1}', 'expected a key in double quotes'],
    ['[1 2]', "expected ',' or ']'"],
    ['[1,]', 'expected a value'],
    ['"a', 'text is not closed'],
    ['"a\nb"', 'raw control character in a text'],
    ['"\\x"', 'unknown escape'],
    ['"\\', 'unknown escape'],
    ['"\\u12g4"', 'malformed \\u escape'],
    ['"\\u12', 'malformed \\u escape'],
    ['01', "more text after the document's end"],
    ['1.', "more text after the document's end"],
    ['.5', 'expected a value'],
    ['+1', 'expected a value'],
    ['nul', 'expected a value'],
    ['\u00a01', 'expected a value'],
    ['// x', 'expected a value'],
    ["{'a':1}", 'expected a key in double quotes'],
  ])('refuses %j', (text, why) => {
    expect(codeOf(() => read(text))).toBe('RAPID1102');
    expect(() => read(text)).toThrow(why);
  });

  it('says where', () => {
    expect(() => read('{\n  "a": 1,\n  "b": x\n}')).toThrow(
      'a.json is not valid JSON: expected a value (line 3, column 8).',
    );
  });

  it.each([
    ['"\\ud800"', 'CS1112'],
    ['{"\\udc00":1}', 'CS1112'],
    ['1'.repeat(4301), 'CS1113'],
    [`-${'1'.repeat(4301)}`, 'CS1113'],
    ['['.repeat(991), 'CS1102'],
    ['{"a":'.repeat(1_000_000), 'CS1102'],
  ])('refuses in compatible reading too, case %#', (text, code) => {
    expect(codeOf(() => read(text))).toBe(code);
  });

  it('reads integers of any size and keeps fractions apart', () => {
    expect(read('[1, -0, 1.0, 1e0, 9007199254740991, 9007199254740992]')).toEqual([
      1,
      0,
      { float: 1 },
      { float: 1 },
      9007199254740991,
      9007199254740992n,
    ]);
    expect(read(`-${'1'.repeat(4300)}`)).toBe(BigInt(`-${'1'.repeat(4300)}`));
  });

  it('reads a key as it stands, whatever was read before', () => {
    // JSON.parse of Node 24.21 guesses keys from objects that it has seen, and here guesses wrongly.
    for (const [first, then, key] of [
      ['{"b":0,"\\\\":null}', '{"b":0,"\\n":1}', '\n'],
      ['{"e":0,"v\\\\":null}', '{"e":0,"v\\u0041":1}', 'vA'],
      ['{"f":0,"v\\\\":null}', '{"f":0,"v\\/":1}', 'v/'],
    ] as const) {
      for (const reading of ['compatible', 'strict'] as const) {
        read(first, reading);
        JSON.parse(first);
        expect([...(read(then, reading) as Map<string, unknown>).keys()][1]).toBe(key);
      }
    }
  });

  it.each([
    '[1, "a"]',
    '{"a": {"b": [true, null]}}',
    '{"2": 0, "1": 0}',
    '{"a": 1, "a": 2}',
    '{"__proto__": {"x": 1}}',
    '[-0]',
    '[ ]',
    '[1e2]',
    '[12345678901234567]',
    '"\\ud83d\\ude00"',
  ])('reads %s alike with and without a raw character that needs care', (text) => {
    // A backslash anywhere takes the careful way.
    const careful = read(`[${text}, "\\n"]`) as unknown[];
    expect(read(text)).toEqual(careful[0]);
  });

  it('refuses what no double holds, as a digest would be of another statement', () => {
    expect(codeOf(() => read('{"coverage":1e400}', 'strict'))).toBe('CS1109');
    expect(codeOf(() => read('{"v":"U","v":"V"}', 'strict'))).toBe('CS1101');
    expect(codeOf(() => read('[0.5, -1.25e3, 9007199254740991]', 'strict'))).toBe('no refusal');
  });

  it('takes time in proportion to hostile text', () => {
    const took = (text: string): number => {
      const start = performance.now();
      codeOf(() => read(text));
      return performance.now() - start;
    };
    for (const part of ['[', '"', '\\', '1', '{"a":', ' ', '"a",', '\\u0041', '-']) {
      took(part.repeat(1000));
      expect(took(`"${part.repeat(400_000)}`)).toBeLessThan(4000);
      expect(took(`[${part.repeat(400_000)}`)).toBeLessThan(4000);
    }
  });

  it.each([
    [undefined, 'nothing'],
    [null, 'null'],
    [[], 'a list'],
    [new Map(), 'an object'],
    [1n, 'an integer'],
    [{ float: 1 }, 'a fraction'],
    [true, 'a boolean'],
    ['', 'a text'],
  ])('names the type of %p', (node, name) => {
    expect(typeName(node)).toBe(name);
  });
});

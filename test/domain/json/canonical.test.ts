import { describe, expect, it } from '@jest/globals';
import { canonicalJson, digestOf, quote, quoteAscii, without, writeJson } from '../../../src/domain/json/canonical.ts';
import { readJson } from '../../../src/domain/json/read.ts';

const read = (text: string) => readJson(text, { code: 'RAPID1102', file: 'a.json', reading: 'compatible' });

describe('canonical JSON', () => {
  it('sorts keys by code point, not by UTF-16 unit', () => {
    // RFC 8785 sorts by UTF-16 unit and would put the emoji first; Rapid OS's digests are made in this order.
    expect(canonicalJson(read('{"\\ud83d\\ude00":2,"\\ufb33":1}'))).toBe('{"\ufb33":1,"😀":2}');
    expect(canonicalJson(read('{"😀":1,"\uff5e":2,"a":3,"":4}'))).toBe('{"":4,"a":3,"\uff5e":2,"😀":1}');
  });

  it.each(['1.0', '1e20', '0.0000001', '1E2', 'NaN', 'Infinity', '1e400'])('takes no fraction such as %s', (number) => {
    // No digested document of these formats holds one, so there is no rule for writing it.
    expect(() => canonicalJson(read(`{"v":${number}}`))).toThrow(TypeError);
  });

  it('keeps all digits of integers, and -0 is 0', () => {
    expect(canonicalJson(read('[100000000000000000000,-9007199254740993,-0,0]'))).toBe(
      '[100000000000000000000,-9007199254740993,0,0]',
    );
  });

  it('gives different digests with and without a key __proto__', () => {
    const [one, other] = ['{"__proto__":{"approved":false},"a":2}', '{"a":2}'].map((text) =>
      digestOf(new Map([['d', read(text)]])),
    );
    expect(one).not.toBe(other);
    expect(canonicalJson(read('{"__proto__":{"a":1},"a":2}'))).toBe('{"__proto__":{"a":1},"a":2}');
  });

  it('does not tell escapes apart, and does tell normal forms apart', () => {
    expect(canonicalJson(read('{"a":"\\u00e9"}'))).toBe(canonicalJson(read('{"a":"é"}')));
    expect(canonicalJson(read('{"a":"e\\u0301"}'))).not.toBe(canonicalJson(read('{"a":"é"}')));
  });

  it('takes the last of repeated keys in compatible reading', () => {
    expect(canonicalJson(read('{"verdict":"UNVERIFIED","verdict":"VERIFIED"}'))).toBe('{"verdict":"VERIFIED"}');
  });

  it.each([undefined, () => 1, Symbol('x'), 1.5, Number.NaN, 2 ** 53])('takes nothing that is no JSON: %p', (value) => {
    expect(() => canonicalJson({ value })).toThrow(TypeError);
    expect(() => writeJson({ value })).toThrow(TypeError);
  });
});

describe('writing', () => {
  it('indents by two, and writes empty lists and objects in one piece', () => {
    expect(writeJson({ b: [1, 'x', null], a: {}, c: [], d: { e: true } })).toBe(
      '{\n  "b": [\n    1,\n    "x",\n    null\n  ],\n  "a": {},\n  "c": [],\n  "d": {\n    "e": true\n  }\n}\n',
    );
  });

  it.each([
    ['"\\\b\f\n\r\t', '"\\"\\\\\\b\\f\\n\\r\\t"'],
    ['\u0000\u001f', '"\\u0000\\u001f"'],
    ['/\u007fé\u2028😀', '"/\u007fé\u2028😀"'],
  ])('escapes %j', (text, quoted) => {
    expect(quote(text)).toBe(quoted);
  });

  it('escapes all but printable ASCII in spec documents', () => {
    expect(quoteAscii('a~ \u007fé\u2028😀"')).toBe('"a~ \\u007f\\u00e9\\u2028\\ud83d\\ude00\\""');
  });

  it('leaves out the keys that a digest does not cover', () => {
    expect(without({ a: 1, b: 2, c: 3 }, 'a', 'c')).toEqual({ b: 2 });
  });
});

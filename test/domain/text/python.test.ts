import { describe, expect, it } from '@jest/globals';
import { readJson } from '../../../src/domain/json/read.ts';
import { toText } from '../../../src/domain/text/python.ts';

const converted = (text: string): string =>
  toText(readJson(text, { code: 'RAPID1102', file: 'a.json', reading: 'compatible' }));

describe('text-converted fields', () => {
  it.each([
    ['null', 'None'],
    ['true', 'True'],
    ['false', 'False'],
    ['"it\'s"', "it's"],
    ['12345678901234567890', '12345678901234567890'],
    ['NaN', 'nan'],
    ['Infinity', 'inf'],
    ['-Infinity', '-inf'],
    ['-0.0', '-0.0'],
    ['1.0', '1.0'],
    ['0.0', '0.0'],
    ['1.5', '1.5'],
    ['-0.25', '-0.25'],
    ['0.0001', '0.0001'],
    ['0.00001', '1e-05'],
    ['1e15', '1000000000000000.0'],
    ['1e16', '1e+16'],
    ['1.5e300', '1.5e+300'],
    ['1e-7', '1e-07'],
    ['[1, "a", null]', "[1, 'a', None]"],
    ['{"a": [true], "b": {}}', "{'a': [True], 'b': {}}"],
    ['["it\'s"]', '["it\'s"]'],
    ['["it\'s \\"so\\""]', "['it\\'s \"so\"']"],
    ['["a\\\\b\\n\\r\\t"]', "['a\\\\b\\n\\r\\t']"],
    ['["\\u0000\\u007f\\u00a0"]', "['\\x00\\x7f\\xa0']"],
    ['["\\u200b\\u2028\\ud83d\\ude00\\udb40\\udc61"]', "['\\u200b\\u2028😀\\U000e0061']"],
  ])('%s becomes %s', (json, text) => {
    expect(converted(json)).toBe(text);
  });
});

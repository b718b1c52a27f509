import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hitOf, keywordSearch } from '../../../src/checks/secrets/keyword-search.ts';

describe('a search for many keywords', () => {
  it.each<[string, string[], string, [number, number][]]>([
    ['at an even place', ['abc'], 'xxabc', [[0, 2]]],
    ['at an odd place', ['abc'], 'xabcx', [[0, 1]]],
    [
      'at the start and at the end',
      ['abc'],
      'abcxabc',
      [
        [0, 0],
        [0, 4],
      ],
    ],
    ['in any case', ['pass'], 'a PaSs', [[0, 2]]],
    [
      'two with one beginning',
      ['pass', 'passw'],
      'passw',
      [
        [0, 0],
        [1, 0],
      ],
    ],
    [
      'overlapping',
      ['aaa'],
      'aaaa',
      [
        [0, 0],
        [0, 1],
      ],
    ],
    ['cut off at the end', ['abcd'], 'xabc', []],
    ['not in characters that share the low byte', ['abc'], '\u0161\u0162\u0163', []],
    ['not by Unicode folding', ['key'], '\u212aey', []],
    ['in no text', ['abc'], '', []],
  ])('finds %s', (_, keywords, text, expected) => {
    const hits = keywordSearch(keywords)(text)
      .map(hitOf)
      .map(({ keyword, start }) => [keyword, start]);
    expect(hits.sort()).toEqual(expected);
  });

  it('refuses keywords of two characters', () => {
    expect(() => keywordSearch(['ab'])).toThrow(RangeError);
  });

  it('finds just what a plain comparison at every place finds', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '-', '_'), minLength: 3, maxLength: 5 });
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'A', 'B', '-', '_', 'é', '\u0161'), maxLength: 60 });
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 5 }), text, (keywords, haystack) => {
        const plain = keywords.flatMap((keyword, index) =>
          [...haystack].flatMap((_, start) =>
            haystack.slice(start, start + keyword.length).toLowerCase() === keyword.toLowerCase()
              ? [`${index}@${start}`]
              : [],
          ),
        );
        const found = keywordSearch(keywords)(haystack)
          .map(hitOf)
          .map(({ keyword, start }) => `${keyword}@${start}`);
        expect(found.sort()).toEqual(plain.sort());
      }),
    );
  });

  it('searches texts longer than its buffer', () => {
    const long = `${'x'.repeat(70_001)}token${'y'.repeat(70_000)}`;
    expect(keywordSearch(['token'])(long).map(hitOf)).toEqual([{ keyword: 0, start: 70_001 }]);
  });
});

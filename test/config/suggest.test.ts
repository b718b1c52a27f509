import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { closest, editDistance } from '../../src/config/suggest.ts';

describe('edit distance', () => {
  it.each([
    ['', '', 0],
    ['', 'abc', 3],
    ['mode', 'mode', 0],
    ['mdoe', 'mode', 1],
    ['jbs', 'jobs', 1],
    ['modes', 'mode', 1],
    ['node', 'mode', 1],
    ['kitten', 'sitting', 3],
  ])('of %j and %j is %d', (a, b, expected) => {
    expect(editDistance(a, b)).toBe(expected);
    expect(editDistance(b, a)).toBe(expected);
  });

  it('is between the difference of the lengths and the longer length, and nought for equal words only', () => {
    const word = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(word, word, (a, b) => {
        const distance = editDistance(a, b);
        expect(distance).toBeGreaterThanOrEqual(Math.abs(a.length - b.length));
        expect(distance).toBeLessThanOrEqual(Math.max(a.length, b.length));
        expect(distance === 0).toBe(a === b);
      }),
    );
  });
});

describe('the word that was meant', () => {
  it.each([
    ['enforced', ['observe', 'warn', 'enforce'], 'enforce'],
    ['Enforce', ['observe', 'warn', 'enforce'], 'enforce'],
    ['allowKeys', ['allow', 'allow_keys'], 'allow_keys'],
    ['control-plane', ['control_plane'], 'control_plane'],
    ['on_problem', ['always', 'on-problem'], 'on-problem'],
    ['zebra', ['observe', 'warn', 'enforce'], undefined],
    ['x', ['to', 'on'], undefined],
    ['a'.repeat(1e6), ['a'.repeat(60)], undefined],
  ])('for %.20j', (word, known, expected) => {
    expect(closest(word, known)).toBe(expected);
  });
});

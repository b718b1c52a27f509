import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { effectiveMode, promotionFault, strictestTimeline } from '../../src/config/mode.ts';
import type { Promotion, Timeline } from '../../src/config/mode.ts';
import { DEFAULT_CONFIG } from '../../src/config/schema.ts';
import { MODES } from '../../src/config/words.ts';
import type { Mode } from '../../src/config/words.ts';

const WARN: Promotion = { to: 'warn', on: '2027-01-15' };
const ENFORCE: Promotion = { to: 'enforce', on: '2027-03-01' };

describe('the mode of a day', () => {
  it.each([
    ['enforce', undefined, '2027-01-01', 'enforce'],
    ['observe', undefined, '2099-12-31', 'observe'],
    ['observe', ENFORCE, '2027-02-28', 'observe'],
    ['observe', ENFORCE, '2027-03-01', 'enforce'],
    ['observe', ENFORCE, '2028-01-01', 'enforce'],
    ['observe', [WARN, ENFORCE], '2027-01-14', 'observe'],
    ['observe', [WARN, ENFORCE], '2027-01-15', 'warn'],
    ['observe', [WARN, ENFORCE], '2027-03-01', 'enforce'],
    ['warn', [ENFORCE], '2026-12-31', 'warn'],
  ] as const)('%s with %j on %s is %s', (mode, promote, today, expected) => {
    expect(effectiveMode({ mode, promote }, today)).toBe(expected);
  });

  it('of the default configuration is to enforce', () => {
    expect(effectiveMode(DEFAULT_CONFIG, '2026-12-01')).toBe('enforce');
  });

  it.each(['', '2027-1-5', 'today', '2027-01-15T00:00:00Z'])('needs a day, not %j', (today) => {
    expect(() => effectiveMode(DEFAULT_CONFIG, today)).toThrow(TypeError);
  });
});

describe('promotions', () => {
  it.each([
    ['observe', undefined, undefined],
    ['observe', [WARN, ENFORCE], undefined],
    ['warn', ENFORCE, undefined],
    ['warn', WARN, /not stricter than `warn`/],
    ['enforce', ENFORCE, /not stricter than `enforce`/],
    ['observe', [ENFORCE, WARN], /not stricter than `enforce`/],
    ['observe', [WARN, { to: 'enforce', on: WARN.on }], /ascending/],
    ['observe', [WARN, { to: 'enforce', on: '2026-01-01' }], /ascending/],
  ] as const)('from %s: %j', (mode, promote, fault) => {
    if (fault === undefined) expect(promotionFault(mode, promote)).toBeUndefined();
    else expect(promotionFault(mode, promote)).toMatch(fault);
  });
});

const day = fc.integer({ min: 1, max: 28 }).map((number) => `2027-01-${String(number).padStart(2, '0')}`);

/** Timelines as a valid file has them. */
const timeline: fc.Arbitrary<Timeline> = fc
  .record({ mode: fc.constantFrom(...MODES), days: fc.uniqueArray(day, { maxLength: 2 }) })
  .map(({ mode, days }) => {
    const stricter = (['warn', 'enforce'] as const).filter((word) => MODES.indexOf(word) > MODES.indexOf(mode));
    const sorted = [...days].sort().slice(0, stricter.length);
    // With one day only, the last word or the first: both happen.
    const words = sorted.length === 1 && days[0] !== '2027-01-01' ? stricter.slice(-1) : stricter;
    return { mode, steps: sorted.map((on, index) => ({ on, to: words[index] ?? 'enforce' })) };
  });

describe('two timelines', () => {
  it('have the stricter mode on every day, as a timeline that is valid', () => {
    const rank = (mode: Mode) => MODES.indexOf(mode);
    fc.assert(
      fc.property(timeline, timeline, day, (a, b, today) => {
        const both = strictestTimeline(a, b);
        const at = ({ mode, steps }: Timeline) => rank(effectiveMode({ mode, promote: steps }, today));
        expect(at(both)).toBe(Math.max(at(a), at(b)));
        expect(promotionFault(both.mode, both.steps)).toBeUndefined();
        if (at(b) < at(a)) expect(both.looser).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['the same', { mode: 'observe', steps: [WARN] }, { mode: 'observe', steps: [WARN] }, false],
    [
      'a later day',
      { mode: 'observe', steps: [WARN] },
      { mode: 'observe', steps: [{ to: 'warn', on: '2027-01-16' }] },
      true,
    ],
    [
      'an earlier day',
      { mode: 'observe', steps: [WARN] },
      { mode: 'observe', steps: [{ to: 'warn', on: '2027-01-14' }] },
      false,
    ],
    ['no promotion', { mode: 'observe', steps: [WARN] }, { mode: 'observe', steps: [] }, true],
    ['a stricter mode', { mode: 'observe', steps: [ENFORCE] }, { mode: 'enforce', steps: [] }, false],
  ] as const)('%s in the second one', (_name, first, second, looser) => {
    expect(strictestTimeline(first, second).looser).toBe(looser);
  });
});

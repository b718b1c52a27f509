import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { fold, hiddenSigns, show } from '../../../src/checks/attribution/unicode.ts';

describe('the folded copy', () => {
  it.each([
    ['plain text', 'Co-authored-by: Ana', 'Co-authored-by: Ana'],
    ['runs of blanks', 'a \t  b', 'a b'],
    ['a no-break space', 'a\u00a0\u2009b', 'a b'],
    ['a line separator', 'a\u2028b', 'a b'],
    ['a Hangul filler', 'a\u3164b', 'a b'],
    ['zero-width signs', 'a\u200b\u200d\ufeffb', 'ab'],
    ['a soft hyphen', 'a\u00adb', 'ab'],
    ['a word joiner and a variation selector', 'a\u2060b\ufe0f', 'ab'],
    ['control characters', 'a\u0008b\u0000c', 'abc'],
    ['accents', 'é e\u0301 ñ', 'e e n'],
    ['full-width forms', 'Ｃｌａｕｄｅ：', 'Claude:'],
    ['mathematical forms', '𝐂𝕝𝖆𝓊𝗱𝚎', 'Claude'],
    ['ligatures', 'ﬁx', 'fix'],
    ['Cyrillic look-alikes', 'Сору', 'Copy'],
    ['Greek look-alikes', 'ΑΒΕ', 'ABE'],
    ['hyphens', 'co\u2010authored\u2011by\u2212x', 'co-authored-by-x'],
    ['quotation marks', '“a” ’b’', '"a" \'b\''],
    ['letters of other scripts', 'Привет 你好', 'Пpиbet 你好'],
  ])('resolves %s', (_, text, expected) => {
    expect(fold(text)).toBe(expected);
  });

  it('is its own copy', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        expect(fold(fold(text))).toBe(fold(text));
      }),
    );
  });
});

describe('a shown line', () => {
  it.each([
    ['plain text', ' a b ', 'a b'],
    ['an invisible sign', 'a\u200bb', 'a<U+200B>b'],
    ['a turned order', '\u202eba\u202c', '<U+202E>ba<U+202C>'],
    ['a foreign letter in a Latin word', 'Сlaude', '<U+0421>laude'],
    ['a full-width letter', 'Ｃlaude', '<U+FF23>laude'],
    ['a no-break space', 'a\u00a0b', 'a<U+00A0>b'],
    ['a tag character', 'a\u{e0041}', 'a<U+E0041>'],
    ['a word of another script', 'Привет, José', 'Привет, José'],
    ['a control character', 'a\u001b[0m', 'a<U+001B>[0m'],
  ])('%s', (_, text, expected) => {
    expect(show(text)).toBe(expected);
  });

  it('is cut, and never inside a character', () => {
    const shown = show(`${'a'.repeat(159)}😀😀`);
    expect(shown).toBe(`${'a'.repeat(159)}…`);
  });
});

describe('hidden signs', () => {
  it.each([
    ['an override', 'x\nab\u202ecd', [['bidi-control', 2, 'U+202E']]],
    ['an isolate', '\u2067a\u2069', [['bidi-control', 1, 'U+2067']]],
    ['a mark', 'a\u200f', [['bidi-mark', 1, 'U+200F']]],
    ['tags', 'a\u{e0041}\u{e0042}', [['hidden-text', 1, 'U+E0041']]],
    ['a run of variation selectors', 'a\u{e0101}\u{e0102}', [['hidden-text', 1, 'U+E0102']]],
    ['a run of the usual selector', 'a\ufe0f\ufe0f\ufe0f\ufe0f', [['hidden-text', 1, 'U+FE0F']]],
    ['a selector written twice', '🛠\ufe0f\ufe0f', []],
    ['the flag of Wales', '🏴\u{e0067}\u{e0062}\u{e0077}\u{e006c}\u{e0073}\u{e007f}', []],
    ['an emoji with its selector', '❤️ and 葛\u{e0100}', []],
    ['text from right to left', 'שלום', []],
  ])('%s', (_, text, expected) => {
    expect(hiddenSigns(text).map(({ kind, line, codePoint }) => [kind, line, codePoint])).toEqual(expected);
  });
});

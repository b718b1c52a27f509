import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { cellCode, codeBlock, codeSpan, htmlText, link, markdownText, tableCell } from '../../src/render/escape.ts';
import { bounded, line, visible } from '../../src/render/visible.ts';
import { SEED } from '../support/random.ts';

const ZWSP = '&#8203;';

/** Pieces that mean something to Markdown, HTML or GitHub, and glue between them. */
const PIECES = [
  ...'|\\`*_~[]()<>&"\'#@:/!$-+=.1 \t\n\r\u0000\u001b\u200b\u202e\u2066\ufeff\u{e0041}\ufe0f\u00a0é漢',
  '``',
  '```',
  '---',
  '@octocat',
  '@acme/team',
  '#12',
  'GH-34',
  'acme/shop#5',
  'https://evil.example/x.png',
  'www.evil.example',
  'a@b.example',
  '![x](https://evil.example/p.png)',
  '[x]: https://evil.example',
  '</details>',
  '<!-- countersign:verdict v1 -->',
  '<img src=x>',
  '&lt;',
  '&#64;octocat',
  ':tada:',
  'deadbeef1',
  'd'.repeat(40),
  '\n## VERIFIED',
  '\n    code',
  '| a | b |',
  '`@octocat`',
  'word',
] as const;
const hostile = fc
  .array(fc.oneof(fc.constantFrom(...PIECES), fc.string({ unit: 'binary' })), { maxLength: 12 })
  .map((parts) => parts.join(''));

/** What is left of escaped text beside its code: there is nothing in it that a parser or filter could take up. */
function withoutCode(escaped: string): string {
  return escaped.replace(/(?<!`)(`+)(?!`)(.*?)(?<!`)\1(?!`)|<code>[^<]*<\/code>/g, '\u0001');
}

/** Signs of which none may stand in the text itself. */
function faults(escaped: string): string[] {
  const rest = withoutCode(escaped);
  const broken = rest.replaceAll(ZWSP, '\u0003');
  const bare = broken.replace(/&#\d+;/g, '\u0002');
  return [
    ['structure', /[<>[\]\\`*~|$"&]/.test(bare)],
    ['line break', /[\r\n\t]/.test(escaped)],
    ['hidden', visible(rest) !== rest.replace(/[\u0001]/g, '\\u{1}')],
    ['emphasis', /(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/.test(bare)],
    ['mention or reference', /[@#](?!\u0003)/.test(bare)],
    ['issue', /\bgh-\d/i.test(rest)],
    ['address', /:\/\/|\bwww\./i.test(rest)],
    ['emoji', /:[a-z0-9_+-]{1,40}:/i.test(rest)],
    ['commit', /(?<![0-9a-z])[0-9a-f]{7,64}(?![0-9a-z])/i.test(bare)],
    ['block', /^(?:[-+=#>]|\d{1,9}[.)]|\s)/.test(bare)],
  ].flatMap(([name, found]) => (found === true ? [String(name)] : []));
}

describe('text for Markdown', () => {
  it.each([
    ['a mention', 'cc @octocat', `cc @${ZWSP}octocat`],
    ['a team', '@acme/team', `@${ZWSP}acme/team`],
    ['an address of mail', 'a@b.example', `a@${ZWSP}b.example`],
    ['an issue', 'fixes #12', `fixes #${ZWSP}12`],
    ['an issue in the old form', 'gh-12', `gh-${ZWSP}12`],
    ['an issue elsewhere', 'acme/shop#5', `acme/shop#${ZWSP}5`],
    ['a commit', 'see deadbeef1', 'see `deadbeef1`'],
    ['a commit elsewhere', 'acme/shop@deadbeef1', `acme/shop@${ZWSP}\`deadbeef1\``],
    ['an address', 'https://a.example', `https:${ZWSP}//a.example`],
    ['an address without scheme', 'www.a.example', `www${ZWSP}.a.example`],
    ['a picture', '![x](y)', '!&#91;x&#93;(y)'],
    ['HTML', '</details><img>', '&#60;/details&#62;&#60;img&#62;'],
    ['a comment', '<!-- x -->', '&#60;!-- x --&#62;'],
    ['a character reference', '&#64;octocat', `&#38;#${ZWSP}64;octocat`],
    ['emphasis', '*a* __b__ ~~c~~', '&#42;a&#42; &#95;&#95;b&#95;&#95; &#126;&#126;c&#126;&#126;'],
    ['an underscore within a word', 'affected_paths', 'affected_paths'],
    ['an emoji', ':tada:', `:${ZWSP}tada:`],
    ['a formula', '$x$', `&#36;${ZWSP}x&#36;${ZWSP}`],
    ['a heading', '# x', `&#35;${ZWSP} x`],
    ['a list', '- x', '&#45; x'],
    ['a numbered list', '1. x', `${ZWSP}1. x`],
    ['a line break', 'a\nb', 'a&#92;u{a}b'],
    ['a tag character', 'a\u{e0041}', 'a&#92;u{e0041}'],
    ['a variation selector', 'a\ufe01', 'a&#92;u{fe01}'],
    ['an override', '\u202eb', '&#92;u{202e}b'],
    ['half a character', '\ud800', '&#92;u{d800}'],
    ['code', 'run `x | @y`', 'run `x | @y`'],
    ['code that touches code', '`a``b`', `\`a\`${ZWSP}\`b\``],
    ['a backtick alone', 'a ` b', 'a &#96; b'],
    [
      'ordinary words',
      "Job 'test' of .github/workflows/ci.yml ended (1 of 2).",
      "Job 'test' of .github/workflows/ci.yml ended (1 of 2).",
    ],
  ])('keeps %s from being one', (_what, text, expected) => {
    expect(markdownText(text)).toBe(expected);
  });

  it('is neutral whatever it was', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(faults(markdownText(text))).toEqual([]);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  it('still says what it said', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const read = markdownText(text)
          .replaceAll(ZWSP, '')
          .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
        const bare = (one: string): string => one.replace(/[`\s–]/g, '');
        expect(bare(read)).toBe(bare(line(text, 400)));
      }),
      { seed: SEED },
    );
  });
});

describe('a cell of a table', () => {
  it('keeps its row whatever it holds', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const cell = tableCell(text);
        expect(faults(cell)).toEqual([]);
        expect(cell).not.toMatch(/[|\r\n]/);
        expect(cell).not.toBe('');
        expect(cell.replace(/<\/?code>/g, '')).not.toMatch(/[<>](?![^`]*`)/);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  it('keeps its row around a name', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const cell = cellCode(text);
        expect(cell).not.toMatch(/[|\r\n\\]/);
        expect(withoutCode(cell)).toMatch(/^[\u0001–]$/);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });
});

describe('code', () => {
  it.each([
    ['a`b', '``a`b``'],
    ['``', '``` `` ```'],
    ['`a', '`` `a ``'],
    [' a ', '`  a  `'],
    ['', '–'],
    ['  ', '–'],
  ])('%j is %s', (text, expected) => {
    expect(codeSpan(text)).toBe(expected);
  });

  it('ends where its fence does and nowhere else', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const span = codeSpan(text);
        expect(span).not.toMatch(/[\r\n]/);
        expect(withoutCode(span)).toMatch(/^[\u0001–]$/);
      }),
      { seed: SEED, numRuns: 2_000 },
    );
  });

  it('has a fence for a block that no line of it closes', () => {
    fc.assert(
      fc.property(fc.array(hostile, { maxLength: 4 }), (texts) => {
        const [fence, ...rest] = codeBlock(texts, '  ').split('\n');
        expect(rest).toHaveLength(texts.length + 1);
        expect(rest.filter((one) => one.includes(String(fence).trim()))).toEqual([fence]);
      }),
      { seed: SEED },
    );
  });
});

describe('text within HTML', () => {
  it('holds no tag, reference or quote', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(htmlText(text).replace(/&#\d+;/g, '')).not.toMatch(/[<>&"'`\r\n]/);
        expect(htmlText(text)).not.toMatch(/@(?!&#8203;)/);
      }),
      { seed: SEED },
    );
  });
});

describe('a link', () => {
  it.each([
    [
      'x](https://evil.example)',
      'https://a.example/?a=1&lt;=2',
      '[x&#93;(https:&#8203;//evil.example)](<https://a.example/?a=1&amp;lt;=2>)',
    ],
    ['x', 'https://a.example/<b>', '[x](<https://a.example/%3Cb%3E>)'],
    ['x', 'javascript:alert(1)', 'x'],
  ])('%s to %s', (text, url, expected) => {
    expect(link(text, new URL(url))).toBe(expected);
  });
});

describe('a bound', () => {
  it('never halves a character and is kept by every context', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 2, max: 30 }), (text, limit) => {
        expect(bounded(text, limit).isWellFormed()).toBe(true);
        expect(bounded(text, limit).length).toBeLessThanOrEqual(limit);
        expect(line(text, limit).length).toBeLessThanOrEqual(limit);
      }),
      { seed: SEED },
    );
  });

  it.each([markdownText, tableCell, htmlText, codeSpan, cellCode])('holds for a megabyte of anything: %p', (escape) => {
    for (const piece of ['@', '`', '$', '\u{e0041}', 'deadbeef1 ', '`a', ':a', '1', '_', '<']) {
      expect(escape(piece.repeat(1_000_000), 100).length).toBeLessThanOrEqual(100 * 14);
    }
  });
});

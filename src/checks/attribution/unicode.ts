// Letters and signs that look like ASCII ones: pairs of the sign and what it stands for. From Unicode's
// confusables (UTS #39), those for the letters of the names and keys that are matched here.
const LOOKALIKES =
  'аaвbеeкkмmнhоoрpсcтtуyхxѕsіiјjԁdԛqԝwһhӏlѵvгrАAВBЕEКKМMНHОOРPСCТTУYХXЅSІIЈJԌGԍgӀlЅSԚQԜW' +
  'αaεeιiκkνvοoρpτtυuχxγyωwηnΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX' +
  'ոnսuօoհhցgսuզqՍUՕOՏSԼL' +
  'đdłløoŧtħhɗdɓbƈcɖdɠgɦhɱmɲnƥpƭtʋvⱱv' +
  'ɑaɡgıiɩiɪiʟlʀrɴnɢgʙbʜhʏyᴀaᴄcᴅdᴇeᴊjᴋkᴍmᴏoᴘpꜱsᴛtᴜuᴠvᴡwᴢzƖlǀlℓl' +
  'ᎪAᏟCᏞLᎠDᎬEᏀGᎻHᏙVᎳWᏚSᎢTᏢPᎡRᎷMᎫJᏃZᏴBᏦK' +
  'ꓚCꓡLꓮAꓴUꓓDꓰEꓖGꓲIꓠNꓑPꓢSꓔTꓦVꓪWꓬYꓳOꓟMꓗKꓙJꓐBꓣRꓝFꓧHꓜZꓫX' +
  '꞉:∶:ː:׃:‐-‑-‒-⁃-−-˗-﹘-‹<˂<›>˃>’\'‘\'“"”"';

const LOOKS_LIKE: ReadonlyMap<string, string> = new Map(
  [...LOOKALIKES].flatMap((char, at, all) => (at % 2 === 0 ? [[char, all[at + 1] ?? char] as const] : [])),
);

// Signs that would be resolved to other letters than those that they look like.
const BEFORE_RESOLVING: ReadonlyMap<string, string> = new Map([
  ['Ϲ', 'C'],
  ['ϲ', 'c'],
  // Marks of registration are no part of a name.
  ['™', ''],
  ['℠', ''],
  ['®', ''],
  ['©', ''],
]);
const TO_BE_REPLACED = /[Ϲϲ™℠®©]/g;
// A dash inside a word stands for a hyphen.
const INNER_DASH = /(?<=[a-z0-9])[–―](?=[a-z0-9])/gi;

const NOT_ASCII = /[^\x00-\x7f]/;
const UNEVEN = /[^\x20-\x7e\n]| {2}/;
const CONTROLS = /[\0-\x08\x0e-\x1f\x7f]/g;
// The fillers of Hangul and the empty Braille cell show as a blank though Unicode counts them as no space.
const SPACES = /[\p{Z}\t\v\f\r\u0085\u115f\u1160\u3164\uffa0\u2800]+/gu;
const ASCII_SPACES = /[\t\v\f\r ]+/g;
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\p{M}]+/gu;
const CANDIDATES = new RegExp(`[${[...LOOKS_LIKE.keys()].join('')}]`, 'gu');

/**
 * The copy of a line that is matched: compatibility forms resolved (NFKC, and further: accents dropped), nothing
 * invisible, look-alikes as the ASCII signs that they imitate, every run of spaces one space. Keeps the case. Linear.
 */
export function fold(line: string): string {
  if (!UNEVEN.test(line)) return line;
  if (!NOT_ASCII.test(line)) return line.replace(CONTROLS, '').replace(ASCII_SPACES, ' ');
  return line
    .replace(SPACES, ' ')
    .replace(TO_BE_REPLACED, (char) => BEFORE_RESOLVING.get(char) ?? char)
    .normalize('NFKD')
    .replace(INVISIBLE, '')
    .replace(CONTROLS, '')
    .replace(CANDIDATES, (char) => LOOKS_LIKE.get(char) ?? char)
    .replace(INNER_DASH, '-')
    .replace(SPACES, ' ');
}

const HIDDEN = /[\p{Default_Ignorable_Code_Point}\p{Cc}\u2028\u2029]|(?! )[\p{Zs}\u115f\u1160\u3164\uffa0\u2800]/gu;
const NOT_ASCII_LETTERS = /[^\x00-\x7f]/gu;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;

/** Longest excerpt of other people's text in a finding, in UTF-16 units. */
const EXCERPT_LENGTH = 160;

/**
 * A line as a finding shows it: cut to a readable length, with `<U+200B>` for every sign that cannot be seen or
 * that passes for another one inside a word.
 */
export function show(line: string): string {
  const trimmed = line.slice(0, EXCERPT_LENGTH * 4).trim();
  let short = trimmed.slice(0, EXCERPT_LENGTH);
  // Never half a surrogate pair at the cut.
  if (/[\ud800-\udbff]$/.test(short)) short = short.slice(0, -1);
  const shown = NOT_ASCII.test(short)
    ? short
        .replace(WORD, (word) =>
          !NOT_ASCII.test(fold(word)) ? word.replace(NOT_ASCII_LETTERS, showIfDisguised) : word,
        )
        .replace(HIDDEN, codePoint)
    : short.replace(HIDDEN, codePoint);
  return trimmed.length > short.length ? `${shown}…` : shown;
}

function showIfDisguised(char: string): string {
  if (LOOKS_LIKE.has(char)) return codePoint(char);
  const compatible = char.normalize('NFKC');
  return compatible !== char && !NOT_ASCII.test(compatible) ? codePoint(char) : char;
}

function codePoint(char: string): string {
  return `<U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** What a text hides from its readers. */
export interface HiddenSign {
  readonly kind: 'bidi-control' | 'bidi-mark' | 'hidden-text';
  /** Counts from 1. */
  readonly line: number;
  /** Such as `U+202E`. */
  readonly codePoint: string;
}

// Embeddings, overrides and isolates (Unicode UAX #9); CVE-2021-42574. Marks only nudge their neighbours.
const BIDI = /[\u202a-\u202e\u2066-\u2069]/u;
const BIDI_MARK = /[\u061c\u200e\u200f]/u;
// Tag characters spell invisible ASCII (but end flag emoji). Runs of variation selectors carry whole bytes; emoji are at
// times followed by two of the usual ones (U+FE0E, U+FE0F), which say nothing.
const HIDDEN_TEXT =
  /(?<![\u{1f3f4}\u{e0020}-\u{e007f}])[\u{e0020}-\u{e007f}]|[\ufe00-\ufe0d\u{e0100}-\u{e01ef}][\ufe00-\ufe0f\u{e0100}-\u{e01ef}]|[\ufe00-\ufe0f\u{e0100}-\u{e01ef}][\ufe00-\ufe0d\u{e0100}-\u{e01ef}]|[\ufe0e\ufe0f]{4}/u;
const ANY_HIDDEN = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f\u{e0020}-\u{e01ef}]/u;

/** The first sign of each kind on each line that turns the reading order or hides text. */
export function hiddenSigns(text: string): HiddenSign[] {
  if (!ANY_HIDDEN.test(text)) return [];
  return text.split('\n').flatMap((content, index) => {
    const found = (kind: HiddenSign['kind'], pattern: RegExp): HiddenSign[] => {
      const match = pattern.exec(content);
      if (match === null) return [];
      return [{ kind, line: index + 1, codePoint: codePoint([...match[0]].at(-1) ?? '').slice(1, -1) }];
    };
    return [...found('bidi-control', BIDI), ...found('bidi-mark', BIDI_MARK), ...found('hidden-text', HIDDEN_TEXT)];
  });
}

import fc from 'fast-check';
import { canonicalJson, quote, quoteAscii, sha256, writeJson } from '../../../src/domain/json/canonical.ts';
import { isFloat, isObject } from '../../../src/domain/json/node.ts';
import type { JsonNode } from '../../../src/domain/json/node.ts';
import { readJson } from '../../../src/domain/json/read.ts';
import { isRefusal } from '../../../src/domain/errors.ts';
import { toText } from '../../../src/domain/text/python.ts';
import { compareCodePoints } from '../../../src/domain/text/order.ts';
import { hasSpace, isBlank, trim, universalNewlines } from '../../../src/domain/text/trim.ts';
import { holds, law, same } from './property.ts';
import type { Property } from './property.ts';

const PLACE = { code: 'RAPID1102', file: 'a.json', reading: 'compatible' } as const;

const text = fc.string({ unit: 'binary', maxLength: 12 });
const odd = fc.constantFrom(
  '\u0000',
  '\u001f',
  '\u007f',
  '\u2028',
  '\uff5e',
  '😀',
  '"',
  '\\',
  '/',
  '\ufeff',
  '__proto__',
);
const key = fc.oneof(text, odd, fc.constantFrom('a', 'b', 'ab', ''));
const scalar = fc.oneof(
  text,
  odd,
  fc.constantFrom(null, true, false),
  fc.maxSafeInteger(),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 70n }),
);

/** Normalised documents: no fractions. */
const document: fc.Arbitrary<JsonNode> = fc.letrec<{ node: JsonNode }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.array(tie('node'), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie('node')), { maxLength: 4 }).map((entries) => new Map(entries)),
  ),
})).node;

function reordered(node: JsonNode): JsonNode {
  if (Array.isArray(node)) return node.map(reordered);
  if (!isObject(node)) return node;
  return new Map([...node].reverse().map(([name, value]) => [name, reordered(value)]));
}

/** Whether two nodes are equal, told without any JSON text. */
function equal(a: JsonNode, b: JsonNode): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((x, i) => equal(x, b[i] ?? null));
  if (isObject(a)) {
    if (!isObject(b) || a.size !== b.size) return false;
    return [...a].every(([name, value]) => b.has(name) && equal(value, b.get(name) ?? null));
  }
  return a === b;
}

// What JSON.parse makes of a text, with objects as maps; it keeps the last of repeated keys, as compatible reading does.
function parsed(value: unknown): JsonNode {
  if (Array.isArray(value)) return value.map(parsed);
  if (typeof value === 'object' && value !== null)
    return new Map(Object.entries(value).map(([name, item]) => [name, parsed(item)]));
  return value as JsonNode;
}

function plain(node: JsonNode): JsonNode {
  if (isFloat(node)) return node.float;
  if (typeof node === 'bigint') return Number(node);
  if (Array.isArray(node)) return node.map(plain);
  return isObject(node) ? new Map([...node].map(([name, value]) => [name, plain(value)])) : node;
}

const SPACES = [
  0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1c, 0x1d, 0x1e, 0x1f, 0x20, 0x85, 0xa0, 0x1680, 0x2000, 0x2001, 0x2002, 0x2003,
  0x2004, 0x2005, 0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000,
];
const spaced = fc
  .array(
    fc.oneof(text, fc.constantFrom(...SPACES.map((point) => String.fromCharCode(point)), '\ufeff', '\u200b', '\u180e')),
  )
  .map((parts) => parts.join(''));

// The definition, spelled out: drop white space from the ends one by one.
function trimmed(value: string): string {
  const points = [...value];
  const isSpace = (char: string | undefined): boolean =>
    char !== undefined && SPACES.includes(char.codePointAt(0) ?? 0);
  while (isSpace(points[0])) points.shift();
  while (isSpace(points.at(-1))) points.pop();
  return points.join('');
}

// JSON.parse of Node 24.21 is no judge of keys with escapes: after `{"a":0,"\\":1}` it reads `{"a":0,"\u0041":1}` as
// `{"a":0,"\\":1}`, since it guesses the next key from objects that it has seen. Node 20 does not.
const ESCAPED_KEY = /\\[^"]{0,100}"\s{0,100}:/;

const jsonish = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc.json({ maxDepth: 3, stringUnit: 'binary' }),
  fc
    .array(
      fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ':',
        ',',
        '"',
        'a',
        '\\',
        'u00',
        '0',
        '1',
        '-',
        '.',
        'e',
        '+',
        'null',
        'true',
        ' ',
        '\n',
      ),
    )
    .map((parts) => parts.join('')),
  fc
    .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom('', ',', '"', '}', '0', '\\', '\u00a0', '-'))
    .map(
      ([valid, at, insert]) =>
        valid.slice(0, at % (valid.length + 1)) + insert + valid.slice((at % (valid.length + 1)) + 1),
    ),
);

export const JSON_LAWS: readonly Property[] = [
  law('canonical JSON read again gives the same canonical JSON', document, (node) => {
    const canonical = canonicalJson(node);
    same(canonicalJson(readJson(canonical, PLACE)), canonical, 'canonical JSON');
    same(canonicalJson(readJson(writeJson(node), PLACE)), canonical, 'canonical JSON of the written form');
  }),
  law('escaped and literal forms have the same content, and the escaped one is ASCII', document, (node) => {
    const ascii = canonicalJson(node, quoteAscii);
    holds(/^[ -~]*$/.test(ascii), `not ASCII: ${ascii}`);
    same(canonicalJson(readJson(ascii, PLACE)), canonicalJson(node), 'canonical JSON');
  }),
  law('canonical JSON does not depend on the order of keys', document, (node) => {
    same(canonicalJson(reordered(node)), canonicalJson(node), 'canonical JSON');
  }),
  law('canonical JSON is equal if and only if the content is', fc.tuple(document, document), ([a, b]) => {
    same(canonicalJson(a) === canonicalJson(b), equal(a, b), 'equality');
    same(sha256(canonicalJson(a)) === sha256(canonicalJson(b)), equal(a, b), 'equality of digests');
  }),
  law('keys are sorted by code point', fc.uniqueArray(key, { maxLength: 8 }), (keys) => {
    const sorted = canonicalJson(new Map(keys.map((name) => [name, 0])));
    const wanted = [...keys].sort((a, b) => Buffer.compare(utf32(a), utf32(b)));
    same(sorted, `{${wanted.map((name) => `${quote(name)}:0`).join(',')}}`, 'order');
  }),
  law('texts compare by code point', fc.tuple(text, text), ([a, b]) => {
    same(
      Math.sign(compareCodePoints(a, b)),
      Buffer.compare(utf32(a), utf32(b)),
      `order of ${quote(a)} and ${quote(b)}`,
    );
  }),
  law('canonical JSON is JSON', document, (node) => {
    if (ESCAPED_KEY.test(canonicalJson(node))) return;
    same(described(parsed(JSON.parse(canonicalJson(node)))), described(plain(node)), 'parsed');
  }),
  law('every reader agrees with JSON.parse on what JSON is and means', jsonish, (source) => {
    if (ESCAPED_KEY.test(source)) return;
    let expected: JsonNode | undefined;
    try {
      expected = parsed(JSON.parse(source));
    } catch {
      expected = undefined;
    }
    let got: JsonNode | undefined;
    try {
      got = plain(readJson(source, PLACE));
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      // Half a surrogate pair is JSON, but no text.
      if (thrown.code === 'CS1112') return;
    }
    // Objects made by JSON.parse put keys that look like numbers first; canonical order does not depend on that.
    same(
      got === undefined ? 'none' : described(got),
      expected === undefined ? 'none' : described(expected),
      quote(source),
    );
  }),
  law('trimming takes off exactly the white space of the formats', spaced, (value) => {
    same(trim(value), trimmed(value), 'trimmed');
    same(trim(trim(value)), trim(value), 'trimmed twice');
    same(isBlank(value), trimmed(value) === '', 'blank');
    same(
      hasSpace(value),
      [...value].some((char) => SPACES.includes(char.codePointAt(0) ?? 0)),
      'holds white space',
    );
  }),
  law('line ends become LF', fc.array(fc.constantFrom('\r', '\n', 'a', '\r\n')), (parts) => {
    same(
      universalNewlines(parts.join('')),
      parts
        .join('')
        .split(/\r\n|\r|\n/)
        .join('\n'),
      'line ends',
    );
  }),
  law('texts stay as they are when they are turned into text', document, (node) => {
    if (typeof node === 'string') same(toText(node), node, 'text');
    else holds(toText(node) !== '', 'nothing');
  }),
];

function described(node: JsonNode): string {
  if (Array.isArray(node)) return `[${node.map(described).join(',')}]`;
  if (typeof node === 'string') return JSON.stringify(node);
  if (isFloat(node)) return String(node.float);
  if (!isObject(node)) return Object.is(node, -0) ? '0' : String(node);
  const entries = [...node].sort(([a], [b]) => compareCodePoints(a, b));
  return `{${entries.map(([name, value]) => `${JSON.stringify(name)}:${described(value)}`).join(',')}}`;
}

// Big-endian code points: their bytes sort as the code points do.
function utf32(value: string): Buffer {
  const points = [...value];
  const bytes = Buffer.alloc(points.length * 4);
  for (const [index, char] of points.entries()) bytes.writeUInt32BE(char.codePointAt(0) ?? 0, index * 4);
  return bytes;
}

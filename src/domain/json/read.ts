import type { RefusalCode } from '../codes.ts';
import { Refusal } from '../errors.ts';
import type { Integer, JsonNode, JsonObject } from './node.ts';

/** `compatible` answers as Rapid OS 3.0.0 does; `strict` refuses what two readers could read differently. */
export type Reading = 'compatible' | 'strict';

/** Nesting that is still read. Rapid OS dies near 1,000 (its runtime's recursion limit). */
export const MAX_DEPTH = { compatible: 990, strict: 100 } as const satisfies Record<Reading, number>;

/** Digits of an integer that are still read; Rapid OS's runtime refuses more than 4,300. */
export const MAX_INTEGER_DIGITS = 4300;

/** Size of a document, in characters, that strict reading accepts. */
export const MAX_DOCUMENT_SIZE = 8 * 1024 * 1024;

const RESERVED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);
const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const BARE_WORDS: readonly (readonly [string, JsonNode])[] = [
  ['null', null],
  ['true', true],
  ['false', false],
  ['NaN', { float: Number.NaN }],
  ['Infinity', { float: Number.POSITIVE_INFINITY }],
  ['-Infinity', { float: Number.NEGATIVE_INFINITY }],
];

/** What `readJson` needs to know to word and code a refusal. */
export interface JsonPlace {
  /** Code of a text that is not JSON, by the document's area. */
  readonly code: RefusalCode;
  /** The document, as a path from the root. */
  readonly file: string;
  readonly reading: Reading;
}

/**
 * Reads one JSON document. White space is only space, tab, LF and CR; `NaN` and the infinities are
 * numbers and the last of repeated keys wins in compatible reading, both refused in strict reading.
 * @throws Refusal `place.code` for text that is not JSON; CS1101–CS1104, CS1108, CS1109, CS1112, CS1113
 */
export function readJson(text: string, place: JsonPlace): JsonNode {
  if (place.reading === 'strict' && text.length > MAX_DOCUMENT_SIZE) {
    throw new Refusal('CS1108', `${place.file} is larger than 8 MiB.`, { where: place.file });
  }
  const quick = readQuickly(text, MAX_DEPTH[place.reading]);
  if (quick !== undefined) return quick.node;
  const cursor: Cursor = { text, at: 0, place, strict: place.reading === 'strict' };
  skipSpace(cursor);
  const node = readValue(cursor, 1);
  skipSpace(cursor);
  if (cursor.at < text.length) throw syntax(cursor, "more text after the document's end");
  return node;
}

/**
 * Reads a text with JavaScript's own parser, ten times as quick, where nothing can be lost by it: where the text is
 * letter for letter what the parsed value is written as, it holds no repeated key, no `1.0`, no integer that lost
 * digits and no key out of order. That is so for documents as the tools write them; any other text is read by hand.
 * Texts with escapes are too: V8 13.6 gets them wrong in keys (after {"a":0,"\\":1} it reads the "\n" of
 * {"a":0,"\n":1} as a backslash).
 */
function readQuickly(text: string, maxDepth: number): { readonly node: JsonNode } | undefined {
  if (text.includes('\\')) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    if (`${JSON.stringify(value, null, 2)}\n` !== text) return undefined;
    const node = toNode(value, maxDepth);
    return node === undefined ? undefined : { node };
  } catch (cause) {
    // What is wrong, and where, is said by the reader below; RangeError: nested deeper than the stack.
    if (cause instanceof SyntaxError || cause instanceof RangeError) return undefined;
    throw cause;
  }
}

function toNode(value: unknown, depthLeft: number): JsonNode | undefined {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value !== 'object' || depthLeft === 0) return undefined;
  if (Array.isArray(value)) {
    const items: JsonNode[] = [];
    for (const item of value) {
      const node = toNode(item, depthLeft - 1);
      if (node === undefined) return undefined;
      items.push(node);
    }
    return items;
  }
  const object: JsonObject = new Map();
  for (const key of Object.keys(value)) {
    const node = RESERVED_KEYS.has(key) ? undefined : toNode((value as Record<string, unknown>)[key], depthLeft - 1);
    if (node === undefined) return undefined;
    object.set(key, node);
  }
  return object;
}

interface Cursor {
  readonly text: string;
  readonly place: JsonPlace;
  readonly strict: boolean;
  at: number;
}

function readValue(cursor: Cursor, depth: number): JsonNode {
  if (depth > MAX_DEPTH[cursor.place.reading]) {
    throw refuse(cursor, 'CS1102', `is nested deeper than ${MAX_DEPTH[cursor.place.reading]} levels`);
  }
  const char = cursor.text[cursor.at];
  if (char === '"') return readString(cursor);
  if (char === '{') return readObject(cursor, depth);
  if (char === '[') return readArray(cursor, depth);
  return readScalar(cursor);
}

function readObject(cursor: Cursor, depth: number): JsonObject {
  const object: JsonObject = new Map();
  cursor.at += 1;
  skipSpace(cursor);
  if (take(cursor, '}')) return object;
  for (;;) {
    if (cursor.text[cursor.at] !== '"') throw syntax(cursor, 'expected a key in double quotes');
    const key = readString(cursor);
    if (cursor.strict) {
      if (RESERVED_KEYS.has(key)) throw refuse(cursor, 'CS1103', `has the reserved key '${key}'`);
      if (object.has(key)) throw refuse(cursor, 'CS1101', `repeats the key '${key}'`);
    }
    skipSpace(cursor);
    if (!take(cursor, ':')) throw syntax(cursor, "expected ':' after a key");
    skipSpace(cursor);
    object.set(key, readValue(cursor, depth + 1));
    skipSpace(cursor);
    if (take(cursor, '}')) return object;
    if (!take(cursor, ',')) throw syntax(cursor, "expected ',' or '}'");
    skipSpace(cursor);
  }
}

function readArray(cursor: Cursor, depth: number): JsonNode[] {
  const items: JsonNode[] = [];
  cursor.at += 1;
  skipSpace(cursor);
  if (take(cursor, ']')) return items;
  for (;;) {
    items.push(readValue(cursor, depth + 1));
    skipSpace(cursor);
    if (take(cursor, ']')) return items;
    if (!take(cursor, ',')) throw syntax(cursor, "expected ',' or ']'");
    skipSpace(cursor);
  }
}

function readString(cursor: Cursor): string {
  const { text } = cursor;
  cursor.at += 1;
  let value = '';
  for (;;) {
    PLAIN.lastIndex = cursor.at;
    PLAIN.test(text);
    value += text.slice(cursor.at, PLAIN.lastIndex);
    cursor.at = PLAIN.lastIndex;
    const char = text[cursor.at];
    if (char === '"') break;
    if (char !== '\\')
      throw syntax(cursor, char === undefined ? 'text is not closed' : 'raw control character in a text');
    value += readEscape(cursor);
  }
  cursor.at += 1;
  if (!value.isWellFormed()) throw refuse(cursor, 'CS1112', 'has half a surrogate pair in a text');
  return value;
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

function readEscape(cursor: Cursor): string {
  const char = cursor.text[cursor.at + 1] ?? '';
  if (char === 'u') {
    const hex = cursor.text.slice(cursor.at + 2, cursor.at + 6);
    if (!/^[0-9a-fA-F]{4}$/.test(hex)) throw syntax(cursor, 'malformed \\u escape');
    cursor.at += 6;
    return String.fromCharCode(Number.parseInt(hex, 16));
  }
  const short = Object.hasOwn(SHORT_ESCAPES, char) ? SHORT_ESCAPES[char] : undefined;
  if (short === undefined) throw syntax(cursor, 'unknown escape');
  cursor.at += 2;
  return short;
}

function readScalar(cursor: Cursor): JsonNode {
  for (const [word, node] of BARE_WORDS) {
    if (!cursor.text.startsWith(word, cursor.at)) continue;
    if (cursor.strict && typeof node === 'object' && node !== null)
      throw refuse(cursor, 'CS1104', `has the number ${word}`);
    cursor.at += word.length;
    return node;
  }
  NUMBER.lastIndex = cursor.at;
  const match = NUMBER.exec(cursor.text);
  if (match === null)
    throw syntax(cursor, cursor.at >= cursor.text.length ? 'the text ends too early' : 'expected a value');
  const [spelling, fraction, exponent] = match;
  const node =
    fraction === undefined && exponent === undefined ? readInteger(cursor, spelling) : { float: Number(spelling) };
  if (cursor.strict && beyondExact(node))
    throw refuse(cursor, 'CS1109', `has the number ${spelling.slice(0, 40)}, beyond 2^53`);
  cursor.at += spelling.length;
  return node;
}

function readInteger(cursor: Cursor, spelling: string): Integer {
  if (spelling.length <= 15) return Number(spelling) + 0; // `+ 0` makes -0 the integer 0
  if (spelling.replace('-', '').length > MAX_INTEGER_DIGITS) {
    throw refuse(cursor, 'CS1113', `has an integer of more than ${MAX_INTEGER_DIGITS} digits`);
  }
  const big = BigInt(spelling);
  return big <= SAFE && big >= -SAFE ? Number(big) : big;
}

function beyondExact(node: Integer | { float: number }): boolean {
  if (typeof node === 'bigint') return true;
  return typeof node === 'object' && (!Number.isFinite(node.float) || Math.abs(node.float) > Number.MAX_SAFE_INTEGER);
}

function skipSpace(cursor: Cursor): void {
  for (;;) {
    const unit = cursor.text.charCodeAt(cursor.at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x09 && unit !== 0x0d) return;
    cursor.at += 1;
  }
}

function take(cursor: Cursor, char: string): boolean {
  if (cursor.text[cursor.at] !== char) return false;
  cursor.at += 1;
  return true;
}

function position(cursor: Cursor): string {
  const before = cursor.text.slice(0, cursor.at).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}

function syntax(cursor: Cursor, what: string): Refusal {
  return refuse(cursor, cursor.place.code, `is not valid JSON: ${what}`);
}

function refuse(cursor: Cursor, code: RefusalCode, what: string): Refusal {
  const { file } = cursor.place;
  return new Refusal(code, `${file} ${what} (${position(cursor)}).`, { where: file });
}

import { hash } from 'node:crypto';
import { compareCodePoints } from '../text/order.ts';

const SHORT: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};
const NEEDS_ESCAPE = /["\\\u0000-\u001f]/;
const TO_ESCAPE = /["\\\u0000-\u001f]/g;
const NOT_PRINTABLE_ASCII = /[^ -~]/g;

/** A JSON string with only `"`, `\` and control characters escaped; everything else stays literal. */
export function quote(text: string): string {
  return NEEDS_ESCAPE.test(text) ? `"${text.replace(TO_ESCAPE, escapeUnit)}"` : `"${text}"`;
}

/** A JSON string in which every character outside space..tilde is escaped, as Rapid OS's spec records have it. */
export function quoteAscii(text: string): string {
  return quote(text).replace(NOT_PRINTABLE_ASCII, escapeUnit);
}

function escapeUnit(unit: string): string {
  return SHORT[unit] ?? `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

type Quote = (text: string) => string;

/**
 * Canonical JSON: keys sorted by code point, no white space, non-ASCII literal (or escaped, with
 * `quoteAscii`). The text that every digest of these formats is taken of.
 * @param value a normalised document: plain objects, lists, texts, booleans, null and integers, nothing else
 * @throws TypeError for anything else, a defect of the caller
 */
export function canonicalJson(value: unknown, quoteText: Quote = quote): string {
  const scalar = scalarJson(value, quoteText);
  if (scalar !== undefined) return scalar;
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value) text += `${text === '' ? '' : ','}${canonicalJson(item, quoteText)}`;
    return `[${text}]`;
  }
  for (const [key, item] of sortedEntries(value)) {
    text += `${text === '' ? '' : ','}${quoteText(key)}:${canonicalJson(item, quoteText)}`;
  }
  return `{${text}}`;
}

/** The written form of a normalised document: two-space indentation, keys in the given order, final newline. */
export function writeJson(value: unknown, quoteText: Quote = quote): string {
  return `${indented(value, '', quoteText)}\n`;
}

function indented(value: unknown, indent: string, quoteText: Quote): string {
  const scalar = scalarJson(value, quoteText);
  if (scalar !== undefined) return scalar;
  const deeper = `${indent}  `;
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return `[\n${value.map((item) => deeper + indented(item, deeper, quoteText)).join(',\n')}\n${indent}]`;
  }
  const entries = entriesOf(value);
  if (entries.length === 0) return '{}';
  const lines = entries.map(([key, item]) => `${deeper}${quoteText(key)}: ${indented(item, deeper, quoteText)}`);
  return `{\n${lines.join(',\n')}\n${indent}}`;
}

function scalarJson(value: unknown, quoteText: Quote): string | undefined {
  if (typeof value === 'string') return quoteText(value);
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return String(value);
  if (typeof value !== 'number') return undefined;
  if (!Number.isSafeInteger(value)) throw new TypeError(`no integer in a normalised document: ${value}`);
  return String(value);
}

const SURROGATE = /[\ud800-\udfff]/;

// JavaScript's own order of texts is that of code points wherever no surrogate is involved, and much quicker.
function sortedEntries(value: unknown): [string, unknown][] {
  if (value instanceof Map) return entriesOf(value).sort(([a], [b]) => compareCodePoints(a, b));
  const object = plainObject(value);
  const keys = Object.keys(object).sort();
  if (SURROGATE.test(keys.join(''))) keys.sort(compareCodePoints);
  return keys.map((key) => [key, object[key]]);
}

function entriesOf(value: unknown): [string, unknown][] {
  return value instanceof Map ? [...(value as Map<string, unknown>)] : Object.entries(plainObject(value));
}

function plainObject(value: unknown): Readonly<Record<string, unknown>> {
  // A fraction as it was read is no document's field: it would be written as an object with one key.
  if (typeof value === 'object' && value !== null && !('float' in value)) return value as Record<string, unknown>;
  throw new TypeError(`not part of a normalised document: ${typeof value}`);
}

/** SHA-256 of a text's UTF-8 bytes, or of bytes, in lower-case hex. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}

/** SHA-256 of the canonical JSON of a normalised document. */
export function digestOf(value: object, quoteText: Quote = quote): string {
  return sha256(canonicalJson(value, quoteText));
}

/** The document without some of its keys: what its own digest covers. */
export function without<T extends object, K extends keyof T>(document: T, ...keys: readonly K[]): Omit<T, K> {
  const copy: Partial<T> = { ...document };
  for (const key of keys) delete copy[key];
  return copy as Omit<T, K>;
}

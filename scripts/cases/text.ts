import { isList, isObject } from './json.ts';
import type { Json } from './json.ts';

/** Characters that one mark may stand for. */
const MAX_REPEATED = 16 * 1024 * 1024;

const MARK = /⟦(?:cat:([^⟦⟧]*)|([^⟦⟧])\*(\d{1,9}))⟧/gu;

/**
 * Replaces the marks in which a case file keeps text that scanners would take for a secret: `⟦cat:a|b⟧` is the pieces
 * without the bar, `⟦c*N⟧` the character c, N times. Anything else between such brackets stays.
 * @throws Error where a mark stands for too much text
 */
export function expandMarks(text: string): string {
  return text.replace(MARK, (_mark, pieces?: string, character = '', count = '') => {
    if (pieces !== undefined) return pieces.replaceAll('|', '');
    if (Number(count) > MAX_REPEATED) throw new Error(`a mark repeats more than ${MAX_REPEATED} times`);
    return String(character).repeat(Number(count));
  });
}

/** Replaces a text in every string of a value, names of keys among them. */
export function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (isList(value)) return value.map((item) => mapStrings(item, change));
  if (!isObject(value)) return value;
  // Not an assignment: `__proto__` is a name like any other here.
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]));
}

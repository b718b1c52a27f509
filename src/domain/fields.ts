import type { RefusalCode } from './codes.ts';
import { Refusal } from './errors.ts';
import type { Integer, JsonNode, JsonObject } from './json/node.ts';
import { isInteger, isObject, typeName } from './json/node.ts';
import type { JsonPlace } from './json/read.ts';
import { toText } from './text/python.ts';
import { isBlank, trim } from './text/trim.ts';

/** The same document under another code: some fields of a document have codes of their own. */
export function coded(place: JsonPlace, code: RefusalCode): JsonPlace {
  return { ...place, code };
}

/** A refusal in a document's own code. */
export function fault(place: JsonPlace, message: string): Refusal {
  return new Refusal(place.code, `${place.file}: ${message}`, { where: place.file });
}

/**
 * A closed object: unknown keys are looked for first, then missing ones.
 * @param what how a message names the object, such as `gates[2]`
 */
export function objectAt(
  node: JsonNode,
  what: string,
  place: JsonPlace,
  required: readonly string[],
  optional: readonly string[] = [],
): JsonObject {
  const object = anyObjectAt(node, what, place);
  for (const key of object.keys()) {
    if (required.includes(key) || optional.includes(key)) continue;
    const known = [...required, ...optional].join(', ');
    throw fault(place, `${what} has the unknown field '${key}' (known: ${known}).`);
  }
  for (const key of required) {
    if (!object.has(key)) throw fault(place, `${what} lacks the field '${key}'.`);
  }
  return object;
}

/** An object with any keys. */
export function anyObjectAt(node: JsonNode, what: string, place: JsonPlace): JsonObject {
  if (!isObject(node)) throw fault(place, `${what} must be a JSON object, not ${typeName(node)}.`);
  return node;
}

/** A list. Null and objects are refused here in both readings. */
export function listAt(object: JsonObject, key: string, place: JsonPlace): readonly JsonNode[] {
  const node = object.get(key);
  if (!Array.isArray(node)) throw fault(place, `'${key}' must be a list, not ${typeName(node)}.`);
  return node;
}

/**
 * A field that holds a list, or anything else for the caller to refuse. Rapid OS takes an object for the list
 * of its keys in some places; strict reading does not.
 * @throws Refusal CS1106 for an object in strict reading
 */
export function keysOrItems(object: JsonObject, key: string, place: JsonPlace): JsonNode | undefined {
  const node = object.get(key);
  if (!isObject(node)) return node;
  if (place.reading === 'strict') {
    throw new Refusal('CS1106', `${place.file}: '${key}' must be a list, not an object.`, { where: place.file });
  }
  return [...node.keys()];
}

/** A text, exactly as it stands. */
export function textAt(object: JsonObject, key: string, place: JsonPlace): string {
  const node = object.get(key);
  if (typeof node !== 'string') throw fault(place, `'${key}' must be a text, not ${typeName(node)}.`);
  return node;
}

/** A text-converted field: any JSON value, turned into text. Strict reading refuses null, lists and objects. */
export function convertedAt(object: JsonObject, key: string, place: JsonPlace): string {
  const node = object.get(key) ?? null;
  if (place.reading === 'strict' && typeof node === 'object') {
    throw new Refusal('CS1106', `${place.file}: '${key}' must be a text, not ${typeName(node)}.`, {
      where: place.file,
    });
  }
  return toText(node);
}

/** A text-converted field, trimmed, that must not be blank. */
export function convertedNonBlankAt(object: JsonObject, key: string, place: JsonPlace): string {
  const text = trim(convertedAt(object, key, place));
  if (text === '') throw fault(place, `'${key}' must be a non-empty text.`);
  return text;
}

/** A text, trimmed, that must not be blank. */
export function nonBlankAt(object: JsonObject, key: string, place: JsonPlace): string {
  const text = textAt(object, key, place);
  if (isBlank(text)) throw fault(place, `'${key}' must be a non-empty text.`);
  return trim(text);
}

/** An integer by spelling: `1.0`, `1e0` and booleans are none. */
export function integerAt(object: JsonObject, key: string, place: JsonPlace): Integer {
  const node = object.get(key);
  if (!isInteger(node)) throw fault(place, `'${key}' must be an integer, not ${typeName(node)}.`);
  return node;
}

/** An integer of at least `least` that a `number` holds exactly. */
export function countAt(object: JsonObject, key: string, least: number, place: JsonPlace): number {
  const value = integerAt(object, key, place);
  if (value < least) throw fault(place, `'${key}' must be at least ${least}, not ${value}.`);
  if (typeof value === 'bigint') throw fault(place, `'${key}' is too large: ${value.toString().slice(0, 40)}.`);
  return value;
}

/** The field `schema_version`, which must be the integer 1. */
export function versionAt(object: JsonObject, place: JsonPlace): 1 {
  const node = object.get('schema_version');
  if (node !== 1) {
    throw fault(place, `'schema_version' must be the integer 1, not ${isInteger(node) ? node : typeName(node)}.`);
  }
  return 1;
}

/** `true` or `false`. */
export function booleanAt(object: JsonObject, key: string, place: JsonPlace): boolean {
  const node = object.get(key);
  if (typeof node !== 'boolean') throw fault(place, `'${key}' must be true or false, not ${typeName(node)}.`);
  return node;
}

/** A word of a fixed set. `lenient` words are trimmed and lower-cased first; `exact` ones stand as they are. */
export function wordOf<T extends string>(
  node: JsonNode | undefined,
  what: string,
  words: readonly T[],
  place: JsonPlace,
  comparison: 'lenient' | 'exact' = 'lenient',
): T {
  if (typeof node !== 'string') {
    throw fault(place, `Invalid ${what}: must be one of ${words.join(', ')}, not ${typeName(node)}.`);
  }
  const text = comparison === 'lenient' ? trim(node).toLowerCase() : node;
  const word = words.find((candidate) => candidate === text);
  if (word === undefined) throw fault(place, `Invalid ${what} '${node}': must be one of ${words.join(', ')}.`);
  return word;
}

/** `wordOf` for a field of an object. */
export function wordAt<T extends string>(
  object: JsonObject,
  key: string,
  words: readonly T[],
  place: JsonPlace,
  comparison: 'lenient' | 'exact' = 'lenient',
): T {
  return wordOf(object.get(key), `'${key}'`, words, place, comparison);
}

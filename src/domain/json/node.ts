/**
 * A JSON value as it was written. Plain JavaScript values would lose what the formats depend on: `1` and
 * `1.0` differ, integers of any size keep their digits, and a key `__proto__` is a key like any other.
 */
export type JsonNode = null | boolean | string | Integer | JsonFloat | JsonNode[] | JsonObject;

/** An integer: `number` while it is a safe one, `bigint` beyond. */
export type Integer = number | bigint;

/** Keys in the order of the text; of repeated keys the last value stands. */
export type JsonObject = Map<string, JsonNode>;

/** A number that was written with a fraction or an exponent, or as NaN or an infinity. */
export interface JsonFloat {
  readonly float: number;
}

/** Narrows a node to an object. */
export function isObject(node: JsonNode | undefined): node is JsonObject {
  return node instanceof Map;
}

/** Narrows a node to an integer; booleans and floats are none. */
export function isInteger(node: JsonNode | undefined): node is Integer {
  return typeof node === 'number' || typeof node === 'bigint';
}

/** Narrows a node to a number that is not an integer by its spelling. */
export function isFloat(node: JsonNode | undefined): node is JsonFloat {
  return typeof node === 'object' && node !== null && !Array.isArray(node) && !(node instanceof Map);
}

/** The JSON name of a node's type, for messages. */
export function typeName(node: JsonNode | undefined): string {
  if (node === undefined) return 'nothing';
  if (node === null) return 'null';
  if (Array.isArray(node)) return 'a list';
  if (isObject(node)) return 'an object';
  if (isInteger(node)) return 'an integer';
  if (isFloat(node)) return 'a fraction';
  return typeof node === 'boolean' ? 'a boolean' : 'a text';
}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Whether a value is a JSON array. */
export function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value);
}

/** Whether a value is a JSON object. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** The object at a key; empty where there is none. @throws Error where something else stands there */
export function objectAt(input: JsonObject, key: string): JsonObject {
  const value = input[key];
  if (value === undefined || value === null) return {};
  if (!isObject(value)) throw new Error(`${key} must be an object`);
  return value;
}

/** The text at a key; undefined where there is none, or null. @throws Error where something else stands there */
export function textAt(input: JsonObject, key: string): string | undefined {
  const value = input[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string') throw new Error(`${key} must be a text`);
  return value;
}

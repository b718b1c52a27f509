/** A value that JSON can carry. Absent fields are left out when it is written. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A text field of a body that was checked; undefined where it is absent or null. */
export function textOf(from: JsonObject, key: string): string | undefined {
  const value = from[key];
  return typeof value === 'string' ? value : undefined;
}

export function numberOf(from: JsonObject, key: string): number | undefined {
  const value = from[key];
  return typeof value === 'number' ? value : undefined;
}

export function objectOf(from: JsonObject, key: string): JsonObject | undefined {
  const value = from[key];
  return isObject(value) ? value : undefined;
}

export function listOf(from: JsonObject, key: string): readonly Json[] {
  const value = from[key];
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

/** GitHub's form of times: whole seconds, UTC. */
export function iso(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

export const isoOrNull = (time: number | null): string | null => (time === null ? null : iso(time));

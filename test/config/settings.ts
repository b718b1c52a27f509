import { configSchema } from '../../src/config/schema.ts';
import type * as z from 'zod';
import { shapeOf, tighteningOf } from '../../src/config/layering.ts';

export interface Setting {
  readonly path: readonly string[];
  readonly schema: z.ZodType;
}

/** Every key that takes a value of its own, with its path. */
export function settings(schema: z.ZodType = configSchema, before: readonly string[] = []): Setting[] {
  return Object.entries(shapeOf(schema) ?? {}).flatMap(([key, inner]) => {
    const path = [...before, key];
    return tighteningOf(inner) === undefined ? settings(inner, path) : [{ path, schema: inner }];
  });
}

/** A configuration in which one path has a value. */
export function withValue(path: readonly string[], value: unknown): Record<string, unknown> {
  return path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as Record<string, unknown>;
}

import * as z from 'zod';

/**
 * How the values of an organisation's and a repository's file become one, so that a repository can only tighten.
 * A key that only one of them writes takes that value.
 *
 * - `order`: chains of words, weakest first. The stronger word wins; of two words that stand in no common chain
 *   the organisation's stands.
 * - `union`: longer lists are stricter, and both count. A single item stands for a list of one.
 * - `intersection`: longer lists are laxer; only what both allow is allowed.
 * - `organisation`: no value is stricter than another; the organisation's stands.
 * - `repository`: means something in one file only; the repository's stands.
 * - `timeline`: `mode` and `promote`, which are merged together: on every day the stricter mode.
 */
export type Tightening =
  | { readonly by: 'order'; readonly chains: readonly (readonly string[])[] }
  | { readonly by: 'union' | 'intersection' | 'organisation' | 'repository' | 'timeline' };

const TIGHTENINGS = z.registry<Tightening>();

/** Notes at a schema how its layers merge. To be called last: every other method of a schema makes a new one. */
export function layered<T extends z.ZodType>(schema: T, tightening: Tightening): T {
  TIGHTENINGS.add(schema, tightening);
  return schema;
}

/** The tightening of one chain of words, weakest first. */
export function ordered(...chains: readonly (readonly string[])[]): Tightening {
  return { by: 'order', chains };
}

/** How the layers of a key merge, or undefined for a section, whose keys have their own answers. */
export function tighteningOf(schema: z.ZodType): Tightening | undefined {
  return TIGHTENINGS.get(schema);
}

/** A schema without the wrappers that give defaults. */
export function unwrap(schema: z.ZodType): z.ZodType {
  let inner = schema;
  while (inner instanceof z.ZodDefault || inner instanceof z.ZodPrefault || inner instanceof z.ZodOptional) {
    inner = inner.unwrap() as z.ZodType;
  }
  return inner;
}

/** The keys of an object's schema, or undefined where it is none. */
export function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  const inner = unwrap(schema);
  return inner instanceof z.ZodObject ? inner.shape : undefined;
}

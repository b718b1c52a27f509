import { description } from './description.ts';
import type { Schema } from './description.ts';

// GitHub's description leaves nearly all objects open, so that a misspelt field would pass. This walk tells them.

const expanded = new WeakMap<Schema, readonly Schema[]>();

/** A schema with all that it refers to or is combined of. */
function parts(schema: Schema): readonly Schema[] {
  const known = expanded.get(schema);
  if (known !== undefined) return known;
  const target = schema.$ref === undefined ? undefined : description().schemas[schema.$ref.split('/').at(-1) ?? ''];
  const inner = [...(target === undefined ? [] : [target])]
    .concat(schema.allOf ?? [], schema.anyOf ?? [], schema.oneOf ?? [])
    .flatMap(parts);
  const all = [schema, ...inner];
  expanded.set(schema, all);
  return all;
}

/** The fields of a value, at any depth, that no part of the schema names. An object of which none is named is open. */
export function unknownFields(schema: Schema, value: unknown, where: string): readonly string[] {
  const found: string[] = [];
  walk([schema], value, where, found);
  return found;
}

function walk(schemas: readonly Schema[], value: unknown, where: string, found: string[]): void {
  if (typeof value !== 'object' || value === null) return;
  const all = schemas.flatMap(parts);
  if (Array.isArray(value)) {
    const items = all.flatMap(({ items: one }) => (one === undefined ? [] : [one]));
    value.forEach((one, index) => walk(items, one, `${where}/${index}`, found));
    return;
  }
  const named = all.filter(({ properties }) => properties !== undefined);
  const others = all.flatMap(({ additionalProperties }) =>
    typeof additionalProperties === 'object' ? [additionalProperties] : [],
  );
  if (named.length === 0 && others.length === 0) return;
  for (const [key, inner] of Object.entries(value)) {
    const next = named.flatMap(({ properties }) => {
      const one = properties !== undefined && Object.hasOwn(properties, key) ? properties[key] : undefined;
      return one === undefined ? [] : [one];
    });
    if (next.length > 0) walk(next, inner, `${where}/${key}`, found);
    else if (others.length > 0) walk(others, inner, `${where}/${key}`, found);
    else found.push(`${where}/${key}: is not in the description`);
  }
}

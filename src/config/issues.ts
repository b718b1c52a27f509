import * as z from 'zod';
import { shapeOf, unwrap } from './layering.ts';
import { keyName, MAX_PROBLEMS, quoted } from './problem.ts';
import type { Segment } from './problem.ts';
import { configSchema } from './schema.ts';
import { closest } from './suggest.ts';

/** A fault of a value, at a path of the configuration. */
export interface ValueFault {
  readonly path: readonly Segment[];
  /** Whether the key itself is at fault, rather than its value. */
  readonly atKey: boolean;
  readonly message: string;
  readonly suggestion?: string;
}

/** What is wrong, in words, for each issue that zod found in a value. */
export function valueFaults(issues: readonly z.core.$ZodIssue[], root: unknown): ValueFault[] {
  return issues.flatMap((issue) => faultsOf(issue, [], root));
}

function faultsOf(issue: z.core.$ZodIssue, before: readonly Segment[], root: unknown): ValueFault[] {
  const path = [...before, ...issue.path.map((segment) => (typeof segment === 'symbol' ? String(segment) : segment))];
  const value = valueAt(root, path);
  const name = path.length === 0 ? 'The configuration' : `\`${keyName(path)}\``;
  const atValue = (message: string, suggestion?: string): ValueFault[] => [
    { path, atKey: false, message: `${name} ${message}.`, ...(suggestion === undefined ? {} : { suggestion }) },
  ];
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.slice(0, MAX_PROBLEMS).map((key) => unknownKey(path, key));
    case 'invalid_union': {
      const fitting = issue.errors.find((errors) => !errors.some(isOfWrongKind));
      if (fitting === undefined) return atValue(`must be a map or a list, ${notThis(value)}`);
      return fitting.flatMap((inner) => faultsOf(inner, path, root));
    }
    case 'invalid_type':
      if (value === undefined) return atValue('is missing');
      return atValue(`must be ${kind(issue.expected)}, ${notThis(value)}${quotesHint(issue.expected, value)}`);
    case 'invalid_value': {
      if (value === undefined) return atValue('is missing');
      const words = issue.values.map(String);
      const suggestion = typeof value === 'string' ? closest(value, words) : undefined;
      return atValue(`must be ${choice(words)}, not ${quoted(value)}`, suggestion);
    }
    case 'too_small':
    case 'too_big':
    case 'invalid_format':
    case 'custom':
      return atValue(typeof value === 'string' ? `${issue.message}; it is ${quoted(value)}` : issue.message);
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
      // The schema has no such checks.
      return atValue(`is not valid: ${issue.message}`);
  }
}

function isOfWrongKind(issue: z.core.$ZodIssue): boolean {
  return issue.code === 'invalid_type' && issue.path.length === 0;
}

function unknownKey(path: readonly Segment[], key: string): ValueFault {
  const siblings = keysAt(path);
  const suggestion = closest(key, siblings) ?? elsewhere(key);
  const where = path.length === 0 ? 'at the top' : `in \`${keyName(path)}\``;
  const known = suggestion === undefined ? ` Known: ${siblings.join(', ')}.` : '';
  return {
    path: [...path, key],
    atKey: true,
    message: `There is no key ${quoted(key)} ${where}.${known}`,
    ...(suggestion === undefined ? {} : { suggestion }),
  };
}

// The key of another section, written in the wrong place.
function elsewhere(key: string): string | undefined {
  const hits = allKeys().filter((path) => path.at(-1) === key);
  return hits.length === 1 ? keyName(hits[0] ?? []) : undefined;
}

function allKeys(schema: z.ZodType = configSchema, before: readonly string[] = []): string[][] {
  return Object.entries(shapeOf(schema) ?? {}).flatMap(([key, inner]) => [
    [...before, key],
    ...allKeys(inner, [...before, key]),
  ]);
}

function keysAt(path: readonly Segment[]): string[] {
  let schemas: z.ZodType[] = [configSchema];
  for (const segment of path) {
    schemas = schemas.flatMap(alternatives).flatMap((schema) => {
      if (schema instanceof z.ZodArray) return [schema.element as z.ZodType];
      return shapeOf(schema)?.[segment] ?? [];
    });
  }
  return schemas.flatMap(alternatives).flatMap((schema) => Object.keys(shapeOf(schema) ?? {}));
}

function alternatives(schema: z.ZodType): z.ZodType[] {
  const inner = unwrap(schema);
  return inner instanceof z.ZodUnion ? (inner.options as z.ZodType[]).map(unwrap) : [inner];
}

/** The value at a path, or undefined. */
export function valueAt(root: unknown, path: readonly Segment[]): unknown {
  return path.reduce<unknown>(
    (value, segment) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, segment)
        ? (value as Record<Segment, unknown>)[segment]
        : undefined,
    root,
  );
}

const KINDS: Readonly<Record<string, string>> = { object: 'a map', array: 'a list', string: 'a text' };

function kind(expected: string): string {
  return KINDS[expected] ?? `a ${expected}`;
}

function notThis(value: unknown): string {
  if (value === null) return 'not empty';
  if (Array.isArray(value)) return 'not a list';
  return typeof value === 'object'
    ? 'not a map'
    : `not ${typeof value === 'string' ? 'the text ' : ''}${quoted(value)}`;
}

function quotesHint(expected: string, value: unknown): string {
  return expected === 'string' && (typeof value === 'number' || typeof value === 'boolean')
    ? ': put it into quotes'
    : '';
}

function choice(words: readonly string[]): string {
  const marked = words.map((word) => `\`${word}\``);
  const last = marked.pop() ?? '';
  return marked.length === 0 ? last : `${marked.join(', ')} or ${last}`;
}

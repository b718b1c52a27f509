import { readFileSync } from 'node:fs';
import type { OperationId, WebhookName } from './used.ts';

/** A JSON Schema, as far as it is looked into here. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly schema: Schema;
}

export interface Operation {
  readonly method: string;
  /** Such as `/repos/{owner}/{repo}/git/ref/{ref}`. */
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly required: boolean; readonly schema: Schema };
  /** By status; null where an answer has no body. */
  readonly responses: Readonly<Record<string, Schema | null>>;
}

export interface Description {
  readonly source: string;
  readonly operations: Readonly<Record<OperationId, Operation>>;
  readonly webhooks: Readonly<Record<WebhookName, Schema>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

let loaded: Description | undefined;

/** The trimmed copy of GitHub's description (`github.json`, made by `scripts/trim-openapi.ts`). */
export function description(): Description {
  loaded ??= JSON.parse(readFileSync(new URL('./github.json', import.meta.url), 'utf8')) as Description;
  return loaded;
}

/** A request's operation and what stood in the places of its path, decoded. */
export interface Match {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
}

interface Route {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly segments: readonly string[];
}

// Parameters that reach over several segments of a path.
const MULTI_SEGMENT = new Set(['{ref}', '{path}', '{branch}', '{basehead}']);

let routes: readonly Route[] | undefined;

function allRoutes(): readonly Route[] {
  routes ??= (Object.entries(description().operations) as [OperationId, Operation][])
    .map(([id, operation]) => ({ id, operation, segments: operation.path.split('/').slice(1) }))
    // Literal segments win over parameters.
    .sort((a, b) => parameterCount(a) - parameterCount(b) || b.segments.length - a.segments.length);
  return routes;
}

const parameterCount = ({ segments }: Route): number => segments.filter((one) => one.startsWith('{')).length;

/** Finds the operation of a request by its method and its path without query; undefined where the sandbox has none. */
export function matchOperation(method: string, path: string): Match | undefined {
  const parts = path.split('/').slice(1);
  for (const { id, operation, segments } of allRoutes()) {
    if (operation.method !== method) continue;
    const params = matchSegments(segments, parts);
    if (params !== undefined) return { id, operation, params };
  }
  return undefined;
}

function matchSegments(segments: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  const params: Record<string, string> = {};
  const extra = parts.length - segments.length;
  let at = 0;
  for (const segment of segments) {
    const wide = MULTI_SEGMENT.has(segment) && extra > 0 ? 1 + extra : 1;
    const text = parts.slice(at, at + wide).join('/');
    if (segment.startsWith('{')) {
      if (text === '') return undefined;
      const decoded = decode(text);
      if (decoded === undefined) return undefined;
      params[segment.slice(1, -1)] = decoded;
    } else if (segment !== text) return undefined;
    at += wide;
  }
  return at === parts.length ? params : undefined;
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

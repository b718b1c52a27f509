import type { Caller } from '../http/auth.ts';
import type { Json } from '../json.ts';
import type { Sandbox } from '../sandbox.ts';

/** An object of the graph: its type's name and what stands for it. */
export interface Node {
  readonly type: string;
  readonly value: unknown;
}

export type Resolved =
  | { readonly kind: 'scalar'; readonly value: Json }
  | { readonly kind: 'node'; readonly node: Node | null }
  | { readonly kind: 'nodes'; readonly nodes: readonly Node[] }
  | { readonly kind: 'problem'; readonly type: string; readonly message: string };

export interface Context {
  readonly sandbox: Sandbox;
  readonly caller: Caller;
}

/** As the schema types them. */
export type Arguments = Readonly<Record<string, unknown>>;
type Resolver = (value: unknown, args: Arguments, context: Context) => Resolved | Promise<Resolved>;

export interface FieldType {
  readonly resolve: Resolver;
}

export type Fields = Readonly<Record<string, FieldType>>;

export const scalar = <T>(read: (value: T, context: Context) => Json): FieldType => ({
  resolve: (value, _args, context) => ({ kind: 'scalar', value: read(value as T, context) }),
});
export const node = <T>(of: string, read: (value: T, context: Context) => unknown): FieldType => ({
  resolve: (value, _args, context) => nodeOf(of, read(value as T, context)),
});
export const nodeOf = (type: string, value: unknown): Resolved => ({
  kind: 'node',
  node: value === null || value === undefined ? null : { type, value },
});
export const nodes = (type: string, values: readonly unknown[]): Resolved => ({
  kind: 'nodes',
  nodes: values.map((value) => ({ type, value })),
});

export interface Slice {
  readonly all: readonly unknown[];
  readonly start: number;
  readonly items: readonly unknown[];
}

/** The part of a connection that `first` and `after` ask for. GitHub wants `first`, and it to be 1 to 100. */
function slice(all: readonly unknown[], args: Arguments): Slice | Resolved {
  const { first, after } = args;
  if (typeof first !== 'number') {
    const message = 'You must provide a `first` or `last` value to properly paginate this connection.';
    return { kind: 'problem', type: 'MISSING_PAGINATION_BOUNDARIES', message };
  }
  if (first < 1 || first > 100) {
    const message = `Requesting ${first} records exceeds the \`first\` limit of 100 records.`;
    return { kind: 'problem', type: 'EXCESSIVE_PAGINATION', message };
  }
  const start = typeof after === 'string' ? Number(Buffer.from(after, 'base64').toString('utf8')) : 0;
  return { all, start, items: all.slice(start, start + first) };
}

export const connection = (
  of: string,
  read: (value: never, context: Context) => Promise<readonly unknown[]>,
): FieldType => ({
  resolve: async (value, args, context) => {
    const found = slice(await read(value as never, context), args);
    return 'kind' in found ? found : nodeOf(of, found);
  },
});

export const connectionType = (of: string): Fields => ({
  totalCount: scalar<Slice>(({ all }) => all.length),
  nodes: { resolve: (value) => nodes(of, (value as Slice).items) },
  pageInfo: node<Slice>('PageInfo', (value) => value),
});

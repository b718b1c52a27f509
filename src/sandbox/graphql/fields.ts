import type { Caller } from '../http/auth.ts';
import type { Json } from '../json.ts';
import type { Sandbox } from '../sandbox.ts';

/** A list of words of an enumeration stands as one text, with spaces between them. */
export type Scalar = string | number | boolean | null;

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

export type Arguments = ReadonlyMap<string, Scalar>;
type Resolver = (value: unknown, args: Arguments, context: Context) => Resolved | Promise<Resolved>;

export interface FieldType {
  /** The type of objects; absent for scalars. */
  readonly of?: string;
  readonly args?: Readonly<Record<string, string>>;
  readonly resolve: Resolver;
}

export type Fields = Readonly<Record<string, FieldType>>;

export const scalar = <T>(read: (value: T, context: Context) => Json): FieldType => ({
  resolve: (value, _args, context) => ({ kind: 'scalar', value: read(value as T, context) }),
});
export const node = <T>(of: string, read: (value: T, context: Context) => unknown): FieldType => ({
  of,
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

/** The part of a connection that `first` and `after` ask for. GitHub wants `first` to be 1 to 100. */
function slice(all: readonly unknown[], args: Arguments): Slice | Resolved {
  const first = Number(args.get('first'));
  if (!Number.isInteger(first) || first < 1 || first > 100) {
    const message = `Requesting ${String(args.get('first'))} records exceeds the \`first\` limit of 100 records.`;
    return { kind: 'problem', type: 'EXCESSIVE_PAGINATION', message };
  }
  const after = args.get('after');
  const start = typeof after === 'string' ? Number(Buffer.from(after, 'base64').toString('utf8')) : 0;
  return { all, start, items: all.slice(start, start + first) };
}

export const connection = (
  of: string,
  read: (value: never, context: Context) => Promise<readonly unknown[]>,
): FieldType => ({
  of,
  args: { first: 'Int!', after: 'String' },
  resolve: async (value, args, context) => {
    const found = slice(await read(value as never, context), args);
    return 'kind' in found ? found : nodeOf(of, found);
  },
});

export const connectionType = (of: string): Fields => ({
  totalCount: scalar<Slice>(({ all }) => all.length),
  nodes: { of, resolve: (value) => nodes(of, (value as Slice).items) },
  pageInfo: node<Slice>('PageInfo', (value) => value),
});

import { createHash } from 'node:crypto';
import * as z from 'zod';
import { parseTree } from '../../git-tree.ts';
import type { TreeItem } from '../../git-tree.ts';

/** An object id as GitHub gives it: SHA-1, or SHA-256 should it ever. */
export const oidSchema = z.string().regex(/^(?:[0-9a-f]{40}|[0-9a-f]{64})$/);

/** An entry of a tree, by whichever interface it was told. */
export interface ToldEntry {
  readonly name: Buffer;
  /** As a tree object has it: octal, without zeros before it. */
  readonly mode: string;
  readonly oid: string;
}

/** The id that git gives an object: the hash of its type, size and bytes. */
export function objectId(type: 'blob' | 'tree', bytes: Uint8Array, like: string): string {
  return createHash(like.length === 64 ? 'sha256' : 'sha1')
    .update(`${type} ${bytes.length}\0`)
    .update(bytes)
    .digest('hex');
}

/**
 * The items of a tree, where its entries are all that the tree's id stands for: the object is put together again, and
 * its hash compared. So nothing can be left out on the way, by a limit or by a fault.
 * @param oid undefined: whatever comes out
 * @returns undefined where they are not
 */
export function verifiedTree(
  oid: string | undefined,
  entries: readonly ToldEntry[],
): { readonly oid: string; readonly items: readonly TreeItem[] } | undefined {
  const like = oid ?? entries[0]?.oid ?? '';
  const bytes = Buffer.concat(
    entries.flatMap(({ name, mode, oid: id }) => [Buffer.from(`${mode} `), name, NUL, Buffer.from(id, 'hex')]),
  );
  const found = objectId('tree', bytes, like);
  if (oid !== undefined && found !== oid) return undefined;
  const items = parseTree(bytes, like.length === 64 ? 32 : 20);
  return items === undefined ? undefined : { oid: found, items };
}

const NUL = Buffer.from([0]);

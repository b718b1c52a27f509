import type { GitObject } from '../../git-objects.ts';

/** Contents that were read before, by their object ids: what an id names never changes. */
export interface BlobMemory {
  readonly get: (oid: string) => GitObject | undefined;
  readonly set: (oid: string, object: GitObject) => void;
}

/** Bytes from which one content is not worth the room of many. */
const MAX_ONE = 256 * 1024;

/** Bytes that an entry takes besides its content, about. */
const OVERHEAD = 500;

/**
 * A memory of blobs that several collections share, those of different repositories too: whoever asks has read the id
 * in a tree that it may see, and the content follows from the id.
 * @param maxBytes in all; what was used longest ago goes first
 */
export function blobMemory(maxBytes: number): BlobMemory {
  const kept = new Map<string, GitObject>();
  const sizeOf = (object: GitObject): number => (object.bytes?.length ?? 0) + OVERHEAD;
  let bytes = 0;
  return {
    get: (oid) => {
      const found = kept.get(oid);
      if (found !== undefined) {
        kept.delete(oid);
        kept.set(oid, found);
      }
      return found;
    },
    set: (oid, object) => {
      if (object.bytes === undefined || object.size > MAX_ONE || kept.has(oid)) return;
      kept.set(oid, object);
      bytes += sizeOf(object);
      for (const [old, one] of kept) {
        if (bytes <= maxBytes) return;
        kept.delete(old);
        bytes -= sizeOf(one);
      }
    },
  };
}

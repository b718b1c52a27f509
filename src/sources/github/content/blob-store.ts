import { createHash } from 'node:crypto';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import type { GitObject, ObjectReader } from '../../git-objects.ts';
import { askBlobs } from './blob-query.ts';
import type { ToldBlob } from './blob-query.ts';
import type { BlobMemory } from './blob-memory.ts';
import { gather } from './gather.ts';
import { objectId } from './objects.ts';
import { readSingleBlob } from './single-blob.ts';

/** Blobs in one query, and bytes of those whose sizes are known: it has to be answered within 10 seconds. */
export const BLOB_BATCH = { count: 100, bytes: 2 * 1024 * 1024 } as const;

/** Bytes from which a blob is read by itself: GraphQL cuts texts at some 500 KB (`isTruncated`). */
export const MAX_TEXT_BLOB = 400_000;

/** Bytes that a blob is taken to have in a query, where no tree told its size. */
const USUAL_SIZE = 10_000;

/** Bytes of contents that are kept, so that reading one twice costs one call; the oldest go first. */
export const MAX_KEPT = 64 * 1024 * 1024;

/**
 * The blobs of a repository at GitHub, as objects that are read by id. Contents come as texts, many in one query;
 * what is binary, cut, too large or other than its id says comes by itself, and is checked again.
 * @param sizeOf bytes of a blob, where a tree told them
 * @param memory contents of earlier collections
 */
export function openBlobs(
  api: GitHubApi,
  repository: RepositoryName,
  sizeOf: (oid: string) => number | undefined,
  memory?: BlobMemory,
): ObjectReader {
  const kept = new Map<string, GitObject | undefined>();
  const loading = new Map<string, Promise<GitObject | undefined>>();
  const measured = new Map<string, number>();
  let keptBytes = 0;
  const sizeKnown = (oid: string): number | undefined => sizeOf(oid) ?? measured.get(oid);
  const ask = gather<string, ToldBlob | undefined>(
    { count: BLOB_BATCH.count, weight: BLOB_BATCH.bytes, weightOf: (oid) => sizeKnown(oid) ?? USUAL_SIZE },
    (oids) => askBlobs(api, repository, oids),
  );

  const load = async (oid: string): Promise<GitObject | undefined> => {
    const known = memory?.get(oid);
    if (known !== undefined) return known;
    const object = await fetched(oid);
    if (object !== undefined) memory?.set(oid, object);
    return object;
  };
  const fetched = async (oid: string): Promise<GitObject | undefined> => {
    const told = (sizeKnown(oid) ?? 0) > MAX_TEXT_BLOB ? undefined : await ask(oid);
    if (told !== undefined) measured.set(oid, told.size);
    const bytes = told?.text === undefined ? undefined : Buffer.from(told.text, 'utf8');
    if (bytes === undefined || objectId('blob', bytes, oid) !== oid)
      return readSingleBlob(api, repository, oid, sizeKnown(oid));
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return { oid, type: 'blob', size: bytes.length, sha256, bytes };
  };
  const keep = (oid: string, object: GitObject | undefined): void => {
    const before = kept.get(oid)?.bytes?.length ?? 0;
    kept.delete(oid);
    kept.set(oid, object);
    keptBytes += (object?.bytes?.length ?? 0) - before;
    for (const [old, one] of kept) {
      if (keptBytes <= MAX_KEPT || old === oid) return;
      kept.delete(old);
      keptBytes -= one?.bytes?.length ?? 0;
    }
  };
  const start = (oid: string, hold: number): Promise<GitObject | undefined> => {
    const reading = load(oid).then((object) => {
      // What nobody wants to hold is measured only.
      const isHeld = object === undefined || object.size <= Math.max(hold, MAX_TEXT_BLOB);
      keep(oid, isHeld ? object : measuredOnly(object));
      return object;
    });
    loading.set(oid, reading);
    return reading.finally(() => loading.delete(oid));
  };
  const read = async (oid: string, hold: number): Promise<GitObject | undefined> => {
    let found = kept.has(oid) ? kept.get(oid) : await (loading.get(oid) ?? start(oid, hold));
    // One that was only measured before, and is wanted now, is read once more.
    if (found !== undefined && found.bytes === undefined && found.size <= hold) found = await start(oid, hold);
    return found === undefined || found.size <= hold ? found : measuredOnly(found);
  };

  return {
    read,
    info: async (oid) => {
      const size = sizeKnown(oid) ?? (await read(oid, 0))?.size;
      return size === undefined ? undefined : { oid, type: 'blob', size };
    },
    close: () => Promise.resolve(),
  };
}

function measuredOnly(object: GitObject): GitObject {
  return { ...object, bytes: undefined };
}

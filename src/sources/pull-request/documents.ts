import { isRefusal } from '../../domain/errors.ts';
import { MAX_DOCUMENT_SIZE } from '../../domain/json/read.ts';
import { compareCodePoints, sortedUnique } from '../../domain/text/order.ts';
import type { Snapshot, SnapshotEntry } from '../../gate/facts.ts';
import { textOfBytes } from '../git-tree.ts';
import type { SnapshotItem, SourceSnapshot, Unread } from '../snapshot/snapshot.ts';

/** Bytes of documents that facts hold in all; beyond them documents are measured, and named as unread. */
export const MAX_HELD = 32 * 1024 * 1024;

/** Documents that are read at once. */
const BATCH = 16;

/** Whose bytes are kept: an artifact is bound by its digest alone, and may be large. */
const ARTIFACT = /^\.rapid-os\/evidence\/[^/]+\/artifacts\//;

/** How many bytes of documents may still be held; one for both sides. */
export interface Budget {
  left: number;
}

/** How a document is wanted. `text`: anything but a regular UTF-8 file is named as unread, nobody else would notice. */
export type Want = 'content' | 'text' | 'digest';

/** Gathers the documents of one state. */
export interface DocumentCollector {
  /**
   * Looks at folders and files whole. What was looked at before is not looked at again.
   * @throws Refusal CS1508 where a folder is missing or damaged, CS1502, CS1201
   */
  add(paths: readonly string[], want?: Want): Promise<void>;
  /** All that was gathered so far. */
  snapshot(): Snapshot;
  unread(): readonly Unread[];
}

/**
 * Gathers documents as facts: text where they are UTF-8, else base64; artifacts and what is larger than a document
 * may be (8 MiB) by size and SHA-256 only. Links and submodules are entries without content.
 * @param side how people name this state: 'the base', 'the head'
 */
export function documentCollector(source: SourceSnapshot, budget: Budget, side: string): DocumentCollector {
  const covers = new Set<string>();
  const entries = new Map<string, SnapshotEntry>();
  const unread: Unread[] = [];
  const note = (what: string, why: string): void => void unread.push({ what: `${what} at ${side}`, why });

  const addItems = async (items: readonly SnapshotItem[], want: Want): Promise<void> => {
    const fresh = items.filter((item) => !entries.has(item.path));
    for (let from = 0; from < fresh.length; from += BATCH) {
      const read = await Promise.all(
        fresh.slice(from, from + BATCH).map((item) => readEntry(source, item, want, budget)),
      );
      for (const { entry, why } of read) {
        entries.set(entry.path, entry);
        if (why !== undefined) note(entry.path, why);
      }
    }
  };

  return {
    add: async (paths, want = 'content') => {
      for (const path of sortedUnique(paths)) {
        if (covers.has(path)) continue;
        covers.add(path);
        const listing = await source.list(path);
        for (const { what, why } of listing.unread) note(what, why);
        await addItems(listing.items, want);
        const why = want === 'text' ? textFault(entries, path) : undefined;
        if (why !== undefined) note(path, why);
      }
    },
    snapshot: () => ({
      covers: sortedUnique(covers),
      entries: [...entries.values()].sort((a, b) => compareCodePoints(a.path, b.path)),
    }),
    unread: () => unread,
  };
}

async function readEntry(
  source: SourceSnapshot,
  { path, mode }: SnapshotItem,
  want: Want,
  budget: Budget,
): Promise<{ entry: SnapshotEntry; why?: string }> {
  if (mode === '120000' || mode === '160000') return { entry: { path, mode } };
  const measured = want === 'digest' || ARTIFACT.test(path);
  const hold = measured ? 0 : Math.min(MAX_DOCUMENT_SIZE, Math.max(budget.left, 0));
  try {
    const content = await source.read(path, hold);
    if (content === undefined) return { entry: { path, mode }, why: 'it was replaced while it was read' };
    const { size, sha256, bytes } = content;
    if (measured || bytes === undefined || size > budget.left) {
      const exhausted = !measured && size <= MAX_DOCUMENT_SIZE;
      const entry = { path, mode, size, sha256 };
      return exhausted ? { entry, why: `documents have more than ${MAX_HELD / 1024 / 1024} MiB in all` } : { entry };
    }
    budget.left -= size;
    const text = textOfBytes(bytes);
    return {
      entry: { path, mode, ...(text === undefined ? { base64: Buffer.from(bytes).toString('base64') } : { text }) },
    };
  } catch (thrown) {
    // One document that cannot be read does not hide the others.
    if (!isRefusal(thrown) || (thrown.code !== 'CS1508' && thrown.code !== 'CS1201')) throw thrown;
    return { entry: { path, mode }, why: thrown.message };
  }
}

function textFault(entries: ReadonlyMap<string, SnapshotEntry>, path: string): string | undefined {
  const steps = path.split('/').map((_, index, all) => all.slice(0, index + 1).join('/'));
  const standing = steps.map((step) => entries.get(step)).find((entry) => entry !== undefined);
  if (standing === undefined) return undefined; // nothing is there, and that is an answer
  if (standing.mode === '120000') return `${standing.path} is a symbolic link`;
  if (standing.mode === '160000') return `${standing.path} is a submodule`;
  if (standing.path !== path) return `${standing.path} is no folder`;
  if (standing.text !== undefined) return undefined;
  return standing.base64 === undefined ? 'it was not read, or is larger than 8 MiB' : 'it is not valid UTF-8';
}

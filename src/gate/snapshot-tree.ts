import { sha256 } from '../domain/json/canonical.ts';
import { compareCodePoints } from '../domain/text/order.ts';
import type { Entry, ListedEntry, Measure, Tree } from '../domain/tree.ts';
import type { Snapshot, SnapshotEntry } from './facts.ts';

/**
 * A snapshot's documents as a Tree. Links and submodules are entries that nothing follows: strict reading
 * refuses them, and a verdict reads strictly. What the snapshot does not cover cannot be told apart from what
 * does not exist, so looking there is `unreadable`.
 */
export function snapshotTree(snapshot: Snapshot): Tree {
  const entries = new Map(snapshot.entries.map((entry) => [entry.path, entry]));
  const folders = foldersOf(snapshot.entries);
  const covers = snapshot.covers.map((path) => (path === '' ? '' : path.replace(/\/$/, '')));

  const covered = (path: string): boolean =>
    covers.some(
      (cover) => cover === '' || path === cover || path.startsWith(`${cover}/`) || cover.startsWith(`${path}/`),
    );

  const look = (path: string): Entry => {
    const at = parents(path).find((parent) => entries.has(parent));
    const blocking = at === undefined ? undefined : entries.get(at);
    if (blocking !== undefined && at !== undefined)
      return blocking.mode === '120000' ? { kind: 'escapes', at } : { kind: 'not-a-folder', at };
    const entry = entries.get(path);
    if (entry !== undefined) return entryOf(entry);
    if (folders.has(path)) return { kind: 'folder', link: false };
    if (covered(path)) return { kind: 'absent', link: false };
    return { kind: 'unreadable', cause: new Error(`${path} was not looked at`) };
  };

  const bytesOf = (path: string): Uint8Array => {
    const entry = entries.get(path);
    if (entry?.text !== undefined) return Buffer.from(entry.text, 'utf8');
    if (entry?.base64 !== undefined) return Buffer.from(entry.base64, 'base64');
    throw new Error(`the content of ${path} was not read`);
  };

  return {
    look,
    list: (path) =>
      [...(folders.get(path) ?? new Map<string, ListedEntry>()).values()].sort((a, b) =>
        compareCodePoints(a.name, b.name),
      ),
    read: bytesOf,
    measure: (path): Measure => {
      const entry = entries.get(path);
      if (entry?.sha256 !== undefined && entry.size !== undefined) return { size: entry.size, sha256: entry.sha256 };
      const bytes = bytesOf(path);
      return { size: bytes.length, sha256: sha256(bytes) };
    },
  };
}

function entryOf(entry: SnapshotEntry): Entry {
  switch (entry.mode) {
    case '100644':
    case '100755':
      return { kind: 'file', link: false };
    case '120000':
      return { kind: 'file', link: true };
    case '160000':
      return { kind: 'other', link: false };
  }
}

function parents(path: string): string[] {
  const segments = path.split('/');
  return segments.slice(1).map((_, index) => segments.slice(0, index + 1).join('/'));
}

function foldersOf(entries: readonly SnapshotEntry[]): Map<string, Map<string, ListedEntry>> {
  const folders = new Map<string, Map<string, ListedEntry>>([['', new Map()]]);
  const add = (folder: string, entry: ListedEntry): void => {
    const listed = folders.get(folder) ?? new Map<string, ListedEntry>();
    listed.set(entry.name, entry);
    folders.set(folder, listed);
  };
  for (const { path, mode } of entries) {
    const all = [...parents(path), path];
    for (const [index, at] of all.entries()) {
      const folder = index === 0 ? '' : (all[index - 1] ?? '');
      const name = at.slice(folder === '' ? 0 : folder.length + 1);
      add(folder, { name, kind: at === path ? kindOf(mode) : 'folder' });
    }
  }
  return folders;
}

function kindOf(mode: SnapshotEntry['mode']): ListedEntry['kind'] {
  return mode === '120000' ? 'link' : mode === '160000' ? 'other' : 'file';
}

/** The text of a document of a snapshot, or undefined where it has none there. */
export function snapshotText(snapshot: Snapshot, path: string): string | undefined {
  const entry = snapshot.entries.find((one) => one.path === path);
  if (entry === undefined) return undefined;
  return entry.text ?? (entry.base64 === undefined ? undefined : Buffer.from(entry.base64, 'base64').toString('utf8'));
}

import { Refusal } from '../../domain/errors.ts';
import { compareCodePoints } from '../../domain/text/order.ts';
import type { GitRepository } from '../git.ts';
import type { ObjectReader } from '../git-objects.ts';
import { parseTree } from '../git-tree.ts';
import type { TreeItem } from '../git-tree.ts';
import { below, isImpossibleName, MAX_LISTED, MAX_PATH, stepsOf } from './snapshot.ts';
import type { Listing, SnapshotItem, SnapshotMode, SourceSnapshot, Unread } from './snapshot.ts';

/** Bytes of a tree object that is read: some 200,000 entries. */
const MAX_TREE = 16 * 1024 * 1024;

/** Tree objects that are kept taken apart. */
const KEPT_TREES = 4096;

/** Tree objects by id, shared by the snapshots of one collection: base and head have most in common. */
export type TreeCache = Map<string, Promise<readonly TreeItem[]>>;

const MODES = { file: '100644', executable: '100755', link: '120000', submodule: '160000' } as const satisfies Record<
  Exclude<TreeItem['kind'], 'folder' | 'unknown'>,
  SnapshotMode
>;

/**
 * The files of a commit, read from the object database: no checkout, no filter, no attribute, no index.
 * @param commit full id of a commit
 */
export function commitSnapshot(
  repository: GitRepository,
  objects: ObjectReader,
  commit: string,
  trees: TreeCache = new Map(),
): SourceSnapshot {
  const missing = (what: string): Refusal => new Refusal('CS1508', `${what} is missing.`, { where: repository.root });

  const readTree = async (name: string): Promise<readonly TreeItem[]> => {
    const object = await objects.read(name, MAX_TREE);
    if (object === undefined) throw missing(`Tree ${name}`);
    const items = object.type === 'tree' && object.bytes !== undefined ? parseTree(object.bytes, idLength) : undefined;
    if (items === undefined)
      throw new Refusal('CS1508', `${name} is no tree that can be read.`, { where: repository.root });
    return items;
  };
  const idLength = repository.objectFormat === 'sha1' ? 20 : 32;
  const treeOf = (name: string): Promise<readonly TreeItem[]> => {
    const known = trees.get(name);
    if (known !== undefined) return known;
    if (trees.size >= KEPT_TREES) trees.clear();
    const read = readTree(name);
    trees.set(name, read);
    return read;
  };

  // What stands at a path, or at the first step to it that is no folder.
  const find = async (path: string): Promise<{ at: string; item: TreeItem | 'root' } | undefined> => {
    let at = '';
    let item: TreeItem | 'root' = 'root';
    for (const step of stepsOf(path)) {
      if (item !== 'root' && item.kind !== 'folder') return { at, item };
      const items: readonly TreeItem[] = await treeOf(item === 'root' ? `${commit}^{tree}` : item.oid);
      const next: TreeItem | undefined = isImpossibleName(step) ? undefined : items.find((one) => one.name === step);
      if (next === undefined) return undefined;
      at = below(at, step);
      item = next;
    }
    return { at, item };
  };
  const regular = async (path: string): Promise<TreeItem | undefined> => {
    const found = await find(path);
    return found === undefined || found.at !== path || found.item === 'root' ? undefined : found.item;
  };

  const listFolder = async (listing: Draft, folder: string, name: string): Promise<void> => {
    const seen = new Set<string>();
    for (const item of await treeOf(name)) {
      if (listing.full) return;
      const fault = faultOf(item, folder, seen);
      if (fault !== undefined) {
        listing.unread.push({ what: below(folder, item.shown), why: fault });
      } else if (item.kind === 'folder') {
        await listFolder(listing, below(folder, item.name ?? ''), item.oid);
      } else if (listing.items.length >= listing.limit) {
        listing.full = true;
      } else if (item.kind !== 'unknown') {
        listing.items.push({ path: below(folder, item.name ?? ''), mode: MODES[item.kind] });
      }
    }
  };

  return {
    list: async (path, limit = MAX_LISTED): Promise<Listing> => {
      const found = await find(path);
      if (found === undefined) return { items: [], unread: [] };
      const { at, item } = found;
      const draft: Draft = { items: [], unread: [], limit, full: false };
      if (item === 'root' || item.kind === 'folder') {
        await listFolder(draft, at, item === 'root' ? `${commit}^{tree}` : item.oid);
      } else if (item.kind === 'unknown') draft.unread.push({ what: at, why: UNKNOWN_MODE });
      else draft.items.push({ path: at, mode: MODES[item.kind] });
      if (draft.full) draft.unread.push({ what: at, why: `more than ${limit} files stand there` });
      return { items: draft.items.sort((a, b) => compareCodePoints(a.path, b.path)), unread: draft.unread };
    },
    look: async (path) => {
      const item = await regular(path);
      if (item === undefined || item.kind === 'folder' || item.kind === 'unknown') return undefined;
      if (item.kind === 'submodule') return { mode: MODES.submodule, size: undefined };
      const info = await objects.info(item.oid);
      if (info === undefined) throw missing(`The content of ${path}`);
      return { mode: MODES[item.kind], size: info.size };
    },
    read: async (path, hold) => {
      const item = await regular(path);
      if (item?.kind !== 'file' && item?.kind !== 'executable') return undefined;
      const object = await objects.read(item.oid, hold);
      if (object?.type !== 'blob') throw missing(`The content of ${path}`);
      return { size: object.size, sha256: object.sha256, bytes: object.bytes };
    },
  };
}

interface Draft {
  readonly items: SnapshotItem[];
  readonly unread: Unread[];
  readonly limit: number;
  full: boolean;
}

const UNKNOWN_MODE = 'its mode is none that git gives';

function faultOf(item: TreeItem, folder: string, seen: Set<string>): string | undefined {
  const { name } = item;
  if (name === undefined) return 'its name is not valid UTF-8';
  if (isImpossibleName(name)) return 'no checkout can hold this name';
  if (seen.has(name)) return 'the name stands twice in its folder';
  seen.add(name);
  if (Buffer.byteLength(folder) + Buffer.byteLength(name) >= MAX_PATH)
    return `its path is longer than ${MAX_PATH} bytes`;
  return item.kind === 'unknown' ? UNKNOWN_MODE : undefined;
}

import { Refusal } from '../../domain/errors.ts';
import { compareCodePoints } from '../../domain/text/order.ts';
import type { GitObject } from '../git-objects.ts';
import type { TreeItem } from '../git-tree.ts';
import { below, isImpossibleName, MAX_LISTED, MAX_PATH, stepsOf } from './snapshot.ts';
import type { Listing, SnapshotItem, SnapshotMode, SourceSnapshot, Unread } from './snapshot.ts';

/** The objects of a state of a repository, wherever they are kept. */
export interface ObjectState {
  /** Items of the root. @throws Refusal CS1508 missing or damaged */
  root(): Promise<readonly TreeItem[]>;
  /** Items of a tree by its id. @throws Refusal CS1508 missing or damaged */
  tree(oid: string): Promise<readonly TreeItem[]>;
  /** A blob's size in bytes; undefined where there is no such blob. */
  size(oid: string): Promise<number | undefined>;
  /** A blob, checked against its id; undefined where there is none. @param hold bytes up to which it is kept */
  read(oid: string, hold: number): Promise<GitObject | undefined>;
  /** How the repository is named in a refusal. */
  readonly where: string;
}

const MODES = { file: '100644', executable: '100755', link: '120000', submodule: '160000' } as const satisfies Record<
  Exclude<TreeItem['kind'], 'folder' | 'unknown'>,
  SnapshotMode
>;

/** The files of a state, read object by object: no checkout, no filter, no attribute, no index. */
export function treeSnapshot(objects: ObjectState): SourceSnapshot {
  const missing = (what: string): Refusal => new Refusal('CS1508', `${what} is missing.`, { where: objects.where });
  const treeOf = (item: TreeItem | 'root'): Promise<readonly TreeItem[]> =>
    item === 'root' ? objects.root() : objects.tree(item.oid);

  // What stands at a path, or at the first step to it that is no folder.
  const find = async (path: string): Promise<{ at: string; item: TreeItem | 'root' } | undefined> => {
    let at = '';
    let item: TreeItem | 'root' = 'root';
    for (const step of stepsOf(path)) {
      if (item !== 'root' && item.kind !== 'folder') return { at, item };
      const items: readonly TreeItem[] = await treeOf(item);
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

  const listFolder = async (listing: Draft, folder: string, at: TreeItem | 'root'): Promise<void> => {
    const seen = new Set<string>();
    for (const item of await treeOf(at)) {
      if (listing.full) return;
      const fault = faultOf(item, folder, seen);
      if (fault !== undefined) {
        listing.unread.push({ what: below(folder, item.shown), why: fault });
      } else if (item.kind === 'folder') {
        await listFolder(listing, below(folder, item.name ?? ''), item);
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
        await listFolder(draft, at, item);
      } else if (item.kind === 'unknown') draft.unread.push({ what: at, why: UNKNOWN_MODE });
      else draft.items.push({ path: at, mode: MODES[item.kind] });
      if (draft.full) draft.unread.push({ what: at, why: `more than ${limit} files stand there` });
      return { items: draft.items.sort((a, b) => compareCodePoints(a.path, b.path)), unread: draft.unread };
    },
    look: async (path) => {
      const item = await regular(path);
      if (item === undefined || item.kind === 'folder' || item.kind === 'unknown') return undefined;
      if (item.kind === 'submodule') return { mode: MODES.submodule, size: undefined };
      const size = await objects.size(item.oid);
      if (size === undefined) throw missing(`The content of ${path}`);
      return { mode: MODES[item.kind], size };
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

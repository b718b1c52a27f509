import { compareCodePoints } from '../domain/text/order.ts';
import type { TreeItem } from './git-tree.ts';
import type { RawChange } from './pull-request/raw-diff.ts';
import { below, MAX_PATH } from './snapshot/snapshot.ts';
import type { Unread } from './snapshot/snapshot.ts';
import type { TreeSource } from './tree-source.ts';

/** How two trees differ. */
export interface TreeDiff {
  /** In the order of their paths' bytes, as git has them. */
  readonly changes: readonly RawChange[];
  /** Changed paths, in a form that can be shown, that are no valid UTF-8. */
  readonly unnamed: readonly string[];
  readonly unread: readonly Unread[];
}

export interface DiffOptions {
  /** Files and folders that are compared; everything where not given. */
  readonly under?: readonly string[];
  /** Changes, and folders, after which the rest is named as unread. */
  readonly limit?: number;
}

/** Changes that one comparison lists, and folders that it goes through: a few small trees can stand for any number of files. */
export const MAX_CHANGES = 200_000;

/** The id of what is not there, as git prints it. */
export const NO_OBJECT = '0'.repeat(40);
const NO_MODE = '000000';

// What git makes of a mode (cache.h, canon_mode): whatever it does not know is a submodule to it.
const MODES = {
  folder: '040000',
  file: '100644',
  executable: '100755',
  link: '120000',
  submodule: '160000',
  unknown: '160000',
} as const satisfies Record<TreeItem['kind'], string>;

/** The mode of an item, as git prints it. */
export function modeOf({ kind }: TreeItem): string {
  return MODES[kind];
}

/**
 * Compares two trees as `git diff-tree -r --raw --no-renames` does: everything that is no folder, with mode and id
 * before and after. Folders of one level are asked for at once, and those that are the same are not asked for at all.
 * @param from id of a tree; undefined for nothing
 * @param to id of a tree; undefined for nothing
 * @throws Refusal CS1508 and what else the source throws
 */
export async function treeDiff(
  trees: TreeSource,
  from: string | undefined,
  to: string | undefined,
  { under, limit = MAX_CHANGES }: DiffOptions = {},
): Promise<TreeDiff> {
  const draft: Draft = { changes: [], unnamed: [], unread: [], folders: 0, full: false };
  const isWanted = (path: string): boolean =>
    under === undefined || under.some((place) => path === place || path.startsWith(`${place}/`));
  const leadsThere = (path: string): boolean =>
    isWanted(path) || (under?.some((place) => place.startsWith(`${path}/`)) ?? true);

  const leaf = (before: TreeItem | undefined, after: TreeItem | undefined, place: Place): void => {
    if (!place.isNamed) return void draft.unnamed.push(place.path);
    if (draft.changes.length >= limit) draft.full = true;
    else if (isWanted(place.path)) draft.changes.push(rawChange(before, after, place.path));
  };
  const walk = async (a: string | undefined, b: string | undefined, folder: Place): Promise<void> => {
    if (a === b || isFull(draft, limit)) return;
    if (Buffer.byteLength(folder.path) >= MAX_PATH)
      return void draft.unread.push({
        what: folder.path.slice(0, 200),
        why: `its path is longer than ${MAX_PATH} bytes`,
      });
    const [before, after] = await Promise.all([slotsOf(trees, a, folder, draft), slotsOf(trees, b, folder, draft)]);
    const inner: Promise<void>[] = [];
    for (const [key, [one, other]] of pairs(before, after)) {
      if (one?.oid === other?.oid && one?.kind === other?.kind) continue;
      const place = placeBelow(folder, one ?? other);
      if (key.startsWith(FOLDER)) {
        if (leadsThere(place.path)) inner.push(walk(one?.oid, other?.oid, place));
      } else leaf(one, other, place);
    }
    await Promise.all(inner);
  };
  await walk(from, to, { path: '', isNamed: true });
  if (draft.full) draft.unread.push({ what: 'changed files', why: `more than ${limit} files differ` });
  const { unnamed, unread } = draft;
  return { unnamed, unread, changes: draft.changes.sort((a, b) => compareCodePoints(a.path, b.path)) };
}

/** A file of a merge that differs from what every parent has at its path. */
export interface MergedChange {
  readonly path: string;
  readonly mode: string;
  readonly oid: string;
  /** What each parent has there; all zeros where there is nothing. */
  readonly oldOids: readonly string[];
}

/**
 * What a merge changes itself: files that differ from every parent (git-diff-tree(1), "diff format for merges"). What
 * it takes away is left out.
 * @param parents ids of their trees
 * @throws Refusal CS1508 and what else the source throws
 */
export async function mergeDiff(
  trees: TreeSource,
  parents: readonly string[],
  to: string,
  limit = MAX_CHANGES,
): Promise<{ readonly changes: readonly MergedChange[]; readonly unread: readonly Unread[] }> {
  const draft: Draft = { changes: [], unnamed: [], unread: [], folders: 0, full: false };
  const changes: MergedChange[] = [];
  const walk = async (sides: readonly (string | undefined)[], own: string, folder: Place): Promise<void> => {
    if (sides.includes(own) || isFull(draft, limit) || Buffer.byteLength(folder.path) >= MAX_PATH) return;
    const [mine, ...theirs] = await Promise.all([own, ...sides].map((oid) => slotsOf(trees, oid, folder, draft)));
    const inner: Promise<void>[] = [];
    for (const [key, item] of mine ?? []) {
      const others = theirs.map((slots) => slots.get(key));
      if (others.some((other) => other?.oid === item.oid && other.kind === item.kind)) continue;
      const place = placeBelow(folder, item);
      if (key.startsWith(FOLDER))
        inner.push(
          walk(
            others.map((other) => other?.oid),
            item.oid,
            place,
          ),
        );
      else if (changes.length >= limit) draft.full = true;
      else {
        const oldOids = others.map((other) => other?.oid ?? NO_OBJECT);
        changes.push({ path: place.path, mode: modeOf(item), oid: item.oid, oldOids });
      }
    }
    await Promise.all(inner);
  };
  await walk(parents, to, { path: '', isNamed: true });
  if (draft.full) draft.unread.push({ what: 'files of a merge', why: `more than ${limit} files differ` });
  return { changes: changes.sort((a, b) => compareCodePoints(a.path, b.path)), unread: draft.unread };
}

interface Draft {
  readonly changes: RawChange[];
  readonly unnamed: string[];
  readonly unread: Unread[];
  folders: number;
  full: boolean;
}

/** Whether another folder is one too many. */
function isFull(draft: Draft, limit: number): boolean {
  draft.folders += 1;
  draft.full ||= draft.folders > limit;
  return draft.full;
}

/** A path, in a form that can be shown where it is no valid UTF-8. */
interface Place {
  readonly path: string;
  readonly isNamed: boolean;
}

function placeBelow({ path, isNamed }: Place, item: TreeItem | undefined): Place {
  return { path: below(path, item?.name ?? item?.shown ?? ''), isNamed: isNamed && item?.name !== undefined };
}

// A folder and a file of one name are two things to git: one goes, and the other comes.
const FOLDER = 'folder ';
type Slots = ReadonlyMap<string, TreeItem>;

async function slotsOf(trees: TreeSource, oid: string | undefined, folder: Place, draft: Draft): Promise<Slots> {
  const slots = new Map<string, TreeItem>();
  for (const item of oid === undefined ? [] : await trees.tree(oid)) {
    const kind = item.kind === 'folder' ? FOLDER : 'other ';
    const key = `${kind}${item.name === undefined ? `\0${item.shown}` : item.name}`;
    if (slots.has(key))
      draft.unread.push({ what: below(folder.path, item.shown), why: 'the name stands twice in its folder' });
    else slots.set(key, item);
  }
  return slots;
}

function* pairs(before: Slots, after: Slots): Generator<[string, [TreeItem | undefined, TreeItem | undefined]]> {
  for (const [key, item] of before) yield [key, [item, after.get(key)]];
  for (const [key, item] of after) if (!before.has(key)) yield [key, [undefined, item]];
}

function rawChange(before: TreeItem | undefined, after: TreeItem | undefined, path: string): RawChange {
  const [oldMode, mode] = [before, after].map((item) => (item === undefined ? NO_MODE : modeOf(item)));
  return {
    status: statusOf(oldMode ?? NO_MODE, mode ?? NO_MODE),
    path,
    oldPath: undefined,
    mode: mode ?? NO_MODE,
    oldMode: oldMode ?? NO_MODE,
    oid: after?.oid ?? NO_OBJECT,
    oldOid: before?.oid ?? NO_OBJECT,
  };
}

function statusOf(oldMode: string, mode: string): RawChange['status'] {
  if (oldMode === NO_MODE) return 'added';
  if (mode === NO_MODE) return 'deleted';
  return oldMode.slice(0, 3) === mode.slice(0, 3) ? 'modified' : 'type-changed';
}

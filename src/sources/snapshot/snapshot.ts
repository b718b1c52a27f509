/** Modes of what stands in a repository, as git writes them: file, executable, symbolic link, submodule. */
export type SnapshotMode = '100644' | '100755' | '120000' | '160000';

/** Something that is not a folder, by its path from the root, with `/`. */
export interface SnapshotItem {
  readonly path: string;
  readonly mode: SnapshotMode;
}

/** Something that could not be looked at, and why, in words for a person. */
export interface Unread {
  readonly what: string;
  readonly why: string;
}

export interface Listing {
  /** In the order of their paths' code points. */
  readonly items: readonly SnapshotItem[];
  readonly unread: readonly Unread[];
}

/** A regular file's content. `bytes` is absent where it is longer than was to be held. */
export interface SnapshotContent {
  readonly size: number;
  readonly sha256: string;
  readonly bytes: Uint8Array | undefined;
}

/**
 * A repository's files at one state. Nothing is followed: a symbolic link and a submodule are items of their own,
 * and nothing stands behind them. Paths are from the root with `/`, '' is the root; they are taken as they are,
 * upper and lower case told apart, and `..` leads nowhere.
 */
export interface SourceSnapshot {
  /**
   * All that stands at a path or below it. Where a link, a submodule or a file stands at a step to the path, that
   * one is the answer: whoever looks for a folder must see that something took its place.
   * @param limit items after which the rest is named as unread; {@link MAX_LISTED} where not given
   * @throws Refusal CS1508 where a folder is missing or damaged; CS1502, CS1201
   */
  list(path: string, limit?: number): Promise<Listing>;
  /** Mode and size in bytes of an item; a submodule has no size, a link's is its target's. Undefined: no item. */
  look(path: string): Promise<{ readonly mode: SnapshotMode; readonly size: number | undefined } | undefined>;
  /**
   * The content of a regular file; undefined where none stands there.
   * @param hold bytes up to which the content is kept
   * @throws Refusal CS1508 where it is missing or damaged; CS1502, CS1201
   */
  read(path: string, hold: number): Promise<SnapshotContent | undefined>;
}

/** Items that one listing holds: a few small tree objects can stand for any number of files. */
export const MAX_LISTED = 200_000;

/** Bytes of a path: PATH_MAX of Linux, beyond which no checkout goes. */
export const MAX_PATH = 4096;

/** Steps of a path; none for the root. */
export function stepsOf(path: string): string[] {
  return path === '' ? [] : path.split('/');
}

/** A path with one more step. */
export function below(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** Whether a name can stand in a checkout at all: git writes none of these (verify_path in read-cache.c). */
export function isImpossibleName(name: string): boolean {
  return name === '' || name === '.' || name === '..' || name.includes('/') || name.toLowerCase() === '.git';
}

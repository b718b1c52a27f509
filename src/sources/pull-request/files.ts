import type { FileChange } from '../../gate/facts.ts';
import { runGit } from '../git.ts';
import type { GitRepository } from '../git.ts';
import type { ObjectReader } from '../git-objects.ts';
import { isImpossibleName } from '../snapshot/snapshot.ts';
import type { Unread } from '../snapshot/snapshot.ts';
import { parseRawDiff } from './raw-diff.ts';
import type { RawChange } from './raw-diff.ts';

/** Changed files that are looked at; of more only the number is told, and the verdict is incomplete. */
export const MAX_FILES = 100_000;

/**
 * Similarity from which a deleted and an added file are one renamed file, and up to how many of each are compared:
 * git's own defaults (git-diff(1), --find-renames, and diff.renameLimit before git 2.34). Beyond the limit only
 * unchanged files are found to be renamed. Either way both names are listed: as a rename, or as deletion and addition.
 */
export const RENAMES = { similarity: '50%', limit: 400 } as const;

export interface ChangedFiles {
  readonly files: readonly FileChange[];
  /** How many there are, looked at or not. */
  readonly count: number;
  readonly unread: readonly Unread[];
}

/** What differs between two commits, in git's order. */
export async function changedFiles(
  repository: GitRepository,
  objects: ObjectReader,
  from: string,
  to: string,
): Promise<ChangedFiles> {
  const diff = ['diff-tree', '-r', '-z', '--raw', '--no-abbrev', '--no-ext-diff', '--no-textconv'];
  const options = ['--ignore-submodules=none', `-M${RENAMES.similarity}`, `-l${RENAMES.limit}`];
  const answer = await runGit(repository, [...diff, ...options, '--end-of-options', from, to]);
  const blocks = parseRawDiff(answer.stdout);
  const all = blocks.flatMap((block) => block.changes);
  const unnamed = blocks.flatMap((block) => block.unnamed);
  return filesOf(all, unnamed, async ({ oid }) => (await objects.info(oid))?.size);
}

/**
 * Changed files as facts have them.
 * @param unnamed changed paths, in a form that can be shown, that are no valid UTF-8
 * @param sizeOf bytes of what stands at the head, where that is known
 */
export async function filesOf(
  all: readonly RawChange[],
  unnamed: readonly string[],
  sizeOf: (change: RawChange) => Promise<number | undefined>,
): Promise<ChangedFiles> {
  const changes = all.filter(isPossible);
  const files: FileChange[] = [];
  for (let at = 0; at < Math.min(changes.length, MAX_FILES); at += BATCH) {
    const some = changes.slice(at, Math.min(at + BATCH, MAX_FILES));
    const sizes = await Promise.all(some.map(async (change) => (hasBlob(change) ? await sizeOf(change) : undefined)));
    for (const [index, change] of some.entries()) files.push(fileChange(change, sizes[index]));
  }
  return {
    files,
    count: all.length + unnamed.length,
    unread: [
      ...unnamed.map((path) => ({ what: `changed file ${path}`, why: 'its path is not valid UTF-8' })),
      ...all
        .filter((change) => !isPossible(change))
        .map(({ path }) => ({ what: `changed file ${path.slice(0, 200)}`, why: 'no checkout can hold this path' })),
    ],
  };
}

/** Files whose sizes are asked for at once. */
const BATCH = 1024;

// Objects can be made by hand: such a path would mean another file to whoever puts it together.
function isPossible({ path, oldPath }: RawChange): boolean {
  return [path, oldPath ?? path].every((name) => !name.split('/').some(isImpossibleName));
}

function hasBlob({ mode }: RawChange): boolean {
  return mode !== '160000' && mode !== '000000';
}

function fileChange(change: RawChange, size: number | undefined): FileChange {
  const { status, path, mode } = change;
  return {
    status,
    path,
    ...(change.oldPath === undefined ? {} : { old_path: change.oldPath }),
    mode,
    old_mode: change.oldMode,
    ...(size === undefined ? {} : { size }),
  };
}

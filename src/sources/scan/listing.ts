import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { Refusal } from '../../domain/errors.ts';
import type { ScanSink } from '../../gate/scan-report.ts';
import { runGit, workingCopy } from '../git.ts';
import type { GitRepository } from '../git.ts';
import { askIgnored, askTracked, askUntracked } from '../ignore.ts';
import { repositoryAround } from './settings.ts';

/** A file on disk to look at. */
export interface ListedFile {
  /** As it is shown: from the root with `/`, or absolute where it lies outside. */
  readonly path: string;
  /** Absolute. */
  readonly disk: string;
  readonly isTracked: boolean;
  /** Whether git ignores it, tracked or not; asked for few files only. */
  isIgnored(): Promise<boolean>;
}

/** Files one after another, so that a large tree is never held as a whole. */
export interface FileListing {
  /** How many there are, where that is known before. */
  readonly total?: number;
  readonly files: AsyncIterable<ListedFile> | Iterable<ListedFile>;
  /** Working copies whose git configuration belongs to it. */
  readonly workingCopies: ReadonlySet<string>;
}

/** All files of a working copy that are tracked, or not ignored. @throws Refusal CS1301 for a bare repository */
export async function workingCopyFiles({ root }: GitRepository): Promise<FileListing> {
  if (await isBare(root)) {
    throw new Refusal('CS1301', `${root} is a bare repository: it has no files on disk.`, {
      where: root,
      remedy: 'Look at commits with --range A..B; --range HEAD takes the whole history.',
    });
  }
  const tracked = await askTracked(root);
  const paths = [...new Set([...tracked, ...(await askUntracked(root))])].sort();
  return {
    total: paths.length,
    files: paths.map((path) => listed(root, path, path, tracked)),
    workingCopies: new Set([root]),
  };
}

async function isBare(root: string): Promise<boolean> {
  const answer = await runGit(workingCopy(root), ['rev-parse', '--is-bare-repository']);
  return answer.stdout.toString('utf8').trim() === 'true';
}

/**
 * The files at or below some paths, whether git has or ignores them or not. Folders named `.git` and links are left
 * out; a path that is a link itself was named, and is followed.
 * @throws Refusal CS1301 where nothing stands at a path
 */
export async function pathFiles(
  root: string,
  cwd: string,
  paths: readonly string[],
  sink: ScanSink,
): Promise<FileListing> {
  const starts: Start[] = [];
  for (const given of paths) {
    const named = resolve(cwd, given);
    if (given === '' || !existsSync(named))
      throw new Refusal('CS1301', `There is no file or folder '${given.slice(0, 200)}'.`);
    const disk = realpathSync.native(named);
    const isFolder = statSync(disk).isDirectory();
    const repository = await repositoryAround(isFolder ? disk : dirname(disk));
    starts.push({ disk, isFolder, repository });
  }
  const tracked = new Map<string, ReadonlySet<string>>();
  for (const { repository } of starts) {
    if (repository !== undefined && !tracked.has(repository.root))
      tracked.set(repository.root, await askTracked(repository.root));
  }
  const workingCopies = new Set<string>();
  function* files(): Generator<ListedFile> {
    const seen = new Set<string>();
    for (const { disk, isFolder, repository } of starts) {
      for (const file of isFolder ? below(disk, sink, workingCopies) : [disk]) {
        if (seen.has(file)) continue;
        if (starts.length > 1) seen.add(file);
        const top = repository?.root;
        yield listed(
          top,
          shown(root, file),
          top === undefined ? '' : slashed(relative(top, file)),
          tracked.get(top ?? ''),
          file,
        );
      }
    }
  }
  return { files: files(), workingCopies };
}

interface Start {
  readonly disk: string;
  readonly isFolder: boolean;
  readonly repository: GitRepository | undefined;
}

function listed(
  top: string | undefined,
  path: string,
  inRepository: string,
  tracked: ReadonlySet<string> | undefined,
  disk = join(top ?? '', inRepository),
): ListedFile {
  return {
    path,
    disk,
    isTracked: tracked?.has(inRepository) ?? false,
    isIgnored: async () => {
      if (top === undefined) return false;
      return (await askIgnored(top, [inRepository])).get(inRepository)?.isIgnored ?? false;
    },
  };
}

function* below(folder: string, sink: ScanSink, workingCopies: Set<string>): Generator<string> {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (thrown) {
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown error';
    sink.miss(slashed(folder), `the folder cannot be read (${code})`);
    return;
  }
  for (const entry of entries) {
    const path = join(folder, entry.name);
    if (entry.name === '.git') workingCopies.add(folder);
    else if (entry.isDirectory()) yield* below(path, sink, workingCopies);
    else yield path;
  }
}

/** A path as people are shown it. */
export function shown(root: string, disk: string): string {
  const inside = relative(root, disk);
  return inside === '' || inside === '..' || inside.startsWith(`..${sep}`) || resolve(inside) === inside
    ? slashed(disk)
    : slashed(inside);
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}

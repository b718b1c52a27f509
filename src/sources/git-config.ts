import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { gitConfigIncludes, gitFileTarget } from '../checks/secrets/git-config.ts';

/** The text of one file of git's configuration. */
export interface GitConfigFile {
  /** From the folder that was asked for, with `/`; may start with `../`. */
  readonly path: string;
  readonly text: string;
}

export interface GitConfigFiles {
  readonly files: readonly GitConfigFile[];
  /** Files that are there and were not read, as paths: over a limit, or not readable. */
  readonly unread: readonly string[];
}

/** Larger configurations are not read. */
const MAX_CONFIG_BYTES = 1024 * 1024;
const MAX_FILES = 500;
/** git follows includes up to ten deep (config.c, MAX_INCLUDE_DEPTH). */
const MAX_DEPTH = 10;

/**
 * The configuration files of a working copy: its own (also where `.git` is a file, as in a linked worktree or a
 * submodule), those of its submodules, and what they include. The user's and the system's are left out: they belong to
 * no project.
 * @param root absolute path of the working copy's folder, or of one in it
 * @param home what `~` stands for
 * @param withModules whether `.gitmodules` is read, too: a file of the working copy like any other
 */
export function readGitConfigs(root: string, home = homedir(), withModules = false): GitConfigFiles {
  const files = new Map<string, GitConfigFile>();
  const unread = new Set<string>();
  const shown = (path: string) => relative(root, path).split(sep).join('/');

  const read = (path: string, depth: number): void => {
    if (files.has(path) || unread.has(shown(path))) return;
    const stat = statSync(path, { throwIfNoEntry: false });
    if (stat === undefined || stat.isDirectory()) return;
    if (!stat.isFile() || stat.size > MAX_CONFIG_BYTES || files.size >= MAX_FILES || depth > MAX_DEPTH) {
      unread.add(shown(path));
      return;
    }
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch {
      unread.add(shown(path));
      return;
    }
    files.set(path, { path: shown(path), text });
    for (const included of gitConfigIncludes(text)) {
      const target = included.startsWith('~/') ? join(home, included.slice(2)) : included;
      read(resolve(dirname(path), target), depth + 1);
    }
  };

  const gitFolder = nearestGitFolder(root);
  if (gitFolder === undefined) return { files: [], unread: [] };
  if (withModules) read(join(root, '.gitmodules'), 0);
  read(join(gitFolder, 'config'), 0);
  read(join(gitFolder, 'config.worktree'), 0);
  // A linked worktree keeps its configuration in the folder that `commondir` names (gitrepository-layout(5)).
  const common = textOf(join(gitFolder, 'commondir'))?.trim();
  const commonFolder = common === undefined || common === '' ? gitFolder : resolve(gitFolder, common);
  read(join(commonFolder, 'config'), 0);
  for (const module of moduleFolders(join(commonFolder, 'modules'), 0)) read(join(module, 'config'), 0);
  for (const worktree of folders(join(commonFolder, 'worktrees'))) read(join(worktree, 'config.worktree'), 0);
  return { files: [...files.values()], unread: [...unread] };
}

// From a folder in a working copy upwards, as git itself looks for it.
function nearestGitFolder(folder: string): string | undefined {
  const parent = dirname(folder);
  return gitFolderOf(folder) ?? (parent === folder ? undefined : nearestGitFolder(parent));
}

function gitFolderOf(root: string): string | undefined {
  const path = join(root, '.git');
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile()) return path;
  const target = gitFileTarget(textOf(path) ?? '');
  return target === undefined ? undefined : resolve(root, target);
}

function textOf(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() === true && stat.size <= MAX_CONFIG_BYTES ? readFileSync(path, 'utf8') : undefined;
}

function folders(folder: string): string[] {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .slice(0, MAX_FILES)
    .map(({ name }) => join(folder, name));
}

// Names of submodules may have slashes: a folder with a HEAD is one, any other is a step on the way.
function moduleFolders(folder: string, depth: number): string[] {
  if (depth > MAX_DEPTH || statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return [];
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .slice(0, MAX_FILES)
    .flatMap(({ name }) => {
      const path = join(folder, name);
      const inner = moduleFolders(join(path, 'modules'), depth + 1);
      const isModule = statSync(join(path, 'config'), { throwIfNoEntry: false }) !== undefined;
      return isModule ? [path, ...inner] : moduleFolders(path, depth + 1);
    });
}

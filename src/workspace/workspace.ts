import { lstatSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Refusal } from '../domain/errors.ts';
import type { Reading } from '../domain/json/read.ts';
import type { Project } from '../domain/project.ts';
import { RAPID_OS } from '../domain/project.ts';
import { diskTree } from './disk-tree.ts';

/**
 * The real path of a project's folder.
 * @throws Refusal CS1203 where it is no folder
 */
export function projectRoot(folder: string): string {
  try {
    const root = realpathSync.native(folder);
    if (statSync(root).isDirectory()) return root;
  } catch (cause) {
    throw new Refusal('CS1203', `${folder} is no folder that can be read.`, { where: folder, cause });
  }
  throw new Refusal('CS1203', `${folder} is not a folder.`, { where: folder });
}

/**
 * The folder to work in where none is named: the nearest one upwards that holds `.rapid-os` or `.git`, else
 * the one given.
 */
export function findRoot(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    if ([RAPID_OS, '.git'].some((name) => stands(join(folder, name)))) return folder;
    if (dirname(folder) === folder) return from;
  }
}

// Also a link that leads nowhere: better to refuse it here than to look past it at another project.
function stands(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // a folder that may not be looked into
  }
}

/** The documents of a folder on disk, as they are now. */
export function openProject(root: string, reading: Reading = 'compatible'): Project {
  return { tree: diskTree(root), reading };
}

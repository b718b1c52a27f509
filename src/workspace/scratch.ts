import { rmdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../domain/errors.ts';
import { RAPID_OS } from '../domain/project.ts';
import { diskTree, isErrno } from './disk-tree.ts';
import { makeFolder, orRefuse, statOf, writeSynced } from './files.ts';

/** Folder of half-done work inside `.rapid-os`; never listed by any reader, ignored by git, gone when idle. */
export const SCRATCH = `${RAPID_OS}/.countersign`;

/**
 * Whether `.rapid-os` is, or can become, a folder inside the project. Where it is not, nothing may be written,
 * and every reader of documents refuses it in the code of its own area.
 */
export function canHoldScratch(root: string): boolean {
  const entry = diskTree(root).look(RAPID_OS);
  return entry.kind === 'folder' || (entry.kind === 'absent' && !entry.link);
}

/**
 * The scratch folder, if it is there. A checkout can bring anything under that name: work goes only into a folder of
 * the project itself, never through a link.
 * @throws Refusal CS1201 for a link or a file of that name
 */
export function scratchIfAny(root: string): string | undefined {
  const scratch = join(root, SCRATCH);
  const stat = orRefuse(SCRATCH, 'read', () => statOf(scratch));
  if (stat === undefined) return undefined;
  if (stat.isDirectory()) return scratch;
  throw new Refusal('CS1201', `${SCRATCH} is not a folder, so no work can be prepared in it.`, {
    where: SCRATCH,
    remedy: `Remove ${SCRATCH}: it belongs to no document.`,
  });
}

/** The scratch folder, made if need be. @throws Refusal CS1201 */
export function openScratch(root: string): string {
  if (!canHoldScratch(root)) {
    throw new Refusal('CS1201', `${RAPID_OS} is not a folder inside the project, so nothing can be written there.`, {
      where: RAPID_OS,
    });
  }
  const scratch = scratchIfAny(root) ?? join(root, SCRATCH);
  orRefuse(SCRATCH, 'written', () => {
    makeFolder(scratch);
  });
  return scratch;
}

/** Keeps git from seeing the scratch folder. */
export function hideScratch(scratch: string): void {
  try {
    writeSynced(join(scratch, '.gitignore'), '*\n');
  } catch (cause) {
    if (!isErrno(cause, 'EEXIST')) throw cause;
  }
}

/** Removes the scratch folder, and `.rapid-os`, unless something is in it. */
export function tidyScratch(root: string): void {
  removeIfEmpty(join(root, SCRATCH));
  removeIfEmpty(join(root, RAPID_OS));
}

/** Lets git see the scratch folder again: the last step before it goes. */
export function unhideScratch(scratch: string): void {
  rmSync(join(scratch, '.gitignore'), { force: true });
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (cause) {
    if (!isErrno(cause, 'ENOTEMPTY', 'EEXIST', 'ENOENT', 'EPERM', 'EACCES', 'EBUSY', 'ENOTDIR')) throw cause;
  }
}

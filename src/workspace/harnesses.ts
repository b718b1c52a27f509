import { makeLock, activeProfiles, LOCK } from '../domain/capabilities/lock.ts';
import type { Lock } from '../domain/capabilities/lock.ts';
import { builtinProfile, HARNESSES, templateProfile } from '../domain/capabilities/profile.ts';
import { Refusal } from '../domain/errors.ts';
import { checkHarnessId } from '../domain/identifiers.ts';
import { writeJson } from '../domain/json/canonical.ts';
import { fileExists, folderExists } from '../domain/project.ts';
import { applyChange } from './changes.ts';
import { withLock } from './lock.ts';
import { openProject } from './workspace.ts';

/**
 * Writes a profile to start from: a copy of the built-in one, or a template where there is none.
 * @returns the file's path from the root
 * @throws Refusal RAPID1102 where the file exists, RAPID1104
 */
export function initProfile(root: string, id: string): { readonly path: string; readonly template: boolean } {
  checkHarnessId(id);
  const path = `${HARNESSES}/${id}.json`;
  const builtin = builtinProfile(id);
  const taken = (): Refusal => new Refusal('RAPID1102', `${path} exists; it was not overwritten.`, { where: path });
  return withLock(root, () => {
    const project = openProject(root);
    if (folderExists(project, HARNESSES, 'RAPID1105') && fileExists(project, path, 'RAPID1105')) throw taken();
    const profile = builtin?.profile ?? templateProfile(id);
    applyChange(root, [{ step: 'create', path, text: writeJson(profile), taken }]);
    return { path, template: builtin === undefined };
  });
}

/** Writes the lock of the profiles in force, over whatever lock was there. @throws a bad profile's own refusal */
export function writeLock(root: string): Lock {
  return withLock(root, () => {
    const project = openProject(root);
    const lock = makeLock(activeProfiles(project));
    fileExists(project, LOCK, 'RAPID1105'); // refuses a folder or a link that leaves .rapid-os
    applyChange(root, [{ step: 'replace', path: LOCK, text: writeJson(lock) }]);
    return lock;
  });
}

import { BUILTIN_POLICY, POLICY } from '../domain/contracts/policy.ts';
import { Refusal } from '../domain/errors.ts';
import { writeJson } from '../domain/json/canonical.ts';
import { fileExists } from '../domain/project.ts';
import { applyChange } from './changes.ts';
import { withLock } from './lock.ts';
import { openProject } from './workspace.ts';

/** Writes the built-in policy as a file to tighten. @throws Refusal CS1204 where there is one already */
export function initPolicy(root: string): { readonly path: string } {
  const taken = (): Refusal => new Refusal('CS1204', `${POLICY} exists; it was not overwritten.`, { where: POLICY });
  return withLock(root, () => {
    if (fileExists(openProject(root), POLICY, 'RAPID1008')) throw taken();
    applyChange(root, [{ step: 'create', path: POLICY, text: writeJson(BUILTIN_POLICY), taken }]);
    return { path: POLICY };
  });
}

import { isClaimPath } from '../checks/scope/check.ts';
import { sortedUnique } from '../domain/text/order.ts';
import type { Facts } from './facts.ts';

/** The paths that really changed, both names of a rename, without claims (runs, evidence, reports, specs). */
export function changedWork(facts: Facts): string[] {
  return sortedUnique(changedPaths(facts).filter((path) => !isClaimPath(path)));
}

/** Every path that changed, both names of a rename. */
export function changedPaths(facts: Facts): string[] {
  return facts.files.flatMap((file) =>
    file.old_path === undefined || file.status === 'copied' ? [file.path] : [file.old_path, file.path],
  );
}

/** Whether a file that the base holds below a folder is changed, deleted or moved away. */
export function isRewritten(facts: Facts, folder: string): boolean {
  return facts.files.some(({ status, path, old_path }) => {
    if (status === 'added' || status === 'copied') return false;
    return (status === 'renamed' ? (old_path ?? path) : path).startsWith(folder);
  });
}

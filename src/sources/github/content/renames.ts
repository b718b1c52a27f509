import { compareCodePoints } from '../../../domain/text/order.ts';
import type { RawChange } from '../../pull-request/raw-diff.ts';

/**
 * Joins what was deleted and what was added to renames: those that the platform names, if they fit, and where it did
 * not list all files, those whose content and mode are the same, as git finds them (diffcore-rename.c, exact renames).
 * @param changes without renames
 * @param known new names to old ones
 */
export function withRenames(
  changes: readonly RawChange[],
  known: ReadonlyMap<string, string>,
  findsExact: boolean,
): RawChange[] {
  const deleted = new Map(changes.filter(({ status }) => status === 'deleted').map((one) => [one.path, one]));
  const added = changes.filter(({ status }) => status === 'added');
  const olds = new Map<string, RawChange>();
  const take = (to: RawChange, from: RawChange | undefined): void => {
    if (from === undefined || !deleted.delete(from.path)) return;
    olds.set(to.path, from);
  };
  for (const to of added) take(to, deleted.get(known.get(to.path) ?? ''));
  if (findsExact) {
    const byContent = new Map<string, RawChange[]>();
    for (const from of deleted.values()) byContent.set(from.oldOid, [...(byContent.get(from.oldOid) ?? []), from]);
    for (const to of added) {
      if (olds.has(to.path)) continue;
      const same = (byContent.get(to.oid) ?? []).filter((from) => deleted.has(from.path) && isSameType(from, to));
      take(to, same.find((from) => baseName(from.path) === baseName(to.path)) ?? same[0]);
    }
  }
  return changes
    .filter(({ status, path }) => status !== 'deleted' || deleted.has(path))
    .map((change) => {
      const from = change.status === 'added' ? olds.get(change.path) : undefined;
      if (from === undefined) return change;
      const { oldMode, oldOid } = from;
      return { ...change, status: 'renamed' as const, oldPath: from.path, oldMode, oldOid };
    })
    .sort((a, b) => compareCodePoints(a.path, b.path));
}

// Files may change their mode on the way; links and submodules stay what they are.
function isSameType({ oldMode }: RawChange, { mode }: RawChange): boolean {
  const isFile = (one: string): boolean => one.startsWith('100');
  return isFile(oldMode) && isFile(mode) ? true : oldMode === mode;
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

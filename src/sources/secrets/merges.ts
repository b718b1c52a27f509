import { Refusal } from '../../domain/errors.ts';
import { runGit } from '../git.ts';
import type { GitRepository } from '../git.ts';
import type { BlobChange } from './blob-source.ts';

const ENTRY = /^:{2,}((?:[0-7]{6} )+)((?:[0-9a-f]{40,64} )+)[A-Z]+$/;

/**
 * What merges change themselves: files that differ from every parent (git-diff-tree(1), "diff format for merges").
 * What a merge takes from one side as it is was looked at in that side's commits, or stood on the base.
 * @throws Refusal CS1502
 */
export async function mergeChanges(repository: GitRepository, merges: readonly string[]): Promise<BlobChange[]> {
  if (merges.length === 0) return [];
  const args = ['diff-tree', '--stdin', '-c', '-r', '-z', '--raw', '--no-abbrev', '--no-renames'];
  const answer = await runGit(repository, [...args, '--no-ext-diff', '--no-textconv'], { input: lines(merges) });
  const fields = answer.stdout.toString('utf8').split('\0');
  const changes: BlobChange[] = [];
  let commit = '';
  for (let at = 0; at < fields.length; at += 1) {
    const field = fields[at] ?? '';
    if (field === '') continue;
    if (!field.startsWith(':')) {
      if (!/^[0-9a-f]{40,64}$/.test(field)) throw new Refusal('CS1502', 'git diff-tree printed what is no raw diff.');
      commit = field;
      continue;
    }
    const [, modes = '', ids = ''] = ENTRY.exec(field) ?? [];
    const oldOids = ids.trim().split(' ');
    const oid = oldOids.pop() ?? '';
    const mode = modes.trim().split(' ').pop() ?? '';
    const path = fields[at + 1] ?? '';
    if (oid === '' || path === '') throw new Refusal('CS1502', 'git diff-tree printed what is no raw diff.');
    at += 1;
    if (mode !== '000000' && mode !== '160000') changes.push({ commit, path, mode, oid, oldOids });
  }
  return changes;
}

function lines(ids: readonly string[]): string {
  return ids.map((id) => `${id}\n`).join('');
}

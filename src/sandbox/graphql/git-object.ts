import { readCommit, readObject } from '../git/objects.ts';
import type { Repository } from '../state.ts';
import { nodeOf } from './fields.ts';
import type { Resolved } from './fields.ts';

/** Something with the repository that it lies in. */
export interface InRepository<T> {
  readonly repository: Repository;
  readonly value: T;
}

/** A blob, tree or commit by its name; null where there is none. */
export async function gitObject(repository: Repository, name: string): Promise<Resolved> {
  const found = await readObject(repository.folder, name);
  if (found === undefined || found.type === 'tag') return nodeOf('GitObject', null);
  const type = { blob: 'Blob', tree: 'Tree', commit: 'Commit' }[found.type];
  const value = found.type === 'commit' ? await readCommit(repository.folder, found.sha) : found;
  return nodeOf(type, { repository, value });
}

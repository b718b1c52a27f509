import type { RepositoryName } from '../../github/api.ts';
import type { Store } from '../store/store.ts';
import type { RepositoryPayload } from './payloads.ts';

interface Tools {
  readonly store: Pick<Store, 'putRepository'>;
}

/** A repository's address. */
export function nameOf({ name, owner }: RepositoryPayload): RepositoryName {
  return { owner: owner.login, repo: name };
}

/** Keeps what an event says of its repository: where an evaluation looks for it. @throws Refusal CS181x */
export async function remember(
  { store }: Tools,
  { id, name, owner }: RepositoryPayload,
  installationId: number,
  at: number,
  state: 'active' | 'removed' = 'active',
): Promise<void> {
  await store.putRepository({ id, installationId, owner: owner.login, name, state, at });
}

/** Keeps a repository that an installation's event lists. @throws Refusal CS181x */
export async function putListed(
  { store }: Tools,
  { id, full_name: full }: { readonly id: number; readonly full_name: string },
  installationId: number,
  state: 'active' | 'removed',
  at: number,
): Promise<void> {
  const [owner = '', name = ''] = full.split('/');
  await store.putRepository({ id, installationId, owner, name, state, at });
}

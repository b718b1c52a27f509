import { covers } from '../http/auth.ts';
import { appOf, newId } from '../state.ts';
import type { Installation, Permissions, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { showInstallation, showListed } from '../show/installation.ts';
import { emit } from '../webhooks/emit.ts';

const covered = (sandbox: Sandbox, installation: Installation): readonly Repository[] =>
  [...sandbox.state.repositories.values()].filter(({ id }) => covers(sandbox, installation, id));

/** Installs an app on an account: on all its repositories (null) or on some. */
export function install(
  sandbox: Sandbox,
  appId: number,
  accountId: number,
  repositoryIds: readonly number[] | null,
  senderId: number,
): Installation {
  const { permissions } = appOf(sandbox.state, appId);
  const installation: Installation = {
    ...{ id: newId(sandbox.state), appId, accountId, permissions, suspendedAt: null, createdAt: sandbox.now() },
    repositoryIds: repositoryIds === null ? null : new Set(repositoryIds),
  };
  sandbox.state.installations.set(installation.id, installation);
  tell(sandbox, installation, 'installation.created', senderId);
  return installation;
}

function tell(
  sandbox: Sandbox,
  installation: Installation,
  name:
    | 'installation.created'
    | 'installation.deleted'
    | 'installation.suspend'
    | 'installation.unsuspend'
    | 'installation.new_permissions_accepted',
  senderId: number,
): void {
  const repositories = covered(sandbox, installation).map((one) => showListed(sandbox, one));
  const requester = name === 'installation.created' ? { requester: null } : {};
  const fields = { installation: showInstallation(sandbox, installation), repositories, ...requester };
  emit(sandbox, name, { repository: null, senderId, fields });
}

export function suspend(sandbox: Sandbox, installation: Installation, suspended: boolean, senderId: number): void {
  installation.suspendedAt = suspended ? sandbox.now() : null;
  tell(sandbox, installation, suspended ? 'installation.suspend' : 'installation.unsuspend', senderId);
}

/** Uninstalls an app; its tokens are worth nothing from then on. */
export function uninstall(sandbox: Sandbox, installation: Installation, senderId: number): void {
  tell(sandbox, installation, 'installation.deleted', senderId);
  sandbox.state.installations.delete(installation.id);
}

export function acceptPermissions(
  sandbox: Sandbox,
  installation: Installation,
  permissions: Permissions,
  senderId: number,
): void {
  installation.permissions = permissions;
  tell(sandbox, installation, 'installation.new_permissions_accepted', senderId);
}

/** Adds repositories to an installation on selected ones, or takes them away. */
export function selectRepositories(
  sandbox: Sandbox,
  installation: Installation,
  { add = [], remove = [] }: { readonly add?: readonly Repository[]; readonly remove?: readonly Repository[] },
  senderId: number,
): void {
  const selected = installation.repositoryIds ?? new Set(covered(sandbox, installation).map(({ id }) => id));
  add.forEach(({ id }) => selected.add(id));
  remove.forEach(({ id }) => selected.delete(id));
  installation.repositoryIds = selected;
  const name = add.length > 0 ? 'installation_repositories.added' : 'installation_repositories.removed';
  const fields = {
    installation: showInstallation(sandbox, installation),
    repository_selection: 'selected',
    repositories_added: add.map((one) => showListed(sandbox, one)),
    repositories_removed: remove.map((one) => showListed(sandbox, one)),
    requester: null,
  };
  emit(sandbox, name, { repository: null, senderId, fields });
}

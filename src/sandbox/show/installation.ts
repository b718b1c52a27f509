import type { JsonObject } from '../json.ts';
import { iso, isoOrNull } from '../json.ts';
import { accountOf, appOf, fullName } from '../state.ts';
import type { Installation, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { nodeId, showAccount, showPermissions } from './account.ts';

/** The shape `installation`. */
export function showInstallation(sandbox: Sandbox, installation: Installation): JsonObject {
  const { id, appId, accountId, repositoryIds } = installation;
  const account = accountOf(sandbox.state, accountId);
  const app = appOf(sandbox.state, appId);
  const html =
    account.type === 'Organization'
      ? `${sandbox.url}/organizations/${account.login}/settings/installations/${id}`
      : `${sandbox.url}/settings/installations/${id}`;
  return {
    id,
    account: showAccount(sandbox, accountId),
    repository_selection: repositoryIds === null ? 'all' : 'selected',
    access_tokens_url: `${sandbox.url}/app/installations/${id}/access_tokens`,
    repositories_url: `${sandbox.url}/installation/repositories`,
    html_url: html,
    app_id: appId,
    app_slug: app.slug,
    target_id: accountId,
    target_type: account.type,
    permissions: showPermissions(installation.permissions),
    events: app.events,
    created_at: iso(installation.createdAt),
    updated_at: iso(installation.createdAt),
    single_file_name: null,
    has_multiple_single_files: false,
    single_file_paths: [],
    suspended_by: installation.suspendedAt === null ? null : showAccount(sandbox, accountId),
    suspended_at: isoOrNull(installation.suspendedAt),
  };
}

/** A repository as events of installations list it. */
export const showListed = (sandbox: Sandbox, repository: Repository): JsonObject => ({
  id: repository.id,
  node_id: nodeId('Repository', repository.id),
  name: repository.name,
  full_name: fullName(sandbox.state, repository),
  private: repository.private,
});

import type { JsonObject } from '../json.ts';
import { iso } from '../json.ts';
import { accountOf } from '../state.ts';
import type { Account, App, Permissions, Team } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';

/** An opaque id as GraphQL has them. */
export const nodeId = (kind: string, id: number): string => Buffer.from(`${kind}:${id}`).toString('base64url');

/** The shape `simple-user`. */
export function showAccount(sandbox: Sandbox, id: number): JsonObject {
  return showUser(sandbox, accountOf(sandbox.state, id));
}

export function showUser({ url }: Sandbox, { id, login, type }: Account): JsonObject {
  const name = encodeURIComponent(login);
  const api = `${url}/users/${name}`;
  return {
    login,
    id,
    node_id: nodeId('User', id),
    avatar_url: `${url}/avatars/u/${id}?v=4`,
    gravatar_id: '',
    url: api,
    html_url: type === 'Bot' ? `${url}/apps/${name.replace('%5Bbot%5D', '')}` : `${url}/${name}`,
    followers_url: `${api}/followers`,
    following_url: `${api}/following{/other_user}`,
    gists_url: `${api}/gists{/gist_id}`,
    starred_url: `${api}/starred{/owner}{/repo}`,
    subscriptions_url: `${api}/subscriptions`,
    organizations_url: `${api}/orgs`,
    repos_url: `${api}/repos`,
    events_url: `${api}/events{/privacy}`,
    received_events_url: `${api}/received_events`,
    type,
    site_admin: false,
  };
}

/** The shape `public-user`, and `private-user` with `own`. */
export function showFullUser(sandbox: Sandbox, account: Account, own: boolean): JsonObject {
  const long = {
    ...showUser(sandbox, account),
    ...{ name: account.name, company: null, blog: '', location: null, email: account.email, hireable: null, bio: null },
    ...{ twitter_username: null, public_repos: 0, public_gists: 0, followers: 0, following: 0 },
    ...{ created_at: iso(0), updated_at: iso(0) },
  };
  if (!own) return long;
  return {
    ...long,
    ...{ private_gists: 0, total_private_repos: 0, owned_private_repos: 0, disk_usage: 0, collaborators: 0 },
    two_factor_authentication: true,
  };
}

/** The shape `integration`. */
export function showApp(sandbox: Sandbox, app: App): JsonObject {
  return {
    id: app.id,
    slug: app.slug,
    node_id: nodeId('App', app.id),
    owner: showAccount(sandbox, app.ownerId),
    name: app.name,
    description: null,
    external_url: `${sandbox.url}/apps/${app.slug}/about`,
    html_url: `${sandbox.url}/apps/${app.slug}`,
    created_at: iso(app.createdAt),
    updated_at: iso(app.createdAt),
    permissions: showPermissions(app.permissions),
    events: app.events,
  };
}

export const showPermissions = (permissions: Permissions): JsonObject => ({ metadata: 'read', ...permissions });

/** The shape `team-full`. */
export function showTeam(sandbox: Sandbox, team: Team): JsonObject {
  const organization = accountOf(sandbox.state, team.organizationId);
  const api = `${sandbox.url}/organizations/${organization.id}/team/${team.id}`;
  const html = `${sandbox.url}/orgs/${organization.login}`;
  const user = showUser(sandbox, organization);
  return {
    id: team.id,
    node_id: nodeId('Team', team.id),
    url: api,
    html_url: `${html}/teams/${team.slug}`,
    name: team.name,
    slug: team.slug,
    description: null,
    privacy: 'closed',
    permission: 'pull',
    members_url: `${api}/members{/member}`,
    repositories_url: `${api}/repos`,
    parent: null,
    members_count: team.members.size,
    repos_count: 0,
    created_at: iso(0),
    updated_at: iso(0),
    type: 'organization',
    organization: {
      ...showOrganization(sandbox, organization),
      ...{ html_url: user['html_url'], type: 'Organization', public_repos: 0, public_gists: 0 },
      ...{ followers: 0, following: 0, has_organization_projects: true, has_repository_projects: true },
      ...{ created_at: iso(0), updated_at: iso(0), archived_at: null },
    },
  };
}

/** The shape `organization-simple-webhooks`. */
export function showOrganization({ url }: Sandbox, { id, login }: Account): JsonObject {
  const api = `${url}/orgs/${encodeURIComponent(login)}`;
  return {
    login,
    id,
    node_id: nodeId('Organization', id),
    url: api,
    repos_url: `${api}/repos`,
    events_url: `${api}/events`,
    hooks_url: `${api}/hooks`,
    issues_url: `${api}/issues`,
    members_url: `${api}/members{/member}`,
    public_members_url: `${api}/public_members{/member}`,
    avatar_url: `${url}/avatars/u/${id}?v=4`,
    description: null,
  };
}

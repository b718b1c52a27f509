import type { JsonObject } from '../json.ts';
import { iso } from '../json.ts';
import { accountOf, fullName } from '../state.ts';
import type { Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { nodeId, showAccount } from './account.ts';

/** Address of a repository in the API. */
export const repositoryApi = ({ url, state }: Sandbox, repository: Repository): string =>
  `${url}/repos/${fullName(state, repository)}`;

/** Address of a repository for people. */
export const repositoryHtml = ({ url, state }: Sandbox, repository: Repository): string =>
  `${url}/${fullName(state, repository)}`;

/** The shape `minimal-repository`, in the fields that it must have. */
export function showMinimalRepository(sandbox: Sandbox, repository: Repository): JsonObject {
  const api = repositoryApi(sandbox, repository);
  return {
    id: repository.id,
    node_id: nodeId('Repository', repository.id),
    name: repository.name,
    full_name: fullName(sandbox.state, repository),
    owner: showAccount(sandbox, repository.ownerId),
    private: repository.private,
    html_url: repositoryHtml(sandbox, repository),
    description: null,
    fork: repository.parentId !== null,
    url: api,
    archive_url: `${api}/{archive_format}{/ref}`,
    assignees_url: `${api}/assignees{/user}`,
    blobs_url: `${api}/git/blobs{/sha}`,
    branches_url: `${api}/branches{/branch}`,
    collaborators_url: `${api}/collaborators{/collaborator}`,
    comments_url: `${api}/comments{/number}`,
    commits_url: `${api}/commits{/sha}`,
    compare_url: `${api}/compare/{base}...{head}`,
    contents_url: `${api}/contents/{+path}`,
    contributors_url: `${api}/contributors`,
    deployments_url: `${api}/deployments`,
    downloads_url: `${api}/downloads`,
    events_url: `${api}/events`,
    forks_url: `${api}/forks`,
    git_commits_url: `${api}/git/commits{/sha}`,
    git_refs_url: `${api}/git/refs{/sha}`,
    git_tags_url: `${api}/git/tags{/sha}`,
    hooks_url: `${api}/hooks`,
    issue_comment_url: `${api}/issues/comments{/number}`,
    issue_events_url: `${api}/issues/events{/number}`,
    issues_url: `${api}/issues{/number}`,
    keys_url: `${api}/keys{/key_id}`,
    labels_url: `${api}/labels{/name}`,
    languages_url: `${api}/languages`,
    merges_url: `${api}/merges`,
    milestones_url: `${api}/milestones{/number}`,
    notifications_url: `${api}/notifications{?since,all,participating}`,
    pulls_url: `${api}/pulls{/number}`,
    releases_url: `${api}/releases{/id}`,
    stargazers_url: `${api}/stargazers`,
    statuses_url: `${api}/statuses/{sha}`,
    subscribers_url: `${api}/subscribers`,
    subscription_url: `${api}/subscription`,
    tags_url: `${api}/tags`,
    teams_url: `${api}/teams`,
    trees_url: `${api}/git/trees{/sha}`,
  };
}

/** The shape `repository`, which webhooks and pull requests carry. */
export function showRepository(sandbox: Sandbox, repository: Repository): JsonObject {
  const html = repositoryHtml(sandbox, repository);
  const open = [...repository.pulls.values()].filter(({ state }) => state === 'open').length;
  return {
    ...showMinimalRepository(sandbox, repository),
    git_url: `${html.replace('http:', 'git:')}.git`,
    ssh_url: `git@sandbox:${fullName(sandbox.state, repository)}.git`,
    clone_url: `${html}.git`,
    svn_url: html,
    mirror_url: null,
    homepage: null,
    language: null,
    ...{ forks_count: 0, stargazers_count: 0, watchers_count: 0, size: 0, forks: 0, watchers: 0 },
    default_branch: repository.defaultBranch,
    open_issues_count: open,
    open_issues: open,
    topics: [],
    ...{ has_issues: true, has_projects: true, has_wiki: true, has_pages: false, has_downloads: true },
    ...{ has_discussions: false, archived: false, disabled: false, allow_forking: true, is_template: false },
    web_commit_signoff_required: false,
    visibility: repository.private ? 'private' : 'public',
    pushed_at: iso(repository.pushedAt),
    created_at: iso(repository.createdAt),
    updated_at: iso(repository.pushedAt),
    license: null,
  };
}

/** The shape `full-repository`. */
export function showFullRepository(sandbox: Sandbox, repository: Repository): JsonObject {
  const parent = repository.parentId === null ? undefined : sandbox.state.repositories.get(repository.parentId);
  return {
    ...showRepository(sandbox, repository),
    ...{ subscribers_count: 0, network_count: 0, allow_merge_commit: true, allow_squash_merge: true },
    ...{ allow_rebase_merge: true, allow_auto_merge: false, delete_branch_on_merge: false },
    ...(accountOf(sandbox.state, repository.ownerId).type === 'Organization'
      ? { organization: showAccount(sandbox, repository.ownerId) }
      : {}),
    ...(parent === undefined
      ? {}
      : { parent: showRepository(sandbox, parent), source: showRepository(sandbox, parent) }),
  };
}

import type { OperationId } from '../openapi/used.ts';
import { permissionOf, reaches } from '../state.ts';
import type { Access, Permission, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { ApiError, notFound } from './answer.ts';
import { covers } from './auth.ts';
import type { Caller } from './auth.ts';

/** What a call needs: `jwt` is the app itself, `installation` any installation's token, `user` any person's. */
type Need =
  | { readonly for: 'jwt' | 'installation' | 'user' | 'anyone' }
  /** One of these permissions of a token; of people what the last column says. */
  | { readonly for: 'token'; readonly any: readonly (readonly [string, Access])[]; readonly people: Permission };

const token = (names: string, access: Access, people: Permission = access === 'read' ? 'read' : 'write'): Need => ({
  for: 'token',
  any: names.split(' ').map((name) => [name, access] as const),
  people,
});

/** GitHub Apps only: people get 403 (description, "Create a check run"). */
const APPS_ONLY: ReadonlySet<OperationId> = new Set<OperationId>([
  'checks/create',
  'checks/update',
  'checks/create-suite',
  'checks/rerequest-run',
  'checks/rerequest-suite',
]);

// REST docs, "Permissions required for GitHub Apps".
const NEEDS: Readonly<Record<OperationId, Need>> = {
  'actions/get-github-actions-default-workflow-permissions-repository': token('administration', 'read', 'admin'),
  'actions/get-job-for-workflow-run': token('actions', 'read'),
  'actions/get-workflow': token('actions', 'read'),
  'actions/get-workflow-run': token('actions', 'read'),
  'actions/get-workflow-run-attempt': token('actions', 'read'),
  'actions/list-jobs-for-workflow-run': token('actions', 'read'),
  'actions/list-jobs-for-workflow-run-attempt': token('actions', 'read'),
  'actions/list-repo-workflows': token('actions', 'read'),
  'actions/list-workflow-runs': token('actions', 'read'),
  'actions/list-workflow-runs-for-repo': token('actions', 'read'),
  'actions/re-run-workflow': token('actions', 'write'),
  // The code in the path is what entitles.
  'apps/create-from-manifest': { for: 'anyone' },
  'apps/create-installation-access-token': { for: 'jwt' },
  'apps/get-authenticated': { for: 'jwt' },
  'apps/get-installation': { for: 'jwt' },
  'apps/get-repo-installation': { for: 'jwt' },
  'apps/get-webhook-config-for-app': { for: 'jwt' },
  'apps/get-webhook-delivery': { for: 'jwt' },
  'apps/list-installations': { for: 'jwt' },
  'apps/list-repos-accessible-to-installation': { for: 'installation' },
  'apps/list-webhook-deliveries': { for: 'jwt' },
  'apps/redeliver-webhook-delivery': { for: 'jwt' },
  'apps/revoke-installation-access-token': { for: 'installation' },
  'checks/create': token('checks', 'write'),
  'checks/create-suite': token('checks', 'write'),
  'checks/get': token('checks', 'read'),
  'checks/get-suite': token('checks', 'read'),
  'checks/list-annotations': token('checks', 'read'),
  'checks/list-for-ref': token('checks', 'read'),
  'checks/list-for-suite': token('checks', 'read'),
  'checks/list-suites-for-ref': token('checks', 'read'),
  'checks/rerequest-run': token('checks', 'write'),
  'checks/rerequest-suite': token('checks', 'write'),
  'checks/update': token('checks', 'write'),
  'git/create-blob': token('contents', 'write'),
  'git/create-commit': token('contents', 'write'),
  'git/create-ref': token('contents', 'write'),
  'git/create-tree': token('contents', 'write'),
  'git/delete-ref': token('contents', 'write'),
  'git/get-blob': token('contents', 'read'),
  'git/get-commit': token('contents', 'read'),
  'git/get-ref': token('contents', 'read'),
  'git/get-tree': token('contents', 'read'),
  'git/list-matching-refs': token('contents', 'read'),
  'git/update-ref': token('contents', 'write'),
  'issues/create-comment': token('issues pull_requests', 'write', 'read'),
  'issues/delete-comment': token('issues pull_requests', 'write', 'read'),
  'issues/get-comment': token('issues pull_requests', 'read'),
  'issues/list-comments': token('issues pull_requests', 'read'),
  'issues/list-comments-for-repo': token('issues pull_requests', 'read'),
  'issues/update-comment': token('issues pull_requests', 'write', 'read'),
  'pulls/create': token('pull_requests', 'write', 'read'),
  'pulls/create-review': token('pull_requests', 'write', 'read'),
  'pulls/dismiss-review': token('pull_requests', 'write'),
  'pulls/get': token('pull_requests', 'read'),
  'pulls/get-review': token('pull_requests', 'read'),
  'pulls/list': token('pull_requests', 'read'),
  'pulls/list-commits': token('pull_requests', 'read'),
  'pulls/list-files': token('pull_requests', 'read'),
  'pulls/list-reviews': token('pull_requests', 'read'),
  'pulls/merge': token('contents', 'write'),
  'pulls/update': token('pull_requests', 'write', 'read'),
  'rate-limit/get': { for: 'anyone' },
  'reactions/create-for-issue-comment': token('issues pull_requests', 'write', 'read'),
  'reactions/delete-for-issue-comment': token('issues pull_requests', 'write', 'read'),
  'reactions/list-for-issue-comment': token('issues pull_requests', 'read'),
  'repos/compare-commits-with-basehead': token('contents', 'read'),
  'repos/create-commit-status': token('statuses', 'write'),
  'repos/get': token('metadata', 'read'),
  'repos/get-branch': token('contents', 'read'),
  'repos/get-branch-rules': token('metadata', 'read'),
  'repos/get-collaborator-permission-level': token('metadata', 'read', 'write'),
  'repos/get-combined-status-for-ref': token('statuses', 'read'),
  'repos/get-commit': token('contents', 'read'),
  'repos/get-content': token('contents', 'read'),
  'repos/get-repo-ruleset': token('metadata', 'read'),
  'repos/get-repo-rulesets': token('metadata', 'read'),
  'repos/list-activities': token('contents', 'read'),
  'repos/list-branches': token('contents', 'read'),
  'repos/list-commit-statuses-for-ref': token('statuses', 'read'),
  'repos/list-commits': token('contents', 'read'),
  'repos/list-pull-requests-associated-with-commit': token('pull_requests contents', 'read'),
  'teams/get-by-name': token('members', 'read'),
  'teams/get-membership-for-user-in-org': token('members', 'read'),
  'teams/list-members-in-org': token('members', 'read'),
  'users/get-authenticated': { for: 'user' },
  'users/get-by-username': { for: 'anyone' },
};

const NOT_ACCESSIBLE = 'Resource not accessible by integration';

/**
 * Refuses a caller that may not do this, as GitHub does: what one may not see is not there.
 * @param repository the one that the path names, if it names one
 * @throws ApiError 401, 403, 404
 */
export function authorize(sandbox: Sandbox, caller: Caller, id: OperationId, repository: Repository | undefined): void {
  const need = NEEDS[id];
  switch (need.for) {
    case 'anyone':
      return;
    case 'jwt':
      if (caller.kind === 'app') return;
      throw new ApiError(401, 'A JSON web token could not be decoded');
    case 'installation':
      if (caller.kind === 'installation') return;
      throw new ApiError(
        403,
        'You must authenticate with an installation access token in order to list repositories for an installation.',
      );
    case 'user':
      if (caller.kind === 'user') return;
      if (caller.kind === 'anonymous') throw new ApiError(401, 'Requires authentication');
      throw new ApiError(403, NOT_ACCESSIBLE);
    case 'token':
      authorizeToken(sandbox, caller, id, need, repository);
  }
}

function authorizeToken(
  sandbox: Sandbox,
  caller: Caller,
  id: OperationId,
  need: Need & { readonly for: 'token' },
  repository: Repository | undefined,
): void {
  const writes = need.any.some(([, access]) => access === 'write');
  const headers = { 'x-accepted-github-permissions': need.any.map(([name, access]) => `${name}=${access}`).join('; ') };
  switch (caller.kind) {
    case 'app':
      throw new ApiError(401, 'Bad credentials');
    case 'anonymous':
      if (repository?.private === true) throw notFound();
      if (writes || repository === undefined) throw new ApiError(401, 'Requires authentication');
      return;
    case 'user': {
      if (repository === undefined) return;
      const has = permissionOf(sandbox.state, repository, caller.account.id);
      if (!reaches(has, 'read')) throw notFound();
      if (APPS_ONLY.has(id)) throw new ApiError(403, 'You must authenticate via a GitHub App.');
      if (!reaches(has, need.people)) throw new ApiError(403, 'Must have push access to repository.');
      return;
    }
    case 'installation':
    case 'workflow': {
      const inside = repository === undefined || reachesRepository(sandbox, caller, repository);
      // Public repositories can be read by every token.
      if (!inside && (repository.private || !writes)) {
        if (repository.private) throw notFound();
        return;
      }
      const allowed = need.any.some(([name, access]) => inside && grants(caller.permissions, name, access));
      if (!allowed) throw new ApiError(403, NOT_ACCESSIBLE, undefined, headers);
    }
  }
}

/** Whether a token's permissions include one; every token may read metadata. */
export function grants(has: Readonly<Record<string, Access>>, name: string, access: Access): boolean {
  if (name === 'metadata' && access === 'read') return true;
  return has[name] === 'write' || has[name] === access;
}

function reachesRepository(
  sandbox: Sandbox,
  caller: Caller & { readonly kind: 'installation' | 'workflow' },
  { id }: Repository,
): boolean {
  if (caller.kind === 'workflow') return caller.repositoryId === id;
  if (caller.repositoryIds !== null && !caller.repositoryIds.includes(id)) return false;
  return covers(sandbox, caller.installation, id);
}

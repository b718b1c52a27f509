import type { Json, JsonObject } from '../json.ts';
import { iso, isoOrNull } from '../json.ts';
import { appOf, existing } from '../state.ts';
import type { CheckRun, CheckStatus, CheckSuite, CommitStatus, Conclusion, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { nodeId, showAccount, showApp } from './account.ts';
import { commitIn, showSimpleCommit } from './commit.ts';
import { namedPulls } from './pull.ts';
import { repositoryApi, repositoryHtml, showMinimalRepository } from './repository.ts';

/** The shape `check-run`. */
export function showCheckRun(sandbox: Sandbox, repository: Repository, run: CheckRun): JsonObject {
  const suite = suiteOf(repository, run);
  return {
    id: run.id,
    name: run.name,
    node_id: nodeId('CheckRun', run.id),
    head_sha: run.headSha,
    external_id: run.externalId ?? '',
    url: `${repositoryApi(sandbox, repository)}/check-runs/${run.id}`,
    html_url: `${repositoryHtml(sandbox, repository)}/runs/${run.id}`,
    details_url: run.detailsUrl ?? appAddress(sandbox, suite.appId),
    status: run.status,
    conclusion: run.conclusion,
    started_at: isoOrNull(run.startedAt),
    completed_at: isoOrNull(run.completedAt),
    output: {
      title: run.title,
      summary: run.summary,
      text: run.text,
      annotations_count: run.annotations.length,
      annotations_url: `${repositoryApi(sandbox, repository)}/check-runs/${run.id}/annotations`,
    },
    check_suite: { id: suite.id },
    app: showApp(sandbox, appOf(sandbox.state, suite.appId)),
    pull_requests: namedPulls(sandbox, repository, run.headSha),
  };
}

const appAddress = ({ url, state }: Sandbox, appId: number): string => `${url}/apps/${appOf(state, appId).slug}`;

export const suiteOf = (repository: Repository, { suiteId }: Pick<CheckRun, 'suiteId'>): CheckSuite =>
  existing(repository.suites.get(suiteId), `check suite ${suiteId}`);

export const runsOf = (repository: Repository, { id }: Pick<CheckSuite, 'id'>): readonly CheckRun[] =>
  [...repository.checkRuns.values()].filter(({ suiteId }) => suiteId === id);

// The conclusion of a suite is the worst of its runs'.
const WORST_FIRST: readonly Conclusion[] = [
  ...(['startup_failure', 'action_required', 'timed_out', 'cancelled', 'failure', 'stale'] as const),
  ...(['success', 'neutral', 'skipped'] as const),
];

export function suiteState(
  repository: Repository,
  suite: CheckSuite,
): { readonly status: CheckStatus; readonly conclusion: Conclusion | null } {
  const runs = runsOf(repository, suite);
  if (runs.length === 0) return { status: 'queued', conclusion: null };
  if (runs.every(({ status }) => status === 'completed')) {
    const conclusion = WORST_FIRST.find((one) => runs.some((run) => run.conclusion === one)) ?? null;
    return { status: 'completed', conclusion };
  }
  return { status: runs.every(({ status }) => status === 'queued') ? 'queued' : 'in_progress', conclusion: null };
}

/** The shape `check-suite`. */
export async function showCheckSuite(sandbox: Sandbox, repository: Repository, suite: CheckSuite): Promise<JsonObject> {
  const api = `${repositoryApi(sandbox, repository)}/check-suites/${suite.id}`;
  return {
    id: suite.id,
    node_id: nodeId('CheckSuite', suite.id),
    head_branch: suite.headBranch,
    head_sha: suite.headSha,
    ...suiteState(repository, suite),
    url: api,
    before: suite.before,
    after: suite.headSha,
    pull_requests: namedPulls(sandbox, repository, suite.headSha),
    app: showApp(sandbox, appOf(sandbox.state, suite.appId)),
    created_at: iso(suite.createdAt),
    updated_at: iso(suite.updatedAt),
    latest_check_runs_count: runsOf(repository, suite).length,
    check_runs_url: `${api}/check-runs`,
    head_commit: showSimpleCommit(await commitIn(repository, suite.headSha)),
    repository: showMinimalRepository(sandbox, repository),
  };
}

/** The shape `check-run-with-simple-check-suite`, which webhooks carry. */
export function showCheckRunEvent(sandbox: Sandbox, repository: Repository, run: CheckRun): JsonObject {
  const suite = suiteOf(repository, run);
  const app = showApp(sandbox, appOf(sandbox.state, suite.appId));
  return {
    ...showCheckRun(sandbox, repository, run),
    started_at: iso(run.startedAt ?? 0),
    check_suite: {
      id: suite.id,
      node_id: nodeId('CheckSuite', suite.id),
      head_branch: suite.headBranch,
      head_sha: suite.headSha,
      ...suiteState(repository, suite),
      url: `${repositoryApi(sandbox, repository)}/check-suites/${suite.id}`,
      before: suite.before,
      after: suite.headSha,
      pull_requests: namedPulls(sandbox, repository, suite.headSha),
      app,
      created_at: iso(suite.createdAt),
      updated_at: iso(suite.updatedAt),
    },
  };
}

/** The shape `status`. */
export function showStatus(sandbox: Sandbox, repository: Repository, status: CommitStatus): JsonObject {
  return {
    ...showSimpleStatus(sandbox, repository, status),
    creator: showAccount(sandbox, status.creatorId),
  };
}

/** The shape `simple-commit-status`. */
export function showSimpleStatus(sandbox: Sandbox, repository: Repository, status: CommitStatus): JsonObject {
  return {
    url: `${repositoryApi(sandbox, repository)}/statuses/${status.sha}`,
    avatar_url: `${sandbox.url}/avatars/u/${status.creatorId}?v=4`,
    id: status.id,
    node_id: nodeId('StatusContext', status.id),
    state: status.state,
    description: status.description,
    target_url: status.targetUrl,
    context: status.context,
    created_at: iso(status.createdAt),
    updated_at: iso(status.createdAt),
  };
}

/** The shape `check-annotation`. */
export function showAnnotation(
  sandbox: Sandbox,
  repository: Repository,
  { headSha }: CheckRun,
  annotation: CheckRun['annotations'][number],
): Json {
  return {
    path: annotation.path,
    start_line: annotation.startLine,
    end_line: annotation.endLine,
    start_column: annotation.startColumn,
    end_column: annotation.endColumn,
    annotation_level: annotation.level,
    title: annotation.title,
    message: annotation.message,
    raw_details: annotation.rawDetails,
    blob_href: `${repositoryHtml(sandbox, repository)}/blob/${headSha}/${encodeURIComponent(annotation.path)}`,
  };
}

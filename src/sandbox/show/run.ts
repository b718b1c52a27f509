import type { JsonObject } from '../json.ts';
import { iso, isoOrNull } from '../json.ts';
import { existing, repositoryOf } from '../state.ts';
import type { Attempt, Job, Repository, Workflow, WorkflowRun } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { nodeId, showAccount } from './account.ts';
import { commitIn, showSimpleCommit } from './commit.ts';
import { namedPulls } from './pull.ts';
import { repositoryApi, repositoryHtml, showMinimalRepository } from './repository.ts';

export const latestAttempt = ({ attempts }: WorkflowRun): Attempt => existing(attempts.at(-1), 'attempt of a run');

export const workflowOf = (repository: Repository, { workflowId }: WorkflowRun): Workflow =>
  existing(repository.workflows.get(workflowId), `workflow ${workflowId}`);

/** The shape `workflow-run`, of the latest attempt or another. */
export async function showWorkflowRun(
  sandbox: Sandbox,
  repository: Repository,
  run: WorkflowRun,
  attempt: Attempt = latestAttempt(run),
): Promise<JsonObject> {
  const api = `${repositoryApi(sandbox, repository)}/actions/runs/${run.id}`;
  const workflow = workflowOf(repository, run);
  const head = repositoryOf(sandbox.state, run.headRepositoryId);
  const inside = head.id === repository.id;
  return {
    id: run.id,
    name: workflow.name,
    node_id: nodeId('WorkflowRun', run.id),
    check_suite_id: run.suiteId,
    check_suite_node_id: nodeId('CheckSuite', run.suiteId),
    head_branch: run.headBranch,
    head_sha: run.headSha,
    path: workflow.path,
    run_number: run.runNumber,
    run_attempt: attempt.number,
    event: run.event,
    display_title: run.displayTitle,
    status: attempt.status,
    conclusion: attempt.conclusion,
    workflow_id: run.workflowId,
    url: api,
    html_url: `${repositoryHtml(sandbox, repository)}/actions/runs/${run.id}`,
    pull_requests: inside ? namedPulls(sandbox, repository, run.headSha) : [],
    created_at: iso(run.createdAt),
    updated_at: iso(attempt.updatedAt),
    run_started_at: iso(attempt.startedAt),
    actor: showAccount(sandbox, run.actorId),
    triggering_actor: showAccount(sandbox, run.actorId),
    jobs_url: `${api}/jobs`,
    logs_url: `${api}/logs`,
    check_suite_url: `${repositoryApi(sandbox, repository)}/check-suites/${run.suiteId}`,
    artifacts_url: `${api}/artifacts`,
    cancel_url: `${api}/cancel`,
    rerun_url: `${api}/rerun`,
    previous_attempt_url: attempt.number > 1 ? `${api}/attempts/${attempt.number - 1}` : null,
    workflow_url: `${repositoryApi(sandbox, repository)}/actions/workflows/${run.workflowId}`,
    referenced_workflows: [],
    head_commit: showSimpleCommit(await commitIn(repository, run.headSha)),
    repository: showMinimalRepository(sandbox, repository),
    head_repository: showMinimalRepository(sandbox, head),
  };
}

/** The shape `job`. */
export function showJob(
  sandbox: Sandbox,
  repository: Repository,
  run: WorkflowRun,
  attempt: Attempt,
  job: Job,
): JsonObject {
  const api = repositoryApi(sandbox, repository);
  return {
    id: job.id,
    run_id: run.id,
    run_url: `${api}/actions/runs/${run.id}`,
    run_attempt: attempt.number,
    node_id: nodeId('Job', job.id),
    head_sha: run.headSha,
    url: `${api}/actions/jobs/${job.id}`,
    html_url: `${repositoryHtml(sandbox, repository)}/actions/runs/${run.id}/job/${job.id}`,
    status: job.status,
    conclusion: job.conclusion,
    created_at: iso(job.createdAt),
    started_at: iso(job.createdAt),
    completed_at: isoOrNull(job.completedAt),
    name: job.name,
    steps: [],
    check_run_url: `${api}/check-runs/${job.id}`,
    labels: ['ubuntu-latest'],
    ...{ runner_id: null, runner_name: null, runner_group_id: null, runner_group_name: null },
    workflow_name: workflowOf(repository, run).name,
    head_branch: run.headBranch,
  };
}

/** The shape `workflow`. */
export function showWorkflow(sandbox: Sandbox, repository: Repository, workflow: Workflow): JsonObject {
  const html = repositoryHtml(sandbox, repository);
  const file = workflow.path.split('/').at(-1) ?? '';
  return {
    id: workflow.id,
    node_id: nodeId('Workflow', workflow.id),
    name: workflow.name,
    path: workflow.path,
    state: 'active',
    created_at: iso(workflow.createdAt),
    updated_at: iso(workflow.createdAt),
    url: `${repositoryApi(sandbox, repository)}/actions/workflows/${workflow.id}`,
    html_url: `${html}/blob/${repository.defaultBranch}/${workflow.path}`,
    badge_url: `${html}/actions/workflows/${encodeURIComponent(file)}/badge.svg`,
  };
}

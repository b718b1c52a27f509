import { newAttempt } from '../acts/runs.ts';
import { ApiError, created, notFound, ok } from '../http/answer.ts';
import { idParam, param, queryText, repo } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { page } from '../http/pages.ts';
import { accountOf } from '../state.ts';
import type { Attempt, Workflow, WorkflowRun } from '../state.ts';
import { latestAttempt, showJob, showWorkflow, showWorkflowRun } from '../show/run.ts';
import { runIn } from './find.ts';

function attemptIn(call: Call, run: WorkflowRun): Attempt {
  const found = run.attempts.find(({ number }) => number === idParam(call, 'attempt_number'));
  if (found === undefined) throw notFound();
  return found;
}

/** A workflow by its id or its file's name. */
function workflowIn(call: Call): Workflow {
  const wanted = param(call, 'workflow_id');
  const found = [...repo(call).workflows.values()].find(
    ({ id, path }) => String(id) === wanted || path.split('/').at(-1) === wanted,
  );
  if (found === undefined) throw notFound();
  return found;
}

async function listRuns(call: Call, runs: readonly WorkflowRun[]) {
  const { sandbox } = call;
  const is = (key: string, value: string | null) =>
    queryText(call, key) === undefined || queryText(call, key) === value;
  const status = queryText(call, 'status');
  // `created` is a search expression, which the sandbox does not evaluate.
  if (queryText(call, 'created') !== undefined) throw new ApiError(422, 'The sandbox cannot filter runs by created.');
  const wanted = runs
    .filter((run) => is('event', run.event) && is('branch', run.headBranch) && is('head_sha', run.headSha))
    .filter((run) => is('actor', accountOf(sandbox.state, run.actorId).login))
    .filter((run) => is('check_suite_id', String(run.suiteId)))
    .filter(
      (run) =>
        status === undefined || [latestAttempt(run).status, latestAttempt(run).conclusion].includes(status as never),
    )
    .toReversed();
  const { items, headers } = page(call, wanted);
  const shown = await Promise.all(items.map((run) => showRun(call, run)));
  return ok({ total_count: wanted.length, workflow_runs: shown }, headers);
}

async function showRun(call: Call, run: WorkflowRun, attempt?: Attempt) {
  const shown = await showWorkflowRun(call.sandbox, repo(call), run, attempt);
  return call.query['exclude_pull_requests'] === true ? { ...shown, pull_requests: [] } : shown;
}

function listJobs(call: Call, run: WorkflowRun, attempts: readonly Attempt[]) {
  const jobs = attempts.flatMap((attempt) => attempt.jobs.map((job) => ({ attempt, job })));
  const { items, headers } = page(call, jobs);
  const shown = items.map(({ attempt, job }) => showJob(call.sandbox, repo(call), run, attempt, job));
  return ok({ total_count: jobs.length, jobs: shown }, headers);
}

export const ACTIONS_ROUTES = {
  'actions/get-github-actions-default-workflow-permissions-repository': (call) => {
    const { default: access, canApprove } = repo(call).workflowPermissions;
    return ok({ default_workflow_permissions: access, can_approve_pull_request_reviews: canApprove });
  },
  'actions/list-workflow-runs-for-repo': (call) => listRuns(call, [...repo(call).runs.values()]),
  'actions/list-workflow-runs': (call) => {
    const { id } = workflowIn(call);
    return listRuns(
      call,
      [...repo(call).runs.values()].filter(({ workflowId }) => workflowId === id),
    );
  },
  'actions/get-workflow-run': async (call) => ok(await showRun(call, runIn(call))),
  'actions/get-workflow-run-attempt': async (call) => {
    const run = runIn(call);
    return ok(await showRun(call, run, attemptIn(call, run)));
  },
  'actions/list-jobs-for-workflow-run': (call) => {
    const run = runIn(call);
    return listJobs(call, run, queryText(call, 'filter') === 'all' ? run.attempts : [latestAttempt(run)]);
  },
  'actions/list-jobs-for-workflow-run-attempt': (call) => {
    const run = runIn(call);
    return listJobs(call, run, [attemptIn(call, run)]);
  },
  'actions/get-job-for-workflow-run': (call) => {
    for (const run of repo(call).runs.values()) {
      for (const attempt of run.attempts) {
        const job = attempt.jobs.find(({ id }) => id === idParam(call, 'job_id'));
        if (job !== undefined) return ok(showJob(call.sandbox, repo(call), run, attempt, job));
      }
    }
    throw notFound();
  },
  'actions/re-run-workflow': async (call) => {
    const run = runIn(call);
    if (latestAttempt(run).status !== 'completed') throw new ApiError(403, 'This workflow is already running');
    await newAttempt(call.sandbox, repo(call), run);
    return created({});
  },
  'actions/list-repo-workflows': (call) => {
    const all = [...repo(call).workflows.values()];
    const { items, headers } = page(call, all);
    const workflows = items.map((one) => showWorkflow(call.sandbox, repo(call), one));
    return ok({ total_count: all.length, workflows }, headers);
  },
  'actions/get-workflow': (call) => ok(showWorkflow(call.sandbox, repo(call), workflowIn(call))),
} satisfies Routes;

import { ACTIONS_APP_ID } from '../http/auth.ts';
import type { WebhookName } from '../openapi/used.ts';
import { existing, newId } from '../state.ts';
import type { Attempt, CheckRun, Conclusion, Job, Repository, Workflow, WorkflowRun } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { latestAttempt, showWorkflow, showWorkflowRun, workflowOf } from '../show/run.ts';
import { emit } from '../webhooks/emit.ts';
import { newSuite, tellCompleted, tellRun } from './checks.ts';

export interface NewRun {
  /** Path of the workflow file, such as `.github/workflows/ci.yml`. */
  readonly path: string;
  readonly name?: string | undefined;
  readonly event: string;
  readonly headSha: string;
  readonly headBranch: string | null;
  readonly headRepositoryId: number;
  readonly actorId: number;
  readonly title: string;
  readonly jobs: readonly string[];
}

function workflowAt(sandbox: Sandbox, repository: Repository, path: string, name: string): Workflow {
  const known = [...repository.workflows.values()].find((one) => one.path === path);
  if (known !== undefined) return known;
  const workflow = { id: newId(sandbox.state), name, path, createdAt: sandbox.now() };
  repository.workflows.set(workflow.id, workflow);
  return workflow;
}

/** Starts a run of a workflow: its jobs run, each with its check run by GitHub Actions. */
export async function startRun(sandbox: Sandbox, repository: Repository, fresh: NewRun): Promise<WorkflowRun> {
  const { path, event, headSha, headBranch, headRepositoryId, actorId } = fresh;
  const workflow = workflowAt(sandbox, repository, path, fresh.name ?? path);
  const inside = headRepositoryId === repository.id ? headBranch : null;
  const suite = newSuite(sandbox, repository, ACTIONS_APP_ID, headSha, { headBranch: inside, before: null });
  const earlier = [...repository.runs.values()].filter(({ workflowId }) => workflowId === workflow.id);
  const run: WorkflowRun = {
    ...{ id: newId(sandbox.state), workflowId: workflow.id, suiteId: suite.id, event, headSha, headBranch },
    ...{ headRepositoryId, actorId, runNumber: earlier.length + 1, displayTitle: fresh.title },
    ...{ createdAt: sandbox.now(), attempts: [] },
  };
  repository.runs.set(run.id, run);
  await newAttempt(sandbox, repository, run, fresh.jobs);
  return run;
}

/** Runs it again, all jobs of it, as a further attempt at the same commit. */
export async function newAttempt(
  sandbox: Sandbox,
  repository: Repository,
  run: WorkflowRun,
  jobNames: readonly string[] = latestAttempt(run).jobs.map(({ name }) => name),
): Promise<Attempt> {
  const at = sandbox.now();
  const jobs = jobNames.map((name): Job => startJob(sandbox, repository, run, name));
  const attempt: Attempt = {
    ...{ number: run.attempts.length + 1, status: 'in_progress', conclusion: null, startedAt: at, updatedAt: at, jobs },
  };
  run.attempts.push(attempt);
  await tell(sandbox, repository, run, 'workflow_run.requested');
  await tell(sandbox, repository, run, 'workflow_run.in_progress');
  return attempt;
}

function startJob(sandbox: Sandbox, repository: Repository, run: WorkflowRun, name: string): Job {
  const id = newId(sandbox.state);
  const check: CheckRun = {
    ...{ id, suiteId: run.suiteId, name, headSha: run.headSha, status: 'in_progress', conclusion: null },
    ...{ startedAt: sandbox.now(), completedAt: null, externalId: null, detailsUrl: null },
    ...{ title: null, summary: null, text: null, annotations: [], actions: [] },
  };
  repository.checkRuns.set(id, check);
  tellRun(sandbox, repository, check, 'check_run.created', run.actorId);
  return { id, name, status: 'in_progress', conclusion: null, createdAt: sandbox.now(), completedAt: null };
}

/** Ends a job of the latest attempt; with the last one the run ends, as badly as its worst job. */
export async function endJob(
  sandbox: Sandbox,
  repository: Repository,
  run: WorkflowRun,
  name: string,
  conclusion: Conclusion,
): Promise<void> {
  const attempt = latestAttempt(run);
  const job = existing(
    attempt.jobs.find((one) => one.name === name),
    `job ${name} of run ${run.id}`,
  );
  const check = existing(repository.checkRuns.get(job.id), `check run of job ${name}`);
  const at = sandbox.now();
  Object.assign(job, { status: 'completed', conclusion, completedAt: at } satisfies Partial<Job>);
  Object.assign(check, { status: 'completed', conclusion, completedAt: at } satisfies Partial<CheckRun>);
  await tellCompleted(sandbox, repository, check, run.actorId);
  attempt.updatedAt = at;
  if (attempt.jobs.some(({ status }) => status !== 'completed')) return;
  attempt.status = 'completed';
  const worst = (['failure', 'timed_out', 'cancelled', 'action_required'] as const).find((bad) =>
    attempt.jobs.some((one) => one.conclusion === bad),
  );
  const skipped = attempt.jobs.every((one) => one.conclusion === 'skipped');
  attempt.conclusion = worst ?? (skipped ? 'skipped' : 'success');
  await tell(sandbox, repository, run, 'workflow_run.completed');
}

async function tell(
  sandbox: Sandbox,
  repository: Repository,
  run: WorkflowRun,
  name: WebhookName & `workflow_run.${string}`,
): Promise<void> {
  const { display_title, ...shown } = await showWorkflowRun(sandbox, repository, run);
  // The description does not know the title in this one.
  const title = name === 'workflow_run.in_progress' ? {} : { display_title };
  emit(sandbox, name, {
    repository,
    senderId: run.actorId,
    fields: {
      workflow_run: { ...shown, ...title },
      workflow: showWorkflow(sandbox, repository, workflowOf(repository, run)),
    },
  });
}

import * as z from 'zod';
import { jobSchema } from '../../../gate/facts.ts';
import type { Job, WorkflowRun } from '../../../gate/facts.ts';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import type { Unread } from '../../snapshot/snapshot.ts';
import { allPages, checked, PAGE_SIZE } from './answer.ts';

/** Runs that GitHub gives at most where they are asked for by head (REST, "List workflow runs for a repository"). */
export const MAX_RUNS_LISTED = 1000;

/** Pages of jobs of one run: a matrix has 256 jobs at most, and a workflow some matrices. */
const MAX_JOB_PAGES = 20;

const runShape = z.object({
  id: z.int().nonnegative(),
  run_attempt: z.int().positive().optional(),
  path: z.string(),
  event: z.string(),
  head_sha: z.string(),
  status: jobSchema.shape.status.nullable(),
  conclusion: jobSchema.shape.conclusion,
  pull_requests: z.array(z.object({ number: z.int().positive() })).nullable(),
});
const runsPage = z.object({ total_count: z.int().nonnegative(), workflow_runs: z.array(runShape) });
const jobShape = jobSchema.extend({ run_attempt: z.int().positive().optional() }).strip();
const jobsPage = z.object({ total_count: z.int().nonnegative(), jobs: z.array(jobShape) });

/**
 * The runs at a head of the workflows that are asked for, each of its latest attempt with that one's jobs. Runs of
 * other workflows are left out. Costs a call for every hundred runs at the head, and one for each run asked for.
 * @param paths workflow files of which jobs count, as the base's config names them; none: no call
 * @throws Refusal CS1603 without `actions: read`; CS16xx
 */
export async function readWorkflowRuns(
  api: GitHubApi,
  repository: RepositoryName,
  headSha: string,
  paths: readonly string[],
): Promise<{ readonly runs: readonly WorkflowRun[]; readonly unread: readonly Unread[] }> {
  if (paths.length === 0) return { runs: [], unread: [] };
  const { pages } = await allPages(
    (more) =>
      api.request('GET /repos/{owner}/{repo}/actions/runs', {
        ...{ ...repository, head_sha: headSha, per_page: PAGE_SIZE },
        ...more,
      }),
    MAX_RUNS_LISTED / PAGE_SIZE,
  );
  const read = pages.map((page) => checked(runsPage, page, `The list of workflow runs at ${headSha}`));
  const all = distinct(read.flatMap((page) => page.workflow_runs));
  const total = Math.max(0, ...read.map((page) => page.total_count));
  const wanted = all.filter((run) => run.head_sha === headSha && paths.includes(pathOf(run.path)));
  const runs = await Promise.all(wanted.map((run) => withJobs(api, repository, run)));
  const unread = all.length >= total ? [] : [{ what: 'workflow runs', why: `${all.length} of ${total} runs seen` }];
  return { runs: runs.map(({ run }) => run), unread: [...unread, ...runs.flatMap((one) => one.unread)] };
}

// `.github/workflows/ci.yml@refs/heads/main` where GitHub says at which ref the file was read.
function pathOf(path: string): string {
  const at = path.indexOf('@');
  return at < 0 ? path : path.slice(0, at);
}

async function withJobs(
  api: GitHubApi,
  repository: RepositoryName,
  run: z.infer<typeof runShape>,
): Promise<{ readonly run: WorkflowRun; readonly unread: readonly Unread[] }> {
  const { pages } = await allPages(
    (more) =>
      api.request('GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs', {
        ...{ ...repository, run_id: run.id, filter: 'latest', per_page: PAGE_SIZE },
        ...more,
      }),
    MAX_JOB_PAGES,
  );
  const read = pages.map((page) => checked(jobsPage, page, `The list of jobs of run ${run.id}`));
  const jobs = distinct(read.flatMap((page) => page.jobs));
  const total = Math.max(0, ...read.map((page) => page.total_count));
  const known = run.run_attempt ?? 1;
  // Started again between the two calls: the run's own state is of the attempt before.
  const attempt = Math.max(known, ...jobs.map((job) => job.run_attempt ?? 1));
  const state = attempt > known ? ({ status: 'in_progress', conclusion: null } as const) : run;
  return {
    run: {
      id: run.id,
      attempt,
      path: pathOf(run.path),
      event: run.event,
      head_sha: run.head_sha,
      status: state.status ?? 'queued',
      conclusion: state.conclusion,
      jobs: jobs.map(({ id, name, status, conclusion }): Job => ({ id, name, status, conclusion })),
      pull_requests: (run.pull_requests ?? []).map(({ number }) => number),
    },
    unread:
      jobs.length >= total ? [] : [{ what: `jobs of run ${run.id}`, why: `${jobs.length} of ${total} jobs seen` }],
  };
}

// What is added while pages are read moves entries on to the next one.
function distinct<T extends { readonly id: number }>(list: readonly T[]): T[] {
  return [...new Map(list.map((one) => [one.id, one])).values()];
}

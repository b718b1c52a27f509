import * as z from 'zod';
import { jobSchema } from '../../../gate/facts.ts';
import type { Job, WorkflowRun } from '../../../gate/facts.ts';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { shaped } from '../../../github/graphql.ts';
import { pages } from '../../../github/pages.ts';
import type { PullRequestFacts } from './pull.ts';
import type { Unread } from '../../snapshot/snapshot.ts';

/** Runs that GitHub gives at most where they are asked for by head (REST, "List workflow runs for a repository"). */
export const MAX_RUNS_LISTED = 1000;

/** Jobs of one run that are looked at: a matrix has 256 at most, and a workflow may have some. */
export const MAX_JOBS_LISTED = 2000;

const runShape = z.object({
  id: z.int().nonnegative(),
  run_attempt: z.int().positive().optional(),
  path: z.string(),
  event: z.string(),
  head_sha: z.string(),
  status: jobSchema.shape.status.nullable(),
  conclusion: jobSchema.shape.conclusion,
  created_at: z.iso.datetime({ offset: true }),
  head_branch: z.string().nullable(),
  head_repository: z.object({ full_name: z.string() }).nullish(),
  pull_requests: z.array(z.object({ number: z.int().positive() })).nullable(),
});
const runsPage = z.object({ total_count: z.int().nonnegative(), workflow_runs: z.array(runShape) });
const jobShape = z.object({ ...jobSchema.shape, run_attempt: z.int().positive().optional() });
const jobsPage = z.object({ total_count: z.int().nonnegative(), jobs: z.array(jobShape) });

const RUNS = 'GET /repos/{owner}/{repo}/actions/runs';
const JOBS = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/jobs';

/**
 * The runs at a head of the workflows that are asked for, each of its latest attempt with that one's jobs. Runs of
 * other workflows are left out, and so are those for pull requests of another branch at the same commit: their base may
 * have another file at the workflow's path. Costs a call for every hundred runs at the head, and one for each run asked for.
 * @param paths workflow files whose jobs count, as the base's config names them; none: no call
 * @throws Refusal CS1603 without `actions: read`; CS16xx
 */
export async function readWorkflowRuns(
  api: GitHubApi,
  repository: RepositoryName,
  head: PullRequestFacts['head'],
  paths: readonly string[],
): Promise<{ readonly runs: readonly WorkflowRun[]; readonly unread: readonly Unread[] }> {
  if (paths.length === 0) return { runs: [], unread: [] };
  const all = await counted(pages(api, RUNS, { ...repository, head_sha: head.sha }), MAX_RUNS_LISTED, (data) => {
    const page = shaped(runsPage, data, RUNS);
    return { total: page.total_count, items: page.workflow_runs };
  });
  const wanted = all.items.filter(
    (run) => run.head_sha === head.sha && paths.includes(pathOf(run.path)) && isFromBranch(run, head),
  );
  const runs = await Promise.all(wanted.map((run) => withJobs(api, repository, run)));
  return {
    runs: runs.map(({ run }) => run),
    unread: [...shortfall('workflow runs at the head', all), ...runs.flatMap((one) => one.unread)],
  };
}

// What a push runs is the commit's own, whatever the branch.
function isFromBranch(run: z.infer<typeof runShape>, { repository, ref }: PullRequestFacts['head']): boolean {
  if (!run.event.startsWith('pull_request')) return true;
  const own = repository === undefined ? undefined : `${repository.owner}/${repository.repo}`.toLowerCase();
  return run.head_branch === ref && run.head_repository?.full_name.toLowerCase() === own;
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
  const asked = { ...repository, run_id: run.id, filter: 'latest' } as const;
  const jobs = await counted(pages(api, JOBS, asked), MAX_JOBS_LISTED, (data) => {
    const page = shaped(jobsPage, data, JOBS);
    return { total: page.total_count, items: page.jobs };
  });
  const known = run.run_attempt ?? 1;
  // Started again between the two calls: the run's own state is of the attempt before.
  const attempt = Math.max(known, ...jobs.items.map((job) => job.run_attempt ?? 1));
  const state = attempt > known ? ({ status: 'in_progress', conclusion: null } as const) : run;
  return {
    run: {
      id: run.id,
      attempt,
      path: pathOf(run.path),
      event: run.event,
      created_at: run.created_at,
      head_sha: run.head_sha,
      status: state.status ?? 'queued',
      conclusion: state.conclusion,
      jobs: jobs.items.map(({ id, name, status, conclusion }): Job => ({ id, name, status, conclusion })),
      pull_requests: (run.pull_requests ?? []).map(({ number }) => number),
    },
    unread: shortfall(`jobs of run ${run.id}`, jobs),
  };
}

interface Counted<T> {
  readonly items: readonly T[];
  /** How many GitHub says there are. */
  readonly total: number;
}

/** Entries of a list that says how many there are, each once: what is added meanwhile moves others to the next page. */
async function counted<D, T extends { readonly id: number }>(
  source: AsyncIterable<D>,
  max: number,
  read: (data: D) => Counted<T>,
): Promise<Counted<T>> {
  const found = new Map<number, T>();
  let total = 0;
  for await (const data of source) {
    const page = read(data);
    total = page.total;
    for (const item of page.items) found.set(item.id, item);
    if (found.size >= max) break;
  }
  return { items: [...found.values()], total };
}

function shortfall(what: string, { items, total }: Counted<unknown>): Unread[] {
  return items.length >= total ? [] : [{ what, why: `${items.length} of ${total} seen` }];
}

import { isRefusal } from '../domain/errors.ts';
import type { GitHubApi, RepositoryName } from '../github/api.ts';
import { callFailure } from '../github/errors.ts';
import { listed } from '../github/pages.ts';

export interface ChecksToCancel {
  readonly api: GitHubApi;
  readonly repository: RepositoryName;
  /** The commit on which they stand. */
  readonly sha: string;
  readonly names: readonly string[];
  /** The app that made them; others' are left alone. */
  readonly appId: number;
  /** What is shown in their place. */
  readonly title: string;
  readonly summary: string;
}

const RUNS = 'GET /repos/{owner}/{repo}/commits/{ref}/check-runs';
const MAX_RUNS = 1000;

/**
 * Ends check runs that are still in progress, since nobody is going to conclude them: as cancelled, which no protection
 * takes for passed. A concluded one stays as it is. May be repeated at any time.
 * @returns how many were ended; none where the commit is gone
 * @throws Refusal CS16xx
 */
export async function cancelCheckRuns(given: ChecksToCancel): Promise<number> {
  const { api, repository, sha, names, appId, title, summary } = given;
  const asked = { ...repository, ref: sha, app_id: appId, filter: 'all' } as const;
  const found = await orGone(listed(api, RUNS, asked, { max: MAX_RUNS, items: ({ check_runs: runs }) => runs }));
  const open = (found?.items ?? []).filter(
    (run) => names.includes(run.name) && run.app?.id === appId && run.status !== 'completed',
  );
  for (const { id } of open) {
    await api.request('PATCH /repos/{owner}/{repo}/check-runs/{check_run_id}', {
      ...{ ...repository, check_run_id: Number(id), status: 'completed', conclusion: 'cancelled' },
      output: { title, summary },
    });
  }
  return open.length;
}

/** A commit that no branch has any more may be gone: GitHub says 404, or 422 ("No commit found for SHA"). */
async function orGone<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (thrown) {
    const status = isRefusal(thrown) ? callFailure(thrown)?.status : undefined;
    if (status === 404 || status === 422) return undefined;
    throw thrown;
  }
}

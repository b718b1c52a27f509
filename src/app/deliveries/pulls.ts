import * as z from 'zod';
import type { GitHubApi, RepositoryName } from '../../github/api.ts';
import { absentOr } from '../../github/errors.ts';
import { shaped } from '../../github/graphql.ts';
import { listOpenPulls } from '../../sources/github/platform/open-pulls.ts';
import type { OpenPull } from '../../sources/github/platform/open-pulls.ts';

const stateSchema = z.object({ state: z.string() });
const ONE = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';

/** Whether a pull request is open now. @throws Refusal CS16xx */
export async function isOpen(api: GitHubApi, repository: RepositoryName, number: number): Promise<boolean> {
  const found = await absentOr(api.request(ONE, { ...repository, pull_number: number }));
  return found !== undefined && shaped(stateSchema, found.data, ONE).state === 'open';
}

/**
 * The open pull requests of a repository, or those into one base branch; none where the repository is gone. Beyond
 * `MAX_OPEN_PULLS` the newest are left out: their own events name them, and with so many every verdict is
 * incomplete, which says so.
 * @throws Refusal CS16xx
 */
export async function openPullsOf(
  api: GitHubApi,
  repository: RepositoryName,
  into?: string,
): Promise<readonly OpenPull[]> {
  return (await absentOr(listOpenPulls(api, repository, into)))?.pulls ?? [];
}

/**
 * Those with a head commit, from forks too: an event names only those of the repository's own branches.
 * @throws Refusal CS16xx
 */
export async function openPullsAt(
  api: GitHubApi,
  repository: RepositoryName,
  head: string,
): Promise<readonly OpenPull[]> {
  return (await openPullsOf(api, repository)).filter(({ headSha }) => headSha === head);
}

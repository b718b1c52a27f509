import { Refusal } from '../domain/errors.ts';
import type { GitHubApi, RepositoryName } from '../github/api.ts';
import { listOpenPulls, MAX_OPEN_PULLS } from '../sources/github/platform/open-pulls.ts';
import type { OpenPull } from '../sources/github/platform/open-pulls.ts';

export type { OpenPull } from '../sources/github/platform/open-pulls.ts';

/**
 * All open pull requests of a repository, by number.
 * @param into only those into a branch
 * @throws Refusal CS1704 where there are more than are looked through; CS1603 without `pull-requests: read`; CS16xx
 */
export async function openPulls(
  api: GitHubApi,
  repository: RepositoryName,
  into?: string,
): Promise<readonly OpenPull[]> {
  const { pulls, truncated } = await listOpenPulls(api, repository, into);
  if (!truncated) return pulls;
  const remedy = 'Close those that nobody works on.';
  throw new Refusal('CS1704', `There are more than ${MAX_OPEN_PULLS} open pull requests.`, { remedy });
}

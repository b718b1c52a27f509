import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import type { Unread } from '../../snapshot/snapshot.ts';
import { listOpenPulls, MAX_OPEN_PULLS } from './open-pulls.ts';
import type { OpenPull } from './open-pulls.ts';

/**
 * Other open pull requests of the repository with this head: a status or check stands on the commit, so that they
 * share it.
 * @throws Refusal CS1603 without `pull-requests: read`; CS16xx
 */
export async function readOtherPulls(
  api: GitHubApi,
  repository: RepositoryName,
  headSha: string,
  number: number,
): Promise<{ readonly others: readonly OpenPull[]; readonly unread: readonly Unread[] }> {
  const { pulls, truncated } = await listOpenPulls(api, repository);
  const why = `only ${MAX_OPEN_PULLS} of the open ones were looked at`;
  return {
    others: pulls.filter((pull) => pull.headSha === headSha && pull.number !== number),
    unread: truncated ? [{ what: 'other pull requests with this head', why }] : [],
  };
}

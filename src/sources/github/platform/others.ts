import * as z from 'zod';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { shaped } from '../../../github/graphql.ts';
import { listed } from '../../../github/pages.ts';
import type { Unread } from '../../snapshot/snapshot.ts';

/** Open pull requests that are looked through for a head that several share. */
export const MAX_OPEN_PULLS = 5000;

/** An open pull request with the same head. */
export interface OtherPull {
  readonly number: number;
  readonly base: string;
}

const pullsPage = z.array(
  z.object({
    number: z.int().positive(),
    state: z.string(),
    head: z.object({ sha: z.string() }),
    base: z.object({ ref: z.string() }),
  }),
);

const PULLS = 'GET /repos/{owner}/{repo}/pulls';

/**
 * Other open pull requests of the repository with this head: a status or check stands on the commit, so that they
 * share it. All open ones are looked through: asking for the pull requests of a commit finds none from forks, and
 * asking by branch none of another branch at the same commit. Costs a call for every hundred open pull requests.
 * @throws Refusal CS1603 without `pull-requests: read`; CS16xx
 */
export async function readOtherPulls(
  api: GitHubApi,
  repository: RepositoryName,
  headSha: string,
  number: number,
): Promise<{ readonly others: readonly OtherPull[]; readonly unread: readonly Unread[] }> {
  // New ones come at the end, where they shift no page.
  const asked = { ...repository, state: 'open', sort: 'created', direction: 'asc' } as const;
  const { items: open, truncated } = await listed(api, PULLS, asked, {
    max: MAX_OPEN_PULLS,
    items: (data) => shaped(pullsPage, data, PULLS),
  });
  const others = open.filter((pull) => pull.state === 'open' && pull.head.sha === headSha && pull.number !== number);
  const why = `only ${MAX_OPEN_PULLS} of the open ones were looked at`;
  return {
    others: others.map((pull) => ({ number: pull.number, base: pull.base.ref })),
    unread: truncated ? [{ what: 'other pull requests with this head', why }] : [],
  };
}

import { Refusal } from '../domain/errors.ts';
import type { GitHubApi, RepositoryName } from '../github/api.ts';
import { listed } from '../github/pages.ts';

/** An open pull request, as far as it has to be told from others. */
export interface OpenPull {
  readonly number: number;
  readonly headSha: string;
  /** Name of the base branch. */
  readonly baseRef: string;
  /** Name of the head branch, where that is in the same repository. */
  readonly ownBranch: string | undefined;
  /** It comes from a fork or from Dependabot: GitHub gives its workflows a token that only reads. */
  readonly restricted: boolean;
}

/** Open pull requests that are looked through. */
export const MAX_OPEN_PULLS = 5000;

/**
 * The open pull requests of a repository, by number: a call for every hundred. All are looked through, since asking for
 * those of a commit finds none from forks, and asking by branch none of another branch at the same commit.
 * @param into only those into a branch
 * @throws Refusal CS1704 where there are more than are looked through; CS1603 without `pull-requests: read`; CS16xx
 */
export async function openPulls(api: GitHubApi, repository: RepositoryName, into?: string): Promise<OpenPull[]> {
  // New ones come at the end, where they shift no page.
  const asked = { ...repository, state: 'open', sort: 'created', direction: 'asc' } as const;
  const { items, truncated } = await listed(
    api,
    'GET /repos/{owner}/{repo}/pulls',
    { ...asked, ...(into === undefined ? {} : { base: into }) },
    { max: MAX_OPEN_PULLS, items: (data) => data.map(openPull) },
  );
  if (truncated) {
    const remedy = 'Close those that nobody works on.';
    throw new Refusal('CS1704', `There are more than ${MAX_OPEN_PULLS} open pull requests.`, { remedy });
  }
  return [...new Map(items.map((pull) => [pull.number, pull])).values()].sort((a, b) => a.number - b.number);
}

interface ListedPull {
  readonly number: number;
  readonly user: { readonly login: string } | null;
  readonly head: { readonly sha: string; readonly ref: string; readonly repo: { readonly id: number | bigint } | null };
  readonly base: { readonly ref: string; readonly repo: { readonly id: number | bigint } };
}

// A fork that is gone has no repository, in the API though not in its description.
function openPull({ number, user, head, base }: ListedPull): OpenPull {
  const own = head.repo?.id === base.repo.id;
  return {
    ...{ number, headSha: head.sha, baseRef: base.ref, ownBranch: own ? head.ref : undefined },
    restricted: !own || user?.login === 'dependabot[bot]',
  };
}

import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { refuse } from '../../../github/errors.ts';
import { bagOf, textOf } from '../../../github/fault.ts';
import { listed } from '../../../github/pages.ts';

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

const PULLS = 'GET /repos/{owner}/{repo}/pulls';

/** Open pull requests that are looked through. */
export const MAX_OPEN_PULLS = 5000;

/**
 * The open pull requests of a repository, by number: a call for every hundred. All are looked through, since asking for
 * those of a commit finds none from forks, and asking by branch none of another branch at the same commit.
 * @param into only those into a branch
 * @returns `truncated` where there are more than are looked through
 * @throws Refusal CS1603 without `pull-requests: read`; CS16xx
 */
export async function listOpenPulls(
  api: GitHubApi,
  repository: RepositoryName,
  into?: string,
): Promise<{ readonly pulls: readonly OpenPull[]; readonly truncated: boolean }> {
  // New ones come at the end, where they shift no page.
  const asked = { ...repository, state: 'open', sort: 'created', direction: 'asc' } as const;
  const { items, truncated } = await listed(
    api,
    PULLS,
    { ...asked, ...(into === undefined ? {} : { base: into }) },
    { max: MAX_OPEN_PULLS, items: (data) => data.map(openPull) },
  );
  const pulls = [...new Map(items.map((pull) => [pull.number, pull])).values()].sort((a, b) => a.number - b.number);
  return { pulls, truncated };
}

// Without zod: it is on the way to the Action's first call.
function openPull(given: unknown): OpenPull {
  const { number, user, head, base } = bagOf(given) ?? {};
  const [from, into] = [bagOf(head) ?? {}, bagOf(base) ?? {}];
  const [sha, baseRef] = [textOf(from['sha']), textOf(into['ref'])];
  if (typeof number !== 'number' || sha === '' || baseRef === '') {
    throw refuse(
      'CS1606',
      { name: PULLS, writes: false, needs: [] },
      200,
      'lists a pull request without number or head',
    );
  }
  // A fork that is gone has no repository, in the API though not in its description.
  const [fork, home] = [bagOf(from['repo']), bagOf(into['repo'])];
  const own = fork !== null && fork['id'] === home?.['id'];
  return {
    ...{ number, headSha: sha, baseRef, ownBranch: own ? textOf(from['ref']) : undefined },
    restricted: !own || bagOf(user)?.['login'] === 'dependabot[bot]',
  };
}

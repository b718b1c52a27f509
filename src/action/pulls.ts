import type { GitHubApi, RepositoryName } from '../github/api.ts';
import type { Branch } from './events.ts';

/** An open pull request, as far as it has to be told from others. */
export interface OpenPull {
  readonly number: number;
  readonly headSha: string;
  readonly baseRef: string;
  /** It comes from a fork or from Dependabot: GitHub gives its workflows a token that only reads. */
  readonly restricted: boolean;
}

/** Entries of a page (GitHub REST, "Using pagination"). */
const PER_PAGE = 100;

/** Pages of open pull requests that are looked through for those of a merge group. */
const MAX_PAGES = 20;

interface ListedPull {
  readonly number: number;
  readonly state: string;
  readonly user: { readonly login: string } | null;
  readonly head: { readonly sha: string; readonly repo: { readonly id: number | bigint } | null };
  readonly base: { readonly ref: string; readonly repo: { readonly id: number | bigint } };
}

function openPull({ number, user, head, base }: ListedPull): OpenPull {
  return {
    number,
    headSha: head.sha,
    baseRef: base.ref,
    restricted: head.repo?.id !== base.repo.id || user?.login === 'dependabot[bot]',
  };
}

/**
 * The open pull requests whose head is a commit.
 * @param branch where the head is thought to be, for the case that GitHub does not connect the commit with them
 * @throws Refusal CS16xx
 */
export async function openPullsAt(
  api: GitHubApi,
  { owner, repo }: RepositoryName,
  sha: string,
  branch: Branch | undefined,
): Promise<OpenPull[]> {
  const { data } = await api.request('GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls', {
    ...{ owner, repo, commit_sha: sha, per_page: PER_PAGE },
  });
  const found = headedBy(data, sha);
  if (found.length > 0 || branch === undefined) return found;
  const { data: ofBranch } = await api.request('GET /repos/{owner}/{repo}/pulls', {
    ...{ owner, repo, state: 'open' as const, head: `${branch.owner}:${branch.name}`, per_page: PER_PAGE },
  });
  return headedBy(ofBranch, sha);
}

function headedBy(pulls: readonly ListedPull[], sha: string): OpenPull[] {
  return pulls.filter(({ state, head }) => state === 'open' && head.sha === sha).map(openPull);
}

/** The open pull requests of a branch. @throws Refusal CS16xx */
export async function openPullsOf(
  api: GitHubApi,
  { owner, repo }: RepositoryName,
  branch: Branch,
): Promise<OpenPull[]> {
  const { data } = await api.request('GET /repos/{owner}/{repo}/pulls', {
    ...{ owner, repo, state: 'open' as const, head: `${branch.owner}:${branch.name}`, per_page: PER_PAGE },
  });
  return data.map(openPull);
}

/**
 * All open pull requests into a branch.
 * @returns undefined where there are more than are looked through
 * @throws Refusal CS16xx
 */
export async function openPullsInto(
  api: GitHubApi,
  { owner, repo }: RepositoryName,
  base: string,
): Promise<OpenPull[] | undefined> {
  const pulls: OpenPull[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data } = await api.request('GET /repos/{owner}/{repo}/pulls', {
      ...{ owner, repo, state: 'open' as const, base, per_page: PER_PAGE, page },
    });
    pulls.push(...data.map(openPull));
    if (data.length < PER_PAGE) return pulls;
  }
  return undefined;
}

import * as z from 'zod';
import type { GitHubApi, RepositoryName } from '../../github/api.ts';
import { absentOr } from '../../github/errors.ts';
import { shaped } from '../../github/graphql.ts';
import { listed } from '../../github/pages.ts';

/** An open pull request, as far as it is asked for again. */
export interface OpenPull {
  readonly number: number;
  readonly head: string;
}

/** Open pull requests of one repository that are looked through; the sweep finds the rest. */
const MAX_PULLS = 1000;

const OF_COMMIT = 'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls';
const OF_REPOSITORY = 'GET /repos/{owner}/{repo}/pulls';

const listSchema = z.array(
  z.object({ number: z.int().positive(), state: z.string(), head: z.object({ sha: z.string() }) }),
);

const stateSchema = z.object({ state: z.string() });
const ONE = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';

/** Whether a pull request is open now. @throws Refusal CS16xx */
export async function isOpen(api: GitHubApi, repository: RepositoryName, number: number): Promise<boolean> {
  const found = await absentOr(api.request(ONE, { ...repository, pull_number: number }));
  return found !== undefined && shaped(stateSchema, found.data, ONE).state === 'open';
}

const openOnes = (list: z.infer<typeof listSchema>): OpenPull[] =>
  list.flatMap(({ number, state, head }) => (state === 'open' ? [{ number, head: head.sha }] : []));

/**
 * The open pull requests with a head commit. GitHub connects a commit with the pull requests of its own repository; for
 * one from a fork the list of open ones is looked through.
 * @throws Refusal CS16xx
 */
export async function openPullsAt(
  api: GitHubApi,
  repository: RepositoryName,
  head: string,
): Promise<readonly OpenPull[]> {
  const max = MAX_PULLS;
  const connected = await absentOr(
    listed(
      api,
      OF_COMMIT,
      { ...repository, commit_sha: head },
      { max, items: (data) => shaped(listSchema, data, OF_COMMIT) },
    ),
  );
  const own = openOnes([...(connected?.items ?? [])]).filter((pull) => pull.head === head);
  return own.length > 0 ? own : (await openPulls(api, repository)).filter((pull) => pull.head === head);
}

/** The open pull requests of a repository, or those into one base branch. @throws Refusal CS16xx */
export async function openPulls(
  api: GitHubApi,
  repository: RepositoryName,
  base?: string,
): Promise<readonly OpenPull[]> {
  const asked = { ...repository, state: 'open' as const, ...(base === undefined ? {} : { base }) };
  const found = await absentOr(
    listed(api, OF_REPOSITORY, asked, { max: MAX_PULLS, items: (data) => shaped(listSchema, data, OF_REPOSITORY) }),
  );
  return openOnes([...(found?.items ?? [])]);
}

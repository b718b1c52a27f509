import type { Octokit } from '@octokit/core';

/**
 * GitHub's REST and GraphQL interface, as whoever reads or writes there is given it. Calls may be made side by side:
 * the client behind it (`client.ts`, or the App's) bounds how many are under way, waits as GitHub asks and repeats
 * what may be repeated. What fails in the end is thrown as a `Refusal` (CS16xx, `errors.ts`): it names the call and,
 * where a permission is missing, the line to add. A 404 of a REST call is thrown as CS1604, which alone may be read
 * as "absent".
 */
export type GitHubApi = Pick<Octokit, 'request' | 'graphql'>;

/** A repository by its name, as the API's paths have it. */
export interface RepositoryName {
  readonly owner: string;
  readonly repo: string;
}

import * as z from 'zod';
import type { Facts } from '../../../gate/facts.ts';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { shaped } from '../../../github/graphql.ts';
import { PER_PAGE } from '../../../github/pages.ts';
import type { PullRequestFacts } from './pull.ts';

type Elsewhere = NonNullable<Facts['subject']['elsewhere']>;

const PULLS = 'GET /repos/{owner}/{repo}/pulls';

/** Milliseconds after which an event of a pull request that was closed has started its runs for certain. */
const LATE_START = 10 * 60 * 1000;

const pullsPage = z.array(
  z.object({
    number: z.int().positive(),
    created_at: z.iso.datetime({ offset: true }),
    closed_at: z.iso.datetime({ offset: true }).nullable(),
    head: z.object({ sha: z.string() }),
    base: z.object({ ref: z.string() }),
  }),
);

/**
 * Other pull requests of the same branch that stood open at this head together with this one, into other bases. GitHub
 * does not say for which of them a workflow ran ("The returned pull requests do not necessarily indicate pull requests
 * that triggered the run": REST, "Get a workflow run"), and it runs the file that the merge with the base has. Costs one
 * call: of more than a hundred the newest are looked at.
 * @throws Refusal CS1603 without `pull-requests: read`; CS16xx
 */
export async function readElsewhere(
  api: GitHubApi,
  repository: RepositoryName,
  { number, head, base, created_at: openedAt }: PullRequestFacts,
): Promise<Elsewhere> {
  // Of a fork that is gone nothing is to be asked; nobody can push there or open anything from it any more.
  if (head.repository === undefined) return [];
  const { data } = await api.request(PULLS, {
    ...{ ...repository, head: `${head.repository.owner}:${head.ref}`, state: 'all' },
    ...{ sort: 'created', direction: 'desc', per_page: PER_PAGE },
  });
  const opened = Date.parse(openedAt);
  return shaped(pullsPage, data, PULLS).flatMap((other) => {
    if (other.number === number || other.head.sha !== head.sha) return [];
    // Of two that are open at once from one branch the bases differ; one that was closed may have had any.
    const closed = other.closed_at === null ? Infinity : Date.parse(other.closed_at);
    const late = other.base.ref === base.ref ? 0 : LATE_START;
    if (closed + late < opened || (late === 0 && closed === opened)) return [];
    return [{ number: other.number, base: other.base.ref, since: other.created_at }];
  });
}

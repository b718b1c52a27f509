import * as z from 'zod';
import type { GitHubApi, RepositoryName } from '../../github/api.ts';
import { absentOr } from '../../github/errors.ts';
import { shaped } from '../../github/graphql.ts';
import { nameSuffix } from '../../judge/open-base.ts';
import { readBaseBranch } from '../../sources/github/platform/branches.ts';

/** An open pull request, as far as it has to be known before it is judged. */
export interface PullNow {
  readonly head: string;
  /** What the names of its check runs end with. */
  readonly suffix: string;
}

const PULL = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
const pullSchema = z.object({
  state: z.string(),
  head: z.object({ sha: z.string() }),
  base: z.object({ ref: z.string(), sha: z.string(), repo: z.object({ default_branch: z.string() }) }),
});

/**
 * A pull request's head and the names of its check runs; undefined where it is closed or not there. Costs a call, and one
 * or two more where its base is not the default branch; all are answered with 304 where nothing has changed.
 * @throws Refusal CS16xx
 */
export async function pullNow(
  api: GitHubApi,
  repository: RepositoryName,
  number: number,
): Promise<PullNow | undefined> {
  const found = await absentOr(api.request(PULL, { ...repository, pull_number: number }));
  if (found === undefined) return undefined;
  const { state, head, base } = shaped(pullSchema, found.data, PULL);
  if (state !== 'open') return undefined;
  const fallback = { ref: base.repo.default_branch, sha: null };
  const { protected: isProtected, isDefault } = await readBaseBranch(api, repository, base, fallback);
  const suffix = nameSuffix({ subject: { base: { ...base, guarded: isProtected || isDefault } } });
  return { head: head.sha, suffix };
}

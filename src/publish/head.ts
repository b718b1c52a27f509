import type { GitHubApi, RepositoryName } from '../github/api.ts';
import type { Unpublished } from './result.ts';

/** A pull request as it was judged. */
export interface JudgedPull {
  readonly number: number;
  /** Id of the head commit. */
  readonly head: string;
  /** Name of the base branch. Its tip moves with every merge, and a verdict names the one it holds for. */
  readonly base: string;
}

/**
 * Whether a pull request still is as it was judged; to be asked right before the verdict is written. It is not where
 * its head moved or its base is another branch (the push or the edit starts an evaluation of its own), nor where it is
 * closed: nobody awaits a verdict there, and a merged one's would come too late.
 * @throws Refusal CS16xx
 */
export async function stillAt(
  api: GitHubApi,
  { owner, repo }: RepositoryName,
  { number, head, base }: JudgedPull,
): Promise<{ readonly still: true } | Extract<Unpublished, { readonly why: 'moved' | 'closed' }>> {
  const { data } = await api.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...{ owner, repo, pull_number: number },
  });
  if (data.state === 'closed') return { published: false, why: 'closed' };
  if (data.head.sha === head && data.base.ref === base) return { still: true };
  return { published: false, why: 'moved', head: data.head.sha, base: data.base.ref };
}

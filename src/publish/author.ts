import type { GitHubApi } from '../github/api.ts';
import { callFailure } from '../github/errors.ts';
import type { CommentAuthor } from './comment-search.ts';

/**
 * Whom a person's token writes as; undefined for the token of an app or a workflow, which has no such user.
 * @throws Refusal CS16xx
 */
export async function personOf(api: GitHubApi): Promise<(CommentAuthor & { readonly login: string }) | undefined> {
  try {
    const { data } = await api.request('GET /user');
    return { login: data.login, id: Number(data.id), appId: null };
  } catch (thrown) {
    // "Resource not accessible by integration"
    if (callFailure(thrown)?.status === 403) return undefined;
    throw thrown;
  }
}

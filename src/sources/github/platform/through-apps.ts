import * as z from 'zod';
import type { DecisionFacts, Person } from '../../../gate/facts.ts';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { absentOr } from '../../../github/errors.ts';
import { shaped } from '../../../github/graphql.ts';
import { COMMENT_SOURCE } from './decisions.ts';
import { mayWrite } from './people.ts';

const COMMENT = 'GET /repos/{owner}/{repo}/issues/comments/{comment_id}';

// "The GitHub App that wrote it for its user": null where a person did (REST, "Get an issue comment").
const commentShape = z.object({ performed_via_github_app: z.object({ slug: z.string().optional() }).nullish() });

/**
 * Decisions as those made them who did: an app that writes with a person's token appears as that person everywhere but in
 * REST's own field, and an app decides nothing. Its decisions are told as the app's; those of comments that are gone
 * are left out. Asks about comments of people who may write only, a call for each comment.
 * @param people as `readPeople` gives them
 * @throws Refusal CS16xx
 */
export async function byTheirMakers(
  api: GitHubApi,
  repository: RepositoryName,
  decisions: readonly DecisionFacts[],
  people: readonly Person[],
): Promise<DecisionFacts[]> {
  const able = new Set(people.filter(mayWrite).map(({ id }) => id));
  const counting = decisions.filter(({ user_id: id, edited }) => !edited && id !== null && able.has(id));
  const sources = [...new Set(counting.map(({ source }) => source))];
  const apps = new Map(
    await Promise.all(sources.map(async (one) => [one, await appOf(api, repository, one)] as const)),
  );
  return decisions.flatMap((decision) => {
    const app = apps.get(decision.source);
    if (app === 'gone') return [];
    return [app === undefined || app === 'none' ? decision : { ...decision, user_id: null, login: app.login }];
  });
}

async function appOf(
  api: GitHubApi,
  repository: RepositoryName,
  source: string,
): Promise<'gone' | 'none' | { readonly login: string }> {
  const id = Number(source.slice(COMMENT_SOURCE.length));
  const found = await absentOr(api.request(COMMENT, { ...repository, comment_id: id }));
  if (found === undefined) return 'gone';
  const { performed_via_github_app: app } = shaped(commentShape, found.data, COMMENT);
  return app === null || app === undefined ? 'none' : { login: `${app.slug ?? 'an-app'}[bot]` };
}

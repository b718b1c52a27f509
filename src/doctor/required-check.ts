import * as z from 'zod';
import type { GitHubApi, RepositoryName } from '../github/api.ts';
import { shaped } from '../github/graphql.ts';
import { pages } from '../github/pages.ts';
import { VERDICT_CHECK } from '../render/part-check.ts';
import { ill, ok } from './diagnosis.ts';
import type { Diagnosis } from './diagnosis.ts';

/** The commit status of the Action, by its name. */
export const VERDICT_STATUS = 'countersign';

/** Id of the App that workflows act as: GitHub's own. */
const GITHUB_ACTIONS_APP = 15_368;

const RULES = 'GET /repos/{owner}/{repo}/rules/branches/{branch}';

/** A check that a branch requires. `source`: the app it must come from; undefined: any will do. */
export interface RequiredCheck {
  readonly name: string;
  readonly source: number | undefined;
  readonly by: 'ruleset' | 'branch protection';
}

const rulesShape = z.array(
  z.object({
    type: z.string(),
    parameters: z
      .object({
        required_status_checks: z
          .array(z.object({ context: z.string(), integration_id: z.int().nullish() }))
          .optional(),
      })
      .loose()
      .optional(),
  }),
);

/** What of a branch's protection its page tells (REST, "Get a branch"). */
export const protectionShape = z.object({
  required_status_checks: z
    .object({ checks: z.array(z.object({ context: z.string(), app_id: z.int().nullable() })).optional() })
    .optional(),
});

/**
 * The checks that a branch requires, by active rulesets and by classic protection. An id of −1 means any source (REST,
 * "Update branch protection").
 * @param protection of the branch, as `GET /repos/{owner}/{repo}/branches/{branch}` has it
 * @throws Refusal CS16xx
 */
export async function requiredChecks(
  api: GitHubApi,
  repository: RepositoryName,
  branch: string,
  protection: z.infer<typeof protectionShape> | undefined,
): Promise<RequiredCheck[]> {
  const source = (id: number | null | undefined): number | undefined =>
    (id ?? -1) < 0 ? undefined : (id ?? undefined);
  const classic = (protection?.required_status_checks?.checks ?? []).map(({ context, app_id: id }): RequiredCheck => ({
    name: context,
    source: source(id),
    by: 'branch protection',
  }));
  const ruled: RequiredCheck[] = [];
  for await (const page of pages(api, RULES, { ...repository, branch })) {
    for (const { type, parameters } of shaped(rulesShape, page, RULES)) {
      if (type !== 'required_status_checks') continue;
      for (const { context, integration_id: id } of parameters?.required_status_checks ?? []) {
        ruled.push({ name: context, source: source(id), by: 'ruleset' });
      }
    }
  }
  return [...ruled, ...classic];
}

/**
 * Whether a branch requires the verdict, from this app.
 * @param appId undefined where it is not known which app is meant
 */
export function requiredCheck(checks: readonly RequiredCheck[], branch: string, appId: number | undefined): Diagnosis {
  const check = 'required check';
  const verdicts = checks.filter(({ name }) => name === VERDICT_CHECK);
  const own = verdicts.filter(({ source }) => source !== undefined && source === appId);
  const who = 'an administrator of the repository, or an owner of the organisation';
  const remedy =
    `In a ruleset for ${branch}, require the status check ${VERDICT_CHECK} with ` +
    `${appId === undefined ? 'the App' : `the App (id ${appId})`} as its source.`;
  if (own.length > 0) return ok(check, `${VERDICT_CHECK} from app ${appId}, by ${own[0]?.by}`);
  const [verdict] = verdicts;
  if (verdict === undefined) return notRequired(checks, branch, remedy, who);
  if (verdict.source === undefined) {
    return ill(check, 'fail', {
      detail: `${branch} requires ${VERDICT_CHECK} from any source (${verdict.by}).`,
      why: 'Whoever may write statuses or checks, such as any workflow that runs, can set one of that name to success.',
      ...{ remedy, who },
    });
  }
  if (appId === undefined) {
    return ill(check, 'warn', {
      detail: `${branch} requires ${VERDICT_CHECK} from app ${verdict.source} (${verdict.by}).`,
      why: 'It is not known whether that is your App.',
      remedy: 'Tell its id with --app-id, or give the App’s settings.',
      who: 'you',
    });
  }
  const forged = verdict.source === GITHUB_ACTIONS_APP ? ', which any workflow acts as' : '';
  return ill(check, 'fail', {
    detail: `${branch} requires ${VERDICT_CHECK} from app ${verdict.source}${forged}, not from app ${appId}.`,
    why: 'The verdict of this App then decides nothing, and pull requests wait for the other one.',
    ...{ remedy, who },
  });
}

function notRequired(checks: readonly RequiredCheck[], branch: string, remedy: string, who: string): Diagnosis {
  const check = 'required check';
  const near = checks.filter(({ name }) => name.toLowerCase().startsWith(VERDICT_STATUS));
  const status = near.find(({ name }) => name === VERDICT_STATUS);
  if (status !== undefined) {
    return ill(check, 'warn', {
      detail: `${branch} requires '${VERDICT_STATUS}', the commit status, and not the check ${VERDICT_CHECK}.`,
      why: 'The Action writes that status, the App only with COMMIT_STATUS=on; whoever may write statuses can set it.',
      ...{ remedy: `With the Action leave it so. With the App: ${remedy}`, who },
    });
  }
  const others = near.map(({ name }) => `'${name.slice(0, 100)}'`).join(', ');
  return ill(check, 'fail', {
    detail:
      others === ''
        ? `${branch} does not require ${VERDICT_CHECK}.`
        : `${branch} requires ${others}, and not ${VERDICT_CHECK} itself.`,
    why: 'A pull request can be merged whatever the verdict is.',
    ...{ remedy, who },
  });
}

import * as z from 'zod';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { absentOr } from '../../../github/errors.ts';
import { shaped } from '../../../github/graphql.ts';
import { pages } from '../../../github/pages.ts';
import type { BranchTip } from './pull.ts';

/** A base branch, and the branch whose rules judge what goes into it. */
export interface BaseBranch {
  readonly protected: boolean;
  readonly isDefault: boolean;
  /** The base's own tip where it is protected or the default branch; else the default branch's. */
  readonly rules: BranchTip;
}

const branchShape = z.object({ protected: z.boolean() });
const rulesShape = z.array(z.object({ type: z.string() }));

/**
 * Rules of rulesets without which anyone with write permission could push to a branch. Others, such as patterns of
 * messages or "no force pushes", leave that open. REST, "Get rules for a branch".
 */
const GUARDING_RULES: readonly string[] = [
  'pull_request',
  'update',
  'required_status_checks',
  'merge_queue',
  'workflows',
];

/**
 * Whether a base branch is protected, by classic protection or by rulesets, and where the rules are read for it. The
 * default branch costs no call; another one or two.
 * @param base as the pull request names it, at its tip
 * @param fallback the default branch at its tip; undefined where the repository has none
 * @throws Refusal CS16xx
 */
export async function readBaseBranch(
  api: GitHubApi,
  repository: RepositoryName,
  base: BranchTip,
  fallback: BranchTip | undefined,
): Promise<BaseBranch> {
  if (fallback?.ref === base.ref) return { protected: false, isDefault: true, rules: base };
  const guarded = base.sha !== null && (await isGuarded(api, repository, base.ref));
  return { protected: guarded, isDefault: false, rules: guarded ? base : (fallback ?? { ref: '', sha: null }) };
}

const BRANCH = 'GET /repos/{owner}/{repo}/branches/{branch}';
const RULES = 'GET /repos/{owner}/{repo}/rules/branches/{branch}';

async function isGuarded(api: GitHubApi, repository: RepositoryName, branch: string): Promise<boolean> {
  const found = await absentOr(api.request(BRANCH, { ...repository, branch }));
  if (found === undefined) return false;
  if (shaped(branchShape, found.data, BRANCH).protected) return true;
  for await (const page of pages(api, RULES, { ...repository, branch })) {
    if (shaped(rulesShape, page, RULES).some(({ type }) => GUARDING_RULES.includes(type))) return true;
  }
  return false;
}

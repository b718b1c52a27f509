import { notFound, ok } from '../http/answer.ts';
import { idParam, param, repo } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { listAnswer } from '../http/pages.ts';
import { iso } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { fullName } from '../state.ts';
import type { Repository, Ruleset } from '../state.ts';
import { nodeId } from '../show/account.ts';
import { repositoryApi, repositoryHtml } from '../show/repository.ts';

/** Whether a ruleset is about a branch. Patterns of names are not evaluated: the sandbox's rulesets name branches. */
function applies(repository: Repository, { include }: Ruleset, branch: string): boolean {
  if (include.includes('~ALL') || include.includes(`refs/heads/${branch}`)) return true;
  return branch === repository.defaultBranch && include.includes('~DEFAULT_BRANCH');
}

const activeRules = (repository: Repository, branch: string): readonly Ruleset[] =>
  [...repository.rulesets.values()].filter((one) => one.enforcement === 'active' && applies(repository, one, branch));

/** Whether a branch is protected: by classic protection or by an active ruleset. */
export const isBranchProtected = (repository: Repository, branch: string): boolean =>
  repository.protectedBranches.has(branch) || activeRules(repository, branch).length > 0;

function show(call: Call, ruleset: Ruleset, whole: boolean): JsonObject {
  const repository = repo(call);
  const { id, name, enforcement, createdAt } = ruleset;
  return {
    ...{ id, name, target: 'branch', source_type: 'Repository', source: fullName(call.sandbox.state, repository) },
    enforcement,
    node_id: nodeId('RepositoryRuleset', id),
    _links: {
      self: { href: `${repositoryApi(call.sandbox, repository)}/rulesets/${id}` },
      html: { href: `${repositoryHtml(call.sandbox, repository)}/rules/${id}` },
    },
    ...{ created_at: iso(createdAt), updated_at: iso(createdAt) },
    ...(whole
      ? {
          conditions: { ref_name: { include: ruleset.include, exclude: [] } },
          rules: ruleset.rules.map((one) => ({ ...one })),
        }
      : {}),
  };
}

export const RULE_ROUTES = {
  'repos/get-branch-rules': (call) => {
    const repository = repo(call);
    const rules = activeRules(repository, param(call, 'branch')).flatMap(({ id, rules: all }) =>
      all.map((one) => ({
        ...one,
        ...{
          ruleset_source_type: 'Repository',
          ruleset_source: fullName(call.sandbox.state, repository),
          ruleset_id: id,
        },
      })),
    );
    return listAnswer(call, rules, (one) => one);
  },
  'repos/get-repo-rulesets': (call) =>
    listAnswer(call, [...repo(call).rulesets.values()], (one) => show(call, one, false)),
  'repos/get-repo-ruleset': (call) => {
    const found = repo(call).rulesets.get(idParam(call, 'ruleset_id'));
    if (found === undefined) throw notFound();
    return ok(show(call, found, true));
  },
} satisfies Routes;

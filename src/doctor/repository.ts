import * as z from 'zod';
import { parseConfig } from '../config/parse.ts';
import { problemText } from '../config/problem.ts';
import { isRefusal } from '../domain/errors.ts';
import type { GitHubApi, RepositoryName } from '../github/api.ts';
import { shaped } from '../github/graphql.ts';
import { organisationAddress, readOrganisationConfig } from '../sources/github/platform/organisation.ts';
import { bad, ill, ok } from './diagnosis.ts';
import type { Diagnosis } from './diagnosis.ts';
import { protectionShape } from './required-check.ts';

const REPOSITORY = 'GET /repos/{owner}/{repo}';
const BRANCH = 'GET /repos/{owner}/{repo}/branches/{branch}';
const WORKFLOWS = 'GET /repos/{owner}/{repo}/actions/permissions/workflow';

const repositoryShape = z.object({
  full_name: z.string(),
  default_branch: z.string(),
  owner: z.object({ login: z.string(), type: z.string() }),
});
const branchShape = z.object({ commit: z.object({ sha: z.string() }), protection: protectionShape.optional() });
const workflowsShape = z.object({
  default_workflow_permissions: z.enum(['read', 'write']),
  can_approve_pull_request_reviews: z.boolean(),
});

/** A repository's default branch, as far as the doctor looks at it. */
export interface DefaultBranch {
  readonly name: string;
  readonly sha: string;
  readonly protection: z.infer<typeof protectionShape> | undefined;
  /** The organisation that owns the repository; undefined where a person does. */
  readonly organisation: string | undefined;
}

/** @throws Refusal CS16xx; CS1604 where there is no such repository, or no default branch */
export async function readDefaultBranch(api: GitHubApi, repository: RepositoryName): Promise<DefaultBranch> {
  const { data } = await api.request(REPOSITORY, { ...repository });
  const { default_branch: name, owner } = shaped(repositoryShape, data, REPOSITORY);
  const branch = await api.request(BRANCH, { ...repository, branch: name });
  const { commit, protection } = shaped(branchShape, branch.data, BRANCH);
  const organisation = owner.type === 'Organization' ? owner.login : undefined;
  return { name, sha: commit.sha, protection, organisation };
}

/** Whether the organisation's layer of the configuration can be read, and holds. */
export async function organisationCheck(
  api: GitHubApi,
  named: string | undefined,
  organisation: string | undefined,
): Promise<Diagnosis> {
  const check = 'organisation layer';
  const layer = await readOrganisationConfig(api, named, organisation);
  switch (layer.state) {
    case 'absent':
      return ok(check, organisation === undefined ? 'none' : `none in ${organisationAddress(organisation)}`);
    case 'unreadable':
      return ill(check, 'fail', {
        detail: `${layer.source} cannot be read: ${layer.why}.`,
        why: 'It is named, and could be stricter: every verdict is incomplete without it.',
        remedy: 'Install the App on that repository too, correct `extends`, or put the file there.',
        who: 'an owner of the organisation',
      });
    case 'read': {
      const parsed = parseConfig(layer.text, layer.source, 'organisation');
      if (parsed.ok) return ok(check, layer.source);
      return ill(check, 'fail', {
        detail: parsed.problems.slice(0, 3).map(problemText).join('; '),
        why: 'Every verdict of the organisation is incomplete until it is right.',
        ...{ remedy: `Correct ${layer.source}.`, who: 'whoever may write there' },
      });
    }
  }
}

/** What the token of a workflow may do where the workflow does not say. Only administrators see it. */
export async function workflowPermissionCheck(api: GitHubApi, repository: RepositoryName): Promise<Diagnosis> {
  const check = 'workflow permissions';
  const page = `${repository.owner}/${repository.repo}, Settings, Actions, General`;
  try {
    const { data } = await api.request(WORKFLOWS, { ...repository });
    const found = shaped(workflowsShape, data, WORKFLOWS);
    const faults = [
      ...(found.default_workflow_permissions === 'write' ? ['may write by default'] : []),
      ...(found.can_approve_pull_request_reviews ? ['may approve pull requests'] : []),
    ];
    if (faults.length === 0) return ok(check, 'read by default, and no approvals');
    return ill(check, 'warn', {
      detail: `Workflows ${faults.join(' and ')}.`,
      why: 'A workflow of a branch can then write contents, statuses and reviews that nobody asked it for.',
      ...{ remedy: `Set them to read at ${page}.`, who: 'an administrator of the repository' },
    });
  } catch (thrown) {
    if (!isRefusal(thrown) || (thrown.code !== 'CS1603' && thrown.code !== 'CS1604')) throw thrown;
    const remedy = 'Ask with an administrator’s token in GH_TOKEN, or look at the page yourself:';
    return bad(check, 'warn', 'Only administrators see what workflows may do.', `${remedy} ${page}.`);
  }
}

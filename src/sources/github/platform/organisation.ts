import * as z from 'zod';
import { readExtends } from '../../../config/extends.ts';
import type { LayerAddress } from '../../../config/extends.ts';
import { isRefusal, Refusal } from '../../../domain/errors.ts';
import type { Facts } from '../../../gate/facts.ts';
import type { GitHubApi } from '../../../github/api.ts';
import { absentOr } from '../../../github/errors.ts';
import { shaped } from '../../../github/graphql.ts';

type OrganisationConfig = Facts['organisation_config'];

const CONTENTS = 'GET /repos/{owner}/{repo}/contents/{path}';

// Files over 1 MB come without their content, `encoding: none` (REST, "Get repository content"): no config is as long.
const fileShape = z.object({ type: z.literal('file'), encoding: z.literal('base64'), content: z.string() });

/** Where an organisation's configuration lies if no repository names another: its `.github` repository. */
export const organisationAddress = (owner: string): string => `${owner}/.github`;

/**
 * The organisation's layer of the configuration. One that the repository's file names has to be there: not found,
 * forbidden, unreachable, no regular file and no UTF-8 are all `unreadable`. Where nothing is named, the organisation's
 * `.github` repository may have one; a confirmed 404 is then `absent`. Never throws a Refusal. Costs at most one call.
 * @param named the value of `extends`, if any
 * @param owner the organisation whose `.github` repository counts anyway; the Action leaves it out
 */
export async function readOrganisationConfig(
  api: GitHubApi,
  named: string | undefined,
  owner?: string,
): Promise<OrganisationConfig> {
  const source = named ?? (owner === undefined ? undefined : organisationAddress(owner));
  if (source === undefined) return { state: 'absent' };
  const address = readExtends(source);
  if (address === undefined) return { state: 'unreadable', why: 'it is no owner/repository[/path][@ref]', source };
  try {
    const text = await readFile(api, address);
    if (text !== undefined) return { state: 'read', text, source: sourceOf(address) };
    if (named === undefined) return { state: 'absent' };
    const why = 'there is no such file, or the token may not see it';
    return { state: 'unreadable', why, source: sourceOf(address) };
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    return { state: 'unreadable', why: thrown.message, source: sourceOf(address) };
  }
}

/** The file's text, or undefined where there is none. */
async function readFile(api: GitHubApi, { owner, repository, path, ref }: LayerAddress): Promise<string | undefined> {
  const at = ref === undefined ? {} : { ref };
  const found = await absentOr(api.request(CONTENTS, { owner, repo: repository, path, ...at }));
  if (found === undefined) return undefined;
  const { content } = shaped(fileShape, found.data, CONTENTS);
  return utf8(Buffer.from(content, 'base64'));
}

function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal('CS1606', 'it is not UTF-8');
  }
}

function sourceOf({ owner, repository, path, ref }: LayerAddress): string {
  return `${owner}/${repository}/${path}${ref === undefined ? '' : `@${ref}`}`;
}

import * as z from 'zod';
import { isRefusal } from '../../../domain/errors.ts';
import type { DecisionFacts, Facts, Identity, Person, ReviewFacts } from '../../../gate/facts.ts';
import { demandsOf } from '../../../config/schema.ts';
import type { Config, Demand } from '../../../config/schema.ts';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { absentOr } from '../../../github/errors.ts';
import { shaped } from '../../../github/graphql.ts';
import type { Unread } from '../../snapshot/snapshot.ts';
import { typeOf, userShape } from './identity.ts';

const PERMISSION = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
const MEMBERSHIP = 'GET /orgs/{org}/teams/{team_slug}/memberships/{username}';
const TEAM = 'GET /orgs/{org}/teams/{team_slug}';

/** Someone to ask about. */
export interface Asked {
  readonly id: number;
  readonly login: string;
}

/**
 * Who said anything that could decide something: reviewers but for mere comments, and whoever gave a decision.
 * Accounts that are gone are nobody.
 */
export function decidersOf(reviews: readonly ReviewFacts[], decisions: readonly DecisionFacts[]): Asked[] {
  const said = [...reviews.filter(({ state }) => state !== 'commented' && state !== 'pending'), ...decisions];
  const known = said.flatMap(({ user_id: id, login }) => (id === null ? [] : [[id, { id, login }] as const]));
  return [...new Map(known).values()];
}

/** Teams that a config names anywhere, as it spells them: `team` or `organisation/team`. */
export function teamsNamedBy({ evidence, control_plane }: Config): string[] {
  const demands: (Demand | readonly Demand[] | undefined)[] = [
    ...Object.values(evidence.reviews),
    control_plane.approvers,
  ];
  return [...new Set(demands.flatMap((one) => demandsOf(one)).flatMap(({ teams }) => teams))];
}

/**
 * What GitHub says of people who could decide: permission on the repository, kind of account, membership of teams. A
 * person whom GitHub does not know there (404) has permission `none`. Bots and whoever may not write are not asked about
 * further. Costs a call for each person, and one for each team of those who may write.
 *
 * A team that cannot be asked about is a row of `unread`: with a workflow's token none can (`members: read` is for
 * Apps only). Membership is asked for as it stands now, child teams included.
 * @param owner of the repository; of a person's repository a team without an organisation has no members
 * @throws Refusal CS16xx of asking for a permission
 */
export async function readPeople(
  api: GitHubApi,
  repository: RepositoryName,
  owner: { readonly login: string; readonly organisation: boolean },
  asked: readonly (Asked & { readonly type?: Identity['type'] })[],
  teams: readonly string[],
): Promise<{ readonly people: Facts['people']; readonly unread: readonly Unread[] }> {
  const people = await Promise.all(asked.map((one) => personOf(api, repository, one)));
  const candidates = people.filter(mayWrite);
  const unread: Unread[] = [];
  const members = new Map<string, ReadonlySet<number>>();
  for (const name of candidates.length === 0 ? [] : teams) {
    const slash = name.indexOf('/');
    const org = slash < 0 ? (owner.organisation ? owner.login : undefined) : name.slice(0, slash);
    if (org === undefined) continue;
    const found = await membersAmong(api, org, name.slice(slash + 1), candidates);
    if (found.why === undefined) members.set(name, found.members);
    else unread.push({ what: `members of team ${name}`, why: found.why });
  }
  const teamsOf = ({ id }: Person): string[] => teams.filter((name) => members.get(name)?.has(id) === true);
  return { people: people.map((person) => ({ ...person, teams: teamsOf(person) })), unread };
}

/** Whether someone may decide under any config: the least that one can ask for is `write`. */
export function mayWrite({ type, permission }: Person): boolean {
  return type === 'user' && ['write', 'maintain', 'admin'].includes(permission);
}

const permissionShape = z.object({
  permission: z.string(),
  role_name: z.string().optional(),
  user: userShape.optional(),
});

async function personOf(
  api: GitHubApi,
  repository: RepositoryName,
  { id, login, type }: Asked & { readonly type?: Identity['type'] },
): Promise<Person> {
  const nobody: Person = { id, login, type: type ?? 'unknown', permission: 'none', teams: [] };
  if (type === 'bot' || type === 'app' || login.endsWith('[bot]')) return { ...nobody, type: type ?? 'bot' };
  const found = await absentOr(api.request(PERMISSION, { ...repository, username: login }));
  if (found === undefined) return nobody;
  const { permission, role_name: role, user } = shaped(permissionShape, found.data, PERMISSION);
  // Logins change hands: of another account than the one that spoke nothing is known.
  if (user?.id !== id) return nobody;
  return { ...nobody, login: user.login, type: typeOf(user.type), permission: permissionOf(permission, role) };
}

// `permission` keeps to four old words, and tells of a custom role the one it rests on; `role_name` tells the two
// newer ones apart. REST, "Get repository permissions for a user".
function permissionOf(permission: string, role: string | undefined): Person['permission'] {
  if (permission === 'write' && role === 'maintain') return 'maintain';
  if (permission === 'read' && role === 'triage') return 'triage';
  const known = (['admin', 'write', 'read', 'none'] as const).find((word) => word === permission);
  return known ?? 'none';
}

const membershipShape = z.object({ state: z.string() });

type Members = { readonly members: ReadonlySet<number>; readonly why?: undefined } | { readonly why: string };

async function membersAmong(api: GitHubApi, org: string, slug: string, people: readonly Person[]): Promise<Members> {
  const team = { org, team_slug: slug };
  try {
    const found = await Promise.all(
      people.map(async ({ id, login }) => {
        const answer = await absentOr(api.request(MEMBERSHIP, { ...team, username: login }));
        return { id, state: answer && shaped(membershipShape, answer.data, MEMBERSHIP).state };
      }),
    );
    // "Not a member" and "no such team, or not to be seen" are the same answer.
    if (found.every(({ state }) => state === undefined) && (await absentOr(api.request(TEAM, team))) === undefined) {
      return { why: `there is no team ${org}/${slug}, or the token may not see it (it takes members: read)` };
    }
    return { members: new Set(found.filter(({ state }) => state === 'active').map(({ id }) => id)) };
  } catch (thrown) {
    if (!isRefusal(thrown) || thrown.code !== 'CS1603') throw thrown;
    return { why: thrown.message };
  }
}

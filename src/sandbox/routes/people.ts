import { notFound, ok } from '../http/answer.ts';
import { param, queryText, repo } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { rateState } from '../http/rate.ts';
import { listAnswer } from '../http/pages.ts';
import { accountByLogin, permissionOf, reaches } from '../state.ts';
import type { Account, Permission, Team } from '../state.ts';
import { showAccount, showFullUser, showTeam, showUser } from '../show/account.ts';

function account(call: Call): Account {
  const found = accountByLogin(call.sandbox.state, param(call, 'username'));
  if (found === undefined) throw notFound();
  return found;
}

/** A team that the caller may see: an installation must be on its organisation. */
function team(call: Call): Team {
  const { state } = call.sandbox;
  const organization = accountByLogin(state, param(call, 'org'));
  const found = [...state.teams.values()].find(
    ({ organizationId, slug }) => organizationId === organization?.id && slug === param(call, 'team_slug'),
  );
  if (found === undefined) throw notFound();
  const { caller } = call;
  const foreign = caller.kind === 'installation' && caller.installation.accountId !== found.organizationId;
  if (foreign || caller.kind === 'workflow' || caller.kind === 'anonymous') throw notFound();
  return found;
}

/** The older names that `permission` keeps to; `role_name` has all. */
function legacy(permission: Permission): string {
  switch (permission) {
    case 'triage':
      return 'read';
    case 'maintain':
      return 'write';
    case 'none':
    case 'read':
    case 'write':
    case 'admin':
      return permission;
  }
}

function permissionLevel(call: Call) {
  const { sandbox } = call;
  const user = account(call);
  const role = permissionOf(sandbox.state, repo(call), user.id);
  const can = (wanted: Permission) => reaches(role, wanted);
  const permissions = {
    ...{ pull: can('read'), triage: can('triage'), push: can('write'), maintain: can('maintain'), admin: can('admin') },
  };
  return ok({
    permission: legacy(role),
    role_name: role,
    user: { ...showUser(sandbox, user), permissions, role_name: role },
  });
}

export const PEOPLE_ROUTES = {
  'repos/get-collaborator-permission-level': permissionLevel,
  'teams/get-by-name': (call) => ok(showTeam(call.sandbox, team(call))),
  'teams/list-members-in-org': (call) => {
    const role = queryText(call, 'role') ?? 'all';
    const members = [...team(call).members].filter(([, has]) => role === 'all' || has === role);
    return listAnswer(call, members, ([id]) => showAccount(call.sandbox, id));
  },
  'teams/get-membership-for-user-in-org': (call) => {
    const found = team(call);
    const user = account(call);
    const role = found.members.get(user.id);
    if (role === undefined) throw notFound();
    const url = `${call.sandbox.url}/organizations/${found.organizationId}/team/${found.id}/memberships/${encodeURIComponent(user.login)}`;
    return ok({ url, role, state: 'active' });
  },
  'users/get-by-username': (call) => ok(showFullUser(call.sandbox, account(call), false)),
  'users/get-authenticated': (call) => {
    if (call.caller.kind !== 'user') throw notFound();
    return ok(showFullUser(call.sandbox, call.caller.account, true));
  },
  'rate-limit/get': (call) => {
    const core = rateState(call.sandbox, call.caller, 'core');
    const graphql = rateState(call.sandbox, call.caller, 'graphql');
    const search = { limit: 30, remaining: 30, used: 0, reset: core.reset };
    return ok({ resources: { core, graphql, search }, rate: core });
  },
} satisfies Routes;

import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { ACTIONS_APP_ID, ACTIONS_BOT_ID } from '../http/auth.ts';
import { newId } from '../state.ts';
import type { Account, App, Permissions, State, Team } from '../state.ts';

const GHOST_ID = 9919;

/** GitHub itself, and the app that workflows act as. */
export function addBuiltIn(state: State, now: number): void {
  const base = { name: null, email: null };
  state.accounts.set(GHOST_ID, { id: GHOST_ID, login: 'github', type: 'Organization', ...base });
  state.accounts.set(ACTIONS_BOT_ID, { id: ACTIONS_BOT_ID, login: 'github-actions[bot]', type: 'Bot', ...base });
  state.apps.set(ACTIONS_APP_ID, {
    ...{ id: ACTIONS_APP_ID, slug: 'github-actions', name: 'GitHub Actions', ownerId: GHOST_ID, botId: ACTIONS_BOT_ID },
    ...{ publicKey: '', permissions: {}, events: [], createdAt: now, webhook: null },
  });
}

export interface NewAccount {
  readonly type?: Account['type'];
  readonly name?: string;
  readonly email?: string;
}

export function addAccount(state: State, login: string, { type = 'User', name, email }: NewAccount = {}): Account {
  const address = email ?? (type === 'User' ? `${login}@example.com` : null);
  const account: Account = { id: newId(state), login, type, name: name ?? null, email: address };
  state.accounts.set(account.id, account);
  return account;
}

export function addTeam(state: State, organization: Account, slug: string, members: readonly Account[]): Team {
  const team: Team = {
    ...{ id: newId(state), organizationId: organization.id, slug, name: slug },
    members: new Map(members.map(({ id }) => [id, 'member'] as const)),
  };
  state.teams.set(team.id, team);
  for (const { id } of members) joinOrganization(state, organization, id, 'member');
  return team;
}

/** Makes someone a member of an organisation, or an owner. An owner stays one. */
export function joinOrganization(state: State, organization: Account, userId: number, role: 'member' | 'admin'): void {
  const members = state.memberships.get(organization.id) ?? new Map<number, 'member' | 'admin'>();
  state.memberships.set(organization.id, members);
  if (members.get(userId) !== 'admin') members.set(userId, role);
}

export interface NewApp {
  readonly permissions: Permissions;
  readonly events: readonly string[];
  readonly name?: string;
}

/** Keys are made once a process: making one takes long, and the sandbox's are all worth nothing. */
let keys: { readonly publicKey: string; readonly privateKey: string } | undefined;

function keyPair() {
  keys ??= generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  });
  return keys;
}

/** Registers an app with its bot account; the private key is what its owner would download. */
export function addApp(
  state: State,
  now: number,
  owner: Account,
  slug: string,
  { permissions, events, name = slug }: NewApp,
): { readonly app: App; readonly privateKey: string } {
  const bot = addAccount(state, `${slug}[bot]`, { type: 'Bot' });
  const { publicKey, privateKey } = keyPair();
  const app: App = {
    ...{ id: newId(state), slug, name, ownerId: owner.id, botId: bot.id, publicKey, permissions, events },
    ...{ createdAt: now, webhook: null },
  };
  state.apps.set(app.id, app);
  return { app, privateKey };
}

/** A token of its kind's form, made of parts so that nobody takes it for a real one. */
export const tokenText = (prefix: 'ghp' | 'ghs'): string => [prefix, '_', randomBytes(18).toString('hex')].join('');

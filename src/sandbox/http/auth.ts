import { createVerify } from 'node:crypto';
import { isObject } from '../json.ts';
import { accountOf, appOf, existing } from '../state.ts';
import type { Account, App, Installation, Permissions } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { ApiError } from './answer.ts';

/** Who calls. */
export type Caller =
  | { readonly kind: 'anonymous' }
  | { readonly kind: 'user'; readonly account: Account }
  | { readonly kind: 'app'; readonly app: App }
  | {
      readonly kind: 'installation';
      readonly app: App;
      readonly installation: Installation;
      readonly permissions: Permissions;
      readonly repositoryIds: readonly number[] | null;
    }
  | {
      readonly kind: 'workflow';
      readonly app: App;
      readonly repositoryId: number;
      readonly permissions: Permissions;
    };

/** The app under which workflows act; its id and its bot's are GitHub's own. */
export const ACTIONS_APP_ID = 15_368;
export const ACTIONS_BOT_ID = 41_898_282;

/** Seconds that a JWT may live at most, and that its clock may be ahead (docs, "Generating a JSON Web Token"). */
const MAX_JWT_LIFE = 600;
const MAX_DRIFT = 60;

/** A caller as the log and the rate limits name it. */
export function callerName(caller: Caller): string {
  switch (caller.kind) {
    case 'anonymous':
      return 'anonymous';
    case 'user':
      return `user:${caller.account.login}`;
    case 'app':
      return `app:${caller.app.id}`;
    case 'installation':
      return `installation:${caller.installation.id}`;
    case 'workflow':
      return `workflow:${caller.repositoryId}`;
  }
}

/**
 * Finds out who calls by the header `authorization`.
 * @throws ApiError 401 for a token that is not known or has expired, or a JWT that does not hold
 */
export function authenticate(sandbox: Sandbox, header: string | undefined): Caller {
  if (header === undefined) return { kind: 'anonymous' };
  const [scheme = '', value = ''] = header.split(' ');
  if (!/^(bearer|token)$/i.test(scheme)) throw new ApiError(401, 'Bad credentials');
  if (/^[\w-]{1,4000}\.[\w-]{1,4000}\.[\w-]{1,4000}$/.test(value)) {
    return { kind: 'app', app: verifyJwt(sandbox, value) };
  }
  const { state } = sandbox;
  const token = state.tokens.get(value);
  if (token === undefined) throw new ApiError(401, 'Bad credentials');
  switch (token.kind) {
    case 'user':
      return { kind: 'user', account: accountOf(state, token.userId) };
    case 'workflow': {
      const { repositoryId, permissions } = token;
      return { kind: 'workflow', app: appOf(state, ACTIONS_APP_ID), repositoryId, permissions };
    }
    case 'installation': {
      const installation = state.installations.get(token.installationId);
      if (installation === undefined || token.expiresAt <= sandbox.now()) throw new ApiError(401, 'Bad credentials');
      if (installation.suspendedAt !== null) throw new ApiError(403, 'This installation has been suspended');
      const { permissions, repositoryIds } = token;
      const app = appOf(state, installation.appId);
      return { kind: 'installation', app, installation, permissions, repositoryIds };
    }
  }
}

function verifyJwt({ state, now }: Sandbox, value: string): App {
  const [head = '', body = '', signature = ''] = value.split('.');
  const claims = decoded(body);
  const header = decoded(head);
  const undecodable = new ApiError(401, 'A JSON web token could not be decoded');
  if (!isObject(claims) || !isObject(header) || header['alg'] !== 'RS256') throw undecodable;
  const app = state.apps.get(Number(claims['iss']));
  if (app === undefined) throw new ApiError(401, 'Integration not found');
  const signed = createVerify('RSA-SHA256').update(`${head}.${body}`).verify(app.publicKey, signature, 'base64url');
  if (!signed) throw undecodable;
  const issued = Number(claims['iat']);
  const expires = Number(claims['exp']);
  const seconds = now() / 1000;
  if (!Number.isFinite(expires) || expires <= seconds) {
    throw new ApiError(
      401,
      "'Expiration time' claim ('exp') must be a numeric value representing the future time at which the assertion expires",
    );
  }
  if (expires - seconds > MAX_JWT_LIFE + MAX_DRIFT) {
    throw new ApiError(401, "'Expiration time' claim ('exp') is too far in the future");
  }
  if (!Number.isFinite(issued) || issued > seconds + MAX_DRIFT) {
    throw new ApiError(
      401,
      "'Issued at' claim ('iat') must be an Integer representing the time that the assertion was issued",
    );
  }
  return app;
}

function decoded(part: string): unknown {
  try {
    return JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The installation of an app on an account. */
export function installationOn(sandbox: Sandbox, appId: number, accountId: number): Installation | undefined {
  return [...sandbox.state.installations.values()].find((one) => one.appId === appId && one.accountId === accountId);
}

/** Whether an installation reaches a repository. */
export function covers(sandbox: Sandbox, installation: Installation, repositoryId: number): boolean {
  const repository = existing(sandbox.state.repositories.get(repositoryId), `repository ${repositoryId}`);
  if (repository.ownerId !== installation.accountId) return false;
  return installation.repositoryIds === null || installation.repositoryIds.has(repositoryId);
}

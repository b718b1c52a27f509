import { randomBytes } from 'node:crypto';
import { covers } from '../http/auth.ts';
import { grants } from '../http/permissions.ts';
import { ApiError, created, noContent, notFound, ok } from '../http/answer.ts';
import { appCaller, bodyOf, idParam, installationCaller, param, repo } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { listAnswer, page } from '../http/pages.ts';
import { iso, listOf, objectOf } from '../json.ts';
import { appOf } from '../state.ts';
import type { Installation, Permissions, Repository } from '../state.ts';
import { showApp, showPermissions } from '../show/account.ts';
import { showInstallation } from '../show/installation.ts';
import { showRepository } from '../show/repository.ts';

/** Milliseconds that an installation's token holds (docs, "Generating an installation access token"). */
const TOKEN_LIFE = 3_600_000;

function ownInstallation(call: Call): Installation {
  const { id } = appCaller(call);
  const found = call.sandbox.state.installations.get(idParam(call, 'installation_id'));
  if (found === undefined || found.appId !== id) throw notFound();
  return found;
}

function createToken(call: Call) {
  const { sandbox } = call;
  const installation = ownInstallation(call);
  if (installation.suspendedAt !== null) throw new ApiError(403, 'This installation has been suspended');
  const body = bodyOf(call);
  const permissions = requestedPermissions(installation, objectOf(body, 'permissions'));
  const repositories = requestedRepositories(call, installation);
  const expiresAt = sandbox.now() + TOKEN_LIFE;
  // Made of parts, so that nobody takes it for a real one.
  const token = ['ghs', '_', randomBytes(18).toString('hex')].join('');
  const ids = repositories?.map(({ id }) => id) ?? null;
  const { id: installationId } = installation;
  sandbox.state.tokens.set(token, { kind: 'installation', installationId, permissions, repositoryIds: ids, expiresAt });
  const selected = repositories !== null || installation.repositoryIds !== null;
  return created({
    token,
    expires_at: iso(expiresAt),
    permissions: showPermissions(permissions),
    repository_selection: selected ? 'selected' : 'all',
    ...(repositories === null ? {} : { repositories: repositories.map((one) => showRepository(sandbox, one)) }),
  });
}

function requestedPermissions(installation: Installation, asked: object | undefined): Permissions {
  if (asked === undefined) return installation.permissions;
  const entries = Object.entries(asked).map(([name, value]) => [name, value === 'write' ? 'write' : 'read'] as const);
  if (!entries.every(([name, access]) => grants(installation.permissions, name, access))) {
    throw new ApiError(422, 'The permissions requested are not granted to this installation.');
  }
  return Object.fromEntries(entries.filter(([name]) => name !== 'metadata'));
}

function requestedRepositories(call: Call, installation: Installation): readonly Repository[] | null {
  const body = bodyOf(call);
  const names = listOf(body, 'repositories').map(String);
  const ids = listOf(body, 'repository_ids').map(Number);
  if (names.length + ids.length === 0) return null;
  const reachable = reachableBy(call, installation);
  const wanted = [
    ...names.map((name) => reachable.find((one) => one.name.toLowerCase() === name.toLowerCase())),
    ...ids.map((id) => reachable.find((one) => one.id === id)),
  ];
  return wanted.map((one) => {
    if (one !== undefined) return one;
    throw new ApiError(
      422,
      'There is at least one repository that does not exist or is not accessible to the parent installation.',
    );
  });
}

const reachableBy = ({ sandbox }: Call, installation: Installation): readonly Repository[] =>
  [...sandbox.state.repositories.values()].filter(({ id }) => covers(sandbox, installation, id));

/** Milliseconds within which a registration has to be ended (docs, "Registering a GitHub App from a manifest"). */
const CODE_LIFE = 3_600_000;

function createFromManifest(call: Call) {
  const { sandbox } = call;
  const { manifestCodes } = sandbox.state;
  const found = manifestCodes.get(param(call, 'code'));
  if (found === undefined || found.madeAt + CODE_LIFE < sandbox.now()) throw notFound();
  manifestCodes.delete(param(call, 'code'));
  const app = appOf(sandbox.state, found.appId);
  return created({
    ...showApp(sandbox, app),
    client_id: `Iv23${app.id}`,
    client_secret: randomBytes(20).toString('hex'),
    webhook_secret: found.secret,
    pem: found.privateKey,
  });
}

export const APP_ROUTES = {
  'apps/create-from-manifest': createFromManifest,
  'apps/get-authenticated': (call) => {
    const app = appCaller(call);
    const count = [...call.sandbox.state.installations.values()].filter(({ appId }) => appId === app.id).length;
    return ok({ ...showApp(call.sandbox, app), installations_count: count });
  },
  'apps/list-installations': (call) => {
    const { id } = appCaller(call);
    const all = [...call.sandbox.state.installations.values()].filter(({ appId }) => appId === id);
    return listAnswer(call, all, (one) => showInstallation(call.sandbox, one));
  },
  'apps/get-installation': (call) => ok(showInstallation(call.sandbox, ownInstallation(call))),
  'apps/get-repo-installation': (call) => {
    const { id } = appCaller(call);
    const found = [...call.sandbox.state.installations.values()].find(
      (one) => one.appId === id && covers(call.sandbox, one, repo(call).id),
    );
    if (found === undefined) throw notFound();
    return ok(showInstallation(call.sandbox, found));
  },
  'apps/create-installation-access-token': createToken,
  'apps/revoke-installation-access-token': (call) => {
    const { id } = installationCaller(call);
    for (const [value, token] of call.sandbox.state.tokens) {
      if (token.kind === 'installation' && token.installationId === id && call.tokenValue === value) {
        call.sandbox.state.tokens.delete(value);
      }
    }
    return noContent();
  },
  'apps/list-repos-accessible-to-installation': (call) => {
    const { caller } = call;
    const limited = caller.kind === 'installation' ? caller.repositoryIds : null;
    const all = reachableBy(call, installationCaller(call)).filter(({ id }) => limited?.includes(id) ?? true);
    const { items, headers } = page(call, all);
    const repositories = items.map((one) => showRepository(call.sandbox, one));
    return ok({ total_count: all.length, repositories }, headers);
  },
} satisfies Routes;

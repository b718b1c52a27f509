import { createSign } from 'node:crypto';
import { tellRun, tellSuite } from '../acts/checks.ts';
import { acceptPermissions, install, selectRepositories, suspend, uninstall } from '../acts/installations.ts';
import { iso } from '../json.ts';
import type { Json, JsonObject } from '../json.ts';
import { appOf, existing } from '../state.ts';
import type { Account, App, CheckRun, CheckSuite, Installation, Permissions, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { emit } from '../webhooks/emit.ts';
import { addApp } from './people.ts';
import type { NewApp } from './people.ts';

/** What people do with apps. */
export function appBuilders(sandbox: Sandbox) {
  const { state } = sandbox;
  return {
    addApp: (owner: Account, slug: string, given: NewApp) => addApp(state, sandbox.now(), owner, slug, given),
    install: (app: App, account: Account, repositories: readonly Repository[] | null = null): Installation =>
      install(sandbox, app.id, account.id, repositories?.map(({ id }) => id) ?? null, account.id),
    suspend: (installation: Installation, by: Account): void => suspend(sandbox, installation, true, by.id),
    unsuspend: (installation: Installation, by: Account): void => suspend(sandbox, installation, false, by.id),
    uninstall: (installation: Installation, by: Account): void => uninstall(sandbox, installation, by.id),
    acceptPermissions: (installation: Installation, permissions: Permissions, by: Account): void =>
      acceptPermissions(sandbox, installation, permissions, by.id),
    selectRepositories: (
      installation: Installation,
      change: { readonly add?: readonly Repository[]; readonly remove?: readonly Repository[] },
      by: Account,
    ): void => selectRepositories(sandbox, installation, change, by.id),
    /** Has an app's events sent to an address; null stops it. Without an app: the only one there is. */
    deliverTo: (url: string | null, secret: string, app?: App): void => {
      const own = [...state.apps.values()].filter(({ publicKey }) => publicKey !== '');
      if (app === undefined && own.length !== 1) throw new Error('Say which app: there is not exactly one.');
      const target = existing(app ?? own[0], 'app');
      appOf(state, target.id).webhook = url === null ? null : { url, secret };
    },
    /** Tells an app's webhook that it is there. */
    ping: (app: App): void => {
      const { webhook } = appOf(state, app.id);
      const config = { content_type: 'json', insecure_ssl: '0', url: webhook?.url ?? sandbox.url };
      const hook: JsonObject = {
        ...{ type: 'App', id: app.id, name: 'web', active: true, events: app.events, config, app_id: app.id },
        ...{ created_at: iso(app.createdAt), updated_at: iso(app.createdAt) },
        deliveries_url: `${sandbox.url}/app/hook/deliveries`,
      };
      const fields = { zen: 'It is a sandbox.', hook_id: app.id, hook };
      emit(sandbox, 'ping', { repository: null, senderId: app.ownerId, fields, onlyApp: app.id });
    },
    /** What an app signs to call as itself; holds for nine minutes. */
    appJwt: (app: App, privateKey: string): string => {
      const seconds = Math.floor(sandbox.now() / 1000);
      const part = (value: Json) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const claims = { iat: seconds - 60, exp: seconds + 540, iss: String(app.id) };
      const text = `${part({ alg: 'RS256', typ: 'JWT' })}.${part(claims)}`;
      return `${text}.${createSign('RSA-SHA256').update(text).sign(privateKey, 'base64url')}`;
    },
    /** People press the buttons of a check. */
    rerequestCheck: (repository: Repository, run: CheckRun, by: Account): void =>
      tellRun(sandbox, repository, run, 'check_run.rerequested', by.id),
    rerequestSuite: (repository: Repository, suite: CheckSuite, by: Account): Promise<void> =>
      tellSuite(sandbox, repository, suite, 'check_suite.rerequested', by.id),
    requestAction: (repository: Repository, run: CheckRun, identifier: string, by: Account): void =>
      tellRun(sandbox, repository, run, 'check_run.requested_action', by.id, { requested_action: { identifier } }),
  };
}

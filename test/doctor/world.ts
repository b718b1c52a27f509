import { APP_MANIFEST } from '../../src/doctor/app-manifest.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import type { Permissions, Webhook } from '../../src/sandbox/state.ts';
import { cli, folder } from '../support/cli.ts';
import { addCast, governedRepository } from '../support/governed-repository.ts';
import type { GovernedRepositoryOptions } from '../support/governed-repository.ts';

// GitHub's description, which the sandbox keeps to, does not list the permission for merge queues.
const { merge_queues: _, metadata: _metadata, ...PERMISSIONS } = APP_MANIFEST.default_permissions;

export interface DoctorWorldOptions extends GovernedRepositoryOptions {
  readonly permissions?: Permissions;
  readonly events?: readonly string[];
}

/** What `doctor --json` answers for one check. */
export interface Seen {
  readonly check: string;
  readonly health: string;
  readonly detail: string;
  readonly why?: string;
  readonly remedy?: string;
  readonly who?: string;
}

/** A GitHub with a governed repository and the App installed, set up as it should be. */
export async function startDoctorWorld(options: DoctorWorldOptions = {}) {
  const sandbox = await startSandbox();
  const cast = addCast(sandbox);
  const { repository } = await governedRepository(sandbox, cast, options);
  const { app, privateKey } = sandbox.addApp(cast.ada, 'countersign', {
    ...{ permissions: options.permissions ?? PERMISSIONS, events: options.events ?? APP_MANIFEST.default_events },
  });
  const installation = sandbox.install(app, cast.acme);
  const webhook: Webhook = { url: 'https://countersign.example/api/github/webhooks', secret: 'a secret' };
  app.webhook = webhook;
  const place = folder();
  let ids = 0;
  /** Requires checks on main by a ruleset. */
  const rule = (checks: readonly { readonly context: string; readonly integration_id?: number }[]): void => {
    ids += 1;
    repository.rulesets.set(ids, {
      ...{ id: ids, name: `rules ${ids}`, enforcement: 'active', include: ['~DEFAULT_BRANCH'], createdAt: 0 },
      rules: [
        {
          type: 'required_status_checks',
          parameters: {
            required_status_checks: checks.map((one) => ({ ...one })),
            strict_required_status_checks_policy: false,
          },
        },
      ],
    });
  };
  const asApp = { APP_ID: String(app.id), PRIVATE_KEY: privateKey.replaceAll('\n', '\\n') };
  /** A delivery that GitHub made, newest last. */
  const delivered = (statusCode: number, status: string, guid: string, event = 'pull_request'): void => {
    ids += 1;
    sandbox.state.deliveries.push({
      ...{ id: 9000 + ids, appId: app.id, guid, at: 1_700_000_000_000 + ids * 1000, redelivery: false, event },
      ...{ action: 'opened', installationId: installation.id, repositoryId: repository.id, url: webhook.url },
      ...{ requestHeaders: {}, text: '{}', statusCode, status, duration: 0.1, response: null },
    });
  };
  return {
    ...{ sandbox, ...cast, repository, app, installation, rule, asApp, webhook, delivered },
    adminToken: () => ({ GH_TOKEN: sandbox.userToken(cast.ada) }),
    /** Runs the command in an empty folder, with an environment of its own. */
    run: async (environment: Readonly<Record<string, string>>, ...argv: string[]) => {
      const names = ['APP_ID', 'PRIVATE_KEY', 'PRIVATE_KEY_PATH', 'GITHUB_TOKEN', 'GH_TOKEN', 'GITHUB_API_URL'];
      const all = { GITHUB_API_URL: sandbox.url, ...environment };
      const before = new Map([...names, ...Object.keys(all)].map((name) => [name, process.env[name]]));
      for (const name of names) delete process.env[name];
      Object.assign(process.env, all);
      try {
        return await cli(place.root, 'doctor', ...argv);
      } finally {
        for (const [name, value] of before) {
          if (value === undefined) delete process.env[name];
          else process.env[name] = value;
        }
      }
    },
    stop: async (): Promise<void> => {
      await sandbox.stop();
      place.remove();
      const wrong = sandbox.violations();
      if (wrong.length > 0) throw new Error(`The sandbox is not as GitHub describes it:\n${wrong.join('\n')}`);
    },
  };
}

export type DoctorWorld = Awaited<ReturnType<typeof startDoctorWorld>>;

/** What the doctor sees of the world's repository, as JSON. */
export async function seen(world: DoctorWorld, environment: Readonly<Record<string, string>>, ...argv: string[]) {
  const { code, out, err } = await world.run(environment, '--github', '--repo', 'acme/widgets', '--json', ...argv);
  if (err !== '') throw new Error(err);
  const answer = JSON.parse(out) as { readonly healthy: boolean; readonly checks: readonly Seen[] };
  const of = (check: string): Seen => {
    const found = answer.checks.filter((one) => one.check === check);
    if (found[0] === undefined || found.length > 1) throw new Error(`${found.length} of ${check} in ${out}`);
    return found[0];
  };
  return { ...answer, code, of };
}

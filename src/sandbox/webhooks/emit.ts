import { checkWebhook } from '../openapi/check.ts';
import type { WebhookName } from '../openapi/used.ts';
import type { JsonObject } from '../json.ts';
import { accountOf } from '../state.ts';
import type { App, Installation, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { covers } from '../http/auth.ts';
import { nodeId, showAccount, showOrganization } from '../show/account.ts';
import { showRepository } from '../show/repository.ts';
import { deliver } from './deliver.ts';

export interface EmitOptions {
  /** Where it happened; null for events of an installation. */
  readonly repository: Repository | null;
  readonly senderId: number;
  /** What the event is about. */
  readonly fields: JsonObject;
  /** Only this app hears of it: its own check run was asked for again, for one. */
  readonly onlyApp?: number;
}

/** Events that every app hears, whether it asks for them or not. */
const ALWAYS = ['installation', 'installation_repositories', 'ping'];

/** Tells of something that happened: it is recorded, checked against GitHub's description and sent to the apps. */
export function emit(sandbox: Sandbox, name: WebhookName, options: EmitOptions): void {
  const { repository, senderId, fields, onlyApp } = options;
  const [event = '', action = null] = name.split('.');
  const payload: JsonObject = {
    ...(action === null ? {} : { action }),
    ...fields,
    ...(repository === null ? {} : inRepository(sandbox, repository)),
    ...(name === 'ping' ? {} : { sender: showAccount(sandbox, senderId) }),
  };
  // What is sent is checked: fields that are undefined are gone by then.
  const sent = JSON.parse(JSON.stringify(payload)) as JsonObject;
  sandbox.violations.push(...checkWebhook(name, sent).map((one) => `webhook ${name}: ${one}`));
  const repositoryId = repository?.id ?? null;
  sandbox.state.events.push({ event, action, repositoryId, payload: sent });
  for (const { app, installation } of hearers(sandbox, event, repository, onlyApp, fields)) {
    const told = repository === null ? sent : { ...sent, installation: simpleInstallation(installation) };
    deliver(sandbox, { app, event, action, repositoryId, installationId: installation.id, payload: told });
  }
}

function inRepository(sandbox: Sandbox, repository: Repository): JsonObject {
  const owner = accountOf(sandbox.state, repository.ownerId);
  return {
    repository: showRepository(sandbox, repository),
    ...(owner.type === 'Organization' ? { organization: showOrganization(sandbox, owner) } : {}),
  };
}

const simpleInstallation = ({ id }: Installation): JsonObject => ({
  id,
  node_id: nodeId('IntegrationInstallation', id),
});

function hearers(
  sandbox: Sandbox,
  event: string,
  repository: Repository | null,
  onlyApp: number | undefined,
  fields: JsonObject,
): readonly { readonly app: App; readonly installation: Installation }[] {
  const about = fields['installation'];
  const aboutId = typeof about === 'object' && about !== null && 'id' in about ? about.id : undefined;
  return [...sandbox.state.installations.values()].flatMap((installation) => {
    const app = sandbox.state.apps.get(installation.appId);
    if (app === undefined || (onlyApp !== undefined && app.id !== onlyApp)) return [];
    if (!ALWAYS.includes(event) && !app.events.includes(event)) return [];
    if (event === 'ping') return [{ app, installation }];
    if (repository === null) return installation.id === aboutId ? [{ app, installation }] : [];
    if (installation.suspendedAt !== null || !covers(sandbox, installation, repository.id)) return [];
    return [{ app, installation }];
  });
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createClients } from '../../src/app/clients.ts';
import { readInstallations } from '../../src/app/installations.ts';
import type { InstallationTools } from '../../src/app/installations.ts';
import { createLog } from '../../src/app/log.ts';
import { eachInstallation, eachRepository } from '../../src/app/store/each.ts';
import { openStore } from '../../src/app/store/open.ts';
import type { Store } from '../../src/app/store/store.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import type { RunningSandbox } from '../../src/sandbox/start.ts';

// The sandbox delivers to nobody here: what is gone has to be seen by looking.
let sandbox: RunningSandbox;
let store: Store;
let tools: InstallationTools;
let world: Awaited<ReturnType<typeof install>>;
const folder = mkdtempSync(join(tmpdir(), 'countersign-installations-'));

async function install(running: RunningSandbox) {
  const ada = running.addUser('ada');
  const { app, privateKey } = running.addApp(ada, 'countersign', { permissions: { metadata: 'read' }, events: [] });
  const installed = await Promise.all(
    ['acme', 'beta'].map(async (login) => {
      const owner = running.addOrganization(login, [ada]);
      const named = ['one', 'two', 'three'].map(async (name) => running.addRepository(owner, name));
      const repositories = await Promise.all(named);
      return { repositories, installation: running.install(app, owner, repositories) };
    }),
  );
  const [acme, beta] = installed;
  if (acme === undefined || beta === undefined) throw new Error('two owners');
  return { ada, app, privateKey, acme, beta };
}

beforeAll(async () => {
  sandbox = await startSandbox({});
  world = await install(sandbox);
  store = await openStore({ file: join(folder, 'store.sqlite') });
  const clients = createClients({
    settings: {
      ...{ appId: world.app.id, privateKey: world.privateKey, webhookSecrets: ['x'] },
      ...{ restUrl: sandbox.url, graphqlUrl: `${sandbox.url}/graphql` },
    },
    ...{ userAgent: 'countersign', store, log: createLog('fatal'), onCall: () => undefined, waitingBudget: 1 },
  });
  tools = { store, clients, now: Date.now };
});
beforeEach(async () => readInstallations(tools));
afterAll(async () => {
  await store.close();
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
});

async function known(): Promise<Record<string, string[]>> {
  const all: Record<string, string[]> = {};
  for await (const { id, accountLogin } of eachInstallation(store)) {
    all[accountLogin] = [];
    for await (const { name } of eachRepository(store, id)) all[accountLogin].push(name);
  }
  return all;
}

const ALL = { acme: ['one', 'two', 'three'], beta: ['one', 'two', 'three'] };

describe('readInstallations, where no event tells of anything', () => {
  it('keeps what there is', async () => {
    expect(await known()).toEqual(ALL);
  });

  it('takes out a repository that the App lost, and takes it in again', async () => {
    const { installation, repositories } = world.acme;
    const two = repositories.slice(1, 2);
    sandbox.selectRepositories(installation, { remove: two }, world.ada);
    await readInstallations(tools);
    expect(await known()).toEqual({ ...ALL, acme: ['one', 'three'] });
    sandbox.selectRepositories(installation, { add: two }, world.ada);
    await readInstallations(tools);
    expect(await known()).toEqual(ALL);
  });

  it('keeps one that is missing from the list, and is there where it is asked for', async () => {
    const { installation, repositories } = world.acme;
    const two = repositories.slice(1, 2);
    const meanwhile = (route: string, change: { add?: typeof two; remove?: typeof two }) =>
      sandbox.faults.add({
        ...{ route, times: 1 },
        effect: {
          kind: 'meanwhile',
          act: async () => Promise.resolve(sandbox.selectRepositories(installation, change, world.ada)),
        },
      });
    meanwhile('apps/list-repos-accessible-to-installation', { remove: two });
    meanwhile('apps/get-repo-installation', { add: two });
    sandbox.forgetCalls();
    await readInstallations(tools);
    sandbox.faults.clear();
    expect(sandbox.calls()['apps/get-repo-installation']).toBe(1);
    expect(await known()).toEqual(ALL);
  });

  it('takes out nothing where GitHub does not answer', async () => {
    sandbox.selectRepositories(world.acme.installation, { remove: world.acme.repositories.slice(0, 1) }, world.ada);
    sandbox.faults.add({
      route: 'apps/get-repo-installation',
      effect: { kind: 'status', status: 502, when: 'before' },
    });
    await expect(readInstallations(tools)).rejects.toMatchObject({ code: expect.stringMatching(/^CS16/) });
    sandbox.faults.clear();
    expect(await known()).toEqual(ALL);
    sandbox.selectRepositories(world.acme.installation, { add: world.acme.repositories.slice(0, 1) }, world.ada);
  });

  it('keeps the repositories of an installation that is suspended', async () => {
    sandbox.suspend(world.beta.installation, world.ada);
    await readInstallations(tools);
    expect(await known()).toEqual({ acme: ALL.acme });
    sandbox.unsuspend(world.beta.installation, world.ada);
    await readInstallations(tools);
    expect(await known()).toEqual(ALL);
  });

  it('takes out an installation that is gone', async () => {
    sandbox.uninstall(world.beta.installation, world.ada);
    await readInstallations(tools);
    expect(await known()).toEqual({ acme: ALL.acme });
  });
});

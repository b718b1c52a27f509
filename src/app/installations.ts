import * as z from 'zod';
import type { GitHubApi } from '../github/api.ts';
import { absentOr } from '../github/errors.ts';
import { shaped } from '../github/graphql.ts';
import { pages } from '../github/pages.ts';
import type { Clients } from './clients.ts';
import { eachInstallation, eachRepository } from './store/each.ts';
import type { Store } from './store/store.ts';

export interface InstallationTools {
  readonly store: Pick<Store, 'putInstallation' | 'installations' | 'putRepository' | 'repositories'>;
  readonly clients: Clients;
  readonly now: () => number;
}

const PAGE = 100;
const INSTALLATIONS = 'GET /app/installations';
const installationsSchema = z.array(
  z.object({
    id: z.int(),
    account: z.object({ id: z.int(), login: z.string() }).nullable(),
    suspended_at: z.string().nullish(),
  }),
);
const INSTALLATION = 'GET /app/installations/{installation_id}';
const REPOSITORY_INSTALLATION = 'GET /repos/{owner}/{repo}/installation';
const idSchema = z.object({ id: z.int() });
const REPOSITORIES = 'GET /installation/repositories';
const repositoriesSchema = z.object({
  repositories: z.array(z.object({ id: z.int(), name: z.string(), owner: z.object({ login: z.string() }) })),
});

/**
 * Reads which installations and repositories there are, and takes out those that are gone: an event that told it may
 * have been lost. What is missing from a list is asked for by itself first: while one reads page after page, what is
 * removed in front moves the rest. What a later event says stands.
 * @throws Refusal CS16xx, CS181x
 */
export async function readInstallations(tools: InstallationTools): Promise<void> {
  const { store, clients, now } = tools;
  const at = now();
  const api = await clients.app();
  const there = new Set<number>();
  for await (const page of pages(api, INSTALLATIONS, { per_page: PAGE })) {
    for (const { id, account, suspended_at: suspended } of shaped(installationsSchema, page, INSTALLATIONS)) {
      there.add(id);
      if (account === null) continue;
      const state = suspended ? 'suspended' : 'active';
      await store.putInstallation({ id, accountId: account.id, accountLogin: account.login, state, at });
      // A suspended one shows nothing, and has all of it again afterwards.
      if (state === 'active') await readRepositories(tools, api, { id, at });
    }
  }
  for await (const { id, accountId, accountLogin } of eachInstallation(store)) {
    if (there.has(id) || (await absentOr(api.request(INSTALLATION, { installation_id: id }))) !== undefined) continue;
    await store.putInstallation({ id, accountId, accountLogin, state: 'deleted', at });
    clients.forget(id);
  }
}

async function readRepositories(
  { store, clients }: InstallationTools,
  app: GitHubApi,
  { id: installationId, at }: { readonly id: number; readonly at: number },
): Promise<void> {
  const there = new Set<number>();
  const own = await clients.installation(installationId);
  for await (const listed of pages(own, REPOSITORIES, { per_page: PAGE })) {
    for (const { id, name, owner } of shaped(repositoriesSchema, listed, REPOSITORIES).repositories) {
      there.add(id);
      await store.putRepository({ id, installationId, owner: owner.login, name, state: 'active', at });
    }
  }
  for await (const known of eachRepository(store, installationId)) {
    if (there.has(known.id)) continue;
    const { owner, name: repo } = known;
    const found = await absentOr(app.request(REPOSITORY_INSTALLATION, { owner, repo }));
    const isStill = found !== undefined && shaped(idSchema, found.data, REPOSITORY_INSTALLATION).id === installationId;
    if (!isStill) await store.putRepository({ ...known, state: 'removed', at });
  }
}

import type { Installation, Repository } from './records.ts';
import type { Store } from './store.ts';

/** Rows that are read at once. */
const PAGE = 100;

/** The installations that are active. @throws Refusal CS181x */
export async function* eachInstallation(store: Pick<Store, 'installations'>): AsyncGenerator<Installation> {
  for (let after: number | undefined; ;) {
    const page = await store.installations({ ...(after === undefined ? {} : { after }), limit: PAGE });
    yield* page.filter(({ state }) => state === 'active');
    after = page.at(-1)?.id;
    if (after === undefined || page.length < PAGE) return;
  }
}

/** The active repositories of an installation. @throws Refusal CS181x */
export async function* eachRepository(
  store: Pick<Store, 'repositories'>,
  installationId: number,
): AsyncGenerator<Repository> {
  for (let after: number | undefined; ;) {
    const page = await store.repositories({ installationId, ...(after === undefined ? {} : { after }), limit: PAGE });
    yield* page;
    after = page.at(-1)?.id;
    if (after === undefined || page.length < PAGE) return;
  }
}

import * as z from 'zod';
import { isRefusal } from '../domain/errors.ts';
import { absentOr } from '../github/errors.ts';
import { shaped } from '../github/graphql.ts';
import { pages } from '../github/pages.ts';
import type { Clients } from './clients.ts';
import { openPulls } from './deliveries/pulls.ts';
import { errorFields } from './log.ts';
import type { Logger } from './log.ts';
import { MAX_ATTEMPTS } from './retry.ts';
import { pullKey } from './store/store.ts';
import type { Store, Repository } from './store/store.ts';

export interface SweepTools {
  readonly store: Store;
  readonly clients: Clients;
  readonly log: Logger;
  readonly now: () => number;
  readonly worker: string;
  readonly intervalMs: number;
  readonly keepDays: number;
  /** Something was queued. */
  readonly wake: () => void;
  /** Aborted where the process has to end: what is left is done by the next sweep. */
  readonly signal: AbortSignal;
}

/** Between two looks for what crashed workers held; claims pass over it until then. */
export const RELEASE_MS = 15_000;

const DAY_MS = 24 * 60 * 60_000;
const LEASE_SECONDS = 600;
const PAGE = 100;

/** A verdict this old is made anew though nothing happened: an allowance may have run out, or a promotion be due. */
const STALE_MS = DAY_MS;

/** Answers by ETag that are kept, and for how long they may lie unused. */
const MAX_ETAGS = 50_000;
const ETAG_DAYS = 7;

/** A failed delivery younger than this may still be on its way here again by hand. */
const SETTLED_MS = 60_000;

/** How far back GitHub can send deliveries again (docs.github.com, "Redelivering webhooks": three days). */
const REDELIVERABLE_MS = 3 * DAY_MS;

/** What is done from time to time, each by one process at a time. */
const TASKS: Readonly<Record<string, Task>> = {
  release: { every: RELEASE_MS, run: release },
  upkeep: { run: upkeep },
  deliveries: { run: redeliver },
  installations: { run: async (tools) => installations(tools).then(() => undefined) },
  pulls: { run: async (tools) => pulls(tools).then(() => undefined) },
};

interface Task {
  /** Milliseconds between two turns; where absent, those of the settings. */
  readonly every?: number;
  /** @returns what the next turn is given */
  readonly run: (tools: SweepTools, value: string | undefined) => Promise<string | undefined>;
}

/**
 * Does what is due: puts back what crashed workers held, asks GitHub for deliveries that failed, and looks for open
 * pull requests whose verdict is missing, awaits something or is old. What fails is logged and done the next time.
 */
export async function sweep(tools: SweepTools): Promise<void> {
  const { store, log, now, worker, intervalMs } = tools;
  for (const [name, { every = intervalMs, run }] of Object.entries(TASKS)) {
    if (tools.signal.aborted) return;
    try {
      const turn = await store.beginSweep({ name, worker, now: now(), leaseSeconds: LEASE_SECONDS });
      if (turn === undefined) continue;
      let value = turn.value;
      try {
        value = await run(tools, value);
      } finally {
        await store.endSweep({ lease: turn.lease, now: now(), nextAt: now() + every, value });
      }
    } catch (thrown) {
      if (tools.signal.aborted) return;
      log.warn({ sweep: name, err: errorFields(thrown) }, 'sweep not finished');
    }
  }
}

async function release({ store, now, wake }: SweepTools): Promise<undefined> {
  const released = await store.releaseExpired({ now: now(), maxAttempts: MAX_ATTEMPTS });
  if (released.deliveries + released.evaluations > 0) wake();
  return undefined;
}

async function upkeep({ store, now, keepDays }: SweepTools): Promise<undefined> {
  while ((await store.prune({ before: now() - keepDays * DAY_MS, limit: 1000 })).more);
  await store.trimEtags({ before: now() - ETAG_DAYS * DAY_MS, maxCount: MAX_ETAGS });
  return undefined;
}

const DELIVERIES = 'GET /app/hook/deliveries';
const deliveriesSchema = z.array(
  z.object({ id: z.int(), guid: z.string(), delivered_at: z.string(), status_code: z.int(), redelivery: z.boolean() }),
);

/**
 * Asks for deliveries again that never arrived: all of one id failed, and the last try is over. The store tells
 * duplicates apart, so that once too often does no harm.
 * @param since of the newest delivery that the last sweep saw, ISO 8601
 */
async function redeliver({ clients, now, log }: SweepTools, since: string | undefined): Promise<string | undefined> {
  const api = await clients.app();
  const oldest = Math.max(now() - REDELIVERABLE_MS, since === undefined ? 0 : Date.parse(since) - 2 * SETTLED_MS);
  const failed = new Map<string, number>();
  const arrived = new Set<string>();
  let newest = since;
  reading: for await (const page of pages(api, DELIVERIES, { per_page: PAGE })) {
    for (const one of shaped(deliveriesSchema, page, DELIVERIES)) {
      const at = Date.parse(one.delivered_at);
      if (at < oldest) break reading;
      if (newest === undefined || at > Date.parse(newest)) newest = one.delivered_at;
      if (one.status_code >= 200 && one.status_code < 300) arrived.add(one.guid);
      else if (now() - at >= SETTLED_MS || one.redelivery) failed.set(one.guid, one.id);
    }
  }
  for (const [guid, id] of failed) {
    if (arrived.has(guid)) continue;
    log.info({ delivery: guid }, 'asked for a failed delivery again');
    await absentOr(api.request('POST /app/hook/deliveries/{delivery_id}/attempts', { delivery_id: id }));
  }
  return newest;
}

const INSTALLATIONS = 'GET /app/installations';
const installationsSchema = z.array(
  z.object({
    id: z.int(),
    account: z.object({ id: z.int(), login: z.string() }).nullable(),
    suspended_at: z.string().nullish(),
  }),
);
const REPOSITORIES = 'GET /installation/repositories';
const repositoriesSchema = z.object({
  repositories: z.array(z.object({ id: z.int(), name: z.string(), owner: z.object({ login: z.string() }) })),
});

/** Reads which installations and repositories there are: an event that told it may have been lost. */
async function installations({ store, clients, now }: SweepTools): Promise<void> {
  const api = await clients.app();
  for await (const page of pages(api, INSTALLATIONS, { per_page: PAGE })) {
    for (const { id, account, suspended_at: suspended } of shaped(installationsSchema, page, INSTALLATIONS)) {
      if (account === null) continue;
      const state = suspended ? 'suspended' : 'active';
      await store.putInstallation({ id, accountId: account.id, accountLogin: account.login, state, at: now() });
      if (state === 'suspended') continue;
      const own = await clients.installation(id);
      for await (const listed of pages(own, REPOSITORIES, { per_page: PAGE })) {
        for (const one of shaped(repositoriesSchema, listed, REPOSITORIES).repositories)
          await store.putRepository({
            ...{ id: one.id, installationId: id, owner: one.owner.login, name: one.name },
            ...{ state: 'active', at: now() },
          });
      }
    }
  }
}

/** Asks for evaluations of open pull requests that no event brought. */
async function pulls(tools: SweepTools): Promise<void> {
  for await (const installation of eachInstallation(tools.store)) {
    for await (const repository of eachRepository(tools.store, installation)) {
      if (tools.signal.aborted) return;
      try {
        await pullsOf(tools, repository);
      } catch (thrown) {
        // One repository that cannot be read does not keep the others waiting.
        if (!isRefusal(thrown)) throw thrown;
        tools.log.warn({ repository: repository.id, err: errorFields(thrown) }, 'open pull requests not read');
      }
    }
  }
}

async function pullsOf({ store, clients, now, wake }: SweepTools, repository: Repository): Promise<void> {
  const { id, installationId, owner, name } = repository;
  const api = await clients.installation(installationId);
  for (const { number, head } of await openPulls(api, { owner, repo: name })) {
    const latest = await store.latestEvaluation(pullKey(id, number));
    const settled = latest?.headSha === head && latest.outcome !== 'pending' && latest.outcome !== 'incomplete';
    if (settled && now() - latest.at < STALE_MS) continue;
    await store.requestEvaluation({
      ...{ repositoryId: id, installationId, number, reason: 'sweep', headSha: head, priority: -600 },
      ...{ now: now(), notBefore: now() },
    });
    wake();
  }
}

async function* eachInstallation(store: Store): AsyncGenerator<number> {
  for (let after: number | undefined; ;) {
    const page = await store.installations({ ...(after === undefined ? {} : { after }), limit: PAGE });
    for (const { id, state } of page) if (state === 'active') yield id;
    after = page.at(-1)?.id;
    if (after === undefined || page.length < PAGE) return;
  }
}

async function* eachRepository(store: Store, installationId: number): AsyncGenerator<Repository> {
  for (let after: number | undefined; ;) {
    const page = await store.repositories({ installationId, ...(after === undefined ? {} : { after }), limit: PAGE });
    yield* page;
    after = page.at(-1)?.id;
    if (after === undefined || page.length < PAGE) return;
  }
}

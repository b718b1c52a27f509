import * as z from 'zod';
import { isRefusal } from '../domain/errors.ts';
import { absentOr } from '../github/errors.ts';
import { shaped } from '../github/graphql.ts';
import { pages } from '../github/pages.ts';
import type { Clients } from './clients.ts';
import { readInstallations } from './installations.ts';
import { openPullsOf } from './deliveries/pulls.ts';
import { errorFields } from './log.ts';
import type { Logger } from './log.ts';
import { MAX_ATTEMPTS } from './retry.ts';
import { pullKey } from './store/queues.ts';
import { eachInstallation, eachRepository } from './store/each.ts';
import type { Repository } from './store/records.ts';
import type { Store } from './store/store.ts';

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
export const RELEASE_MS = 10_000;

const DAY_MS = 24 * 60 * 60_000;
/** Seconds after which a turn whose process crashed is another's; prolonged while it lasts. */
const LEASE_SECONDS = 60;
const RENEW_MS = 20_000;
const PAGE = 100;

/** A verdict this old is made anew though nothing happened: an allowance may have run out, or a promotion be due. */
const STALE_MS = DAY_MS;

/** Answers by ETag that are kept, and for how long they may lie unused. */
const MAX_ETAGS = 50_000;
const ETAG_DAYS = 7;

/** A delivery that failed just now is left alone for so long: whoever restarts the App often delivers it by hand. */
const SETTLED_MS = 15_000;
/** When it is looked at again. */
const SOON_MS = 20_000;
/** Calls for deliveries that may fail in one sweep before it is given up. */
const MAX_REFUSED = 50;
/** Deliveries so much older than the newest that was seen are looked at once more; GitHub lists them when they end. */
const OVERLAP_MS = 120_000;

/** How far back GitHub can send deliveries again (docs.github.com, "Redelivering webhooks": three days). */
const REDELIVERABLE_MS = 3 * DAY_MS;

/** Where a task has come to, and in how many milliseconds it has to be done again where that is sooner than usual. */
interface Done {
  readonly value?: string | undefined;
  readonly againIn?: number;
}

/** What is done from time to time, each by one process at a time, in this order. */
const TASKS = {
  upkeep,
  deliveries: redeliver,
  installations: async (tools) => {
    await readInstallations(tools);
    return {};
  },
  pulls,
} as const satisfies Readonly<Record<string, (tools: SweepTools, value: string | undefined) => Promise<Done>>>;

export type SweepTask = keyof typeof TASKS;
export const SWEEP_TASKS = Object.keys(TASKS) as readonly SweepTask[];

/**
 * Does what is due: asks GitHub for deliveries that failed, looks for open pull requests whose verdict is missing, awaits
 * something or is old, and tidies up. What fails is logged and done again soon.
 * @param early what is done though it is not due yet
 */
export async function sweep(tools: SweepTools, early: readonly SweepTask[] = []): Promise<void> {
  const { store, log, now, worker, intervalMs } = tools;
  for (const name of SWEEP_TASKS) {
    if (tools.signal.aborted) return;
    try {
      const asked = { name, worker, now: now(), leaseSeconds: LEASE_SECONDS, early: early.includes(name) };
      const turn = await store.beginSweep(asked);
      if (turn === undefined) continue;
      const { lease } = turn;
      const heart = setInterval(() => {
        // One that is lost is done twice, which does no harm.
        store.renewSweep({ lease, now: now(), leaseSeconds: LEASE_SECONDS }).catch(() => undefined);
      }, RENEW_MS);
      // One that fails is not left alone for the whole interval.
      let done: Done = { value: turn.value, againIn: SOON_MS };
      try {
        done = await TASKS[name](tools, turn.value);
      } finally {
        clearInterval(heart);
        const nextAt = now() + Math.min(intervalMs, done.againIn ?? intervalMs);
        await store.endSweep({ lease, now: now(), nextAt, value: done.value });
      }
    } catch (thrown) {
      if (tools.signal.aborted) return;
      log.warn({ sweep: name, err: errorFields(thrown) }, 'sweep not finished');
    }
  }
}

/** Puts back what crashed workers held: soon after its lease has expired, whatever the sweeps are at. */
export async function release({ store, log, now, wake }: SweepTools): Promise<void> {
  try {
    const released = await store.releaseExpired({ now: now(), maxAttempts: MAX_ATTEMPTS });
    if (released.deliveries + released.evaluations === 0) return;
    log.warn({ ...released }, 'put back what a process that ended held');
    wake();
  } catch (thrown) {
    log.warn({ err: errorFields(thrown) }, 'expired leases not looked for');
  }
}

async function upkeep({ store, now, keepDays }: SweepTools): Promise<Done> {
  while ((await store.prune({ before: now() - keepDays * DAY_MS, limit: 1000 })).more);
  await store.trimEtags({ before: now() - ETAG_DAYS * DAY_MS, maxCount: MAX_ETAGS });
  return {};
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
async function redeliver({ clients, now, log }: SweepTools, since: string | undefined): Promise<Done> {
  const api = await clients.app();
  const oldest = Math.max(now() - REDELIVERABLE_MS, since === undefined ? 0 : Date.parse(since) - OVERLAP_MS);
  let young = false;
  const failed = new Map<string, number>();
  const arrived = new Set<string>();
  let newest = since;
  reading: for await (const page of pages(api, DELIVERIES, { per_page: PAGE })) {
    for (const one of shaped(deliveriesSchema, page, DELIVERIES)) {
      const at = Date.parse(one.delivered_at);
      if (at < oldest) break reading;
      if (newest === undefined || at > Date.parse(newest)) newest = one.delivered_at;
      if (one.status_code >= 200 && one.status_code < 300) arrived.add(one.guid);
      else if (now() - at >= SETTLED_MS) failed.set(one.guid, one.id);
      else young = true;
    }
  }
  let refused = 0;
  for (const [guid, id] of failed) {
    if (arrived.has(guid)) continue;
    try {
      await absentOr(api.request('POST /app/hook/deliveries/{delivery_id}/attempts', { delivery_id: id }));
      log.info({ delivery: guid }, 'asked for a failed delivery again');
    } catch (thrown) {
      // One call that fails does not keep the others waiting; many are an outage.
      refused += 1;
      if (!isRefusal(thrown) || refused > MAX_REFUSED) throw thrown;
      log.warn({ delivery: guid, err: errorFields(thrown) }, 'a failed delivery was not asked for again');
    }
  }
  // Not past those that are still to be asked for.
  const value = refused > 0 ? since : newest;
  return { value, ...(young || failed.size > 0 ? { againIn: SOON_MS } : {}) };
}

/** Asks for evaluations of open pull requests that no event brought. */
async function pulls(tools: SweepTools): Promise<Done> {
  for await (const { id } of eachInstallation(tools.store)) {
    for await (const repository of eachRepository(tools.store, id)) {
      if (tools.signal.aborted) return {};
      try {
        await pullsOf(tools, repository);
      } catch (thrown) {
        // One repository that cannot be read does not keep the others waiting.
        if (!isRefusal(thrown)) throw thrown;
        tools.log.warn({ repository: repository.id, err: errorFields(thrown) }, 'open pull requests not read');
      }
    }
  }
  return {};
}

async function pullsOf({ store, clients, now, wake }: SweepTools, repository: Repository): Promise<void> {
  const { id, installationId, owner, name } = repository;
  const api = await clients.installation(installationId);
  for (const { number, headSha: head } of await openPullsOf(api, { owner, repo: name })) {
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

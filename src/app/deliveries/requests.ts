import { matchesWildcard } from '../../config/globs.ts';
import type { Clients } from '../clients.ts';
import { eachRepository } from '../store/each.ts';
import type { ClaimedDelivery } from '../store/queues.ts';
import type { Store } from '../store/store.ts';
import type { RepositoryPayload } from './payloads.ts';
import { openPullsAt, openPullsOf } from './pulls.ts';
import { nameOf, remember } from './repositories.ts';

/** Seconds of head start: a person waits for an answer to what they did; a job that ended concerns a machine first. */
export const PRIORITY = { person: 60, change: 30, job: 0, sweep: -600 } as const;

/** Events of jobs come in bunches; one evaluation a few seconds later answers them all. */
export const SETTLE_MS = 3_000;

export interface RequestTools {
  readonly store: Pick<Store, 'requestEvaluation' | 'awaitingAt' | 'putRepository' | 'repositories'>;
  readonly clients: Clients;
  readonly now: () => number;
}

export type Requested = 'requested' | 'nothing';

/** What an event is about. */
export interface HeadEvent {
  readonly repository: RepositoryPayload;
  readonly installation: { readonly id: number };
}

/**
 * Asks for the evaluation of a pull request that an event is about.
 * @throws Refusal CS181x
 */
export async function request(
  tools: RequestTools,
  { event, action, receivedAt }: ClaimedDelivery,
  { repository, installation }: HeadEvent,
  number: number,
  { priority, headSha, delay = 0 }: { readonly priority: number; readonly headSha?: string; readonly delay?: number },
): Promise<void> {
  const { store, now } = tools;
  // The evaluation asks by name, and an event is the newest word on it.
  await remember(tools, repository, installation.id, receivedAt);
  const at = now();
  await store.requestEvaluation({
    ...{ repositoryId: repository.id, installationId: installation.id, number, priority },
    reason: action === undefined ? event : `${event}.${action}`,
    ...(headSha === undefined ? {} : { headSha }),
    now: at,
    notBefore: at + delay,
  });
}

/**
 * Asks for all open pull requests with a head. GitHub names none in the payload where it comes from a fork.
 * @throws Refusal CS16xx, CS181x
 */
export async function requestAt(
  tools: RequestTools,
  delivery: ClaimedDelivery,
  { repository, installation }: HeadEvent,
  head: string,
  priority: number,
  delay = 0,
): Promise<Requested> {
  const pulls = await openPullsAt(await tools.clients.installation(installation.id), nameOf(repository), head);
  for (const { number } of pulls)
    await request(tools, delivery, { repository, installation }, number, { priority, delay, headSha: head });
  return pulls.length === 0 ? 'nothing' : 'requested';
}

/**
 * A job that ended may be one that is awaited, long before its workflow ends. Most are not, and there are many: the
 * store is asked what is awaited at that head, and GitHub is not.
 * @param job its name
 * @throws Refusal CS181x
 */
export async function requestAwaiting(
  tools: RequestTools,
  delivery: ClaimedDelivery,
  { repository, installation }: HeadEvent,
  { head, job }: { readonly head: string; readonly job: string },
): Promise<Requested> {
  const pulls = await tools.store.awaitingAt({ repositoryId: repository.id, headSha: head });
  const due = pulls.filter(({ awaits = ['*'] }) => awaits.some((name) => matchesWildcard(job, name)));
  for (const { number } of due) {
    const how = { priority: PRIORITY.job, delay: SETTLE_MS, headSha: head };
    await request(tools, delivery, { repository, installation }, number, how);
  }
  return due.length === 0 ? 'nothing' : 'requested';
}

/**
 * Asks for all open pull requests of an installation, behind whatever else waits: a call for each repository. Where the
 * process ends in between, the delivery is carried out again from the start.
 * @returns how many were asked for
 * @throws Refusal CS16xx, CS181x
 */
export async function requestAll(tools: RequestTools, { installationId, event }: ClaimedDelivery): Promise<number> {
  const { store, clients, now } = tools;
  if (installationId === undefined) return 0;
  let asked = 0;
  for await (const { id, owner, name } of eachRepository(store, installationId)) {
    const api = await clients.installation(installationId);
    for (const { number, headSha } of await openPullsOf(api, { owner, repo: name })) {
      await store.requestEvaluation({
        ...{ repositoryId: id, installationId, number, headSha, reason: `${event}.organisation` },
        ...{ priority: PRIORITY.sweep, now: now(), notBefore: now() },
      });
      asked += 1;
    }
  }
  return asked;
}

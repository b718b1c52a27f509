import type * as z from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { RepositoryName } from '../../github/api.ts';
import type { Clients } from '../clients.ts';
import { handleComment } from '../commands/handle.ts';
import type { CommandTools } from '../commands/handle.ts';
import { organisationAddress } from '../../sources/github/platform/organisation.ts';
import { eachRepository } from '../store/each.ts';
import type { ClaimedDelivery } from '../store/queues.ts';
import type { Store } from '../store/store.ts';
import * as payloads from './payloads.ts';
import { isOpen, openPullsAt, openPullsOf } from './pulls.ts';

/** What becomes of a delivery: a short word for counters. */
export type Outcome = 'requested' | 'recorded' | 'answered' | 'judged' | 'nothing';

export interface IntakeTools {
  readonly store: Store;
  readonly clients: Clients;
  readonly now: () => number;
  readonly commands: CommandTools;
  /** Judges a merge group and writes its verdict to the group's head. */
  readonly judgeMergeGroup: (event: payloads.MergeGroupEvent) => Promise<void>;
  /** There are repositories that were not seen before: their open pull requests are looked for soon. */
  readonly onInstalled: () => void;
}

/** Seconds of head start: a person waits for an answer to what they did; a job that ended concerns a machine first. */
const PRIORITY = { person: 60, change: 30, job: 0, sweep: -600 } as const;

/** Events of jobs come in bunches; one evaluation a few seconds later answers them all. */
const SETTLE_MS = 3_000;

type Intake = (payload: unknown, delivery: ClaimedDelivery, tools: IntakeTools) => Promise<Outcome>;

/**
 * Works one delivery off. Most ask for the evaluation of pull requests, which is queued; what an event says of a pull
 * request is a hint only, and read anew.
 * @throws Refusal CS16xx GitHub cannot be asked, CS18xx the store; CS1803 the payload is not as GitHub documents it
 */
export async function takeIn(delivery: ClaimedDelivery, payload: unknown, tools: IntakeTools): Promise<Outcome> {
  const intake = Object.hasOwn(INTAKES, delivery.event) ? INTAKES[delivery.event] : undefined;
  return intake === undefined ? 'nothing' : intake(payload, delivery, tools);
}

const INTAKES: Readonly<Record<string, Intake>> = {
  pull_request: async (given, delivery, tools) => {
    const { action, repository, installation, pull_request: pull } = read(payloads.pullRequestEvent, given, delivery);
    if (action === 'closed') {
      await tools.store.closePull({ key: `${repository.id}#${pull.number}`, now: tools.now() });
      // A delivery that failed comes late: it may have been opened again since, and what waited was taken away.
      const api = await tools.clients.installation(installation.id);
      if (!(await isOpen(api, nameOf(repository), pull.number))) return 'recorded';
    }
    await request(tools, delivery, { repository, installation }, pull.number, {
      headSha: pull.head.sha,
      priority: PRIORITY.change,
    });
    return 'requested';
  },

  pull_request_review: async (given, delivery, tools) => {
    const { repository, installation, pull_request: pull } = read(payloads.pullRequestEvent, given, delivery);
    await request(tools, delivery, { repository, installation }, pull.number, { priority: PRIORITY.person });
    return 'requested';
  },

  issue_comment: async (given, delivery, tools) => {
    const event = read(payloads.issueCommentEvent, given, delivery);
    const { repository, installation, issue } = event;
    if (!issue.pull_request || issue.state === 'closed') return 'nothing';
    const handled = await handleComment(event, tools.commands);
    if (handled === 'none') return 'nothing';
    await request(tools, delivery, { repository, installation }, issue.number, { priority: PRIORITY.person });
    return handled === 'answered' ? 'answered' : 'requested';
  },

  check_run: async (given, delivery, tools) => {
    const { action, check_run: run, ...event } = read(payloads.checkRunEvent, given, delivery);
    const own = run.app?.id === (await tools.clients.identity()).id;
    if (!own || action === 'completed') return 'nothing';
    return requestAt(tools, delivery, event, run.head_sha, PRIORITY.person);
  },

  check_suite: async (given, delivery, tools) => {
    const { action, check_suite: suite, ...event } = read(payloads.checkSuiteEvent, given, delivery);
    const own = suite.app?.id === (await tools.clients.identity()).id;
    if (!own || action !== 'rerequested') return 'nothing';
    return requestAt(tools, delivery, event, suite.head_sha, PRIORITY.person);
  },

  workflow_run: async (given, delivery, tools) => {
    const { workflow_run: run, ...event } = read(payloads.workflowRunEvent, given, delivery);
    return requestAt(tools, delivery, event, run.head_sha, PRIORITY.job, SETTLE_MS);
  },

  merge_group: async (given, delivery, tools) => {
    await tools.judgeMergeGroup(read(payloads.mergeGroupEvent, given, delivery));
    return 'judged';
  },

  push: async (given, delivery, tools) => {
    const { ref, deleted, forced, commits, repository, installation } = read(payloads.pushEvent, given, delivery);
    if (deleted || !ref.startsWith('refs/heads/')) return 'nothing';
    // A payload lists 2,048 commits at most, and no files of a forced push's lost side: what may be more counts as all.
    const touched = commits.flatMap(({ added, modified, removed }) => [...added, ...modified, ...removed]);
    const rules = forced || commits.length >= 20 || touched.some((path) => /^(\.github|\.rapid-os)\//.test(path));
    if (!rules) return 'nothing';
    const branch = ref.slice('refs/heads/'.length);
    // The default branch has the rules of every base that is not protected.
    const base = branch === repository.default_branch ? undefined : branch;
    const api = await tools.clients.installation(installation.id);
    const pulls = await openPullsOf(api, nameOf(repository), base);
    for (const { number } of pulls)
      await request(tools, delivery, { repository, installation }, number, { priority: PRIORITY.sweep });
    const elsewhere = base === undefined && isOrganisations(repository) ? await requestAll(tools, delivery) : 0;
    return pulls.length + elsewhere === 0 ? 'nothing' : 'requested';
  },

  installation: async (given, delivery, tools) => {
    const { action, installation, repositories } = read(payloads.installationEvent, given, delivery);
    const { id, account } = installation;
    const at = delivery.receivedAt;
    const gone = action === 'deleted' ? 'deleted' : action === 'suspend' ? 'suspended' : 'active';
    await tools.store.putInstallation({ id, accountId: account.id, accountLogin: account.login, state: gone, at });
    if (gone !== 'active') tools.clients.forget(id);
    for (const one of repositories) await putListed(tools, one, id, action === 'deleted' ? 'removed' : 'active', at);
    if (gone === 'active') tools.onInstalled();
    return 'recorded';
  },

  installation_repositories: async (given, delivery, tools) => {
    const event = read(payloads.installationRepositoriesEvent, given, delivery);
    const { id } = event.installation;
    for (const one of event.repositories_added) await putListed(tools, one, id, 'active', delivery.receivedAt);
    for (const one of event.repositories_removed) await putListed(tools, one, id, 'removed', delivery.receivedAt);
    if (event.repositories_added.length > 0) tools.onInstalled();
    return 'recorded';
  },

  repository: async (given, delivery, tools) => {
    const { action, repository, installation } = read(payloads.repositoryEvent, given, delivery);
    await remember(
      tools,
      repository,
      installation.id,
      delivery.receivedAt,
      action === 'deleted' ? 'removed' : 'active',
    );
    return 'recorded';
  },
};

function read<S extends z.ZodType>(schema: S, payload: unknown, { event, id }: ClaimedDelivery): z.infer<S> {
  const result = schema.safeParse(payload);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  // Where it is wrong, and not what stands there.
  const where = issue?.path.map(String).join('.') ?? '';
  throw new Refusal('CS1803', `Delivery ${id} (${event}) is not as GitHub documents it: ${where}.`);
}

async function request(
  tools: IntakeTools,
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

interface HeadEvent {
  readonly repository: payloads.RepositoryPayload;
  readonly installation: { readonly id: number };
}

/** Asks for all open pull requests with a head. GitHub names none in the payload where it comes from a fork. */
async function requestAt(
  tools: IntakeTools,
  delivery: ClaimedDelivery,
  { repository, installation }: HeadEvent,
  head: string,
  priority: number,
  delay = 0,
): Promise<Outcome> {
  const pulls = await openPullsAt(await tools.clients.installation(installation.id), nameOf(repository), head);
  for (const { number } of pulls)
    await request(tools, delivery, { repository, installation }, number, { priority, delay, headSha: head });
  return pulls.length === 0 ? 'nothing' : 'requested';
}

/** Whether a repository has the rules of all others of its owner. */
function isOrganisations({ owner, name }: payloads.RepositoryPayload): boolean {
  return `${owner.login}/${name}`.toLowerCase() === organisationAddress(owner.login).toLowerCase();
}

/**
 * Asks for all open pull requests of an installation, behind whatever else waits: a call for each repository. Where the
 * process ends in between, the delivery is carried out again from the start.
 * @returns how many were asked for
 */
async function requestAll(tools: IntakeTools, { installationId, event }: ClaimedDelivery): Promise<number> {
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

function nameOf({ name, owner }: payloads.RepositoryPayload): RepositoryName {
  return { owner: owner.login, repo: name };
}

async function remember(
  { store }: IntakeTools,
  { id, name, owner }: payloads.RepositoryPayload,
  installationId: number,
  at: number,
  state: 'active' | 'removed' = 'active',
): Promise<void> {
  await store.putRepository({ id, installationId, owner: owner.login, name, state, at });
}

async function putListed(
  { store }: IntakeTools,
  { id, full_name: full }: { readonly id: number; readonly full_name: string },
  installationId: number,
  state: 'active' | 'removed',
  at: number,
): Promise<void> {
  const [owner = '', name = ''] = full.split('/');
  await store.putRepository({ id, installationId, owner, name, state, at });
}

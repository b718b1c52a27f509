import type * as z from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { Clients } from '../clients.ts';
import { handleComment } from '../commands/handle.ts';
import type { CommandTools } from '../commands/handle.ts';
import { isWaiting } from '../evaluations/judged-heads.ts';
import { organisationAddress } from '../../sources/github/platform/organisation.ts';
import { pullKey } from '../store/queues.ts';
import type { ClaimedDelivery } from '../store/queues.ts';
import type { Store } from '../store/store.ts';
import * as payloads from './payloads.ts';
import { isOpen, openPullsOf } from './pulls.ts';
import { nameOf, putListed, remember } from './repositories.ts';
import { PRIORITY, request, requestAll, requestAt, requestAwaiting, SETTLE_MS } from './requests.ts';

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
      const key = pullKey(repository.id, pull.number);
      await tools.store.closePull({ key, now: tools.now() });
      // A delivery that failed comes late: it may have been opened again since, and what waited was taken away. One that
      // is closed is looked at once more where a check of it waits: nobody else is going to end that.
      const api = await tools.clients.installation(installation.id);
      const left = (await isOpen(api, nameOf(repository), pull.number)) || (await isWaiting(tools.store, key));
      if (!left) return 'recorded';
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
    if (action === 'completed') {
      const at = { head: run.head_sha, job: run.name };
      return isJob(run) ? requestAwaiting(tools, delivery, event, at) : 'nothing';
    }
    const own = run.app?.id === (await tools.clients.identity()).id;
    return own ? requestAt(tools, delivery, event, run.head_sha, PRIORITY.person) : 'nothing';
  },

  check_suite: async (given, delivery, tools) => {
    const { check_suite: suite, ...event } = read(payloads.checkSuiteEvent, given, delivery);
    const own = suite.app?.id === (await tools.clients.identity()).id;
    return own ? requestAt(tools, delivery, event, suite.head_sha, PRIORITY.person) : 'nothing';
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

/** GitHub Actions has a check run for each job, with the job's name. */
function isJob({ app }: payloads.CheckRunEvent['check_run']): boolean {
  return app?.slug === 'github-actions';
}

/** Whether a repository has the rules of all others of its owner. */
function isOrganisations({ owner, name }: payloads.RepositoryPayload): boolean {
  return `${owner.login}/${name}`.toLowerCase() === organisationAddress(owner.login).toLowerCase();
}

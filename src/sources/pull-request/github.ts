import { sortedUnique } from '../../domain/text/order.ts';
import type { Config } from '../../config/schema.ts';
import type { Facts } from '../../gate/facts.ts';
import { snapshotText } from '../../gate/snapshot-tree.ts';
import { runFolder } from '../../domain/contracts/run-record.ts';
import type { GitHubApi, RepositoryName } from '../../github/api.ts';
import { openBlobs } from '../github/content/blob-store.ts';
import { compareCommits } from '../github/content/compare.ts';
import type { Compared } from '../github/content/compare.ts';
import { openTrees } from '../github/content/tree-store.ts';
import type { TreeStore } from '../github/content/tree-store.ts';
import { readBaseBranch } from '../github/platform/branches.ts';
import { decisionsOf } from '../github/platform/decisions.ts';
import { readElsewhere } from '../github/platform/elsewhere.ts';
import { readOrganisationConfig } from '../github/platform/organisation.ts';
import { decidersOf, readPeople, teamsNamedBy } from '../github/platform/people.ts';
import { readPull } from '../github/platform/pull.ts';
import type { PullRequestFacts } from '../github/platform/pull.ts';
import { byTheirMakers } from '../github/platform/through-apps.ts';
import { pushersOf, readPushes } from '../github/platform/pushes.ts';
import type { Pushes } from '../github/platform/pushes.ts';
import { readWorkflowRuns } from '../github/platform/runs.ts';
import { redactedFacts } from '../secrets/redacted.ts';
import type { Unread } from '../snapshot/snapshot.ts';
import { partsInto, withContent } from './github-content.ts';
import type { GitHubOptions } from './github-options.ts';
import type { Part } from './github-content.ts';
import { runsToRead } from './governed.ts';
import { COLLECTED_NOWHERE } from './rules.ts';
import { boundedUnread } from './unread.ts';

export { collectRange } from './github-range.ts';
export type { GitHubOptions } from './github-options.ts';

export interface PullRequestOptions extends GitHubOptions {
  readonly number: number;
}

/**
 * Collects what GitHub shows of a pull request, without a checkout: what people and machines did, and the files at base
 * and head, each proved by its id. Rules are read at the tip of the base branch, if that is protected or the default
 * one, else at the tip of the default branch.
 *
 * What cannot be had is a row of `unread`, so that the verdict is incomplete; only the pull request itself must be had.
 * @throws Refusal CS1601 to CS1607 where the pull request cannot be read
 */
export async function collectPullRequest(options: PullRequestOptions): Promise<Facts> {
  const { api, repository, number } = options;
  const pull = await readPull(api, repository, number);
  const unread: Unread[] = [...pull.unread];
  const part = partsInto(unread);
  const trees = openTrees(api, repository);
  for (const { sha, tree } of pull.commits) trees.knowRoot(sha, tree);
  const [base, compared, pushes, elsewhere] = await Promise.all([
    part('the base branch', () => readBaseBranch(api, repository, pull.base, pull.default_branch), undefined),
    comparedWith(api, repository, trees, pull, part),
    part('who pushed the head branch', () => readPushes(api, pull.head), NO_PUSHES),
    part('other pull requests of the head branch', () => readElsewhere(api, repository, pull), []),
  ]);
  const facts = elsewhereToo(platformFacts(options, pull, compared, pushes), elsewhere);
  if (base === undefined || base.rules.sha === null || compared === undefined) {
    const why = compared === undefined ? 'it cannot be compared with its base' : 'there is no branch with rules';
    return redactedFacts({
      ...facts,
      unread: boundedUnread([...unread, { what: 'the content of the pull request', why }]),
    });
  }
  const rules = base.rules.sha;
  const guarded = base.protected || base.isDefault;
  for (const { sha, tree } of [compared.base, compared.mergeBase]) trees.knowRoot(sha, tree);
  await trees.load([compared.mergeBase.sha, rules]);
  const content = await withContent(
    { ...facts, unread, subject: { ...facts.subject, base: { ...facts.subject.base, guarded } } },
    {
      ...{ trees, blobs: openBlobs(api, repository, (oid) => trees.sizeOf(oid), options.memory) },
      ...{ mergeBase: compared.mergeBase.sha, head: pull.head.sha, rules, renames: compared },
    },
    (config) => readOrganisationConfig(api, config.extends, options.organisation),
  );
  return redactedFacts(await withPeople(options, content.facts, content.configs, pull, pushes));
}

function elsewhereToo(facts: Facts, elsewhere: NonNullable<Facts['subject']['elsewhere']>): Facts {
  return elsewhere.length === 0 ? facts : { ...facts, subject: { ...facts.subject, elsewhere } };
}

const NO_PUSHES: Pushes = { pushes: [], complete: false, last_pusher: undefined, why: 'the activity cannot be read' };

async function comparedWith(
  api: GitHubApi,
  repository: RepositoryName,
  trees: TreeStore,
  { base, head }: PullRequestFacts,
  part: Part,
): Promise<Compared | undefined> {
  if (base.sha === null) return undefined;
  const from = base.sha;
  const [compared] = await Promise.all([
    part('the merge base', () => compareCommits(api, repository, from, head.sha), undefined),
    trees.load([from, head.sha]),
  ]);
  return compared;
}

function platformFacts(
  options: PullRequestOptions,
  pull: PullRequestFacts,
  compared: Compared | undefined,
  pushes: Pushes,
): Facts {
  const pushers = pushersOf(pushes, pull.commits);
  const { squash, merge_message, author } = pull;
  return {
    schema_version: 1,
    engine: options.engine,
    profile: 'github',
    now: options.now,
    subject: {
      kind: 'pull-request',
      repository: pull.repository.name,
      number: pull.number,
      title: pull.title,
      body: pull.body,
      ...(author === undefined ? {} : { author }),
      base: { ref: pull.base.ref, sha: pull.base.sha },
      head: { ref: pull.head.ref, sha: pull.head.sha },
      ...(squash === undefined ? {} : { squash }),
      ...(merge_message === undefined ? {} : { merge_message }),
      merge_base: compared?.mergeBase.sha ?? null,
      opened_at: pull.created_at,
      ...(pull.base_changed_at === undefined ? {} : { base_changed_at: pull.base_changed_at }),
      commit_count: pull.commit_count,
      file_count: pull.file_count,
    },
    named_runs: [...(options.runs ?? [])],
    commits: pull.commits.map(({ tree: _, ...commit }) => {
      const pusher = pushers.get(commit.sha);
      return { ...commit, ...(pusher === undefined ? {} : { pusher }), ledger_changes: [] };
    }),
    files: [],
    base: { covers: [], entries: [] },
    head: { covers: [], entries: [] },
    ...COLLECTED_NOWHERE,
    reviews: [...pull.reviews],
    ...(pushes.last_pusher === undefined ? {} : { last_pusher: pushes.last_pusher }),
    ...(options.caller === undefined ? {} : { caller: options.caller }),
    unread: [],
  };
}

/** Adds what the rules say is to be asked for: workflow runs, decisions, and who may decide. */
async function withPeople(
  { api, repository }: PullRequestOptions,
  facts: Facts,
  configs: readonly Config[],
  pull: PullRequestFacts,
  { pushes }: Pushes,
): Promise<Facts> {
  const unread = [...facts.unread];
  const part = partsInto(unread);
  const workflows = sortedUnique(configs.flatMap(({ evidence }) => evidence.tests.workflows.map(({ path }) => path)));
  const teams = sortedUnique(configs.flatMap(teamsNamedBy));
  const headSha = pull.head.sha;
  const decisions = decisionsOf(pull.comments, { pushes, headSha, contracts: contractsAt(facts) });
  const [runs, people] = await Promise.all([
    part('workflow runs', () => readWorkflowRuns(api, repository, pull.head, workflows), { runs: [], unread: [] }),
    part(
      'permissions of people',
      () => readPeople(api, repository, pull.owner, decidersOf(pull.reviews, decisions), teams),
      { people: [], unread: [] },
    ),
  ]);
  // Last, since only comments of people who may decide are asked for. Where that fails none counts.
  const made = await part(
    'who wrote the comments that decide',
    () => byTheirMakers(api, repository, decisions, people.people),
    [],
  );
  return {
    ...facts,
    decisions: [...made],
    workflow_runs: [...runs.runs],
    people: [...people.people],
    unread: boundedUnread([...unread, ...runs.unread, ...people.unread]),
  };
}

/** Digests that the governing contracts at the head give themselves; whether they are right is for the gate to say. */
function contractsAt(facts: Facts): string[] {
  return runsToRead(facts).runIds.flatMap((id) => {
    const text = snapshotText(facts.head, `${runFolder(id)}/contract.json`);
    const digest =
      text === undefined ? undefined : /"contract_digest"\s{0,20}:\s{0,20}"([0-9a-f]{64})"/.exec(text)?.[1];
    return digest === undefined ? [] : [digest];
  });
}

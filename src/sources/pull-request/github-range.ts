import * as z from 'zod';
import type { Facts } from '../../gate/facts.ts';
import type { GitHubApi, RepositoryName } from '../../github/api.ts';
import { query } from '../../github/graphql.ts';
import { openBlobs } from '../github/content/blob-store.ts';
import { compareCommits } from '../github/content/compare.ts';
import { oidSchema } from '../github/content/objects.ts';
import { openTrees } from '../github/content/tree-store.ts';
import { readOrganisationConfig } from '../github/platform/organisation.ts';
import { redactedFacts } from '../secrets/redacted.ts';
import { withContent } from './github-content.ts';
import type { GitHubOptions } from './github-options.ts';
import { COLLECTED_NOWHERE } from './rules.ts';
import { boundedUnread } from './unread.ts';

export interface RangeOptions extends GitHubOptions {
  /** A branch or a commit: what it has is left out. */
  readonly base: string;
  /** A commit by its full id. */
  readonly head: string;
  /** The full name of the ref that stands at the head. */
  readonly ref: string;
}

/** Branches that a merge queue makes lie on the branch that they go into, whose rules count. */
const QUEUE = 'refs/heads/gh-readonly-queue/';

/**
 * Collects what GitHub shows of commits that no pull request brings: a pushed range, or a merge group. Rules are read
 * where the range begins for the default branch and for merge groups, else at the tip of the default branch: what a
 * branch had before is its pusher's own. Reviews, runs of workflows and decisions there are none.
 * @throws Refusal CS1604 where base or head is missing or they have nothing in common; CS1601 to CS1607
 */
export async function collectRange(options: RangeOptions): Promise<Facts> {
  const { api, repository, base, head, ref } = options;
  const trees = openTrees(api, repository);
  const [compared, main] = await Promise.all([
    compareCommits(api, repository, base, head, 'commits'),
    ref.startsWith(QUEUE) ? undefined : defaultBranch(api, repository),
    trees.load([head]),
  ]);
  const isOwn = main === undefined || ref === `refs/heads/${main.name}`;
  const rules = isOwn ? compared.base.sha : main.sha;
  for (const { sha, tree } of [...compared.commits, compared.base, compared.mergeBase]) trees.knowRoot(sha, tree);
  await trees.load([compared.mergeBase.sha, rules]);
  const facts: Facts = {
    schema_version: 1,
    engine: options.engine,
    profile: 'github',
    now: options.now,
    subject: {
      kind: 'branch',
      repository: `${repository.owner}/${repository.repo}`,
      title: '',
      body: '',
      base: { ref: base, sha: compared.base.sha },
      head: { ref, sha: head },
      merge_base: compared.mergeBase.sha,
      commit_count: compared.ahead,
    },
    named_runs: [...(options.runs ?? [])],
    commits: compared.commits.map(({ tree: _, ...commit }) => ({ ...commit, ledger_changes: [] })),
    files: [],
    base: { covers: [], entries: [] },
    head: { covers: [], entries: [] },
    ...COLLECTED_NOWHERE,
    ...(options.caller === undefined ? {} : { caller: options.caller }),
    unread: [],
  };
  const content = await withContent(
    facts,
    {
      ...{ trees, blobs: openBlobs(api, repository, (oid) => trees.sizeOf(oid), options.memory) },
      ...{ mergeBase: compared.mergeBase.sha, head, rules, renames: compared },
    },
    (config) => readOrganisationConfig(api, config.extends, options.organisation),
  );
  return redactedFacts({ ...content.facts, unread: boundedUnread(content.facts.unread) });
}

export const REPOSITORY_QUERY = `query($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) { defaultBranchRef { name target { oid } } }
}`;
const answerSchema = z.object({
  repository: z.object({
    defaultBranchRef: z.object({ name: z.string(), target: z.object({ oid: oidSchema }).nullable() }).nullable(),
  }),
});

async function defaultBranch(
  api: GitHubApi,
  { owner, repo }: RepositoryName,
): Promise<{ readonly name: string; readonly sha: string } | undefined> {
  const { repository } = await query(api, REPOSITORY_QUERY, { owner, name: repo }, answerSchema);
  const found = repository.defaultBranchRef;
  return found?.target ? { name: found.name, sha: found.target.oid } : undefined;
}

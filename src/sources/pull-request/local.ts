import type { Facts } from '../../gate/facts.ts';
import { headBranch, openRepository } from '../git.ts';
import { snapshotText } from '../../gate/snapshot-tree.ts';
import type { GitRepository } from '../git.ts';
import type { CommitIdentity } from '../git-commit.ts';
import { resolveCommit } from '../git-names.ts';
import { withObjects } from '../git-objects.ts';
import type { ObjectReader } from '../git-objects.ts';
import { startBranchScan } from '../secrets/branch.ts';
import { redactedFacts } from '../secrets/redacted.ts';
import { commitSnapshot } from '../snapshot/commit.ts';
import type { TreeCache } from '../snapshot/commit.ts';
import type { Unread } from '../snapshot/snapshot.ts';
import { branchCommits, mergeBase } from './commits.ts';
import type { BranchCommit } from './commits.ts';
import { branchDocuments } from './branch-documents.ts';
import { changedFiles } from './files.ts';
import { ledgerChanges } from './ledger.ts';
import { COLLECTED_NOWHERE, organisationOf } from './rules.ts';
import { boundedUnread } from './unread.ts';

export { collectWorkingTree } from './working-tree.ts';

export interface LocalOptions {
  /** Top folder of the repository, or a bare repository's folder. */
  readonly root: string;
  /** Names of the branches, tags or commits to judge by and to judge. */
  readonly base: string;
  readonly head: string;
  /** Ids of runs that the caller names. */
  readonly runs?: readonly string[];
  /** The time of the collection, ISO 8601 with offset. */
  readonly now: string;
  /** Version of this program. */
  readonly engine: string;
  readonly title?: string;
  readonly body?: string;
  /** The organisation's configuration, where the caller has it; a base that names one is unreadable without it. */
  readonly organisationConfig?: Facts['organisation_config'];
  /** Environment that git is found and run in; by default this process's. */
  readonly environment?: NodeJS.ProcessEnv;
}

/**
 * Collects what a branch of a local repository shows: as a pull request from `head` into `base` would. Rules are
 * read at the tip of `base`, files compared from the merge base to `head`. Some ten git processes, however large.
 * What is local proves nothing about who did it: no commit counts as verified.
 * @throws Refusal CS1503 no git, CS1504 no repository, CS1505 unknown name, CS1506 and CS1507 no common history,
 * CS1508 missing objects, CS1502
 */
export async function collectLocal(options: LocalOptions): Promise<Facts> {
  const repository = await openRepository(options.root, options.environment);
  return withObjects(repository, async (objects) => {
    const [base, head] = await Promise.all([
      resolveCommit(repository, objects, options.base),
      resolveCommit(repository, objects, options.head),
    ]);
    const branch = await history(options, repository, objects, base, head);
    return redactedFacts(await withDocuments(branch, options, repository, objects));
  });
}

interface Branch {
  readonly facts: Facts;
  readonly commits: readonly BranchCommit[];
  readonly unread: readonly Unread[];
}

async function history(
  options: LocalOptions,
  repository: GitRepository,
  objects: ObjectReader,
  base: string,
  head: string,
): Promise<Branch> {
  const [ancestor, listed, ref] = await Promise.all([
    mergeBase(repository, base, head),
    branchCommits(repository, objects, base, head),
    options.head === 'HEAD' || options.head === '@' ? headBranch(repository) : undefined,
  ]);
  const [changed, ledger] = await Promise.all([
    changedFiles(repository, objects, ancestor, head),
    ledgerChanges(repository, objects, listed.commits),
  ]);
  const facts: Facts = {
    schema_version: 1,
    engine: options.engine,
    profile: 'local',
    now: options.now,
    subject: {
      kind: 'branch',
      title: options.title ?? '',
      body: options.body ?? '',
      base: { ref: options.base, sha: base },
      head: { ref: ref ?? options.head, sha: head },
      merge_base: ancestor,
      commit_count: listed.count,
      file_count: changed.count,
    },
    named_runs: [...(options.runs ?? [])],
    commits: listed.commits.map(({ sha, parents, author, committer, message }) => ({
      sha,
      parents: [...parents],
      author: identity(author),
      committer: identity(committer),
      message,
      verified: false,
      ledger_changes: [...(ledger.byCommit.get(sha) ?? [])],
    })),
    files: [...changed.files],
    base: { covers: [], entries: [] },
    head: { covers: [], entries: [] },
    ...COLLECTED_NOWHERE,
    unread: [],
  };
  return { facts, commits: listed.commits, unread: [...listed.unread, ...changed.unread, ...ledger.unread] };
}

async function withDocuments(
  { facts, commits, unread }: Branch,
  options: LocalOptions,
  repository: GitRepository,
  objects: ObjectReader,
): Promise<Facts> {
  const trees: TreeCache = new Map();
  const { base, head, merge_base: from } = facts.subject;
  const atBase = commitSnapshot(repository, objects, base.sha ?? '', trees);
  const atHead = commitSnapshot(repository, objects, head.sha ?? '', trees);
  const states = { base: atBase, head: atHead, ancestor: commitSnapshot(repository, objects, from ?? '', trees) };
  const secretScan = startBranchScan(repository, objects, facts, commits, states);
  const documents = await branchDocuments(facts, atBase, atHead, (config) =>
    Promise.resolve(options.organisationConfig ?? organisationOf(config)),
  );
  const found = await secretScan.finish(snapshotText(documents.base, documents.config.secrets.baseline));
  return {
    ...facts,
    base: documents.base,
    head: documents.head,
    organisation_config: documents.organisation,
    secrets: found.secrets,
    unread: boundedUnread([...unread, ...documents.unread, ...found.unread]),
  };
}

function identity({ name, email }: CommitIdentity): Facts['commits'][number]['author'] {
  return { name, email, type: 'unknown' };
}

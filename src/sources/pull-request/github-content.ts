import { isRefusal, Refusal } from '../../domain/errors.ts';
import type { Config } from '../../config/schema.ts';
import type { CommitFacts, Facts } from '../../gate/facts.ts';
import { snapshotText } from '../../gate/snapshot-tree.ts';
import { commitDiffs } from '../github/content/commit-diffs.ts';
import type { CommitDiffs } from '../github/content/commit-diffs.ts';
import type { Compared } from '../github/content/compare.ts';
import { prefetch } from '../github/content/prefetch.ts';
import { withRenames } from '../github/content/renames.ts';
import { tellingPaths } from '../github/content/telling-paths.ts';
import type { TreeStore } from '../github/content/tree-store.ts';
import type { ObjectReader } from '../git-objects.ts';
import { startScan } from '../secrets/branch.ts';
import { scanTreeChanges } from '../secrets/tree-changes.ts';
import { githubSnapshot } from '../snapshot/github.ts';
import type { Unread } from '../snapshot/snapshot.ts';
import { treeDiff } from '../tree-diff.ts';
import { branchDocuments } from './branch-documents.ts';
import type { BranchDocuments } from './branch-documents.ts';
import { filesOf } from './files.ts';
import type { ChangedFiles } from './files.ts';
import { comparedChanges } from './ledger.ts';
import type { LedgerChanges, LedgerCommit } from './ledger.ts';
import { DEFAULT_CONFIG } from '../../config/schema.ts';

/** A repository's content at GitHub, and the commits between which a branch lies. */
export interface BranchAtGitHub {
  readonly trees: TreeStore;
  readonly blobs: ObjectReader;
  /** Commits by their full ids. `rules` is where the rules are read. */
  readonly mergeBase: string;
  readonly head: string;
  readonly rules: string;
  readonly renames: Pick<Compared, 'renames' | 'hasAllFiles'>;
}

export interface CollectedContent {
  /** With files, ledger changes, documents and secrets. */
  readonly facts: Facts;
  /** Configurations that may count; the first one does unless the caller's is trusted. */
  readonly configs: readonly Config[];
}

/** What cannot be had of a part is a row of `unread`, and keeps the verdict from being more than incomplete. */
export type Part = <T>(what: string, body: () => Promise<T>, otherwise: T) => Promise<T>;

/** Runs parts, and notes those that fail. What is thrown and no refusal is a defect, and thrown on. */
export function partsInto(unread: Unread[]): Part {
  return async (what, body, otherwise) => {
    try {
      return await body();
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      unread.push({ what, why: `${thrown.code} ${thrown.message}` });
      return otherwise;
    }
  };
}

/**
 * Adds what the trees and contents of a branch show: files, what each commit changes of the ledger, documents at base
 * and head, secrets. Never throws a Refusal.
 * @param facts with subject and commits; its `unread` is kept
 * @param organisationOf gives the organisation's layer for the repository's own configuration
 */
export async function withContent(
  facts: Facts,
  branch: BranchAtGitHub,
  organisationOf: (config: Config) => Promise<Facts['organisation_config']>,
): Promise<CollectedContent> {
  const { trees, blobs } = branch;
  const unread: Unread[] = [...facts.unread];
  const part = partsInto(unread);
  const commits = facts.commits.map(({ sha, parents }): LedgerCommit => ({ sha, parents, cut: false }));

  const changed = await part('changed files', () => filesBetween(branch), undefined);
  unread.push(...(changed?.unread ?? []));
  const diffs = await part('changes of the commits', () => diffsOf(trees, commits, changed, branch.head), undefined);
  unread.push(...(diffs?.unread ?? []));

  const { file_count: _, ...subject } = facts.subject;
  const draft: Facts = {
    ...facts,
    subject: { ...subject, ...(changed === undefined ? {} : { file_count: changed.count }) },
    files: [...(changed?.files ?? [])],
    // What the ledger's changes are about is known before their texts: enough to know which runs govern.
    commits: withLedger(facts.commits, pathsOnly(diffs)),
  };
  const [atBase, atHead, ancestor] = [branch.rules, branch.head, branch.mergeBase].map((commit) =>
    githubSnapshot(trees, blobs, commit),
  ) as [ReturnType<typeof githubSnapshot>, ReturnType<typeof githubSnapshot>, ReturnType<typeof githubSnapshot>];

  // What is started in one turn is asked for together.
  const texts = part(
    'run records that the commits change',
    () => comparedChanges(blobs, commits, diffs?.ledger ?? []),
    pathsOnly(diffs),
  );
  const scan = startScan(
    {
      objects: blobs,
      changes: (baseText) => {
        if (diffs === undefined) throw new Refusal('CS1508', 'The changes of the commits could not be read.');
        return scanTreeChanges(blobs, (oid) => trees.sizeOf(oid), diffs.diffs, baseText);
      },
      paths: async (commit) => tellingPaths(trees, await trees.rootOf(commit)),
    },
    draft,
    { head: atHead, base: atBase, ancestor },
  );
  await prefetch(draft, atBase, atHead);
  const known: Facts = { ...draft, commits: withLedger(facts.commits, await texts) };
  const documents = await part<BranchDocuments>(
    'documents at base and head',
    () => branchDocuments(known, atBase, atHead, organisationOf),
    NO_DOCUMENTS,
  );
  const found = await scan.finish(snapshotText(documents.base, documents.config.secrets.baseline));
  return {
    facts: {
      ...known,
      base: documents.base,
      head: documents.head,
      organisation_config: documents.organisation,
      secrets: found.secrets,
      unread: [...unread, ...documents.unread, ...found.unread],
    },
    configs: documents.configs,
  };
}

const NO_DOCUMENTS: BranchDocuments = {
  config: DEFAULT_CONFIG,
  configs: [DEFAULT_CONFIG],
  organisation: { state: 'absent' },
  base: { covers: [], entries: [] },
  head: { covers: [], entries: [] },
  unread: [],
};

async function filesBetween({ trees, mergeBase, head, renames }: BranchAtGitHub): Promise<ChangedFiles> {
  const [from, to] = await Promise.all([trees.rootOf(mergeBase), trees.rootOf(head)]);
  const { changes, unnamed, unread } = await treeDiff(trees, from, to);
  const renamed = withRenames(changes, renames.renames, !renames.hasAllFiles);
  const files = await filesOf(renamed, unnamed, ({ oid }) => Promise.resolve(trees.sizeOf(oid)));
  return { ...files, unread: [...files.unread, ...unread] };
}

/** Commits between have mostly what base and head have, but for the folders that differ between these. */
async function diffsOf(
  trees: TreeStore,
  commits: readonly LedgerCommit[],
  changed: ChangedFiles | undefined,
  head: string,
): Promise<CommitDiffs> {
  const own = new Set(commits.map(({ sha }) => sha));
  const between = [...own].filter((sha) => sha !== head);
  const outside = commits.flatMap(({ parents }) => (parents.length > 1 ? parents.filter((one) => !own.has(one)) : []));
  const folders = new Set<string>();
  for (const { path, old_path } of changed?.files ?? []) {
    for (const name of [path, old_path ?? path]) {
      for (let slash = name.lastIndexOf('/'); slash > 0; slash = name.lastIndexOf('/', slash - 1)) {
        const folder = name.slice(0, slash);
        if (folders.has(folder)) break;
        folders.add(folder);
      }
    }
  }
  await trees.guess([...new Set([...between, ...outside])], [...folders]);
  return commitDiffs(trees, commits);
}

function pathsOnly(diffs: CommitDiffs | undefined): LedgerChanges['byCommit'] {
  const byCommit = new Map<string, CommitFacts['ledger_changes']>();
  for (const { commit, changes } of diffs?.ledger ?? []) {
    const rows = changes.map(({ status, path }) => ({ status, path }));
    byCommit.set(commit.sha, [...(byCommit.get(commit.sha) ?? []), ...rows]);
  }
  return byCommit;
}

function withLedger(commits: readonly CommitFacts[], byCommit: LedgerChanges['byCommit']): CommitFacts[] {
  return commits.map((commit) => ({ ...commit, ledger_changes: [...(byCommit.get(commit.sha) ?? [])] }));
}

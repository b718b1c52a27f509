import { ledgerComparisons, LEDGER } from '../../pull-request/ledger.ts';
import type { Comparison, LedgerCommit } from '../../pull-request/ledger.ts';
import type { RawChange } from '../../pull-request/raw-diff.ts';
import type { Unread } from '../../snapshot/snapshot.ts';
import { mergeDiff, treeDiff } from '../../tree-diff.ts';
import type { MergedChange } from '../../tree-diff.ts';
import { MAX_TREES_A_QUERY } from './tree-store.ts';
import type { TreeStore } from './tree-store.ts';

/** What a commit changes: against its only parent (or nothing), or as a merge against all of them. */
export type CommitDiff =
  | { readonly commit: LedgerCommit; readonly changes: readonly RawChange[] }
  | { readonly commit: LedgerCommit; readonly merged: readonly MergedChange[] };

export interface CommitDiffs {
  /** In the order of the commits. */
  readonly diffs: readonly CommitDiff[];
  /** Each commit against each of its parents, as far as the ledger goes. */
  readonly ledger: readonly Comparison[];
  readonly unread: readonly Unread[];
}

/** Commits that are compared at once: their unknown folders fit into one query. */
const AT_ONCE = MAX_TREES_A_QUERY;

/** Changes of all commits together that are kept. */
const MAX_KEPT_CHANGES = 1_000_000;

/**
 * Compares each commit with its parents by their trees. What several have in common is asked for once; what is unknown
 * of many commits at one depth of folders is asked for together.
 * @throws Refusal CS1508 and the client's
 */
export async function commitDiffs(trees: TreeStore, commits: readonly LedgerCommit[]): Promise<CommitDiffs> {
  const diffs: CommitDiff[] = [];
  const ledger: Comparison[] = [];
  const unread: Unread[] = [];
  let kept = 0;
  for (let at = 0; at < commits.length; at += AT_ONCE) {
    if (kept > MAX_KEPT_CHANGES) {
      const why = `the commits before them change more than ${MAX_KEPT_CHANGES} files in all`;
      unread.push({ what: `changes of ${commits.length - at} commits`, why });
      break;
    }
    for (const one of await Promise.all(commits.slice(at, at + AT_ONCE).map((commit) => diffOf(trees, commit)))) {
      diffs.push(one.diff);
      ledger.push(...one.ledger);
      unread.push(...one.unread);
      kept += 'merged' in one.diff ? one.diff.merged.length : one.diff.changes.length;
    }
  }
  return { diffs, ledger, unread };
}

async function diffOf(
  trees: TreeStore,
  commit: LedgerCommit,
): Promise<{ readonly diff: CommitDiff; readonly ledger: readonly Comparison[]; readonly unread: readonly Unread[] }> {
  const { sha, parents } = commit;
  const [own, ...theirs] = await Promise.all([sha, ...parents].map((one) => trees.rootOf(one)));
  const rows = (unread: readonly Unread[]): Unread[] =>
    unread.map(({ what, why }) => ({ what: `${what} in commit ${sha}`, why }));
  const named = (unnamed: readonly string[]): Unread[] =>
    unnamed.map((path) => ({ what: `${path} in commit ${sha}`, why: 'its path is not valid UTF-8' }));
  if (theirs.length < 2) {
    const { changes, unnamed, unread } = await treeDiff(trees, theirs[0], own);
    const isLedger = ({ path }: RawChange): boolean =>
      LEDGER.some((place) => path === place || path.startsWith(`${place}/`));
    const [asked] = ledgerComparisons([commit]);
    return {
      diff: { commit, changes },
      ledger: asked === undefined ? [] : [{ ...asked, changes: changes.filter(isLedger) }],
      unread: [...rows(unread), ...named(unnamed)],
    };
  }
  const [merged, ...sides] = await Promise.all([
    mergeDiff(trees, theirs, own ?? ''),
    ...theirs.map((parent) => treeDiff(trees, parent, own, { under: LEDGER })),
  ]);
  return {
    diff: { commit, merged: merged.changes },
    ledger: ledgerComparisons([commit]).map((asked, at) => ({ ...asked, changes: sides[at]?.changes ?? [] })),
    unread: rows([...merged.unread, ...sides.flatMap((side) => side.unread)]).concat(
      sides.flatMap((side) => named(side.unnamed)),
    ),
  };
}

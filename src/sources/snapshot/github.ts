import type { TreeStore } from '../github/content/tree-store.ts';
import type { ObjectReader } from '../git-objects.ts';
import { treeSnapshot } from './tree.ts';
import type { SourceSnapshot } from './snapshot.ts';

/**
 * The files of a commit, read from GitHub: no checkout. Every folder and every content is proved by its id.
 * @param commit full id of a commit
 */
export function githubSnapshot(trees: TreeStore, blobs: ObjectReader, commit: string): SourceSnapshot {
  return treeSnapshot({
    where: trees.where,
    root: async () => trees.tree(await trees.rootOf(commit)),
    tree: (oid) => trees.tree(oid),
    size: async (oid) => (await blobs.info(oid))?.size,
    read: (oid, hold) => blobs.read(oid, hold),
  });
}

import { Refusal } from '../../domain/errors.ts';
import type { GitRepository } from '../git.ts';
import type { ObjectReader } from '../git-objects.ts';
import { parseTree } from '../git-tree.ts';
import type { TreeItem } from '../git-tree.ts';
import { treeSnapshot } from './tree.ts';
import type { SourceSnapshot } from './snapshot.ts';

/** Bytes of a tree object that is read: some 200,000 entries. */
const MAX_TREE = 16 * 1024 * 1024;

/** Tree objects that are kept taken apart. */
const KEPT_TREES = 4096;

/** Tree objects by id, shared by the snapshots of one collection: base and head have most in common. */
export type TreeCache = Map<string, Promise<readonly TreeItem[]>>;

/**
 * The files of a commit, read from the object database: no checkout, no filter, no attribute, no index.
 * @param commit full id of a commit
 */
export function commitSnapshot(
  repository: GitRepository,
  objects: ObjectReader,
  commit: string,
  trees: TreeCache = new Map(),
): SourceSnapshot {
  const where = repository.root;
  const idLength = repository.objectFormat === 'sha1' ? 20 : 32;
  const readTree = async (name: string): Promise<readonly TreeItem[]> => {
    const object = await objects.read(name, MAX_TREE);
    if (object === undefined) throw new Refusal('CS1508', `Tree ${name} is missing.`, { where });
    const items = object.type === 'tree' && object.bytes !== undefined ? parseTree(object.bytes, idLength) : undefined;
    if (items === undefined) throw new Refusal('CS1508', `${name} is no tree that can be read.`, { where });
    return items;
  };
  const tree = (name: string): Promise<readonly TreeItem[]> => {
    const known = trees.get(name);
    if (known !== undefined) return known;
    if (trees.size >= KEPT_TREES) trees.clear();
    const read = readTree(name);
    trees.set(name, read);
    return read;
  };
  return treeSnapshot({
    where,
    root: () => tree(`${commit}^{tree}`),
    tree,
    size: async (oid) => (await objects.info(oid))?.size,
    read: (oid, hold) => objects.read(oid, hold),
  });
}

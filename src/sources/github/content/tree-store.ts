import { Refusal } from '../../../domain/errors.ts';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import type { TreeItem } from '../../git-tree.ts';
import type { TreeSource } from '../../tree-source.ts';
import { gather } from './gather.ts';
import { recursiveTree } from './recursive-tree.ts';
import { askTrees } from './tree-query.ts';
import type { ToldTree, TreeName } from './tree-query.ts';

/**
 * Trees in one query: some 100 bytes come back for an entry, and GitHub ends a query after 10 seconds (GraphQL docs,
 * "Rate limits and query limits"). One that takes too long is halved.
 */
export const MAX_TREES_A_QUERY = 200;

/** Trees of a repository at GitHub: each is asked for once, and proved by its id. */
export interface TreeStore extends TreeSource {
  /**
   * Reads all trees of commits, a call for each that is not read yet. What fails is asked for again, folder by folder,
   * by whoever needs it, and fails there.
   */
  load(commits: readonly string[]): Promise<void>;
  /** Id of a commit's tree. @throws Refusal CS1508 where there is no such commit */
  rootOf(commit: string): Promise<string>;
  /** Tells the id of a commit's tree, where another answer had it. */
  knowRoot(commit: string, root: string): void;
  /** Reads what some commits have at some folders, where that is few enough to be guessed in one call. */
  guess(commits: readonly string[], folders: readonly string[]): Promise<void>;
  /** Bytes of a blob, where a tree told them. */
  sizeOf(oid: string): number | undefined;
  /** How the repository is named in a refusal. */
  readonly where: string;
}

/** Opens the trees of a repository; nothing is asked for yet. */
export function openTrees(api: GitHubApi, repository: RepositoryName): TreeStore {
  const where = `${repository.owner}/${repository.repo}`;
  const trees = new Map<string, Promise<readonly TreeItem[]>>();
  const roots = new Map<string, Promise<string>>();
  const sizes = new Map<string, number>();
  const loaded = new Set<string>();
  const ask = gather<TreeName, ToldTree | undefined>(
    { count: MAX_TREES_A_QUERY, weight: MAX_TREES_A_QUERY, weightOf: () => 1 },
    (names) => askTrees(api, repository, names),
  );

  const keep = (told: ToldTree): ToldTree => {
    if (!trees.has(told.oid)) trees.set(told.oid, Promise.resolve(told.items));
    for (const [oid, size] of told.sizes) sizes.set(oid, size);
    return told;
  };
  // What fails is not kept: it may be asked for again, by whoever cannot do without.
  const known = <T>(cache: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> => {
    const found = cache.get(key);
    if (found !== undefined) return found;
    const reading = read();
    cache.set(key, reading);
    reading.catch(() => cache.delete(key));
    return reading;
  };
  const readRoot = async (commit: string): Promise<string> => {
    const told = await ask({ by: 'commit', commit });
    if (told === undefined) throw missing(`Commit ${commit}`);
    return keep(told).oid;
  };
  const missing = (what: string): Refusal => new Refusal('CS1508', `${what} is missing.`, { where });

  const rootOf = (commit: string): Promise<string> => known(roots, commit, () => readRoot(commit));
  const tree = (oid: string): Promise<readonly TreeItem[]> =>
    known(trees, oid, async () => {
      const told = await ask({ by: 'id', oid });
      if (told === undefined) throw missing(`Tree ${oid}`);
      return keep(told).items;
    });

  const loadOne = async (commit: string): Promise<void> => {
    loaded.add(commit);
    const expected = await roots.get(commit);
    const told = await recursiveTree(api, repository, commit, expected);
    for (const [oid, items] of told.trees) trees.set(oid, Promise.resolve(items));
    for (const [oid, size] of told.sizes) sizes.set(oid, size);
    const root = expected ?? told.root;
    if (root !== undefined && !roots.has(commit)) roots.set(commit, Promise.resolve(root));
  };

  return {
    where,
    tree,
    load: async (commits) => {
      const fresh = [...new Set(commits)].filter((commit) => !loaded.has(commit));
      await Promise.allSettled(fresh.map(loadOne));
    },
    rootOf,
    knowRoot: (commit, root) => {
      if (!roots.has(commit)) roots.set(commit, Promise.resolve(root));
    },
    guess: async (commits, folders) => {
      const inside = folders.filter((folder) => folder !== '');
      if (commits.length * (1 + inside.length) > MAX_TREES_A_QUERY) return;
      const folderOf = async (commit: string, folder: string): Promise<void> => {
        const told = await ask({ by: 'folder', commit, folder });
        if (told !== undefined) keep(told);
      };
      // What fails here is asked for again by whoever needs it, and fails there.
      await Promise.allSettled(
        commits.flatMap((commit) => [
          rootOf(commit).then((oid) => tree(oid)),
          ...inside.map((folder) => folderOf(commit, folder)),
        ]),
      );
    },
    sizeOf: (oid) => sizes.get(oid),
  };
}

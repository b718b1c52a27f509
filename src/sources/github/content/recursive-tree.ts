import * as z from 'zod';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { shaped } from '../../../github/graphql.ts';
import type { TreeItem } from '../../git-tree.ts';
import { oidSchema, verifiedTree } from './objects.ts';
import type { ToldEntry } from './objects.ts';

const CALL = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}';

/** REST "Get a tree": at most 100,000 entries and 7 MB, then `truncated`; sizes of blobs in bytes. */
const answerSchema = z.object({
  sha: oidSchema,
  truncated: z.boolean(),
  tree: z.array(
    z.object({
      path: z.string(),
      mode: z.string().regex(/^[0-7]{1,6}$/),
      sha: oidSchema,
      size: z.int().nonnegative().optional(),
    }),
  ),
});

/** What one call told of a tree. */
export interface RecursiveTree {
  /** Id of the root; undefined where the answer does not show it whole. */
  readonly root: string | undefined;
  /** Trees that were told whole, by id. */
  readonly trees: ReadonlyMap<string, readonly TreeItem[]>;
  /** Bytes of blobs, by id. */
  readonly sizes: ReadonlyMap<string, number>;
}

/**
 * Reads a tree with all below it in one call (GET /repos/{owner}/{repo}/git/trees/{tree_sha}?recursive=1). Each folder
 * counts only where its entries make up its id, so a truncated answer gives what it has, and no folder in part.
 * @param name id of a tree or a commit
 * @param expected id of the tree, where it is known
 * @throws Refusal CS1604 where there is none; CS1606 and the client's
 */
export async function recursiveTree(
  api: GitHubApi,
  repository: RepositoryName,
  name: string,
  expected?: string,
): Promise<RecursiveTree> {
  const answer = await api.request(CALL, {
    ...repository,
    tree_sha: name,
    recursive: '1',
  });
  const { sha, tree, truncated } = shaped(answerSchema, answer.data, CALL);
  const folders = new Map<string, ToldEntry[]>([['', []]]);
  const ids = new Map<string, string>();
  const sizes = new Map<string, number>();
  for (const { path, mode, sha: oid, size } of tree) {
    const slash = path.lastIndexOf('/');
    const folder = slash === -1 ? '' : path.slice(0, slash);
    const told = { name: Buffer.from(path.slice(slash + 1)), mode: mode.replace(/^0+(?=.)/, ''), oid };
    const entries = folders.get(folder);
    if (entries === undefined) folders.set(folder, [told]);
    else entries.push(told);
    if (told.mode === '40000') {
      ids.set(path, oid);
      if (!folders.has(path)) folders.set(path, []);
    } else if (size !== undefined) sizes.set(oid, size);
  }
  const trees = new Map<string, readonly TreeItem[]>();
  for (const [path, oid] of ids) {
    const found = trees.has(oid) ? undefined : verifiedTree(oid, folders.get(path) ?? []);
    if (found !== undefined) trees.set(oid, found.items);
  }
  const root = verifiedTree(expected, folders.get('') ?? []);
  // Asked by a commit's id, GitHub may name that one in its answer and not the tree.
  if (root === undefined || (expected === undefined && root.oid !== sha && (truncated || sha !== name)))
    return { root: undefined, trees, sizes };
  trees.set(root.oid, root.items);
  return { root: root.oid, trees, sizes };
}

import * as z from 'zod';
import { Refusal } from '../../../domain/errors.ts';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { query } from '../../../github/graphql.ts';
import type { TreeItem } from '../../git-tree.ts';
import { oidSchema, verifiedTree } from './objects.ts';

/** A tree that is asked for: by its id, as that of a commit, or as a folder of a commit, which may not be there. */
export type TreeName =
  | { readonly by: 'id'; readonly oid: string }
  | { readonly by: 'commit'; readonly commit: string }
  | { readonly by: 'folder'; readonly commit: string; readonly folder: string };

export interface ToldTree {
  readonly oid: string;
  readonly items: readonly TreeItem[];
  /** Bytes of blobs, by id. */
  readonly sizes: readonly (readonly [oid: string, size: number])[];
}

// GraphQL reference, objects `Tree` and `TreeEntry`: `mode` is a number, `nameRaw` the name's bytes in Base64.
const TREE = 'oid entries { nameRaw mode oid size type }';
const treeSchema = z.object({
  oid: oidSchema,
  entries: z.array(
    z.object({
      nameRaw: z.base64(),
      mode: z.int().nonnegative().max(0o177777),
      oid: oidSchema,
      size: z.int().nonnegative(),
      type: z.string(),
    }),
  ),
});
// Another kind of object leaves an empty object. One that is filled in part is none: by the schema `entries` may be null,
// and what GitHub could not read is not to be taken for what is not there.
const objectSchema = z.union([treeSchema, z.object({ tree: treeSchema }), z.strictObject({}), z.null()]);
const answerSchema = z.object({ repository: z.record(z.string(), objectSchema) });

/**
 * Asks for trees in one GraphQL query.
 * @returns in their order; undefined for one that is not there
 * @throws Refusal CS1508 where the entries are not what the id stands for; CS1606 and the client's
 */
export async function askTrees(
  api: GitHubApi,
  { owner, repo }: RepositoryName,
  names: readonly TreeName[],
): Promise<(ToldTree | undefined)[]> {
  const variables: Record<string, string> = { owner, repo };
  const fields = names.map((name, at) => {
    switch (name.by) {
      case 'id':
        variables[`o${at}`] = name.oid;
        return `t${at}: object(oid: $o${at}) { ... on Tree { ${TREE} } }`;
      case 'commit':
        variables[`o${at}`] = name.commit;
        return `t${at}: object(oid: $o${at}) { ... on Commit { tree { ${TREE} } } }`;
      case 'folder':
        variables[`e${at}`] = `${name.commit}:${name.folder}`;
        return `t${at}: object(expression: $e${at}) { ... on Tree { ${TREE} } }`;
    }
  });
  const declared = names.map(({ by }, at) => (by === 'folder' ? `$e${at}: String!` : `$o${at}: GitObjectID!`));
  const text = `query($owner: String!, $repo: String!, ${declared.join(', ')}) {
  repository(owner: $owner, name: $repo) { ${fields.join('\n')} }
}`;
  const { repository } = await query(api, text, variables, answerSchema);
  return names.map((name, at) => toldTree(name, repository[`t${at}`]));
}

function toldTree(name: TreeName, answer: z.infer<typeof objectSchema> | undefined): ToldTree | undefined {
  if (answer === undefined || answer === null) return undefined;
  const tree = 'tree' in answer ? answer.tree : 'entries' in answer ? answer : undefined;
  if (tree === undefined) return undefined;
  if (name.by === 'id' && tree.oid !== name.oid)
    throw new Refusal('CS1606', `GitHub answered with tree ${tree.oid} where ${name.oid} was asked for.`);
  const entries = tree.entries.map(({ nameRaw, mode, oid }) => ({
    name: Buffer.from(nameRaw, 'base64'),
    mode: mode.toString(8),
    oid,
  }));
  const found = verifiedTree(tree.oid, entries);
  if (found === undefined) throw new Refusal('CS1508', `Tree ${tree.oid} is not what its name says.`);
  const blobs = tree.entries.filter(({ type }) => type === 'blob');
  return { ...found, sizes: blobs.map(({ oid, size }) => [oid, size] as const) };
}

import * as z from 'zod';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { query } from '../../../github/graphql.ts';

/** What a query tells of a blob: its text where it is one and whole, else its size; undefined where there is none. */
export interface ToldBlob {
  readonly size: number;
  /** As GitHub decoded it: it counts only where its bytes make up the blob's id. */
  readonly text: string | undefined;
}

// GraphQL reference, object `Blob`: `text` is null for binary files, and cut where `isTruncated` says so.
const objectSchema = z.union([
  z.object({
    byteSize: z.int().nonnegative(),
    isBinary: z.boolean().nullable(),
    isTruncated: z.boolean(),
    text: z.string().nullable(),
  }),
  // Another kind of object. One that is filled in part is not the same.
  z.strictObject({}),
  z.null(),
]);
const answerSchema = z.object({ repository: z.record(z.string(), objectSchema) });

/**
 * Asks for the texts of blobs in one GraphQL query.
 * @returns in their order; undefined for one that is not there, or no blob
 * @throws Refusal CS1606 and the client's
 */
export async function askBlobs(
  api: GitHubApi,
  { owner, repo }: RepositoryName,
  oids: readonly string[],
): Promise<(ToldBlob | undefined)[]> {
  const declared = oids.map((_oid, at) => `$o${at}: GitObjectID!`).join(', ');
  const fields = oids.map(
    (_oid, at) => `b${at}: object(oid: $o${at}) { ... on Blob { byteSize isBinary isTruncated text } }`,
  );
  const text = `query($owner: String!, $repo: String!, ${declared}) {
  repository(owner: $owner, name: $repo) { ${fields.join('\n')} }
}`;
  const variables = Object.fromEntries(oids.map((oid, at) => [`o${at}`, oid]));
  const { repository } = await query(api, text, { owner, repo, ...variables }, answerSchema);
  return oids.map((_oid, at) => {
    const told = repository[`b${at}`];
    if (told === undefined || told === null || !('byteSize' in told)) return undefined;
    const isWhole = told.isBinary !== true && !told.isTruncated;
    return { size: told.byteSize, text: isWhole ? (told.text ?? undefined) : undefined };
  });
}

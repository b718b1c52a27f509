import { createHash } from 'node:crypto';
import * as z from 'zod';
import { Refusal } from '../../../domain/errors.ts';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { absentOr } from '../../../github/errors.ts';
import { shaped } from '../../../github/graphql.ts';
import type { GitObject } from '../../git-objects.ts';
import { objectId } from './objects.ts';

/** Bytes of a blob that GitHub gives (REST "Get a blob"). */
export const MAX_BLOB = 100 * 1024 * 1024;

const CALL = 'GET /repos/{owner}/{repo}/git/blobs/{file_sha}';
const answerSchema = z.object({ encoding: z.literal('base64'), content: z.string() });

/**
 * Reads one blob by itself, and checks it against its id. It is asked for in Base64: what GitHub gives raw it declares
 * as UTF-8, so that clients decode it, and bytes that are none would be lost.
 * @param size in bytes, where it is known
 * @returns undefined where there is none
 * @throws Refusal CS1508 where it is not what its id says, or too large to be had; the client's
 */
export async function readSingleBlob(
  api: GitHubApi,
  repository: RepositoryName,
  oid: string,
  size: number | undefined,
): Promise<GitObject | undefined> {
  const where = `${repository.owner}/${repository.repo}`;
  if (size !== undefined && size > MAX_BLOB)
    throw new Refusal('CS1508', `Blob ${oid} is larger than the 100 MB that GitHub gives.`, { where });
  const answer = await absentOr(api.request(CALL, { ...repository, file_sha: oid }));
  if (answer === undefined) return undefined;
  const bytes = Buffer.from(shaped(answerSchema, answer.data, CALL).content, 'base64');
  if (objectId('blob', bytes, oid) !== oid)
    throw new Refusal('CS1508', `Object ${oid} is not what its name says.`, { where });
  return { oid, type: 'blob', size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex'), bytes };
}

import { createHash } from 'node:crypto';
import { Refusal, isRefusal } from '../../../domain/errors.ts';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import type { GitObject } from '../../git-objects.ts';

/** Bytes of a blob that GitHub gives (REST "Get a blob"). */
export const MAX_BLOB = 100 * 1024 * 1024;

/** How often a body that breaks off is asked for. */
const TRIES = 3;

/**
 * Reads a blob as it is (GET /repos/{owner}/{repo}/git/blobs/{file_sha}, raw), and checks it against its id. Its body
 * is taken from the connection: what GitHub declares as UTF-8 would be decoded on the way, and lost where it is none.
 * @param size in bytes, where it is known: then only what is to be held is kept in memory
 * @param hold bytes up to which the content is kept
 * @returns undefined where there is none
 * @throws Refusal CS1508 where it is not what its id says, or too large to be had; CS1601 and the client's
 */
export async function readRawBlob(
  api: GitHubApi,
  repository: RepositoryName,
  oid: string,
  size: number | undefined,
  hold: number,
): Promise<GitObject | undefined> {
  const where = `${repository.owner}/${repository.repo}`;
  if (size !== undefined && size > MAX_BLOB)
    throw new Refusal('CS1508', `Blob ${oid} is larger than the 100 MB that GitHub gives.`, { where });
  for (let left = TRIES; ; left -= 1) {
    try {
      return await readOnce(api, repository, oid, size, hold);
    } catch (thrown) {
      if (isRefusal(thrown) && thrown.code === 'CS1604') return undefined;
      if (isRefusal(thrown) || !(thrown instanceof BrokenOff)) throw thrown;
      if (left > 1) continue;
      throw new Refusal('CS1601', `The content of blob ${oid} broke off.`, { where, cause: thrown.cause });
    }
  }
}

/** The connection ended within a body. */
class BrokenOff extends Error {}

async function readOnce(
  api: GitHubApi,
  repository: RepositoryName,
  oid: string,
  size: number | undefined,
  hold: number,
): Promise<GitObject | undefined> {
  const answer = await api.request('GET /repos/{owner}/{repo}/git/blobs/{file_sha}', {
    ...repository,
    file_sha: oid,
    headers: { accept: 'application/vnd.github.raw+json' },
    request: { parseSuccessResponseBody: false },
  });
  const body: unknown = answer.data;
  const where = `${repository.owner}/${repository.repo}`;
  if (!isReadable(body)) throw new Refusal('CS1606', `Blob ${oid} came without a body.`, { where });
  const digest = createHash('sha256');
  const chunks: Uint8Array[] = [];
  // The id is a hash of the size first: where it is not known, all has to be there before it can be checked.
  const isKept = size === undefined || size <= hold;
  const proof = createHash(oid.length === 64 ? 'sha256' : 'sha1');
  if (size !== undefined) proof.update(`blob ${size}\0`);
  let read = 0;
  for await (const chunk of chunksOf(body)) {
    read += chunk.length;
    if (read > MAX_BLOB) throw new Refusal('CS1508', `Blob ${oid} is larger than 100 MB.`, { where });
    digest.update(chunk);
    if (size !== undefined) proof.update(chunk);
    if (isKept) chunks.push(chunk);
  }
  const bytes = isKept ? Buffer.concat(chunks) : undefined;
  if (size === undefined) proof.update(`blob ${read}\0`).update(bytes ?? '');
  if (proof.digest('hex') !== oid) throw new Refusal('CS1508', `Object ${oid} is not what its name says.`, { where });
  return { oid, type: 'blob', size: read, sha256: digest.digest('hex'), bytes: read <= hold ? bytes : undefined };
}

function isReadable(body: unknown): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body;
}

async function* chunksOf(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* body;
  } catch (cause) {
    throw new BrokenOff('broken off', { cause });
  }
}

import { moveBranch } from '../acts/branches.ts';
import { isAncestor, isRefName, listRefs, writeRef } from '../git/refs.ts';
import { readObject } from '../git/objects.ts';
import { ApiError, created, noContent, notFound, ok } from '../http/answer.ts';
import { bodyOf, param, repo, writer } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { textOf } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { repositoryApi } from '../show/repository.ts';

const BRANCHES = 'refs/heads/';

function show(call: Call, ref: string, sha: string, type: string): JsonObject {
  const api = `${repositoryApi(call.sandbox, repo(call))}/git`;
  return {
    ref,
    node_id: Buffer.from(`Ref:${ref}`).toString('base64url'),
    url: `${api}/${ref.split('/').map(encodeURIComponent).join('/')}`,
    object: { sha, type, url: `${api}/${type}s/${sha}` },
  };
}

async function typeOf(call: Call, sha: string): Promise<string> {
  return (await readObject(repo(call).folder, sha))?.type ?? 'commit';
}

async function get(call: Call) {
  const ref = `refs/${param(call, 'ref')}`;
  const sha = (await listRefs(repo(call).folder)).get(ref);
  if (sha === undefined) throw notFound();
  return ok(show(call, ref, sha, await typeOf(call, sha)));
}

async function matching(call: Call) {
  const refs = await listRefs(repo(call).folder, `refs/${param(call, 'ref')}`);
  const shown = [...refs].map(async ([ref, sha]) => show(call, ref, sha, await typeOf(call, sha)));
  return ok(await Promise.all(shown));
}

async function create(call: Call) {
  const repository = repo(call);
  const ref = textOf(bodyOf(call), 'ref') ?? '';
  const sha = textOf(bodyOf(call), 'sha') ?? '';
  if (!/^refs\/(heads|tags)\/./.test(ref) || !(await isRefName(repository.folder, ref))) {
    throw new ApiError(422, `Reference name must start with 'refs' and have at least two slashes: ${ref}`);
  }
  if ((await listRefs(repository.folder)).has(ref)) throw new ApiError(422, 'Reference already exists');
  await set(call, ref, await object(call, sha));
  return created(show(call, ref, sha, await typeOf(call, sha)));
}

async function object(call: Call, sha: string): Promise<string> {
  const found = /^[0-9a-f]{40}$/.test(sha) ? await readObject(repo(call).folder, sha) : undefined;
  if (found === undefined) throw new ApiError(422, 'Object does not exist');
  return sha;
}

async function set(call: Call, ref: string, sha: string | null): Promise<void> {
  const repository = repo(call);
  if (!ref.startsWith(BRANCHES)) await writeRef(repository.folder, ref, sha);
  else {
    const actor = { actorId: writer(call).userId };
    await moveBranch(call.sandbox, repository, ref.slice(BRANCHES.length), sha, actor);
  }
}

async function update(call: Call) {
  const { folder } = repo(call);
  const ref = `refs/${param(call, 'ref')}`;
  const before = (await listRefs(folder)).get(ref);
  if (before === undefined) throw new ApiError(422, 'Reference does not exist');
  const sha = await object(call, textOf(bodyOf(call), 'sha') ?? '');
  const forced = bodyOf(call)['force'] === true;
  if (!forced && !(await isAncestor(folder, before, sha))) throw new ApiError(422, 'Update is not a fast forward');
  await set(call, ref, sha);
  return ok(show(call, ref, sha, await typeOf(call, sha)));
}

async function remove(call: Call) {
  const ref = `refs/${param(call, 'ref')}`;
  if (!(await listRefs(repo(call).folder)).has(ref)) throw new ApiError(422, 'Reference does not exist');
  await set(call, ref, null);
  return noContent();
}

export const REF_ROUTES = {
  'git/get-ref': get,
  'git/list-matching-refs': matching,
  'git/create-ref': create,
  'git/update-ref': update,
  'git/delete-ref': remove,
} satisfies Routes;

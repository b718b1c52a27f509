import { readCommit, readObject, readTree } from '../git/objects.ts';
import type { TreeEntry } from '../git/objects.ts';
import { commitTree, writeObject, writeTree } from '../git/write.ts';
import { resolveCommit } from '../git/refs.ts';
import { ApiError, created, invalid, notFound, ok } from '../http/answer.ts';
import { bodyOf, param, repo, writer } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import type { JsonObject } from '../json.ts';
import { listOf, objectOf, textOf } from '../json.ts';
import { accountOf } from '../state.ts';
import { showGitCommit } from '../show/commit.ts';
import { repositoryApi } from '../show/repository.ts';

/** Bytes of a blob at most (description, "Get a blob"). */
const MAX_BLOB = 100 * 1024 * 1024;

const gitApi = (call: Call, rest: string): string => `${repositoryApi(call.sandbox, repo(call))}/git/${rest}`;

async function getBlob(call: Call) {
  const sha = param(call, 'file_sha');
  if (!/^[0-9a-f]{40}$/.test(sha))
    throw new ApiError(422, 'The sha parameter must be exactly 40 characters and contain only [0-9a-f].');
  const found = await readObject(repo(call).folder, sha);
  if (found?.type !== 'blob') throw notFound();
  if (found.bytes.length > MAX_BLOB) throw new ApiError(403, 'This API returns blobs up to 100 MB in size.');
  if (/\braw\b/.test(call.accept)) return { status: 200, body: found.bytes };
  const content = `${found.bytes.toString('base64').replace(/.{60}/g, '$&\n')}\n`;
  const node_id = Buffer.from(`Blob:${sha}`).toString('base64url');
  return ok({ sha, node_id, size: found.bytes.length, url: gitApi(call, `blobs/${sha}`), content, encoding: 'base64' });
}

async function createBlob(call: Call) {
  const body = bodyOf(call);
  const encoding = textOf(body, 'encoding') ?? 'utf-8';
  const content = textOf(body, 'content') ?? '';
  if (encoding !== 'utf-8' && encoding !== 'base64') throw invalid('Blob', 'encoding');
  const sha = await writeObject(repo(call).folder, 'blob', Buffer.from(content, encoding));
  return created({ sha, url: gitApi(call, `blobs/${sha}`) });
}

async function getTree(call: Call) {
  const { folder } = repo(call);
  const wanted = param(call, 'tree_sha');
  const name = (await resolveCommit(folder, wanted)) ?? wanted;
  const found = /^[0-9a-f]{40}$/.test(name) ? await readObject(folder, `${name}^{tree}`) : undefined;
  if (found?.type !== 'tree') throw notFound();
  const deep = call.query['recursive'] !== undefined;
  const entries = await walkTree(folder, found.sha, '', deep);
  const limit = call.sandbox.limits.treeEntries;
  const tree = entries.slice(0, limit).map(({ path, size, entry: { mode, type, sha } }) => ({
    ...{ path, mode, type, sha },
    ...(type === 'commit' ? {} : { url: gitApi(call, `${type}s/${sha}`) }),
    ...(size === undefined ? {} : { size }),
  }));
  const { sha } = found;
  return ok({ sha, url: gitApi(call, `trees/${sha}`), tree, truncated: entries.length > limit });
}

interface Walked {
  readonly path: string;
  readonly entry: TreeEntry;
  readonly size: number | undefined;
}

async function walkTree(folder: string, sha: string, prefix: string, deep: boolean): Promise<Walked[]> {
  const entries = (await readTree(folder, sha)) ?? [];
  const walked = await Promise.all(
    entries.map(async (entry) => {
      const path = `${prefix}${entry.name}`;
      const size = entry.type === 'blob' ? (await readObject(folder, entry.sha))?.bytes.length : undefined;
      const inner = deep && entry.type === 'tree' ? await walkTree(folder, entry.sha, `${path}/`, deep) : [];
      return [{ path, entry, size }, ...inner];
    }),
  );
  return walked.flat();
}

async function createTree(call: Call) {
  const { folder } = repo(call);
  const body = bodyOf(call);
  const base = textOf(body, 'base_tree') ?? null;
  if (base !== null && (await readTree(folder, base)) === undefined) {
    throw new ApiError(422, `base_tree is not a valid tree oid: ${base}`);
  }
  const entries = await Promise.all(
    listOf(body, 'tree').map(async (one) => {
      const { path, mode, content, sha } = one as JsonObject;
      const blob = typeof content === 'string' ? await writeObject(folder, 'blob', content) : sha;
      if (typeof blob === 'string' && mode !== '160000' && (await readObject(folder, blob)) === undefined) {
        throw new ApiError(422, `GitRPC::BadObjectState: ${blob}`);
      }
      if (typeof path !== 'string' || path.startsWith('/'))
        throw new ApiError(422, 'tree.path contains a malformed path component');
      return { path, mode: typeof mode === 'string' ? mode : '100644', sha: typeof blob === 'string' ? blob : null };
    }),
  );
  const sha = await writeTree(folder, base, entries);
  const tree = ((await readTree(folder, sha)) ?? []).map((one) => ({
    ...{ path: one.name, mode: one.mode, type: one.type, sha: one.sha },
    ...(one.type === 'commit' ? {} : { url: gitApi(call, `${one.type}s/${one.sha}`) }),
  }));
  return created({ sha, url: gitApi(call, `trees/${sha}`), tree, truncated: false });
}

async function getCommit(call: Call) {
  const wanted = param(call, 'commit_sha');
  const commit = /^[0-9a-f]{40}$/.test(wanted) ? await readCommit(repo(call).folder, wanted) : undefined;
  if (commit === undefined) throw notFound();
  return ok(showGitCommit(call.sandbox, repo(call), commit));
}

async function createCommit(call: Call) {
  const { sandbox } = call;
  const { folder } = repo(call);
  const body = bodyOf(call);
  const tree = textOf(body, 'tree') ?? '';
  if ((await readTree(folder, tree)) === undefined) throw new ApiError(422, 'Tree SHA does not exist');
  const parents = listOf(body, 'parents').map(String);
  for (const parent of parents) {
    if ((await readCommit(folder, parent)) === undefined)
      throw new ApiError(422, 'Parent SHA does not exist or is not a commit object');
  }
  const { login, name, email } = accountOf(sandbox.state, writer(call).userId);
  const own = { name: name ?? login, email: email ?? `${login}@users.noreply.github.com`, at: sandbox.now() };
  const person = (from: JsonObject | undefined, otherwise: typeof own): typeof own => {
    const date = from === undefined ? undefined : textOf(from, 'date');
    return {
      name: (from === undefined ? undefined : textOf(from, 'name')) ?? otherwise.name,
      email: (from === undefined ? undefined : textOf(from, 'email')) ?? otherwise.email,
      at: date === undefined ? otherwise.at : Date.parse(date),
    };
  };
  const author = person(objectOf(body, 'author'), own);
  const committer = person(objectOf(body, 'committer'), author);
  const sha = await commitTree(folder, tree, parents, author, committer, textOf(body, 'message') ?? '');
  const commit = await readCommit(folder, sha);
  if (commit === undefined) throw new Error(`Commit ${sha} was not stored.`);
  return created(showGitCommit(sandbox, repo(call), commit));
}

export const GIT_ROUTES = {
  'git/get-blob': getBlob,
  'git/create-blob': createBlob,
  'git/get-tree': getTree,
  'git/create-tree': createTree,
  'git/get-commit': getCommit,
  'git/create-commit': createCommit,
} satisfies Routes;

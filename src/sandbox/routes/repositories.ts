import { listRefs, readRef } from '../git/refs.ts';
import { readCommit, readObject, readTree } from '../git/objects.ts';
import type { TreeEntry } from '../git/objects.ts';
import { resolveCommit } from '../git/refs.ts';
import { ApiError, invalid, notFound, ok } from '../http/answer.ts';
import { param, queryText, repo } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { listAnswer, perPage } from '../http/pages.ts';
import type { JsonObject } from '../json.ts';
import { iso } from '../json.ts';
import { accountByLogin, existing } from '../state.ts';
import type { Activity } from '../state.ts';
import { nodeId, showAccount } from '../show/account.ts';
import { showCommit } from '../show/commit.ts';
import { repositoryApi, repositoryHtml, showFullRepository } from '../show/repository.ts';
import { isBranchProtected } from './rules.ts';

/** Bytes up to which contents come as base64, and up to which they come at all (description, "Get repository content"). */
const MAX_BASE64 = 1024 * 1024;
const MAX_RAW = 100 * 1024 * 1024;
const PERIODS: Readonly<Record<string, number>> = { day: 1, week: 7, month: 31, quarter: 92, year: 366 };
const DAY = 86_400_000;

async function branches(call: Call) {
  const repository = repo(call);
  const refs = await listRefs(repository.folder, 'refs/heads/');
  const all = [...refs].map(([ref, sha]) => ({ name: ref.slice('refs/heads/'.length), sha }));
  const wanted = all.filter(({ name }) => {
    const asked = call.query['protected'];
    return asked === undefined || asked === isBranchProtected(repository, name);
  });
  return listAnswer(call, wanted, ({ name, sha }) => ({
    name,
    commit: { sha, url: `${repositoryApi(call.sandbox, repository)}/commits/${sha}` },
    protected: isBranchProtected(repository, name),
  }));
}

async function branch(call: Call) {
  const { sandbox } = call;
  const repository = repo(call);
  const name = param(call, 'branch');
  const sha = await readRef(repository.folder, `refs/heads/${name}`);
  if (sha === undefined) throw new ApiError(404, 'Branch not found');
  const api = `${repositoryApi(sandbox, repository)}/branches/${encodeURIComponent(name)}`;
  const isProtected = isBranchProtected(repository, name);
  const required = repository.requiredChecks.get(name) ?? [];
  const checks = {
    enforcement_level: required.length === 0 ? 'off' : 'everyone',
    contexts: required.map(({ context }) => context),
    checks: required.map(({ context, appId }) => ({ context, app_id: appId })),
  };
  return ok({
    name,
    commit: showCommit(sandbox, repository, existing(await readCommit(repository.folder, sha), sha)),
    _links: { self: api, html: `${repositoryHtml(sandbox, repository)}/tree/${name}` },
    protected: isProtected,
    protection: { enabled: isProtected, required_status_checks: checks },
    protection_url: `${api}/protection`,
  });
}

function activities(call: Call) {
  const { sandbox } = call;
  const repository = repo(call);
  const ref = queryText(call, 'ref');
  const actor = queryText(call, 'actor');
  const type = queryText(call, 'activity_type');
  const days = PERIODS[queryText(call, 'time_period') ?? ''];
  const actorId = actor === undefined ? undefined : accountByLogin(sandbox.state, actor)?.id;
  const wanted = repository.activities
    .filter((one) => ref === undefined || one.ref === (ref.startsWith('refs/') ? ref : `refs/heads/${ref}`))
    .filter((one) => actor === undefined || one.actorId === actorId)
    .filter((one) => type === undefined || one.type === type)
    .filter((one) => days === undefined || one.at >= sandbox.now() - days * DAY);
  const ordered = queryText(call, 'direction') === 'asc' ? wanted.toReversed() : wanted;
  return activityPage(call, ordered);
}

/** Activities are walked by `after` and `before`: cursors of the last and the first entry of a page. */
function activityPage(call: Call, all: readonly Activity[]) {
  const size = perPage(call);
  const cursor = (key: string) => all.findIndex(({ id }) => `a${id}` === call.query[key]);
  if (['after', 'before'].some((key) => key in call.query && cursor(key) < 0)) throw invalid('Activity', 'cursor');
  const end = 'before' in call.query ? cursor('before') : undefined;
  const start = 'after' in call.query ? cursor('after') + 1 : end === undefined ? 0 : Math.max(0, end - size);
  const items = all.slice(start, Math.min(end ?? Infinity, start + size));
  const link = (key: string, { id }: Activity, rel: string) => {
    const { after: _after, before: _before, ...rest } = call.search;
    return `<${call.address}?${new URLSearchParams({ ...rest, [key]: `a${id}` }).toString()}>; rel="${rel}"`;
  };
  const [first, last] = [items[0], items.at(-1)];
  const links = [
    ...(last !== undefined && start + items.length < all.length ? [link('after', last, 'next')] : []),
    ...(first !== undefined && start > 0 ? [link('before', first, 'prev')] : []),
  ];
  const body = items.map((one) => ({
    ...{ id: one.id, node_id: nodeId('Activity', one.id), before: one.before, after: one.after, ref: one.ref },
    ...{ timestamp: iso(one.at), activity_type: one.type, actor: showAccount(call.sandbox, one.actorId) },
  }));
  return ok(body, links.length === 0 ? {} : { link: links.join(', ') });
}

async function contents(call: Call) {
  const repository = repo(call);
  const ref = queryText(call, 'ref') ?? repository.defaultBranch;
  const sha = await resolveCommit(repository.folder, ref);
  if (sha === undefined) throw new ApiError(404, `No commit found for the ref ${ref}`);
  const path = param(call, 'path').replace(/^\/|\/$/g, '');
  const entry = await entryAt(repository.folder, sha, path);
  if (entry === undefined) throw notFound();
  if (entry.type === 'tree') {
    const children = existing(await readTree(repository.folder, entry.sha), `tree ${path}`);
    const listed = children.map(async (child) => {
      const blob = child.type === 'blob' ? await readObject(repository.folder, child.sha) : undefined;
      const type = child.mode === '120000' ? 'symlink' : child.type === 'tree' ? 'dir' : 'file';
      const size = blob?.bytes.length ?? 0;
      return { type, size, ...links(call, ref, path === '' ? child.name : `${path}/${child.name}`, child) };
    });
    return ok(await Promise.all(listed));
  }
  if (entry.type === 'commit') {
    // Where it comes from stands in `.gitmodules`, which nobody here asks for.
    const submodule_git_url = `${call.sandbox.url}/submodule.git`;
    return ok({ type: 'submodule', size: 0, submodule_git_url, ...links(call, ref, path, entry) });
  }
  const bytes = existing(await readObject(repository.folder, entry.sha), `blob ${path}`).bytes;
  if (bytes.length > MAX_RAW) throw new ApiError(403, 'This API returns blobs up to 100 MB in size.');
  if (/\braw\b/.test(call.accept)) return { status: 200, body: bytes };
  if (entry.mode === '120000') {
    return ok({
      type: 'symlink',
      size: bytes.length,
      target: bytes.toString('utf8'),
      ...links(call, ref, path, entry),
    });
  }
  const small = bytes.length <= MAX_BASE64;
  const content = small ? `${bytes.toString('base64').replace(/.{60}/g, '$&\n')}\n` : '';
  const encoding = small ? 'base64' : 'none';
  return ok({ type: 'file', encoding, size: bytes.length, content, ...links(call, ref, path, entry) });
}

async function entryAt(folder: string, commit: string, path: string): Promise<TreeEntry | undefined> {
  const tree = existing(await readCommit(folder, commit), `commit ${commit}`).tree;
  let at: TreeEntry = { raw: Buffer.alloc(0), mode: '040000', type: 'tree', name: '', sha: tree };
  for (const step of path === '' ? [] : path.split('/')) {
    const next = (await readTree(folder, at.sha))?.find(({ name }) => name === step);
    if (at.type !== 'tree' || next === undefined) return undefined;
    at = next;
  }
  return at;
}

function links(call: Call, ref: string, path: string, { name, sha, type }: TreeEntry): JsonObject {
  const api = repositoryApi(call.sandbox, repo(call));
  const html = repositoryHtml(call.sandbox, repo(call));
  const encoded = path.split('/').map(encodeURIComponent).join('/');
  const git = `${api}/git/${type === 'tree' ? 'trees' : 'blobs'}/${sha}`;
  const self = `${api}/contents/${encoded}?ref=${encodeURIComponent(ref)}`;
  const page = `${html}/blob/${encodeURIComponent(ref)}/${encoded}`;
  return {
    ...{ name, path, sha, url: self, git_url: git, html_url: page },
    download_url: type === 'blob' ? `${html}/raw/${encodeURIComponent(ref)}/${encoded}` : null,
    _links: { self, git, html: page },
  };
}

export const REPOSITORY_ROUTES = {
  'repos/get': (call) => ok(showFullRepository(call.sandbox, repo(call))),
  'repos/list-branches': branches,
  'repos/get-branch': branch,
  'repos/list-activities': activities,
  'repos/get-content': contents,
} satisfies Routes;

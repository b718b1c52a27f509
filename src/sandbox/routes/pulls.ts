import { editPull, mergePull, openPull } from '../acts/pulls.ts';
import { diffFiles } from '../git/diff.ts';
import { listCommits, mergeBase, readRef } from '../git/refs.ts';
import { ApiError, created, invalid, ok } from '../http/answer.ts';
import { bodyOf, queryText, repo, writer } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { listAnswer, page } from '../http/pages.ts';
import { textOf } from '../json.ts';
import { accountByLogin, accountOf } from '../state.ts';
import type { PullRequest, Repository } from '../state.ts';
import { showFile } from '../show/commit.ts';
import { showPull, showSimplePull } from '../show/pull.ts';
import { showCommits } from './commits.ts';
import { pullIn } from './find.ts';

function list(call: Call) {
  const { sandbox } = call;
  const state = queryText(call, 'state') ?? 'open';
  const head = queryText(call, 'head');
  const base = queryText(call, 'base');
  const key = queryText(call, 'sort') === 'updated' ? 'updatedAt' : 'createdAt';
  const up = queryText(call, 'direction') === 'asc';
  const label = (pull: PullRequest) => `${accountOf(sandbox.state, pull.head.ownerId).login}:${pull.head.ref}`;
  const wanted = [...repo(call).pulls.values()]
    .filter((pull) => state === 'all' || pull.state === state)
    .filter((pull) => head === undefined || label(pull) === head)
    .filter((pull) => base === undefined || pull.base.ref === base)
    .toSorted((a, b) => (a[key] - b[key] || a.number - b.number) * (up ? 1 : -1));
  return listAnswer(call, wanted, (one) => showSimplePull(sandbox, repo(call), one));
}

/** The repository and branch that `head` names: `branch`, or `owner:branch` of a fork. */
async function headOf(call: Call) {
  const [first = '', second] = (textOf(bodyOf(call), 'head') ?? '').split(':');
  const ref = second ?? first;
  const base = repo(call);
  let repository: Repository | undefined = base;
  if (second !== undefined) {
    const owner = accountByLogin(call.sandbox.state, first);
    repository = [...call.sandbox.state.repositories.values()].find(
      ({ id, ownerId, parentId }) => ownerId === owner?.id && (id === base.id || parentId === base.id),
    );
  }
  const sha = repository === undefined ? undefined : await readRef(repository.folder, `refs/heads/${ref}`);
  if (repository === undefined || sha === undefined) throw invalid('PullRequest', 'head');
  return { repository, ref, sha };
}

async function create(call: Call) {
  const { sandbox } = call;
  const repository = repo(call);
  const body = bodyOf(call);
  const title = textOf(body, 'title');
  if (title === undefined) throw invalid('PullRequest', 'title');
  const ref = textOf(body, 'base') ?? '';
  const sha = await readRef(repository.folder, `refs/heads/${ref}`);
  if (sha === undefined) throw invalid('PullRequest', 'base');
  const head = await headOf(call);
  const same = [...repository.pulls.values()].find(
    (one) =>
      one.state === 'open' &&
      one.base.ref === ref &&
      one.head.ref === head.ref &&
      one.head.repositoryId === head.repository.id,
  );
  if (same !== undefined) {
    const owner = accountOf(sandbox.state, head.repository.ownerId).login;
    throw invalid('PullRequest', 'head', `A pull request already exists for ${owner}:${head.ref}.`);
  }
  if ((await listCommits(head.repository.folder, null, head.sha)).length === 0 || head.sha === sha) {
    throw invalid('PullRequest', 'head', `No commits between ${ref} and ${head.ref}`);
  }
  const text = checkedBody(call) ?? null;
  const { userId: authorId } = writer(call);
  const draft = { title, body: text, authorId, head, base: { ref, sha }, draft: body['draft'] === true };
  const pull = await openPull(sandbox, repository, draft);
  return created(await showPull(sandbox, repository, pull));
}

function checkedBody(call: Call): string | undefined {
  const body = textOf(bodyOf(call), 'body');
  const { textCharacters } = call.sandbox.limits;
  if (body !== undefined && [...body].length > textCharacters) {
    throw invalid('PullRequest', 'body', `body is too long (maximum is ${textCharacters} characters)`);
  }
  return body;
}

async function update(call: Call) {
  const { sandbox } = call;
  const repository = repo(call);
  const pull = pullIn(call);
  const body = bodyOf(call);
  const base = textOf(body, 'base');
  if (base !== undefined && (await readRef(repository.folder, `refs/heads/${base}`)) === undefined) {
    throw invalid('PullRequest', 'base');
  }
  const state = textOf(body, 'state') as PullRequest['state'] | undefined;
  if (state === 'open' && pull.merged !== null) throw invalid('PullRequest', 'state');
  const edit = { title: textOf(body, 'title'), body: checkedBody(call), base, state };
  await editPull(sandbox, repository, pull, edit, writer(call).userId);
  return ok(await showPull(sandbox, repository, pull));
}

async function commits(call: Call) {
  const { folder } = repo(call);
  const { base, head } = pullIn(call);
  const all = await listCommits(folder, base.sha, head.sha, { reverse: true });
  // The first 250, without a word about the rest.
  const { items, headers } = page(call, all.slice(0, call.sandbox.limits.pullCommits));
  return ok(await showCommits(call, items), headers);
}

async function files(call: Call) {
  const { sandbox } = call;
  const repository = repo(call);
  const { base, head } = pullIn(call);
  const from = (await mergeBase(repository.folder, base.sha, head.sha)) ?? null;
  const all = await diffFiles(repository.folder, from, head.sha);
  const { items, headers } = page(call, all.slice(0, sandbox.limits.pullFiles));
  return ok(
    items.map((file) => showFile(sandbox, repository, head.sha, file)),
    headers,
  );
}

async function merge(call: Call) {
  const { sandbox } = call;
  const pull = pullIn(call);
  const body = bodyOf(call);
  const wanted = textOf(body, 'sha');
  const method = textOf(body, 'merge_method') ?? 'merge';
  if (pull.state !== 'open' || pull.draft) throw new ApiError(405, 'Pull Request is not mergeable');
  if (wanted !== undefined && wanted !== pull.head.sha) {
    throw new ApiError(409, 'Head branch was modified. Review and try the merge again.');
  }
  if (method === 'rebase') throw new ApiError(405, 'The sandbox cannot merge by rebase.');
  const message = textOf(body, 'commit_message');
  const sha = await mergePull(sandbox, repo(call), pull, {
    method: method === 'squash' ? 'squash' : 'merge',
    message: message === undefined ? undefined : `${textOf(body, 'commit_title') ?? pull.title}\n\n${message}`,
    actorId: writer(call).userId,
  });
  if (sha === undefined) throw new ApiError(405, 'Pull Request is not mergeable');
  return ok({ sha, merged: true, message: 'Pull Request successfully merged' });
}

export const PULL_ROUTES = {
  'pulls/list': list,
  'pulls/create': create,
  'pulls/get': async (call) => ok(await showPull(call.sandbox, repo(call), pullIn(call))),
  'pulls/update': update,
  'pulls/list-commits': commits,
  'pulls/list-files': files,
  'pulls/merge': merge,
} satisfies Routes;

import { addStatus } from '../acts/checks.ts';
import { readCommit } from '../git/objects.ts';
import { ApiError, created, invalid, ok } from '../http/answer.ts';
import { bodyOf, param, repo, writer } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { listAnswer, page } from '../http/pages.ts';
import { textOf } from '../json.ts';
import type { CommitStatus } from '../state.ts';
import { showSimpleStatus, showStatus } from '../show/check.ts';
import { repositoryApi, showMinimalRepository } from '../show/repository.ts';
import { commitInPath } from './find.ts';

async function create(call: Call) {
  const { sandbox } = call;
  const repository = repo(call);
  const body = bodyOf(call);
  const sha = param(call, 'sha');
  if (!/^[0-9a-f]{40}$/.test(sha) || (await readCommit(repository.folder, sha)) === undefined) {
    throw new ApiError(422, `No commit found for SHA: ${sha}`);
  }
  const context = textOf(body, 'context') ?? 'default';
  const description = textOf(body, 'description') ?? null;
  const { statusDescription, statusesOfAContext } = sandbox.limits;
  if (description !== null && description.length > statusDescription) {
    throw invalid('Status', 'description', `description is too long (maximum is ${statusDescription} characters)`);
  }
  const same = repository.statuses.filter((one) => one.sha === sha && one.context === context);
  if (same.length >= statusesOfAContext) {
    throw invalid('Status', 'context', 'This SHA and context has reached the maximum number of statuses.');
  }
  const targetUrl = textOf(body, 'target_url') ?? null;
  if (targetUrl !== null && targetUrl !== '' && !/^https?:\/\//.test(targetUrl)) {
    throw invalid('Status', 'target_url', 'target_url must use http(s) scheme');
  }
  const status = await addStatus(sandbox, repository, {
    ...{ sha, context, description, targetUrl, creatorId: writer(call).userId },
    state: textOf(body, 'state') as CommitStatus['state'],
  });
  return created(showStatus(sandbox, repository, status));
}

/** The worst of the newest statuses: failure before pending before success (description, "Get the combined status"). */
export function combinedState(newest: readonly CommitStatus[]): string {
  if (newest.some(({ state }) => state === 'failure' || state === 'error')) return 'failure';
  return newest.length === 0 || newest.some(({ state }) => state === 'pending') ? 'pending' : 'success';
}

async function combined(call: Call) {
  const { sandbox } = call;
  const repository = repo(call);
  const sha = await commitInPath(call);
  const seen = new Set<string>();
  const newest = repository.statuses.filter(
    (one) => one.sha === sha && !seen.has(one.context) && seen.add(one.context),
  );
  const { items, headers } = page(call, newest);
  const commit = `${repositoryApi(sandbox, repository)}/commits/${sha}`;
  const body = {
    state: combinedState(newest),
    statuses: items.map((one) => showSimpleStatus(sandbox, repository, one)),
    sha,
    total_count: newest.length,
    repository: showMinimalRepository(sandbox, repository),
    commit_url: commit,
    url: `${commit}/status`,
  };
  return ok(body, headers);
}

export const STATUS_ROUTES = {
  'repos/create-commit-status': create,
  'repos/get-combined-status-for-ref': combined,
  'repos/list-commit-statuses-for-ref': async (call) => {
    const sha = await commitInPath(call);
    const all = repo(call).statuses.filter((one) => one.sha === sha);
    return listAnswer(call, all, (one) => showStatus(call.sandbox, repo(call), one));
  },
} satisfies Routes;

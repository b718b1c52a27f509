import { branchOf, newSuite, tellSuite } from '../acts/checks.ts';
import { readCommit } from '../git/objects.ts';
import { ApiError, created, ok } from '../http/answer.ts';
import { bodyOf, queryText, repo, writer } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { page } from '../http/pages.ts';
import { textOf } from '../json.ts';
import { runsOf, showCheckSuite } from '../show/check.ts';
import { commitInPath, suiteIn } from './find.ts';

async function create(call: Call) {
  const { sandbox } = call;
  const repository = repo(call);
  const headSha = textOf(bodyOf(call), 'head_sha') ?? '';
  if ((await readCommit(repository.folder, headSha)) === undefined) {
    throw new ApiError(422, `No commit found for SHA: ${headSha}`);
  }
  const { appId } = writer(call);
  if (appId === null) throw new ApiError(403, 'You must authenticate via a GitHub App.');
  const known = [...repository.suites.values()].find((one) => one.appId === appId && one.headSha === headSha);
  if (known !== undefined) return ok(await showCheckSuite(sandbox, repository, known));
  const headBranch = await branchOf(repository, headSha);
  const suite = newSuite(sandbox, repository, appId, headSha, { headBranch, before: null });
  return created(await showCheckSuite(sandbox, repository, suite));
}

async function listForRef(call: Call) {
  const repository = repo(call);
  const sha = await commitInPath(call);
  const appId = call.query['app_id'];
  const name = queryText(call, 'check_name');
  const wanted = [...repository.suites.values()]
    .filter(({ headSha }) => headSha === sha)
    .filter((suite) => appId === undefined || suite.appId === appId)
    .filter((suite) => name === undefined || runsOf(repository, suite).some((run) => run.name === name));
  const { items, headers } = page(call, wanted);
  const shown = await Promise.all(items.map((one) => showCheckSuite(call.sandbox, repository, one)));
  return ok({ total_count: wanted.length, check_suites: shown }, headers);
}

export const CHECK_SUITE_ROUTES = {
  'checks/create-suite': create,
  'checks/get-suite': async (call) => ok(await showCheckSuite(call.sandbox, repo(call), suiteIn(call))),
  'checks/list-suites-for-ref': listForRef,
  'checks/rerequest-suite': async (call) => {
    await tellSuite(call.sandbox, repo(call), suiteIn(call), 'check_suite.rerequested', writer(call).userId);
    return created({});
  },
} satisfies Routes;

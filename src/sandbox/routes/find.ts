import { resolveCommit } from '../git/refs.ts';
import { ApiError, notFound } from '../http/answer.ts';
import { idParam, param, repo } from '../http/call.ts';
import type { Call } from '../http/call.ts';
import type { CheckRun, CheckSuite, Comment, PullRequest, WorkflowRun } from '../state.ts';

// What a path names, or 404.

function found<T>(one: T | undefined): T {
  if (one === undefined) throw notFound();
  return one;
}

export const pullIn = (call: Call, name = 'pull_number'): PullRequest =>
  found(repo(call).pulls.get(idParam(call, name)));
export const commentIn = (call: Call): Comment => found(repo(call).comments.get(idParam(call, 'comment_id')));
export const checkRunIn = (call: Call): CheckRun => found(repo(call).checkRuns.get(idParam(call, 'check_run_id')));
export const suiteIn = (call: Call): CheckSuite => found(repo(call).suites.get(idParam(call, 'check_suite_id')));
export const runIn = (call: Call): WorkflowRun => found(repo(call).runs.get(idParam(call, 'run_id')));

/** The commit that the path names by a branch, tag or id. @throws ApiError 422 as GitHub for one that is not there */
export async function commitInPath(call: Call, name = 'ref'): Promise<string> {
  const wanted = param(call, name);
  const sha = await resolveCommit(repo(call).folder, wanted);
  if (sha === undefined) throw new ApiError(422, `No commit found for SHA: ${wanted}`);
  return sha;
}

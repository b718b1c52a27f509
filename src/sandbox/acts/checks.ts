import type { JsonObject } from '../json.ts';
import { covers } from '../http/auth.ts';
import { grants } from '../http/permissions.ts';
import { fullName, newId } from '../state.ts';
import type { CheckRun, CheckSuite, CommitStatus, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { showCheckRunEvent, showCheckSuite, showSimpleStatus, suiteOf, suiteState } from '../show/check.ts';
import { commitIn, showCommit } from '../show/commit.ts';
import { repositoryApi } from '../show/repository.ts';
import { listRefs } from '../git/refs.ts';
import { emit } from '../webhooks/emit.ts';

/** The suite of an app at a commit; made where there is none. Of several the oldest. */
export function suiteFor(
  sandbox: Sandbox,
  repository: Repository,
  appId: number,
  headSha: string,
  more: { readonly headBranch: string | null; readonly before: string | null },
): CheckSuite {
  const known = [...repository.suites.values()].find((one) => one.appId === appId && one.headSha === headSha);
  return known ?? newSuite(sandbox, repository, appId, headSha, more);
}

export function newSuite(
  sandbox: Sandbox,
  repository: Repository,
  appId: number,
  headSha: string,
  { headBranch, before }: { readonly headBranch: string | null; readonly before: string | null },
): CheckSuite {
  const at = sandbox.now();
  const id = newId(sandbox.state);
  const suite: CheckSuite = { id, appId, headSha, headBranch, before, createdAt: at, updatedAt: at };
  repository.suites.set(suite.id, suite);
  return suite;
}

/** The branch of the repository itself that a commit is the tip of; null for a fork's. */
export async function branchOf({ folder }: Repository, sha: string): Promise<string | null> {
  for (const [ref, target] of await listRefs(folder, 'refs/heads/')) {
    if (target === sha) return ref.slice('refs/heads/'.length);
  }
  return null;
}

/** What GitHub does at a push: a suite for each app that may write checks, and an event to each. */
export async function requestSuites(
  sandbox: Sandbox,
  repository: Repository,
  branch: string,
  before: string,
  sha: string,
  senderId: number,
): Promise<void> {
  for (const installation of sandbox.state.installations.values()) {
    if (installation.suspendedAt !== null || !covers(sandbox, installation, repository.id)) continue;
    if (!grants(installation.permissions, 'checks', 'write')) continue;
    const suite = suiteFor(sandbox, repository, installation.appId, sha, { headBranch: branch, before });
    await tellSuite(sandbox, repository, suite, 'check_suite.requested', senderId);
  }
}

/** Tells the suite's own app of it. */
export async function tellSuite(
  sandbox: Sandbox,
  repository: Repository,
  suite: CheckSuite,
  name: 'check_suite.requested' | 'check_suite.rerequested' | 'check_suite.completed',
  senderId: number,
): Promise<void> {
  const shown = await showCheckSuite(sandbox, repository, suite);
  const { repository: _repository, ...check_suite } = shown;
  const asked = name === 'check_suite.completed' ? {} : { onlyApp: suite.appId };
  emit(sandbox, name, { repository, senderId, fields: { check_suite }, ...asked });
}

/** Tells of a check run. Those that someone asks something of are told only to the app that made it. */
export function tellRun(
  sandbox: Sandbox,
  repository: Repository,
  run: CheckRun,
  name: 'check_run.created' | 'check_run.completed' | 'check_run.rerequested' | 'check_run.requested_action',
  senderId: number,
  more: JsonObject = {},
): void {
  const { appId } = suiteOf(repository, run);
  const asked = name === 'check_run.created' || name === 'check_run.completed' ? {} : { onlyApp: appId };
  const fields = { check_run: showCheckRunEvent(sandbox, repository, run), ...more };
  emit(sandbox, name, { repository, senderId, fields, ...asked });
}

/** Tells that a run is completed, and its suite too once no other run of it is under way. */
export async function tellCompleted(
  sandbox: Sandbox,
  repository: Repository,
  run: CheckRun,
  senderId: number,
): Promise<void> {
  tellRun(sandbox, repository, run, 'check_run.completed', senderId);
  const suite = suiteOf(repository, run);
  if (suiteState(repository, suite).status !== 'completed') return;
  suite.updatedAt = sandbox.now();
  await tellSuite(sandbox, repository, suite, 'check_suite.completed', senderId);
}

/** Sets a commit status and tells of it. */
export async function addStatus(
  sandbox: Sandbox,
  repository: Repository,
  fields: Omit<CommitStatus, 'id' | 'createdAt'>,
): Promise<CommitStatus> {
  const status = { ...fields, id: newId(sandbox.state), createdAt: sandbox.now() };
  repository.statuses.unshift(status);
  const branch = await branchOf(repository, status.sha);
  const commit = { sha: status.sha, url: `${repositoryApi(sandbox, repository)}/commits/${status.sha}` };
  const { url: _url, node_id: _node, ...shown } = showSimpleStatus(sandbox, repository, status);
  emit(sandbox, 'status', {
    repository,
    senderId: status.creatorId,
    fields: {
      ...shown,
      sha: status.sha,
      name: fullName(sandbox.state, repository),
      commit: showCommit(sandbox, repository, await commitIn(repository, status.sha)),
      branches: branch === null ? [] : [{ name: branch, commit, protected: repository.protectedBranches.has(branch) }],
    },
  });
  return status;
}

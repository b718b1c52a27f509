import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GitHubApi } from '../../../../src/github/api.ts';
import { workflowRunSchema } from '../../../../src/gate/facts.ts';
import { readWorkflowRuns } from '../../../../src/sources/github/platform/runs.ts';
import { startPlatform, WIDGETS } from './support.ts';
import type { Platform } from './support.ts';

const CI = '.github/workflows/ci.yml';
const LINT = '.github/workflows/lint.yml';

const SHA = 'ab'.repeat(20);
const NOWHERE = { ref: 'topic', sha: SHA, repository: WIDGETS, fork: false };

/** The head of a pull request as `readPull` gives it. */
const headOf = ({ head }: { readonly head: { readonly ref: string; readonly sha: string } }, from = 'acme/widgets') => {
  const [owner = '', repo = ''] = from.split('/');
  return { ref: head.ref, sha: head.sha, repository: { owner, repo }, fork: from !== 'acme/widgets' };
};

let platform: Platform;
beforeAll(async () => {
  platform = await startPlatform();
});
afterAll(() => platform.stop());

describe('workflow runs', () => {
  it('are those of the workflows asked for at the head, of the latest attempt, with its jobs', async () => {
    const { sandbox, widgets, api, pullRequest } = platform;
    const pull = await pullRequest('r');
    const ci = await sandbox.startWorkflowRun(widgets, {
      path: CI,
      event: 'pull_request',
      jobs: ['test', 'build'],
      at: pull,
    });
    await sandbox.startWorkflowRun(widgets, { path: LINT, event: 'push', jobs: ['lint'], at: pull });
    const main = { sha: await sandbox.tip(widgets, 'main'), branch: 'main' };
    await sandbox.startWorkflowRun(widgets, { path: CI, event: 'push', jobs: ['test'], at: main });
    await sandbox.finishJob(widgets, ci, 'test', 'failure');
    await sandbox.finishJob(widgets, ci, 'build', 'success');
    await sandbox.rerun(widgets, ci);
    await sandbox.finishJob(widgets, ci, 'test', 'success');
    sandbox.forgetCalls();
    const { runs, unread } = await readWorkflowRuns(api, WIDGETS, headOf(pull), [CI]);
    expect(sandbox.calls()).toEqual({
      ...{ 'actions/list-workflow-runs-for-repo': 1, 'actions/list-jobs-for-workflow-run': 1 },
    });
    expect(unread).toEqual([]);
    expect(runs.map((run) => workflowRunSchema.parse(run))).toEqual([
      {
        ...{ id: ci.id, attempt: 2, path: CI, event: 'pull_request', head_sha: pull.head.sha },
        created_at: expect.any(String),
        ...{ status: 'in_progress', conclusion: null, pull_requests: [pull.number] },
        jobs: [
          expect.objectContaining({ name: 'test', status: 'completed', conclusion: 'success' }),
          expect.objectContaining({ name: 'build', status: 'in_progress', conclusion: null }),
        ],
      },
    ]);
  });

  it('of a fork name no pull request', async () => {
    const { sandbox, widgets, eve, api } = platform;
    const fork = await sandbox.fork(widgets, eve);
    await sandbox.push(fork, eve, { branch: 'f', files: { f: '1' }, message: 'F' });
    const pull = await sandbox.openPullRequest(widgets, { by: eve, branch: 'f', from: fork });
    await sandbox.startWorkflowRun(widgets, { path: CI, event: 'pull_request', jobs: ['test'], at: pull });
    const { runs } = await readWorkflowRuns(api, WIDGETS, headOf(pull, 'eve/widgets'), [CI]);
    expect(runs.map(({ pull_requests: pulls, event }) => [pulls, event])).toEqual([[[], 'pull_request']]);
  });

  it('for a pull request of another branch or fork at the same commit are left out, those of pushes are not', async () => {
    const { sandbox, widgets, api, pullRequest } = platform;
    const pull = await pullRequest('branch');
    const fork = await sandbox.fork(widgets, sandbox.addUser('mallory'));
    const run = async (event: string, branch: string, repository = widgets) =>
      sandbox.startWorkflowRun(widgets, { path: CI, event, at: { sha: pull.head.sha, branch, repository } });
    const own = await run('pull_request', 'branch');
    await run('pull_request', 'other');
    await run('pull_request', 'branch', fork);
    const pushed = await run('push', 'other');
    const { runs } = await readWorkflowRuns(api, WIDGETS, headOf(pull), [CI]);
    expect(runs.map(({ id }) => id).sort()).toEqual([own.id, pushed.id].sort());
  });

  it('are read page by page', async () => {
    const { sandbox, widgets, api, pullRequest } = platform;
    const pull = await pullRequest('pages');
    for (let n = 0; n < 101; n++) await sandbox.startWorkflowRun(widgets, { path: LINT, jobs: ['lint'], at: pull });
    const names = Array.from({ length: 101 }, (_, n) => `test (${n})`);
    const first = await sandbox.startWorkflowRun(widgets, { path: CI, jobs: names, at: pull });
    sandbox.forgetCalls();
    const { runs, unread } = await readWorkflowRuns(api, WIDGETS, headOf(pull), [CI]);
    expect(runs.map(({ id, jobs }) => [id, jobs.length])).toEqual([[first.id, 101]]);
    expect(unread).toEqual([]);
    expect(sandbox.calls()).toEqual({
      ...{ 'actions/list-workflow-runs-for-repo': 2, 'actions/list-jobs-for-workflow-run': 2 },
    });
  });

  it('cost no call where no workflow counts', async () => {
    const { sandbox, api } = platform;
    sandbox.forgetCalls();
    expect(await readWorkflowRuns(api, WIDGETS, NOWHERE, [])).toEqual({ runs: [], unread: [] });
    expect(sandbox.calls()).toEqual({});
  });

  it('need a permission, which the refusal names', async () => {
    const { sandbox, widgets, as } = platform;
    const api = as(sandbox.workflowToken(widgets, { contents: 'read' }));
    await expect(readWorkflowRuns(api, WIDGETS, NOWHERE, [CI])).rejects.toMatchObject({
      ...{ code: 'CS1603', message: expect.stringContaining('actions: read') },
    });
  });
});

/** A GitHub that answers with what is given, for what the sandbox does not do. */
const answers = (runs: object, jobs: object): GitHubApi =>
  ({
    request: (route: string) => Promise.resolve({ data: /\/jobs/.test(route) ? jobs : runs, headers: {}, status: 200 }),
  }) as unknown as GitHubApi;

const run = {
  id: 1,
  run_attempt: 1,
  path: `${CI}@refs/heads/main`,
  event: 'push',
  head_sha: SHA,
  head_branch: 'topic',
  created_at: '2026-11-30T10:00:00Z',
};
const job = { id: 2, name: 'test', status: 'completed', conclusion: 'success', run_attempt: 1 };

describe('runs that are not as they were', () => {
  it.each([
    [
      'with a ref behind the path',
      { ...run, status: 'completed', conclusion: 'success', pull_requests: null },
      job,
      {
        ...{ attempt: 1, path: CI, status: 'completed', conclusion: 'success', pull_requests: [] },
      },
    ],
    [
      'started again meanwhile',
      { ...run, status: 'completed', conclusion: 'failure', pull_requests: [] },
      { ...job, run_attempt: 2 },
      {
        ...{ attempt: 2, status: 'in_progress', conclusion: null },
      },
    ],
  ])('are told: %s', async (_what, given, ofJob, expected) => {
    const api = answers({ total_count: 1, workflow_runs: [given] }, { total_count: 1, jobs: [ofJob] });
    const { runs } = await readWorkflowRuns(api, WIDGETS, NOWHERE, [CI]);
    expect(runs).toEqual([expect.objectContaining(expected)]);
  });

  it('and more than GitHub gives are told as unread', async () => {
    const given = { ...run, status: 'completed', conclusion: 'success', pull_requests: [] };
    const api = answers({ total_count: 1200, workflow_runs: [given] }, { total_count: 3, jobs: [job] });
    expect((await readWorkflowRuns(api, WIDGETS, NOWHERE, [CI])).unread).toEqual([
      { what: 'workflow runs at the head', why: '1 of 1200 seen' },
      { what: 'jobs of run 1', why: '1 of 3 seen' },
    ]);
  });

  it('with a state that nobody knows are refused, not read as anything', async () => {
    const given = { ...run, status: 'completed', conclusion: 'splendid', pull_requests: [] };
    const api = answers({ total_count: 1, workflow_runs: [given] }, { total_count: 1, jobs: [job] });
    await expect(readWorkflowRuns(api, WIDGETS, NOWHERE, [CI])).rejects.toMatchObject({ code: 'CS1606' });
  });
});

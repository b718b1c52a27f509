import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { PullRequest } from '../../src/sandbox/state.ts';
import { at, client, list, R, startWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
let pull: PullRequest;

beforeAll(async () => {
  world = await startWorld({ limits: { checkRunsOfAName: 3, statusesOfAContext: 2 } });
  pull = await world.pullRequest('topic');
});
afterAll(() => world.stop());

const annotation = { path: 'src/a.ts', start_line: 1, end_line: 1, annotation_level: 'warning', message: 'm' };
const output = { title: 't', summary: 's' };

describe('check runs', () => {
  it('are created, brought up to date and listed, the newest of a name', async () => {
    const { api } = world;
    const { body } = await api('POST', `${R}/check-runs`, {
      name: 'Countersign',
      head_sha: pull.head.sha,
      status: 'in_progress',
    });
    expect(body).toMatchObject({ status: 'in_progress', conclusion: null, pull_requests: [{ number: pull.number }] });
    const path = `${R}/check-runs/${String(at(body, 'id'))}`;
    await api('PATCH', path, { output: { ...output, annotations: [annotation] } });
    const done = await api('PATCH', path, { conclusion: 'success', output: { ...output, annotations: [annotation] } });
    expect(done.body).toMatchObject({ status: 'completed', conclusion: 'success', output: { annotations_count: 2 } });
    expect(list((await api('GET', `${path}/annotations`)).body, null, 'path')).toEqual(['src/a.ts', 'src/a.ts']);
    const second = await api('POST', `${R}/check-runs`, { name: 'Countersign', head_sha: pull.head.sha });
    const ids = async (query: string) =>
      list((await api('GET', `${R}/commits/topic/check-runs?${query}`)).body, 'check_runs', 'id');
    expect(await ids('')).toEqual([at(second.body, 'id')]);
    expect(await ids('filter=all')).toEqual([at(second.body, 'id'), at(body, 'id')]);
    expect(await ids('app_id=1')).toEqual([]);
    await api('POST', `${R}/check-runs`, { name: 'Countersign', head_sha: pull.head.sha });
    await api('POST', `${R}/check-runs`, { name: 'Countersign', head_sha: pull.head.sha });
    expect(await ids('filter=all&check_name=Countersign')).toHaveLength(3);
    const suites = await api('GET', `${R}/commits/topic/check-suites`);
    expect(suites.body).toMatchObject({
      total_count: 1,
      check_suites: [{ head_branch: 'topic', status: 'queued' }],
    });
    expect((await api('POST', `${R}/check-suites`, { head_sha: pull.head.sha })).status).toBe(200);
  });

  it.each([
    ['an unknown commit', { head_sha: 'a'.repeat(40) }, 'No commit found for SHA'],
    ['an unknown field', { sumary: 's' }, 'body/sumary'],
    ['a status that only GitHub Actions may set', { status: 'waiting' }, 'body/status'],
    ['the conclusion stale', { conclusion: 'stale' }, 'Validation Failed'],
    ['the end without a conclusion', { status: 'completed' }, 'conclusion'],
    ['51 annotations', { output: { ...output, annotations: Array(51).fill(annotation) } }, '50'],
    ['a summary over 65,535 characters', { output: { title: 't', summary: 's'.repeat(65_536) } }, '65535'],
    ['a summary over 65,535 bytes', { output: { title: 't', summary: 'ü'.repeat(40_000) } }, '65535 bytes'],
    ['an output without a title', { output: { summary: 's' } }, 'title'],
    [
      'an annotation that ends before it starts',
      { output: { ...output, annotations: [{ ...annotation, start_line: 2 }] } },
      'Validation',
    ],
    ['four actions', { actions: Array(4).fill({ label: 'l', description: 'd', identifier: 'i' }) }, 'actions'],
    [
      'an action with a long label',
      { actions: [{ label: 'l'.repeat(21), description: 'd', identifier: 'i' }] },
      'label',
    ],
  ])('are refused for %s', async (_what, fields, message) => {
    const { status, body } = await world.api('POST', `${R}/check-runs`, {
      name: 'x',
      head_sha: pull.head.sha,
      ...fields,
    });
    expect(status).toBe(422);
    expect(at(body, 'message')).toContain(message);
  });

  it('are for apps only, and each for its own', async () => {
    const { sandbox, widgets } = world;
    const mine = await world.api('POST', `${R}/check-runs`, { name: 'mine', head_sha: pull.head.sha });
    expect((await world.asBob('POST', `${R}/check-runs`, { name: 'x', head_sha: pull.head.sha })).status).toBe(403);
    const workflow = client(sandbox.url, sandbox.workflowToken(widgets, { checks: 'write' }));
    const forged = await workflow('PATCH', `${R}/check-runs/${String(at(mine.body, 'id'))}`, { conclusion: 'success' });
    expect(forged.status).toBe(403);
    const same = await workflow('POST', `${R}/check-runs`, { name: 'mine', head_sha: pull.head.sha });
    expect(same.body).toMatchObject({ app: { slug: 'github-actions', id: 15_368 } });
  });
});

describe('commit statuses', () => {
  it('are combined, the newest of each context', async () => {
    const { api } = world;
    const set = (state: string, context: string) => api('POST', `${R}/statuses/${pull.head.sha}`, { state, context });
    const combined = async () => (await api('GET', `${R}/commits/topic/status`)).body;
    expect(await combined()).toMatchObject({ state: 'pending', total_count: 0 });
    await set('pending', 'a');
    await set('success', 'b');
    expect(await combined()).toMatchObject({ state: 'pending', total_count: 2 });
    await set('success', 'a');
    expect(await combined()).toMatchObject({ state: 'success' });
    await set('error', 'b');
    expect(await combined()).toMatchObject({ state: 'failure' });
    expect(list((await api('GET', `${R}/commits/topic/statuses`)).body, null)).toHaveLength(4);
    expect((await set('success', 'a')).status).toBe(422);
    const long = { state: 'success', description: 'd'.repeat(141) };
    expect((await api('POST', `${R}/statuses/${pull.head.sha}`, long)).status).toBe(422);
    expect((await api('POST', `${R}/statuses/${'b'.repeat(40)}`, { state: 'success' })).status).toBe(422);
  });
});

describe('workflow runs', () => {
  it('have attempts with jobs, and end with their last job', async () => {
    const { sandbox, widgets, api } = world;
    const run = await sandbox.startWorkflowRun(widgets, {
      path: '.github/workflows/ci.yml',
      at: pull,
      jobs: ['test', 'lint'],
    });
    const path = `${R}/actions/runs/${run.id}`;
    await sandbox.finishJob(widgets, run, 'test', 'failure');
    expect((await api('GET', path)).body).toMatchObject({ status: 'in_progress', conclusion: null });
    await sandbox.finishJob(widgets, run, 'lint', 'success');
    expect((await api('GET', path)).body).toMatchObject({ status: 'completed', conclusion: 'failure', run_attempt: 1 });
    await sandbox.rerun(widgets, run);
    expect((await api('GET', path)).body).toMatchObject({ status: 'in_progress', run_attempt: 2 });
    expect((await api('GET', `${path}/attempts/1`)).body).toMatchObject({ conclusion: 'failure', run_attempt: 1 });
    const jobs = async (query: string) => list((await api('GET', `${path}${query}`)).body, 'jobs', 'conclusion');
    expect(await jobs('/jobs')).toEqual([null, null]);
    expect(await jobs('/jobs?filter=all')).toEqual(['failure', 'success', null, null]);
    expect(await jobs('/attempts/1/jobs')).toEqual(['failure', 'success']);
    const runs = await api('GET', `${R}/actions/runs?head_sha=${pull.head.sha}&event=pull_request`);
    expect(runs.body).toMatchObject({ total_count: 1, workflow_runs: [{ path: '.github/workflows/ci.yml' }] });
    expect((await api('GET', `${R}/actions/workflows/ci.yml/runs?status=completed`)).body).toMatchObject({
      total_count: 0,
    });
    expect((await api('POST', `${path}/rerun`)).status).toBe(403);
  });
});

describe('comments', () => {
  it('are written by the app, changed, reacted to and deleted', async () => {
    const { api, asBob, asEve } = world;
    const { body } = await api('POST', `${R}/issues/${pull.number}/comments`, { body: 'hello' });
    expect(body).toMatchObject({
      user: { login: 'countersign[bot]', type: 'Bot' },
      performed_via_github_app: { slug: 'countersign' },
    });
    const path = `${R}/issues/comments/${String(at(body, 'id'))}`;
    const edited = await api('PATCH', path, { body: 'changed' });
    expect(at(edited.body, 'updated_at')).not.toBe(at(edited.body, 'created_at'));
    expect((await asEve('PATCH', path, { body: 'mine now' })).status).toBe(403);
    expect((await api('POST', `${path}/reactions`, { content: 'eyes' })).status).toBe(201);
    const again = await api('POST', `${path}/reactions`, { content: 'eyes' });
    expect(again.status).toBe(200);
    expect((await api('GET', path)).body).toMatchObject({ reactions: { eyes: 1, total_count: 1 } });
    expect((await api('DELETE', `${path}/reactions/${String(at(again.body, 'id'))}`)).status).toBe(204);
    expect((await asBob('DELETE', path)).status).toBe(204);
    expect((await api('GET', path)).status).toBe(404);
  });

  it.each([
    ['x'.repeat(65_536), 201],
    ['😀'.repeat(65_536), 201],
    ['x'.repeat(65_537), 422],
    [' ', 422],
  ])('of %#', async (body, status) => {
    expect((await world.api('POST', `${R}/issues/${pull.number}/comments`, { body })).status).toBe(status);
  });
});

describe('people', () => {
  it('have permissions and teams', async () => {
    const { sandbox, acme, bob, api } = world;
    sandbox.setPermission(world.widgets, world.eve, 'maintain');
    const of = async (login: string) => (await api('GET', `${R}/collaborators/${login}/permission`)).body;
    expect(await of('ada')).toMatchObject({ permission: 'admin', role_name: 'admin' });
    expect(await of('eve')).toMatchObject({ permission: 'write', role_name: 'maintain' });
    sandbox.addTeam(acme, 'security', [bob]);
    expect((await api('GET', '/orgs/acme/teams/security')).body).toMatchObject({ members_count: 1 });
    expect((await api('GET', '/orgs/acme/teams/security/memberships/bob')).body).toMatchObject({ state: 'active' });
    expect((await api('GET', '/orgs/acme/teams/security/memberships/eve')).status).toBe(404);
    expect(list((await api('GET', '/orgs/acme/teams/security/members')).body, null, 'login')).toEqual(['bob']);
    expect((await world.asBob('GET', '/user')).body).toMatchObject({ login: 'bob' });
    expect((await api('GET', '/users/countersign%5Bbot%5D')).body).toMatchObject({ type: 'Bot' });
  });
});

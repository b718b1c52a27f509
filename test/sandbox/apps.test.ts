import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { WEBHOOKS } from '../../src/sandbox/openapi/used.ts';
import { at, client, list, R, startWorld } from './world.ts';
import type { World } from './world.ts';

interface Received {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

let world: World;
let server: Server;
let url: string;
const received: Received[] = [];
let answers = 202;
const SECRET = 'hook secret';

beforeAll(async () => {
  world = await startWorld();
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, text: Buffer.concat(chunks).toString('utf8') });
      response.writeHead(answers).end('seen');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hook`;
  world.sandbox.deliverTo(url, SECRET);
});
afterAll(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await world.stop();
});

describe('apps', () => {
  it('prove who they are by a JWT', async () => {
    const { sandbox, app, privateKey } = world;
    expect((await world.asApp('GET', '/app')).body).toMatchObject({ slug: 'countersign', installations_count: 1 });
    expect((await world.asApp('GET', `${R}/installation`)).body).toMatchObject({ id: world.installation.id });
    expect((await world.asApp('GET', R)).status).toBe(401);
    const [head = '', , sign = ''] = sandbox.appJwt(app, privateKey).split('.');
    const claims = (fields: object) => Buffer.from(JSON.stringify(fields)).toString('base64url');
    const forged = `${head}.${claims({ iat: 0, exp: 9e9, iss: String(app.id) })}.${sign}`;
    const none = `${claims({ alg: 'none' })}.${claims({ iat: 0, exp: 9e9, iss: String(app.id) })}.x`;
    for (const jwt of [forged, none]) expect((await client(sandbox.url, jwt)('GET', '/app')).status).toBe(401);
  });

  it('get tokens for some repositories with some permissions', async () => {
    const path = `/app/installations/${world.installation.id}/access_tokens`;
    await world.sandbox.addRepository(world.acme, 'gears');
    const made = await world.asApp('POST', path, { repositories: ['gears'], permissions: { checks: 'read' } });
    expect(made.body).toMatchObject({
      repository_selection: 'selected',
      permissions: { checks: 'read', metadata: 'read' },
    });
    const narrow = client(world.sandbox.url, String(at(made.body, 'token')));
    expect(list((await narrow('GET', '/installation/repositories')).body, 'repositories', 'name')).toEqual(['gears']);
    expect((await narrow('POST', `${R}/check-runs`, { name: 'x', head_sha: 'y' })).status).toBe(403);
    expect((await world.asApp('POST', path, { permissions: { administration: 'write' } })).status).toBe(422);
    expect((await world.asApp('POST', path, { repositories: ['nothing'] })).status).toBe(422);
    expect((await narrow('DELETE', '/installation/token')).status).toBe(204);
    expect((await narrow('GET', '/repos/acme/gears')).status).toBe(401);
  });

  it('lose their access when they are suspended', async () => {
    const { sandbox, installation, ada, api } = world;
    sandbox.suspend(installation, ada);
    expect((await api('GET', R)).status).toBe(403);
    sandbox.unsuspend(installation, ada);
    expect((await api('GET', R)).status).toBe(200);
  });
});

describe('deliveries', () => {
  it('are signed, and a redelivery has the same guid', async () => {
    const { sandbox, asApp } = world;
    await sandbox.settled();
    received.length = 0;
    answers = 500;
    await world.pullRequest('delivered');
    await sandbox.settled();
    const got = received.find(({ headers }) => headers['x-github-event'] === 'pull_request');
    const digest = createHmac('sha256', SECRET)
      .update(got?.text ?? '')
      .digest('hex');
    expect(got?.headers['x-hub-signature-256']).toBe(`sha256=${digest}`);
    expect(JSON.parse(got?.text ?? '')).toMatchObject({
      action: 'opened',
      installation: { id: world.installation.id },
    });
    const guid = got?.headers['x-github-delivery'];
    const failed = list((await asApp('GET', '/app/hook/deliveries?status=failure')).body, null);
    const one = failed.find((item) => at(item, 'guid') === guid);
    expect(one).toMatchObject({ event: 'pull_request', action: 'opened', status_code: 500, redelivery: false });
    answers = 202;
    const path = `/app/hook/deliveries/${String(at(one, 'id'))}`;
    expect((await asApp('GET', path)).body).toMatchObject({
      request: { payload: { action: 'opened' } },
      response: { payload: 'seen' },
    });
    expect((await asApp('POST', `${path}/attempts`)).status).toBe(202);
    await sandbox.settled();
    const newest = at((await asApp('GET', '/app/hook/deliveries')).body, 0);
    expect(newest).toMatchObject({ guid, redelivery: true, status_code: 202 });
    expect(at(newest, 'id')).not.toBe(at(one, 'id'));
    expect(received.filter(({ headers }) => headers['x-github-delivery'] === guid)).toHaveLength(2);
    const page = await asApp('GET', '/app/hook/deliveries?per_page=1');
    const next = /<([^>]+)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1] ?? '';
    expect(list((await asApp('GET', next)).body, null, 'id')).not.toEqual(list(page.body, null, 'id'));
  });

  it('that nobody answers are listed as failed', async () => {
    const { sandbox, widgets, bob, asApp } = world;
    sandbox.deliverTo('http://127.0.0.1:9/', SECRET);
    await sandbox.push(widgets, bob, { branch: 'lost', files: { l: 'l' } });
    await sandbox.settled();
    sandbox.deliverTo(url, SECRET);
    const newest = at((await asApp('GET', '/app/hook/deliveries?status=failure&per_page=1')).body, 0);
    expect(newest).toMatchObject({ status_code: 0, status: 'failed to connect to host' });
  });

  it('tell the app, asked for by people, and of everything that can happen', async () => {
    const { sandbox, widgets, ada, bob, app, acme, api } = world;
    const pull = await world.pullRequest('everything');
    const check = await api('POST', `${R}/check-runs`, { name: 'C', head_sha: pull.head.sha });
    const run = widgets.checkRuns.get(Number(at(check.body, 'id')));
    const suite = run === undefined ? undefined : widgets.suites.get(run.suiteId);
    if (run === undefined || suite === undefined) throw new Error('The check run is not there.');
    sandbox.rerequestCheck(widgets, run, bob);
    sandbox.requestAction(widgets, run, 'recheck', bob);
    await sandbox.rerequestSuite(widgets, suite, bob);
    await api('PATCH', `${R}/check-runs/${run.id}`, { conclusion: 'success' });
    await api('POST', `${R}/statuses/${pull.head.sha}`, { state: 'success' });
    const comment = sandbox.comment(widgets, pull, bob, 'one');
    sandbox.editComment(widgets, comment, bob, 'two');
    sandbox.deleteComment(widgets, comment, bob);
    const review = sandbox.review(widgets, pull, ada, 'APPROVED', { body: 'fine' });
    sandbox.editReview(widgets, pull, review, 'better');
    sandbox.dismissReview(widgets, pull, review, ada);
    await sandbox.push(widgets, bob, { branch: 'everything', files: { e: 'e' } });
    await sandbox.editPullRequest(widgets, pull, bob, { title: 'T', base: 'delivered', draft: true, state: 'closed' });
    await sandbox.editPullRequest(widgets, pull, bob, { base: 'main', draft: false, state: 'open' });
    const jobs = await sandbox.startWorkflowRun(widgets, { path: '.github/workflows/ci.yml', at: pull });
    await sandbox.finishJob(widgets, jobs, 'test', 'success');
    const group = await sandbox.mergeGroup(widgets, [pull], ada);
    await sandbox.endMergeGroup(widgets, group, 'invalidated', ada);
    sandbox.dispatch(widgets, bob, '.github/workflows/ci.yml', { run: 'R1' });
    sandbox.rename(widgets, 'gadgets', ada);
    const side = await sandbox.addRepository(acme, 'side');
    const [installed, other] = [
      sandbox.addApp(ada, 'other', { permissions: {}, events: [] }).app,
      sandbox.addUser('zed'),
    ];
    sandbox.transfer(side, other, ada);
    const second = sandbox.install(installed, acme, [widgets]);
    sandbox.selectRepositories(second, { add: [], remove: [widgets] }, ada);
    sandbox.selectRepositories(second, { add: [widgets] }, ada);
    sandbox.acceptPermissions(second, { checks: 'write' }, ada);
    sandbox.suspend(second, ada);
    sandbox.unsuspend(second, ada);
    sandbox.uninstall(second, ada);
    sandbox.ping(app);
    await sandbox.settled();
    const names = new Set(
      sandbox.events().map(({ event, action }) => (action === null ? event : `${event}.${action}`)),
    );
    expect([...names].sort()).toEqual(Object.keys(WEBHOOKS).sort());
    const told = received.map(({ text }) => JSON.parse(text) as unknown);
    expect(told.find((one) => at(one, 'action') === 'requested_action')).toMatchObject({
      requested_action: { identifier: 'recheck' },
    });
    expect(received.map(({ headers }) => headers['x-github-event'])).not.toContain('workflow_dispatch');
  }, 60_000);
});

import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { at, client, list, R, startWorld } from './world.ts';
import type { World } from './world.ts';

let world: World;
let time: number;

beforeEach(async () => {
  time = Date.parse('2026-01-01T00:00:00Z');
  world = await startWorld({
    now: () => time,
    limits: { contentPerMinute: 3, hourlyWorkflow: 2, pointsPerMinute: 60 },
  });
});
afterEach(() => world.stop());

describe('pages', () => {
  it('are linked, and never longer than 100', async () => {
    const commits = Array.from({ length: 204 }, (_, n) => ({ message: `${n}`, files: { n: `${n}` } }));
    await world.sandbox.push(world.widgets, world.bob, { branch: 'long', commits });
    const { body, headers } = await world.api('GET', `${R}/commits?sha=long&per_page=500&page=2`);
    expect(list(body, null)).toHaveLength(100);
    const base = `${world.sandbox.url}/repositories/${world.widgets.id}/commits?sha=long&per_page=500`;
    expect(headers.get('link')).toBe(
      [
        ...[`<${base}&page=1>; rel="prev"`, `<${base}&page=3>; rel="next"`],
        ...[`<${base}&page=3>; rel="last"`, `<${base}&page=1>; rel="first"`],
      ].join(', '),
    );
    const last = await world.api('GET', `${base}&page=3`);
    expect(list(last.body, null)).toHaveLength(5);
    expect(last.headers.get('link')).not.toContain('next');
    expect(list((await world.api('GET', `${R}/commits?sha=long&per_page=0`)).body, null)).toHaveLength(30);
  });
});

describe('conditional requests', () => {
  it('are answered by 304 while nothing changed, and do not count', async () => {
    const first = await world.api('GET', `${R}/branches`);
    const etag = first.headers.get('etag') ?? '';
    const used = Number(first.headers.get('x-ratelimit-used'));
    const second = await world.api('GET', `${R}/branches`, undefined, { 'if-none-match': etag });
    expect([second.status, second.body, second.headers.get('etag')]).toEqual([304, '', etag]);
    expect(Number(second.headers.get('x-ratelimit-used'))).toBe(used);
    await world.sandbox.push(world.widgets, world.bob, { branch: 'other', files: { o: 'o' } });
    const third = await world.api('GET', `${R}/branches`, undefined, { 'if-none-match': etag });
    expect([third.status, Number(third.headers.get('x-ratelimit-used'))]).toEqual([200, used + 1]);
    expect([
      world.sandbox.calls()['repos/list-branches'],
      world.sandbox.calls('uncached')['repos/list-branches'],
    ]).toEqual([3, 2]);
  });
});

describe('limits', () => {
  it('of an hour end in 403 with nothing remaining, until the reset', async () => {
    const workflow = client(world.sandbox.url, world.sandbox.workflowToken(world.widgets, { contents: 'read' }));
    const call = () => workflow('GET', R);
    const left = [await call(), await call(), await call()].map(({ status, headers }) => [
      status,
      headers.get('x-ratelimit-remaining'),
    ]);
    expect(left).toEqual([
      [200, '1'],
      [200, '0'],
      [403, '0'],
    ]);
    expect((await workflow('GET', '/rate_limit')).body).toMatchObject({ rate: { limit: 2, remaining: 0 } });
    time += 3_600_000;
    expect((await call()).status).toBe(200);
  });

  it('of content and points in a minute end in 403 with retry-after', async () => {
    const { number } = await world.pullRequest('topic');
    const say = () => world.api('POST', `${R}/issues/${number}/comments`, { body: 'x' });
    for (let n = 0; n < 3; n += 1) expect((await say()).status).toBe(201);
    const refused = await say();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([403, '60']);
    expect(at(refused.body, 'message')).toContain('secondary rate limit');
    time += 60_000;
    expect((await say()).status).toBe(201);
    for (let n = 0; n < 60; n += 1) await world.api('GET', R);
    expect((await world.api('GET', R)).status).toBe(403);
  });
});

describe('refusals', () => {
  it.each([
    ['GET', `${R}/pulls?stat=open`, undefined, 422],
    ['GET', '/nowhere', undefined, 404],
    ['POST', `${R}/git/blobs`, '{', 403],
    ['POST', `${R}/issues/1/comments`, '{', 400],
    ['GET', '/app', undefined, 401],
    ['GET', '/user', undefined, 403],
  ])('%s %s', async (method, path, body, status) => {
    expect((await world.api(method, path, body)).status).toBe(status);
  });

  it('of tokens that are not known', async () => {
    expect((await client(world.sandbox.url, 'nothing')('GET', R)).status).toBe(401);
    expect((await client(world.sandbox.url)('GET', R)).status).toBe(200);
    expect((await client(world.sandbox.url)('POST', `${R}/check-runs`, {})).status).toBe(401);
  });
});

describe('faults', () => {
  it('strike the calls that a rule names', async () => {
    const { sandbox, api } = world;
    sandbox.faults.add({ route: 'repos/get', nth: [2, 3], effect: { kind: 'status', status: 502 } });
    sandbox.faults.add({
      route: '/repos/{owner}/{repo}/branches*',
      times: 1,
      effect: { kind: 'too-many-requests', retryAfter: 7 },
    });
    const seen: number[] = [];
    for (let n = 0; n < 4; n += 1) seen.push((await api('GET', R)).status);
    expect(seen).toEqual([200, 502, 502, 200]);
    const limited = await api('GET', `${R}/branches/main`);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '7']);
    expect((await api('GET', `${R}/branches/main`)).status).toBe(200);
    expect(sandbox.log().filter(({ fault }) => fault !== null)).toHaveLength(3);
    const remove = sandbox.faults.add({ effect: { kind: 'secondary-limit', retryAfter: 3 } });
    expect((await api('GET', R)).headers.get('retry-after')).toBe('3');
    remove();
    sandbox.faults.add({ effect: { kind: 'primary-limit', resetAfter: 30 } });
    const spent = await api('GET', R);
    expect([spent.status, spent.headers.get('x-ratelimit-remaining')]).toEqual([403, '0']);
  });

  it('come by chance in the same order for the same seed', async () => {
    const run = async (seed: number) => {
      world.sandbox.faults.clear();
      world.sandbox.faults.add({ probability: 0.5, seed, effect: { kind: 'status', status: 500 } });
      const seen: number[] = [];
      for (let n = 0; n < 12; n += 1) seen.push((await world.api('GET', '/rate_limit')).status);
      return seen.join(' ');
    };
    const first = await run(7);
    expect(await run(7)).toBe(first);
    expect(await run(8)).not.toBe(first);
    expect(first).toContain('200');
    expect(first).toContain('500');
  });

  it('cut the connection before or after the work is done', async () => {
    const { sandbox, api, widgets } = world;
    const { number } = await world.pullRequest('topic');
    const say = () => api('POST', `${R}/issues/${number}/comments`, { body: 'x' });
    sandbox.faults.add({ route: 'issues/create-comment', nth: 1, effect: { kind: 'reset' } });
    sandbox.faults.add({ route: 'issues/create-comment', nth: 2, effect: { kind: 'reset', when: 'after' } });
    await expect(say()).rejects.toThrow();
    expect(widgets.comments.size).toBe(0);
    await expect(say()).rejects.toThrow();
    expect(widgets.comments.size).toBe(1);
    sandbox.faults.add({ route: 'issues/list-comments', effect: { kind: 'truncated' } });
    await expect(api('GET', `${R}/issues/${number}/comments`)).rejects.toThrow();
  });

  it('wait, and let the head move between two calls', async () => {
    const { sandbox, api, widgets, bob } = world;
    const { number, head } = await world.pullRequest('topic');
    const before = head.sha;
    const push = () => sandbox.push(widgets, bob, { branch: 'topic', files: { late: 'l' } });
    sandbox.faults.add({ method: 'GET', route: 'pulls/get', nth: 2, effect: { kind: 'meanwhile', act: push } });
    sandbox.faults.add({ route: 'pulls/get', nth: 3, effect: { kind: 'latency', ms: 120 } });
    const shas = [];
    for (let n = 0; n < 2; n += 1) shas.push(at((await api('GET', `${R}/pulls/${number}`)).body, 'head', 'sha'));
    expect(shas).toEqual([before, await sandbox.tip(widgets, 'topic')]);
    expect(shas[1]).not.toBe(before);
    const started = performance.now();
    await api('GET', `${R}/pulls/${number}`);
    expect(performance.now() - started).toBeGreaterThan(100);
  });
});

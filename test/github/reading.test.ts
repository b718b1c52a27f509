import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import * as z from 'zod';
import { memoryEtags } from '../../src/github/etags.ts';
import { query } from '../../src/github/graphql.ts';
import { listed, nextPage, pages } from '../../src/github/pages.ts';
import { startWorld } from '../sandbox/world.ts';
import type { World } from '../sandbox/world.ts';
import { gitHub, refusalOf, REPO, startServer } from './support.ts';

let world: World;
const COMMITS = 25;

beforeAll(async () => {
  world = await startWorld();
  const commits = Array.from({ length: COMMITS }, (_, n) => ({ message: `${n}`, files: { n: `${n}` } }));
  await world.sandbox.push(world.widgets, world.bob, { branch: 'long', commits });
});
afterEach(() => world.sandbox.faults.clear());
afterAll(() => world.stop());

const client = () => gitHub(world.sandbox.url, { auth: world.token });
// One more: the branch began with a commit.
const messages = [...Array.from({ length: COMMITS }, (_, n) => `${COMMITS - 1 - n}`)];
const commitsOf = (data: readonly { readonly commit: { readonly message: string } }[]) =>
  data.map(({ commit }) => commit.message);

describe('a list', () => {
  const read = (max: number, per_page = 10, github = client()) =>
    listed(
      github.api,
      'GET /repos/{owner}/{repo}/commits',
      { ...REPO, sha: 'long', per_page },
      { max, items: commitsOf },
    );

  it.each([
    [1000, 26, false, 3],
    [26, 26, false, 3],
    [25, 25, true, 3],
    [20, 20, true, 3],
    [10, 10, true, 2],
    [9, 9, true, 1],
  ])('of 26, at most %d: %d, truncated: %s', async (max, length, truncated, calls) => {
    world.sandbox.forgetCalls();
    const { items, ...rest } = await read(max);
    expect([items.length, rest]).toEqual([length, { truncated }]);
    expect(items.slice(0, COMMITS)).toEqual(messages.slice(0, length));
    expect(world.sandbox.calls()['repos/list-commits']).toBe(calls);
  });

  it('is whole, each item once, however calls fail', async () => {
    for (const seed of [1, 2, 3, 4]) {
      world.sandbox.faults.clear();
      world.sandbox.faults.add({ method: 'GET', probability: 0.2, seed, effect: { kind: 'truncated' } });
      world.sandbox.faults.add({
        method: 'GET',
        probability: 0.2,
        seed: seed + 9,
        effect: { kind: 'status', status: 502 },
      });
      const { items } = await read(1000, 3);
      expect(items.slice(0, COMMITS)).toEqual(messages);
      expect(items).toHaveLength(26);
    }
  });

  it('that one page holds takes one call, counted under its route', async () => {
    const github = client();
    expect((await read(1000, 100, github)).items).toHaveLength(26);
    expect(github.calls()).toEqual({ 'GET /repos/{owner}/{repo}/commits': 1 });
    await read(1000, 10, github);
    expect(github.calls()).toEqual({ 'GET /repos/{owner}/{repo}/commits': 4 });
  });

  it.each([
    ['to another server', 'http://elsewhere.invalid/x', 'was not made: it leads to another server'],
    ['in a circle', '/x', 'links its pages in a circle'],
  ])('whose pages lead %s is refused', async (_name, next, says) => {
    const { url, stop } = await startServer((_request, response) => {
      const link = `<${next.startsWith('/') ? `${url}${next}` : next}>; rel="next"`;
      response.writeHead(200, { 'content-type': 'application/json', link }).end('[]');
    });
    const read = async () => {
      for await (const page of pages(gitHub(url).api, 'GET /repos/{owner}/{repo}/commits', REPO))
        expect(page).toEqual([]);
    };
    const refusal = await refusalOf(read());
    await stop();
    expect([refusal.code, refusal.message]).toEqual(['CS1606', expect.stringContaining(says)]);
  });

  it('has its links followed as they are', async () => {
    const seen: string[] = [];
    const { url, stop } = await startServer((request, response) => {
      seen.push(request.url ?? '');
      const link = `<${url}/more?sha=a:bc&d={e}&f=%2Fg%20h>; rel="next"`;
      response.writeHead(200, { 'content-type': 'application/json', ...(seen.length < 2 ? { link } : {}) }).end('[]');
    });
    for await (const page of pages(gitHub(url).api, 'GET /repos/{owner}/{repo}/commits', REPO))
      expect(page).toEqual([]);
    await stop();
    expect(seen).toEqual(['/repos/acme/widgets/commits?per_page=100', '/more?sha=a%3Abc&d=%7Be%7D&f=%2Fg%20h']);
  });
});

describe('the next page', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['<https://a/x?b=1,2>; rel="next"', 'https://a/x?b=1,2'],
    ['<https://a/1>; rel="prev", <https://a/3>; rel="next", <https://a/9>; rel="last"', 'https://a/3'],
    ['<https://a/1>; title="x"; rel=next', 'https://a/1'],
    ['<https://a/1>; rel="nextish"', undefined],
    ['https://a/1; rel="next"', undefined],
    ['<'.repeat(200_000), undefined],
    [', '.repeat(200_000), undefined],
    [`<a>${'; '.repeat(200_000)}`, undefined],
  ])('of %.80s', (link, expected) => {
    expect(nextPage(link)).toBe(expected);
  });
});

describe('a query', () => {
  const TEXT =
    'query($n: Int!) { rateLimit { cost } repository(owner: "acme", name: "widgets") { name pullRequest(number: $n) { id } } }';
  const SCHEMA = z.object({
    repository: z.object({ name: z.string(), pullRequest: z.object({ id: z.string() }).nullable() }),
  });

  it('is refused for an error in a part of it', async () => {
    const refusal = await refusalOf(query(client().api, TEXT, { n: 99 }, SCHEMA));
    expect([refusal.code, refusal.message]).toEqual([
      'CS1607',
      'POST /graphql was refused with 200: NOT_FOUND: Could not resolve to a PullRequest with the number of 99. (repository.pullRequest)',
    ]);
  });

  it('gives what there is where the error is tolerated', async () => {
    const costs: (number | null)[] = [];
    const { api } = gitHub(world.sandbox.url, { auth: world.token, onCall: ({ cost }) => costs.push(cost) });
    const tolerates = ({ type, path }: { type: string; path: readonly unknown[] }) =>
      type === 'NOT_FOUND' && path.join('.') === 'repository.pullRequest';
    const data = await query(api, TEXT, { n: 99 }, SCHEMA, { tolerates });
    expect(data).toEqual({ repository: { name: 'widgets', pullRequest: null } });
    expect(costs).toEqual([1]);
  });

  it('is refused where its data has another shape, by the place', async () => {
    const schema = z.object({ repository: z.object({ name: z.number() }) });
    const refusal = await refusalOf(
      query(client().api, '{ repository(owner: "acme", name: "widgets") { name } }', {}, schema),
    );
    expect(refusal.code).toBe('CS1606');
    expect(refusal.message).toContain('POST /graphql was answered with something else: repository.name: ');
  });

  it('names what it needs', async () => {
    const { url, stop } = await startServer((_request, response) => {
      const body = { data: null, errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    });
    const refusal = await refusalOf(
      query(gitHub(url).api, '{ a }', {}, z.object({}), { needs: ['pull-requests: read'] }),
    );
    await stop();
    expect([refusal.code, refusal.message]).toEqual([
      'CS1603',
      expect.stringContaining('Add under `permissions:`: pull-requests: read'),
    ]);
  });
});

describe('answers that have not changed', () => {
  it('come from the store, do not count, and keep their links', async () => {
    const etags = memoryEtags(100);
    const statuses: (number | null)[] = [];
    const options = {
      auth: world.token,
      etags,
      onCall: ({ status }: { status: number | null }) => statuses.push(status),
    };
    const read = () =>
      listed(
        gitHub(world.sandbox.url, options).api,
        'GET /repos/{owner}/{repo}/commits',
        { ...REPO, sha: 'changing', per_page: 10 },
        { max: 100, items: commitsOf },
      );
    const commits = Array.from({ length: 12 }, (_, n) => ({ message: `${n}`, files: { n: `${n}` } }));
    await world.sandbox.push(world.widgets, world.bob, { branch: 'changing', commits });
    const first = await read();
    world.sandbox.forgetCalls();
    expect(await read()).toEqual(first);
    expect(world.sandbox.calls('uncached')).toEqual({});
    expect(statuses).toEqual([200, 200, 304, 304]);
    await world.sandbox.push(world.widgets, world.bob, { branch: 'changing', files: { n: 'new' }, message: 'new' });
    expect((await read()).items).toEqual(['new', ...first.items]);
    expect(await read()).toEqual({ items: ['new', ...first.items], truncated: false });
    expect(statuses.slice(4)).toEqual([200, 200, 304, 304]);
  });

  it('are another one for another media type', async () => {
    const { api } = gitHub(world.sandbox.url, { auth: world.token, etags: memoryEtags(100) });
    const route = 'GET /repos/{owner}/{repo}/contents/{path}';
    const file = { ...REPO, path: 'src/b.ts' };
    const raw = () => api.request(route, { ...file, mediaType: { format: 'raw' } });
    const json = () => api.request(route, file);
    for (let n = 0; n < 2; n += 1) {
      expect(Buffer.from((await raw()).data as unknown as ArrayBuffer).toString()).toBe('b\n');
      expect((await json()).data).toMatchObject({ path: 'src/b.ts' });
    }
  });

  it('are forgotten in the order of their use', () => {
    const store = memoryEtags(2);
    const answer = (etag: string) => ({ etag, body: etag, link: undefined });
    const known = () => ['a', 'b', 'c'].filter((key) => store.get(key) !== undefined);
    void store.set('a', answer('1'));
    void store.set('b', answer('2'));
    void store.get('a');
    void store.set('c', answer('3'));
    expect(known()).toEqual(['a', 'c']);
    void store.set('c', answer('4'));
    expect(store.get('c')).toEqual(answer('4'));
  });
});

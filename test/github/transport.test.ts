import { afterEach, describe, expect, it } from '@jest/globals';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { fakeTime, gitHub, refusalOf, REPO, secretToken, startServer } from './support.ts';
import { startWorld } from '../sandbox/world.ts';

type Listener = (request: IncomingMessage, response: ServerResponse) => void;

const stops: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});

async function start(listener: Listener) {
  const server = await startServer(listener);
  stops.push(server.stop);
  return server;
}

/** A server that only writes down who called. */
async function startWitness() {
  const calls: string[] = [];
  const { url } = await start((request, response) => {
    calls.push(`${request.method} ${request.url} ${request.headers.authorization ?? 'without a token'}`);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  return { url, calls };
}

const get = (url: string) => gitHub(url, { auth: secretToken() }).api.request('GET /repos/{owner}/{repo}', REPO);

describe('redirects', () => {
  it.each([301, 302, 307, 308])('%d to another server is refused, and the token goes nowhere', async (status) => {
    const witness = await startWitness();
    const { url } = await start((_request, response) =>
      response.writeHead(status, { location: `${witness.url}/x` }).end(),
    );
    const refusal = await refusalOf(get(url));
    expect([refusal.code, witness.calls]).toEqual(['CS1606', []]);
    expect(refusal.message).toBe('GET /repos/acme/widgets was redirected to another server');
  });

  it('in a circle end', async () => {
    let calls = 0;
    const { url } = await start((request, response) => {
      calls += 1;
      response.writeHead(301, { location: request.url }).end();
    });
    const refusal = await refusalOf(get(url));
    expect([refusal.code, refusal.message, calls]).toEqual([
      'CS1606',
      'GET /repos/acme/widgets was redirected more than 5 times',
      6,
    ]);
  });

  it.each(['GET', 'POST', 'PATCH', 'DELETE'])('keep the method and the body of %s', async (method) => {
    const seen: string[] = [];
    const { url } = await start((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        seen.push(`${request.method} ${request.url} ${Buffer.concat(chunks).toString()}`);
        if (request.url === '/new') response.writeHead(200, { 'content-type': 'application/json' }).end('{"a":1}');
        else response.writeHead(301, { location: '/new' }).end('moved');
      });
    });
    const { api } = gitHub(url);
    const answer = await api.request(`${method} /old`, method === 'GET' ? {} : { b: 2 });
    expect([answer.data, answer.url]).toEqual([{ a: 1 }, `${url}/new`]);
    const body = method === 'GET' ? '' : '{"b":2}';
    expect(seen).toEqual([`${method} /old ${body}`, `${method} /new ${body}`]);
  });

  it('after a rename are followed, for reading and for writing', async () => {
    const world = await startWorld();
    stops.push(world.stop);
    const { api } = gitHub(world.sandbox.url, { auth: world.token });
    const { number } = await world.pullRequest('topic');
    world.sandbox.rename(world.widgets, 'gadgets', world.ada);
    expect((await api.request('GET /repos/{owner}/{repo}', REPO)).data.full_name).toBe('acme/gadgets');
    const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
    expect((await api.request(route, { ...REPO, issue_number: number, body: 'x' })).status).toBe(201);
  });
});

describe('addresses', () => {
  it.each([
    [
      'another server',
      { url: 'https://elsewhere.invalid/x' },
      'CS1606',
      'GET /x was not made: it leads to another server',
    ],
    [
      'a name of dots',
      { url: '/repos/{owner}/x', owner: '..' },
      'CS1607',
      'GET /repos/../x was not made: a part of its path is only dots',
    ],
    [
      'a name of one dot',
      { url: '/repos/{owner}', owner: '.' },
      'CS1607',
      'GET /repos/. was not made: a part of its path is only dots',
    ],
  ])('%s is not asked', async (_name, call, code, message) => {
    const witness = await startWitness();
    const refusal = await refusalOf(gitHub(witness.url).api.request({ method: 'GET', ...call }));
    expect([refusal.code, refusal.message, witness.calls]).toEqual([code, message, []]);
  });

  it.each([
    ['', '/graphql'],
    ['/api/v3', '/api/graphql'],
    ['/api/v3/', '/api/graphql'],
  ])('of GraphQL follow from "%s"', async (path, expected) => {
    const seen: string[] = [];
    const { url } = await start((request, response) => {
      seen.push(request.url ?? '');
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"data":{}}');
    });
    const { api, calls } = gitHub(`${url}${path}`);
    await api.graphql('{ a }');
    await api.request('POST /graphql', { query: '{ a }' });
    expect([seen, calls()]).toEqual([[expected, expected], { 'POST /graphql': 2 }]);
    const given = gitHub(`${url}${path}`, { graphqlUrl: `${url}/given` });
    await given.api.graphql('{ a }');
    expect(seen.at(-1)).toBe('/given');
  });
});

describe('bodies', () => {
  it.each([
    ['of JSON', 'application/json'],
    ['of raw bytes', 'application/octet-stream'],
    ['of text', 'text/plain; charset=utf-8'],
    ['of no type', undefined],
  ])('%s that break off are no empty ones', async (_name, type) => {
    let calls = 0;
    const { url } = await start((_request, response) => {
      calls += 1;
      const headers = type === undefined ? {} : { 'content-type': type };
      // Chunked, so that no length tells how much there should be.
      response.writeHead(200, headers);
      if (calls < 3) response.write('{"a"', () => response.socket?.destroy());
      else response.end('{"a":1}');
    });
    const { data } = (await gitHub(url).api.request('GET /x')) as { data: unknown };
    const bytes = Object.prototype.toString.call(data) === '[object ArrayBuffer]';
    const text = bytes ? new TextDecoder().decode(data as ArrayBuffer) : data;
    expect([calls, typeof text === 'string' ? (JSON.parse(text) as unknown) : text]).toEqual([3, { a: 1 }]);
  });

  it('that never end are given up', async () => {
    const { url } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('[');
    });
    const refusal = await refusalOf(gitHub(url, { timeout: 30 }).api.request('GET /x'));
    expect([refusal.code, refusal.message]).toEqual([
      'CS1601',
      'GET /x got no whole answer (tried 7 times): The operation was aborted due to timeout',
    ]);
  });
});

describe('a name that is not found', () => {
  it('is told', async () => {
    const refusal = await refusalOf(get('http://nowhere.invalid'));
    expect(refusal.code).toBe('CS1601');
    expect(refusal.message).toMatch(
      /^GET \/repos\/acme\/widgets could not be sent \(tried 7 times\): (ENOTFOUND|EAI_AGAIN): /,
    );
  });
});

describe('calls', () => {
  it('are counted by route, and told without their parameters', async () => {
    const told: object[] = [];
    const time = fakeTime();
    const { url } = await start((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'x-ratelimit-remaining': '41' }).end('{}');
    });
    const { api, calls } = gitHub(url, { auth: secretToken(), time, onCall: (record) => told.push(record) });
    await api.request('GET /repos/{owner}/{repo}', { ...REPO, q: 'secret' });
    await api.request('GET /repos/{owner}/{repo}', { ...REPO, owner: 'other' });
    expect(calls()).toEqual({ 'GET /repos/{owner}/{repo}': 2 });
    expect(told[0]).toEqual({
      ...{ route: 'GET /repos/{owner}/{repo}', attempt: 1, status: 200, milliseconds: 0 },
      ...{ resource: 'core', remaining: 41, cost: 1 },
    });
  });
});

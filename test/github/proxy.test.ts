import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { connect } from 'node:net';
import { honourProxy } from '../../src/github/proxy.ts';
import { gitHub, refusalOf, startServer } from './support.ts';

let tunnels: string[];
let answer = 'HTTP/1.1 200 Connection established\r\n\r\n';
let proxy: Awaited<ReturnType<typeof startServer>>;
let origin: Awaited<ReturnType<typeof startServer>>;

beforeAll(async () => {
  origin = await startServer((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ host: request.headers.host }));
  });
  proxy = await startServer((_request, response) => response.writeHead(500).end());
  proxy.server.on('connect', (request, socket) => {
    tunnels.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`.trim());
    socket.on('error', () => socket.destroy());
    if (!answer.includes('200')) {
      socket.end(answer);
      return;
    }
    // Whatever the name, it leads to our server.
    const through = connect(origin.port, '127.0.0.1', () => {
      socket.write(answer);
      through.pipe(socket).pipe(through);
    });
    through.on('error', () => socket.destroy());
  });
});
beforeEach(() => {
  tunnels = [];
  answer = 'HTTP/1.1 200 Connection established\r\n\r\n';
});
afterAll(async () => {
  await proxy.stop();
  await origin.stop();
});

/** What a call of an address gives where the environment is this. */
async function ask(env: Readonly<Record<string, string>>, url: string): Promise<unknown> {
  const undo = await honourProxy(env, url);
  try {
    return (await gitHub(url).api.request('GET /x')).data;
  } finally {
    undo();
  }
}

const GHES = 'http://ghes.invalid';

describe('a proxy of the environment', () => {
  it.each([
    ['lower case', (url: string) => ({ http_proxy: url }), ''],
    ['upper case', (url: string) => ({ HTTP_PROXY: url }), ''],
    ['lower case first', (url: string) => ({ http_proxy: url, HTTP_PROXY: 'http://127.0.0.1:1' }), ''],
    ['an empty one is none', (url: string) => ({ http_proxy: '', HTTP_PROXY: url }), ''],
    ['without a scheme', (url: string) => ({ http_proxy: url.replace('http://', '') }), ''],
    ['with a password', (url: string) => ({ http_proxy: url.replace('//', '//a:b%40@') }), ' Basic YTpiQA=='],
    ['beside exceptions', (url: string) => ({ http_proxy: url, no_proxy: 'localhost,other.invalid' }), ''],
  ])('is used: %s', async (_name, env, authorization) => {
    expect(await ask(env(proxy.url), GHES)).toEqual({ host: 'ghes.invalid' });
    expect(tunnels).toEqual([`ghes.invalid:80${authorization}`]);
  });

  it('is asked for a tunnel to an https address', async () => {
    answer = 'HTTP/1.1 403 Forbidden\r\n\r\n';
    for (const name of ['https_proxy', 'HTTPS_PROXY']) {
      const refusal = await refusalOf(ask({ [name]: proxy.url }, 'https://ghes.invalid'));
      expect([refusal.code, refusal.message]).toEqual(['CS1601', expect.stringContaining('403')]);
    }
    expect(new Set(tunnels)).toEqual(new Set(['ghes.invalid:443']));
  });

  it.each([
    ['NO_PROXY', { NO_PROXY: '127.0.0.1' }],
    ['no_proxy', { no_proxy: 'x.invalid, 127.0.0.1' }],
    ['no_proxy for all', { no_proxy: '*' }],
  ])('is not used for the hosts of %s', async (_name, env) => {
    expect(await ask({ http_proxy: proxy.url, ...env }, origin.url)).toEqual({ host: `127.0.0.1:${origin.port}` });
    expect(tunnels).toEqual([]);
  });

  it('of the other scheme is not used', async () => {
    expect(await ask({ https_proxy: proxy.url }, origin.url)).toEqual({ host: `127.0.0.1:${origin.port}` });
    await refusalOf(ask({ http_proxy: proxy.url }, 'https://ghes.invalid'));
    expect(tunnels).toEqual([]);
  });

  it('is given up again', async () => {
    const undo = await honourProxy({ http_proxy: proxy.url }, GHES);
    undo();
    await gitHub(origin.url).api.request('GET /x');
    expect(tunnels).toEqual([]);
  });

  it.each(['http://', 'socks5://proxy.invalid:1080', 'a:b@c:d:e'])('that is none is refused: %s', async (value) => {
    const refusal = await refusalOf(honourProxy({ HTTPS_PROXY: value }, 'https://api.github.com'));
    expect([refusal.code, refusal.message]).toEqual([
      'CS1601',
      'HTTPS_PROXY is not the address of an http or https proxy',
    ]);
  });
});

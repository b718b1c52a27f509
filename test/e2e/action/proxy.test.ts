import { createServer } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { inWorld } from '../../support/action-world.ts';

/** A proxy that tunnels and counts. */
async function startProxy() {
  const seen: string[] = [];
  const server = createServer((_, response) => response.writeHead(405).end());
  server.on('connect', (request, socket, head) => {
    seen.push(request.url ?? '');
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.write(head);
      upstream.pipe(socket).pipe(upstream);
    });
    for (const one of [upstream, socket]) one.on('error', () => [upstream, socket].forEach((end) => end.destroy()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('The proxy has no address.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

describe('a proxy', () => {
  it('is gone through for every call', async () => {
    const proxy = await startProxy();
    try {
      await inWorld({ governed: null, config: null }, async (world) => {
        await world.open();
        const said = await world.act('pull_request', { env: { http_proxy: proxy.url } });
        expect([said.code, said.outputs['outcome']]).toEqual([0, 'not-governed']);
        expect(new Set(proxy.seen)).toEqual(new Set([new URL(world.sandbox.url).host]));
      });
    } finally {
      proxy.stop();
    }
  });

  it('is left out for hosts that no_proxy names', async () => {
    const proxy = await startProxy();
    try {
      await inWorld({ governed: null, config: null }, async (world) => {
        await world.open();
        const said = await world.act('pull_request', { env: { http_proxy: proxy.url, no_proxy: '127.0.0.1' } });
        expect([said.code, said.outputs['outcome']]).toEqual([0, 'not-governed']);
        expect(proxy.seen).toEqual([]);
      });
    } finally {
      proxy.stop();
    }
  });

  it('that is none is named, and its password is not shown', async () => {
    await inWorld({ governed: null, config: null }, async (world) => {
      await world.open();
      const said = await world.act('pull_request', { env: { http_proxy: 'socks5://ada:hush@127.0.0.1:1' } });
      expect([said.code, said.outputs['outcome']]).toEqual([4, 'incomplete']);
      expect(said.annotations[0]?.message).toContain('http_proxy');
      expect(said.stdout + said.summary).not.toContain('hush');
    });
  });
});

import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { Refusal } from '../../domain/errors.ts';
import { errorFields } from '../log.ts';
import type { Logger } from '../log.ts';
import type { Answer } from './webhook.ts';

/** What a path answers: JSON, or text of another type. */
export type Page = (request: IncomingMessage) => Promise<Answer | TextAnswer>;

export interface TextAnswer {
  readonly status: number;
  readonly text: string;
  readonly contentType: string;
}

export interface RunningServer {
  /** `http://host:port`, as it listens. */
  readonly url: string;
  /** Takes no new requests, and waits for those under way; cuts them off after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** GitHub cuts a delivery off after 10 seconds (30 on an Enterprise Server); nobody legitimate is slower to send one. */
const REQUEST_TIMEOUT = 30_000;
const HEADERS_TIMEOUT = 10_000;

/**
 * Listens with the pages given by path.
 * @throws Refusal CS1802 where the address cannot be had
 */
export async function listen(
  { host, port }: { readonly host: string; readonly port: number },
  pages: Readonly<Record<string, Page>>,
  log: Logger,
): Promise<RunningServer> {
  const server = createServer(
    { requestTimeout: REQUEST_TIMEOUT, headersTimeout: HEADERS_TIMEOUT },
    (request, response) => {
      answer(pages, request, response).catch((thrown: unknown) => {
        // A client that goes away in the middle is no fault of ours; the rest is a defect, and is told without details.
        if (request.readableAborted || response.destroyed) return void response.destroy();
        log.error({ err: errorFields(thrown) }, 'request failed');
        send(response, { status: 500, body: { error: 'Something went wrong here; the log has it.' } });
      });
    },
  );
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Refusal('CS1802', `Nothing can listen on ${host}:${port}.`, { cause });
  }
  return { url: urlOf(server, host), stop: async (graceMs) => stop(server, graceMs) };
}

async function answer(
  pages: Readonly<Record<string, Page>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = (request.url ?? '/').split('?')[0] ?? '/';
  const page = Object.hasOwn(pages, path) ? pages[path] : undefined;
  const given = page === undefined ? { status: 404, body: { error: 'Nothing is here.' } } : await page(request);
  // What was not read of the body would be taken for the next request.
  if (!request.complete) response.setHeader('connection', 'close');
  send(response, given);
}

function send(response: ServerResponse, given: Answer | TextAnswer): void {
  if (response.headersSent) return void response.destroy();
  const [text, type] =
    'text' in given ? [given.text, given.contentType] : [`${JSON.stringify(given.body)}\n`, 'application/json'];
  const headers = 'headers' in given ? given.headers : {};
  response.writeHead(given.status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
  });
  response.end(text);
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

async function stop(server: Server, graceMs: number): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearTimeout(cut);
}

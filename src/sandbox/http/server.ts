import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { answerGraphql } from '../graphql/answer.ts';
import { matchOperation } from '../openapi/description.ts';
import type { Match } from '../openapi/description.ts';
import { checkAnswer, checkBody, checkParameters } from '../openapi/check.ts';
import { handlerOf } from '../routes/all.ts';
import { accountOf, fullName, repositoryByName } from '../state.ts';
import type { Repository } from '../state.ts';
import type { LoggedCall, Sandbox } from '../sandbox.ts';
import { ApiError, errorAnswer, notFound } from './answer.ts';
import type { Answer } from './answer.ts';
import { authenticate, callerName } from './auth.ts';
import type { Caller } from './auth.ts';
import { strike } from './faults.ts';
import { webPage } from './web.ts';
import type { FaultEffect } from './faults.ts';
import { authorize } from './permissions.ts';
import { countCall, giveBack, rateHeaders, secondaryLimit } from './rate.ts';
import type { Resource } from './rate.ts';

const MAX_BODY_BYTES = 50 * 1024 * 1024;
/** Calls that create content, which GitHub limits on their own. */
const CREATES_CONTENT = new Set<string>(['issues/create-comment', 'pulls/create', 'pulls/create-review']);

/** Starts the server on a free port of the loopback interface. */
export async function listen(sandbox: Sandbox, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    handle(sandbox, request, response).catch((thrown: unknown) => {
      // A client that gave up is no fault of the sandbox.
      if (request.errored !== null && thrown === request.errored) return;
      sandbox.violations.push(`${request.method} ${request.url}: ${String((thrown as Error).stack ?? thrown)}`);
      response.destroy();
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

interface Incoming {
  readonly method: string;
  readonly path: string;
  readonly search: Readonly<Record<string, string>>;
  readonly match: Match | undefined;
  readonly resource: Resource;
  readonly call: LoggedCall;
}

async function handle(sandbox: Sandbox, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const incoming = read(sandbox, request);
  const { call, match } = incoming;
  sandbox.log.push(call);
  const effects = strike(sandbox.faults, {
    method: incoming.method,
    route: call.route,
    path: match?.operation.path ?? incoming.path,
  });
  if (effects.length > 0) call.fault = effects.map(({ kind }) => kind).join(', ');
  for (const effect of effects) {
    if (effect.kind === 'latency') await sleep(effect.ms);
    if (effect.kind === 'meanwhile') await effect.act();
  }
  if (effects.some((one) => one.kind === 'reset' && one.when !== 'after')) {
    call.free = true;
    request.socket.resetAndDestroy();
    return;
  }
  const body = await readBody(request);
  let caller: Caller = { kind: 'anonymous' };
  let answer: Answer;
  sandbox.rate.running += 1;
  try {
    refuseByFault(sandbox, effects, 'before');
    caller = authenticate(sandbox, request.headers.authorization);
    call.caller = callerName(caller);
    answer = await perform(sandbox, incoming, request, caller, body);
    refuseByFault(sandbox, effects, 'after');
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    answer = errorAnswer(thrown);
  } finally {
    sandbox.rate.running -= 1;
  }
  if (effects.some(({ kind }) => kind === 'reset')) {
    request.socket.resetAndDestroy();
    return;
  }
  call.status = answer.status;
  send(sandbox, incoming, request, response, caller, answer, effects);
}

function read(sandbox: Sandbox, request: IncomingMessage): Incoming {
  const url = new URL(request.url ?? '/', sandbox.url);
  const method = request.method ?? 'GET';
  const raw = url.pathname.replace(/^\/api\/v3(?=\/)/, '').replace(/^\/api\/graphql$/, '/graphql');
  const path = byName(sandbox, raw);
  const match = matchOperation(method, path);
  const route = path === '/graphql' ? 'graphql' : (match?.id ?? 'unknown');
  const resource = route === 'graphql' ? 'graphql' : 'core';
  const call: LoggedCall = {
    ...{ at: sandbox.now(), method, url: request.url ?? '', route, status: 0 },
    ...{ caller: 'anonymous', free: false, fault: null },
  };
  return { method, path, search: Object.fromEntries(url.searchParams), match, resource, call };
}

/** `/repositories/<id>/…`, the form in which GitHub writes the addresses of further pages, by name. */
function byName({ state }: Sandbox, path: string): string {
  const found = /^\/repositories\/(\d{1,15})(\/.*)?$/.exec(path);
  const repository = found === null ? undefined : state.repositories.get(Number(found[1]));
  return repository === undefined ? path : `/repos/${fullName(state, repository)}${found?.[2] ?? ''}`;
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refuseByFault(sandbox: Sandbox, effects: readonly FaultEffect[], when: 'before' | 'after'): void {
  for (const effect of effects) {
    if (effect.kind === 'status' && (effect.when ?? 'before') === when) {
      throw new ApiError(effect.status, effect.status === 503 ? 'Service unavailable' : 'Server Error');
    }
    if (when === 'after') continue;
    if (effect.kind === 'secondary-limit') throw secondaryLimit(effect.retryAfter);
    if (effect.kind === 'too-many-requests') throw secondaryLimit(effect.retryAfter, 429);
    if (effect.kind === 'primary-limit') {
      throw new ApiError(403, 'API rate limit exceeded.', undefined, {
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(Math.ceil(sandbox.now() / 1000) + effect.resetAfter),
      });
    }
  }
}

async function perform(
  sandbox: Sandbox,
  incoming: Incoming,
  request: IncomingMessage,
  caller: Caller,
  bytes: Buffer,
): Promise<Answer> {
  const { match, call, method, resource } = incoming;
  const free = call.route === 'rate-limit/get';
  if (!free) {
    const writes = method !== 'GET' && resource === 'core';
    countCall(sandbox, caller, resource, { writes, creates: CREATES_CONTENT.has(call.route) });
  }
  if (call.route === 'graphql') return answerGraphql(sandbox, caller, method, parseBody(bytes));
  if (match === undefined) {
    const web = webPage(
      sandbox,
      method,
      incoming.path,
      new URLSearchParams(incoming.search).toString(),
      bytes.toString(),
    );
    if (web === undefined) throw notFound();
    return web;
  }
  const { id, operation } = match;
  if (request.headers['user-agent'] === undefined)
    throw new ApiError(403, 'Request forbidden by administrative rules.');
  const repository = repositoryInPath(sandbox, incoming);
  authorize(sandbox, caller, id, repository);
  const params = checkParameters(id, operation, 'path', match.params);
  if (params.misfits.length > 0) throw notFound();
  const query = checkParameters(id, operation, 'query', incoming.search);
  const body = parseBody(bytes);
  const misfits = [...query.misfits, ...checkBody(id, operation, body)];
  if (misfits.length > 0) throw new ApiError(422, `Invalid request.\n\n${misfits.join('\n')}`);
  const answer = await handlerOf(id)({
    ...{ sandbox, id, caller, body, repository, params: params.values, query: query.values },
    tokenValue: request.headers.authorization?.split(' ')[1] ?? '',
    accept: request.headers.accept ?? '',
    address: `${sandbox.url}${pagePath(incoming.path, repository)}`,
    search: incoming.search,
  });
  if (!Buffer.isBuffer(answer.body)) {
    // What is sent is checked, not what was meant: fields that are undefined are gone by then.
    const sent: unknown = answer.body === undefined ? undefined : JSON.parse(JSON.stringify(answer.body));
    const wrong = checkAnswer(id, operation, answer.status, sent);
    if (wrong.length > 0) {
      sandbox.violations.push(...wrong.map((one) => `${id}: ${one}`));
      throw new ApiError(500, `The sandbox's own answer is not GitHub's: ${wrong.join('; ')}`);
    }
  }
  return answer;
}

const pagePath = (path: string, repository: Repository | undefined): string =>
  repository === undefined ? path : path.replace(/^\/repos\/[^/]+\/[^/]+/, `/repositories/${repository.id}`);

function repositoryInPath(sandbox: Sandbox, { match, path, method, search }: Incoming): Repository | undefined {
  const { owner, repo } = match?.params ?? {};
  if (owner === undefined || repo === undefined) return undefined;
  const found = repositoryByName(sandbox.state, `${owner}/${repo}`);
  if (found !== undefined) return found;
  const moved = sandbox.state.repositories.get(sandbox.state.formerNames.get(`${owner}/${repo}`.toLowerCase()) ?? -1);
  if (moved === undefined) throw notFound();
  // A renamed or transferred repository: 301 for reading, 307 for writing (REST docs, "Best practices").
  const query = new URLSearchParams(search).toString();
  const location = `${sandbox.url}${pagePath(path, moved)}${query === '' ? '' : `?${query}`}`;
  const name = accountOf(sandbox.state, moved.ownerId).login;
  throw new ApiError(method === 'GET' ? 301 : 307, `Moved Permanently (to ${name})`, undefined, { location });
}

function parseBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  try {
    return JSON.parse(bytes.toString('utf8')) as unknown;
  } catch {
    throw new ApiError(400, 'Problems parsing JSON');
  }
}

function send(
  sandbox: Sandbox,
  { method, resource, call }: Incoming,
  request: IncomingMessage,
  response: ServerResponse,
  caller: Caller,
  answer: Answer,
  effects: readonly FaultEffect[],
): void {
  const { body } = answer;
  const bytes = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
  const headers: Record<string, string> = {
    date: new Date(sandbox.now()).toUTCString(),
    'x-github-request-id': `SANDBOX:${sandbox.log.length}`,
  };
  if (bytes !== undefined) {
    headers['content-type'] = Buffer.isBuffer(body) ? 'application/octet-stream' : 'application/json; charset=utf-8';
  }
  if (bytes !== undefined && method === 'GET' && answer.status === 200) {
    const etag = `W/"${createHash('sha256').update(bytes).digest('hex')}"`;
    headers['etag'] = etag;
    headers['cache-control'] =
      caller.kind === 'anonymous' ? 'public, max-age=60, s-maxage=60' : 'private, max-age=60, s-maxage=60';
    if ((request.headers['if-none-match'] ?? '').split(/, ?/).includes(etag)) {
      if (call.route !== 'rate-limit/get') giveBack(sandbox, caller, resource);
      call.status = 304;
      call.free = true;
      delete headers['content-type'];
      response.writeHead(304, { ...headers, ...rateHeaders(sandbox, caller, resource), ...answer.headers }).end();
      return;
    }
  }
  response.writeHead(answer.status, {
    ...headers,
    ...rateHeaders(sandbox, caller, resource),
    ...answer.headers,
    ...(bytes === undefined ? {} : { 'content-length': String(bytes.length) }),
  });
  if (bytes !== undefined && effects.some(({ kind }) => kind === 'truncated')) {
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.socket?.destroy());
    return;
  }
  response.end(bytes);
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { once } from 'node:events';
import { isRefusal, Refusal } from '../../domain/errors.ts';
import { visibleLines } from '../../domain/text/visible.ts';
import { honourProxy } from '../../github/proxy.ts';
import { convert } from './convert.ts';
import { checkEnvFile, writeEnvFile } from './env-file.ts';
import { manifestFor, registrationUrl } from './manifest.ts';
import { readOptions, REGISTER_HELP } from './options.ts';
import type { RegisterOptions } from './options.ts';
import { donePage, faultPage, startPage } from './pages.ts';

/** Milliseconds that a person has: GitHub's code is good for an hour, and nobody thinks that long. */
export const REGISTER_TIMEOUT_MS = 15 * 60_000;

/** What registering needs of its surroundings; tests bring their own. */
export interface RegisterTools {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs: number;
}

const TOOLS: RegisterTools = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  environment: process.env,
  timeoutMs: REGISTER_TIMEOUT_MS,
};

/**
 * `register`: makes the GitHub App from its manifest, with a person's browser.
 * @returns the exit code: 0 done, 2 the arguments are wrong, 3 it could not be done
 */
export async function register(argv: readonly string[], tools: Partial<RegisterTools> = {}): Promise<number> {
  const { out, err, environment, timeoutMs } = { ...TOOLS, ...tools };
  try {
    const options = readOptions(argv);
    if (options === undefined) {
      out(`${REGISTER_HELP}\n`);
      return 0;
    }
    checkEnvFile(options.envFile, options.force);
    await honourProxy(environment, options.github.api);
    out(await registered(options, out, timeoutMs));
    return 0;
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    const remedy = thrown.remedy === undefined ? '' : `${visibleLines(thrown.remedy)}\n`;
    err(`${thrown.code} ${visibleLines(thrown.message)}\n${remedy}`);
    return thrown.code === 'CS1301' ? 2 : 3;
  }
}

/** @returns what to do next. @throws Refusal CS1802, CS1805 */
async function registered(options: RegisterOptions, out: (text: string) => void, timeoutMs: number): Promise<string> {
  // Others who use this machine could open the page otherwise, and send back an App of their own.
  const room = randomBytes(16).toString('hex');
  const state = randomBytes(32).toString('hex');
  const code = Promise.withResolvers<string>();
  const ended = Promise.withResolvers<string>();
  const server = createServer((request, response) => {
    answer(request, response).catch((thrown: unknown) => {
      response.destroy();
      code.reject(thrown);
    });
  });
  const origin = await listen(server, options.port);
  const manifest = manifestFor(options, `${origin}/${room}/registered`);
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = URL.parse(request.url ?? '/', origin);
    // A name that somebody else's server gives for this address is no name of ours.
    if (url === null || request.method !== 'GET' || request.headers.host !== new URL(origin).host) {
      return send(response, 404, faultPage('Nothing is here.'));
    }
    if (url.pathname === `/${room}/`) return send(response, 200, startPage(registrationUrl(options, state), manifest));
    if (url.pathname !== `/${room}/registered`) return send(response, 404, faultPage('Nothing is here.'));
    const given = url.searchParams.get('code') ?? '';
    if (!isSame(url.searchParams.get('state') ?? '', state) || !/^[\w-]{1,200}$/.test(given)) {
      return send(response, 400, faultPage('This does not come from the registration that was begun here.'));
    }
    code.resolve(given);
    // The page says how it ended, once that is known.
    await ended.promise.then(
      () => send(response, 200, donePage()),
      () => send(response, 502, faultPage('It could not be ended. The terminal tells why.')),
    );
  };
  const timer = setTimeout(() => {
    const minutes = Math.round(timeoutMs / 60_000);
    const remedy = 'Run it again, and open the address that it shows. It waits for a browser on this machine.';
    code.reject(
      new Refusal('CS1805', `Nobody agreed on GitHub within ${minutes} minutes; nothing is made.`, { remedy }),
    );
  }, timeoutMs);
  out(`Open this page in a browser on this machine, and agree on GitHub:\n\n  ${origin}/${room}/\n\n`);
  try {
    ended.resolve(await end(options, await code.promise));
    return await ended.promise;
  } catch (thrown) {
    ended.promise.catch(() => undefined);
    ended.reject(thrown);
    throw thrown;
  } finally {
    clearTimeout(timer);
    await stop(server);
  }
}

/** Fetches the App's secrets and writes them down. @returns what to do next */
async function end(options: RegisterOptions, code: string): Promise<string> {
  const { envFile, github, organization, webhookUrl } = options;
  const app = await convert(github, code);
  const settings =
    organization === undefined
      ? `${github.web}/settings/apps/${app.slug}`
      : `${github.web}/organizations/${organization}/settings/apps/${app.slug}`;
  try {
    writeEnvFile(envFile, {
      APP_ID: String(app.id),
      PRIVATE_KEY: app.pem,
      WEBHOOK_SECRET: app.webhook_secret ?? randomBytes(32).toString('hex'),
      ...(github.api === 'https://api.github.com' ? {} : { GITHUB_API_URL: github.api }),
    });
  } catch (cause) {
    if (!isRefusal(cause)) throw cause;
    const remedy = `The App is made, and its key is lost. Make a new key and a new secret at ${settings}.`;
    throw new Refusal('CS1805', cause.message, { cause, remedy });
  }
  const later =
    app.webhook_secret === null || webhookUrl === undefined
      ? [
          `Tell GitHub where events go: at ${settings}, make the webhook active, give`,
          `   https://YOUR-HOST/api/github/webhooks as its address and the WEBHOOK_SECRET of ${envFile} as its secret.`,
        ]
      : [];
  const steps = [
    [`Install the App on the repositories that it is to judge: ${app.html_url}/installations/new`],
    ...(later.length === 0 ? [] : [later]),
    [`Start it: node --env-file=${envFile} dist/app.mjs`],
    ['See that all is well: countersign doctor --github --repo OWNER/REPOSITORY'],
  ];
  return visibleLines(
    [
      `Registered ${app.slug} (id ${app.id}). Its key and secret are in ${envFile}, which only you can read.`,
      '',
      ...steps.flatMap(([first, ...rest], index) => [`${index + 1}. ${first}`, ...rest]),
      '',
    ].join('\n'),
  );
}

async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (cause) {
    throw new Refusal('CS1802', `Nothing can listen on 127.0.0.1:${port}.`, { cause });
  }
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
}

/** Compared by digests: equal in length, so that the time tells nothing. */
function isSame(given: string, expected: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}

function send(response: ServerResponse, status: number, html: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    connection: 'close',
  });
  response.end(html);
}

async function stop(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  // The last page is on its way; whoever only keeps a connection open is not waited for.
  const cut = setTimeout(() => server.closeAllConnections(), 1000);
  await closed;
  clearTimeout(cut);
}

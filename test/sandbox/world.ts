import { startSandbox } from '../../src/sandbox/start.ts';
import type { SandboxOptions } from '../../src/sandbox/start.ts';

/** An answer of the sandbox. The body is what tests look into, so it is not typed. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** What stands at a place of a body. */
export function at(body: unknown, ...steps: readonly (string | number)[]): unknown {
  return steps.reduce<unknown>(
    (value, step) =>
      typeof value === 'object' && value !== null
        ? (value as Readonly<Record<string | number, unknown>>)[step]
        : undefined,
    body,
  );
}

/** A list at a place of a body, or one field of each of its entries. */
export function list(body: unknown, place: string | null, field?: string): readonly unknown[] {
  const found = place === null ? body : at(body, place);
  if (!Array.isArray(found)) throw new Error(`There is no list at ${place}: ${JSON.stringify(body)}`);
  return field === undefined ? (found as readonly unknown[]) : found.map((one) => at(one, field));
}

export type Client = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

/** Calls the sandbox with a token, as any HTTP client would. */
export function client(url: string, token?: string): Client {
  return async (method, path, body, headers = {}) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const response = await fetch(path.startsWith('http') ? path : `${url}${path}`, {
      method,
      headers: { 'user-agent': 'countersign-test', ...authorization, ...headers },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const json = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers, body: json ? (JSON.parse(text) as unknown) : text };
  };
}

export const R = '/repos/acme/widgets';

/** All that the App asks for. */
export const PERMISSIONS = {
  actions: 'read',
  checks: 'write',
  contents: 'read',
  members: 'read',
  pull_requests: 'write',
  statuses: 'write',
} as const;

const EVENTS = [
  ...['check_run', 'check_suite', 'issue_comment', 'merge_group', 'pull_request', 'pull_request_review', 'push'],
  ...['repository', 'status', 'workflow_run'],
];

/** An organisation with a repository, people and an installed app, and clients for each. */
export async function startWorld(options: SandboxOptions = {}) {
  const sandbox = await startSandbox(options);
  const ada = sandbox.addUser('ada', { name: 'Ada' });
  const bob = sandbox.addUser('bob');
  const eve = sandbox.addUser('eve');
  const acme = sandbox.addOrganization('acme', [ada]);
  const widgets = await sandbox.addRepository(acme, 'widgets', {
    files: { 'README.md': '# Widgets\n', 'src/a.ts': 'one\ntwo\n', 'src/b.ts': 'b\n' },
    collaborators: { bob: 'write' },
    protectedBranches: ['main'],
  });
  const { app, privateKey } = sandbox.addApp(ada, 'countersign', { permissions: PERMISSIONS, events: EVENTS });
  const installation = sandbox.install(app, acme);
  const asApp = client(sandbox.url, sandbox.appJwt(app, privateKey));
  const made = await asApp('POST', `/app/installations/${installation.id}/access_tokens`);
  const token = at(made.body, 'token');
  if (typeof token !== 'string') throw new Error(`There is no token: ${JSON.stringify(made.body)}`);
  return {
    ...{ sandbox, ada, bob, eve, acme, widgets, app, privateKey, installation, asApp },
    token,
    api: client(sandbox.url, token),
    asBob: client(sandbox.url, sandbox.userToken(bob)),
    asEve: client(sandbox.url, sandbox.userToken(eve)),
    /** A branch of bob's with a change, and its pull request. */
    pullRequest: async (branch: string, files: Readonly<Record<string, string>> = { [`${branch}.txt`]: 'new\n' }) => {
      await sandbox.push(widgets, bob, { branch, files, message: `Add ${branch}` });
      return sandbox.openPullRequest(widgets, { by: bob, branch, title: branch });
    },
    /** Stops the sandbox. @throws Error where it broke GitHub's description on the way */
    stop: async (): Promise<void> => {
      await sandbox.stop();
      const wrong = sandbox.violations();
      if (wrong.length > 0) throw new Error(`The sandbox is not as GitHub describes it:\n${wrong.join('\n')}`);
    },
  };
}

export type World = Awaited<ReturnType<typeof startWorld>>;

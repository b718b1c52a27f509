import { createGitHub } from '../../src/github/client.ts';
import type { GitHubApi } from '../../src/github/api.ts';
import type { CommentAuthor } from '../../src/publish/comment-search.ts';
import type { PublicationIntent, PublicationLog, PublicationMemory } from '../../src/publish/log.ts';
import type { Published } from '../../src/publish/result.ts';
import type { Comment, PullRequest } from '../../src/sandbox/state.ts';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import { at, client, startWorld } from '../sandbox/world.ts';

export const REPOSITORY = { owner: 'acme', repo: 'widgets' } as const;

/** The product's own client, but that hours pass at once. */
export function apiFor(baseUrl: string, auth: string): GitHubApi {
  const time = { now: Date.now, sleep: async () => Promise.resolve(), random: () => 0 };
  return createGitHub({ baseUrl, auth, userAgent: 'countersign/test', time }).api;
}

/** Bounds a waiting that a test has no time for. */
export const wait = async (): Promise<void> => Promise.resolve();

/** A sandbox with what the publishers need. */
export async function startPublishing(options: SandboxOptions = {}) {
  const world = await startWorld(options);
  const { sandbox, app, token, widgets } = world;
  const author = { login: 'countersign[bot]', id: app.botId, appId: app.id } satisfies CommentAuthor;
  return {
    ...world,
    author,
    context: { api: apiFor(sandbox.url, token), repository: REPOSITORY, wait },
    /** Comments of a pull request, as they came. */
    comments: ({ number }: PullRequest): readonly Comment[] =>
      [...widgets.comments.values()].filter((one) => one.number === number),
    /** Another app's client. */
    otherApp: async (slug: string) => {
      const { app: other, privateKey } = sandbox.addApp(world.ada, slug, {
        permissions: { checks: 'write', pull_requests: 'write', statuses: 'write' },
        events: [],
      });
      const installation = sandbox.install(other, world.acme);
      const asApp = client(sandbox.url, sandbox.appJwt(other, privateKey));
      const { body } = await asApp('POST', `/app/installations/${installation.id}/access_tokens`);
      return client(sandbox.url, String(at(body, 'token')));
    },
    /** Calls by route of what is done, and its result. */
    counted: async <T>(act: () => Promise<T>): Promise<{ readonly result: T; readonly calls: object }> => {
      sandbox.forgetCalls();
      const result = await act();
      return { result, calls: sandbox.calls() };
    },
  };
}

export type Publishing = Awaited<ReturnType<typeof startPublishing>>;

/** A log in memory, which can be made to forget what GitHub answered, as a crash does. */
export function memoryLog() {
  const entries = new Map<string, { digest: string; id: number | undefined }>();
  const key = ({ surface, target }: PublicationIntent): string => `${surface} ${target}`;
  let crashes = false;
  const log: PublicationLog = {
    begin: async (intent): Promise<PublicationMemory> => {
      const known = entries.get(key(intent));
      entries.set(key(intent), { digest: intent.digest, id: known?.id });
      if (known === undefined) return Promise.resolve({ state: 'new' });
      return Promise.resolve(known.id === undefined ? { state: 'begun' } : { state: 'finished', id: known.id });
    },
    finish: async (intent, what: Published) => {
      if (crashes) throw new Error('crash');
      entries.set(key(intent), { digest: intent.digest, id: what.id });
      return Promise.resolve();
    },
  };
  return { log, entries, crash: (does: boolean) => void (crashes = does) };
}

import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { COMMENT_MARKER } from '../../src/render/markdown.ts';
import { signature } from '../../src/sandbox/webhooks/deliver.ts';
import { startSandbox } from '../../src/sandbox/start.ts';
import type { SandboxOptions } from '../../src/sandbox/start.ts';
import type { Account, CheckRun, Comment, Delivery, Permissions, PullRequest } from '../../src/sandbox/state.ts';
import { startAppProcess } from './app-process.ts';
import type { AppProcess } from './app-process.ts';
import { WAIT_MS } from './processes.ts';
import { addCast, governedRepository } from './governed-repository.ts';
import type { GovernedRepository, GovernedRepositoryOptions, NewPull } from './governed-repository.ts';

export const VERDICT = 'Countersign';
export const CHECKS = [VERDICT, `${VERDICT} / attribution`, `${VERDICT} / secrets`] as const;

const UNAWAITED = ['Overtaken by a newer push', 'Closed before the verdict'];

interface Manifest {
  readonly default_permissions: Permissions;
  readonly default_events: readonly string[];
}

const MANIFEST = parse(readFileSync(join(import.meta.dirname, '..', '..', 'app.yml'), 'utf8')) as Manifest;

// GitHub's description does not have it, and the sandbox none that it lacks.
const { merge_queues: _, ...PERMISSIONS } = MANIFEST.default_permissions;

export interface AppWorldOptions {
  /** Environment variables of the App, besides those that it cannot do without. */
  readonly settings?: Readonly<Record<string, string>>;
  readonly sandbox?: SandboxOptions;
  /**
   * Each place in an organisation of its own. The App writes 80 comments and check runs a minute for an installation, as
   * GitHub allows, so that many places in one wait for each other.
   */
  readonly apart?: boolean;
  /** False: it is started by `world.start()` later. */
  readonly started?: boolean;
}

/** A GitHub to test on with the App installed in an organisation, and the App as a process that it delivers to. */
export async function startAppWorld(options: AppWorldOptions = {}) {
  // Decisions are bound to heads by whole seconds: the clock is put forward where a person would take a while.
  let ahead = 0;
  const sandbox = await startSandbox({ now: () => Date.now() + ahead, ...options.sandbox });
  const cast = addCast(sandbox);
  const { app, privateKey } = sandbox.addApp(cast.ada, 'countersign', {
    ...{ permissions: PERMISSIONS, events: MANIFEST.default_events },
  });
  const installation = sandbox.install(app, cast.acme);
  const secrets = { current: ['whsec', randomUUID()].join('-'), previous: ['whsec', randomUUID()].join('-') };
  const folder = mkdtempSync(join(tmpdir(), 'countersign-app-'));
  const places: GovernedRepository[] = [];
  let running: AppProcess | undefined;
  let stopped = false;
  const written: string[] = [];
  const process = (): AppProcess => {
    if (running === undefined) throw new Error('The App is not started.');
    return running;
  };

  const stopApp = async (): Promise<number | undefined> => {
    const code = await running?.stop();
    written.push(...(running?.lines() ?? []));
    running = undefined;
    return code;
  };

  /** Starts the App, and has the sandbox deliver to it. `store`: another name than before begins with an empty one. */
  const start = async (store = 'store'): Promise<void> => {
    running = await startAppProcess({
      ...{ APP_ID: String(app.id), PRIVATE_KEY: privateKey, WEBHOOK_SECRET: secrets.current },
      ...{ WEBHOOK_SECRET_PREVIOUS: secrets.previous, GITHUB_API_URL: sandbox.url, LOG_LEVEL: 'debug' },
      ...{ STORE_FILE: join(folder, `${store}.sqlite`), ...options.settings },
    });
    deliver(true);
  };
  const webhookUrl = (): string => `${process().url}/api/github/webhooks`;
  const deliver = (on: boolean, secret = secrets.current): void =>
    sandbox.deliverTo(on ? webhookUrl() : null, secret, app);

  /** Waits until every delivery has arrived, and the App has nothing more to do. */
  const settled = async (): Promise<void> => {
    const end = Date.now() + WAIT_MS;
    for (;;) {
      await sandbox.settled();
      const before = sandbox.state.deliveries.length;
      const waiting = await process().waiting();
      if (waiting === 0 && sandbox.state.deliveries.length === before) return;
      if (Date.now() > end) throw new Error(`${waiting} in the App's queues after ${WAIT_MS / 1000} s`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };

  const step = (seconds = 2): void => void (ahead += seconds * 1000);

  if (options.started !== false) await start();

  /** A repository with rules, people at work, and what the App says there. */
  const place = async (given: GovernedRepositoryOptions = {}) => {
    const at = places.length + 1;
    const acme = options.apart === true ? sandbox.addOrganization(`acme-${at}`, [cast.ada]) : cast.acme;
    if (acme !== cast.acme) sandbox.install(app, acme);
    const own = await governedRepository(
      sandbox,
      { ...cast, acme },
      {
        ...given,
        name: given.name ?? `widgets-${at}`,
      },
    );
    places.push(own);
    const { repository } = own;
    const comments = (pull: PullRequest): Comment[] => own.comments(pull).filter(({ userId }) => userId === app.botId);
    const run = (pull: PullRequest, name: string = VERDICT, sha = pull.head.sha): CheckRun | undefined =>
      [...repository.checkRuns.values()]
        .filter((one) => one.headSha === sha && one.name === name && isOurs(own, one, app.id))
        .at(-1);
    const verdict = (pull: PullRequest): Comment | undefined =>
      comments(pull).find(({ body }) => body.includes(COMMENT_MARKER));
    return {
      ...own,
      ...{ verdict },
      /** Opens a pull request, and waits for the verdict. */
      judged: async (pull: NewPull = {}): Promise<PullRequest> => {
        step();
        const opened = await own.open(pull);
        await settled();
        step();
        return opened;
      },
      /** The newest check run of ours. */
      run,
      /** The id of the first finding that the verdict's check run shows. */
      findingIn: (pull: PullRequest): string => {
        const { summary = '', text = '' } = run(pull) ?? {};
        const id = /`([0-9a-f]{12})`/.exec(`${summary ?? ''}\n${text ?? ''}`)?.[1];
        if (id === undefined) throw new Error('There is no finding.');
        return id;
      },
      /** How the three checks ended. */
      checks: (pull: PullRequest, sha = pull.head.sha): (string | null | undefined)[] =>
        CHECKS.map((name) => {
          const one = run(pull, name, sha);
          return one?.status === 'completed' ? one.conclusion : one?.status;
        }),
      /** Answers of the App's to commands, oldest first. */
      answers: (pull: PullRequest): string[] =>
        comments(pull).flatMap(({ body }) => (body.includes(COMMENT_MARKER) ? [] : [body])),
      /** Somebody comments, and everything that follows is waited for. */
      says: async (pull: PullRequest, by: Account, body: string): Promise<Comment> => {
        step();
        const comment = sandbox.comment(repository, pull, by, body);
        await settled();
        step();
        return comment;
      },
      /** Reactions of the App's on a comment. */
      reactions: (comment: Comment): string[] =>
        comment.reactions.filter(({ userId }) => userId === app.botId).map(({ content }) => content),
    };
  };

  /** What the App must not have left behind; everything empty is right. */
  const faults = () => {
    const runs = places.flatMap((own) =>
      [...own.repository.checkRuns.values()].filter((one) => isOurs(own, one, app.id)),
    );
    const bodies = places.flatMap(({ repository }) =>
      [...repository.comments.values()]
        .filter(({ userId }) => userId === app.botId)
        .map((one) => ({ ...one, repository })),
    );
    const log = [...written, ...(running?.lines() ?? [])];
    const secret = [...Object.values(secrets), ...sandbox.state.tokens.keys(), privateKey.split('\n')[1] ?? ''];
    return {
      violations: [...sandbox.violations()],
      secondComments: repeated(
        bodies.flatMap(({ repository, number, body }) =>
          body.includes(COMMENT_MARKER) ? [`${repository.name}#${number}`] : [],
        ),
      ),
      secondAnswers: repeated(bodies.flatMap(({ body }) => /<!-- countersign:answer [0-9]+ -->/.exec(body)?.[0] ?? [])),
      conclusions: runs
        // The ways in which a check is cancelled: nobody awaits its verdict any more.
        .filter(({ title, conclusion }) => conclusion !== 'cancelled' || !UNAWAITED.includes(title ?? ''))
        .map(({ name, conclusion }) => `${name}: ${conclusion ?? 'none'}`)
        .filter((one) => /: (neutral|skipped|cancelled|timed_out|stale)$/.test(one)),
      unnamed: runs.filter(({ externalId }) => externalId === null || externalId === '').map(({ name }) => name),
      tellingLines: log.filter(
        (line) => secret.some((one) => line.includes(one)) || /"(?:pull_request|sender)":/.test(line),
      ),
      notLog: log.filter((line) => !line.startsWith('{')),
    };
  };

  return {
    ...{ ...cast, sandbox, app, installation, privateKey, secrets, start, stopApp, deliver, settled, step, place },
    ...{ faults, process },
    webhookUrl,
    /** Deliveries as the sandbox made them, of one event. */
    deliveries: (event: string, action?: string): Delivery[] =>
      sandbox.state.deliveries.filter((one) => one.event === event && (action === undefined || one.action === action)),
    /** Sends a payload as GitHub does, signed, under an id; answers with the status. */
    send: async (
      event: string,
      text: string,
      given: { readonly id?: string; readonly signature?: string; readonly secret?: string } = {},
    ): Promise<number> => {
      const response = await fetch(webhookUrl(), {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'x-github-delivery': given.id ?? randomUUID(),
          'x-github-event': event,
          'x-hub-signature-256': given.signature ?? signature(given.secret ?? secrets.current, text),
        },
        body: text,
      });
      await response.text();
      return response.status;
    },
    /** Ends everything; answers with the App's exit code. */
    stop: async (): Promise<number | undefined> => {
      if (stopped) return undefined;
      stopped = true;
      sandbox.deliverTo(null, '', app);
      const code = await stopApp();
      await sandbox.stop();
      for (const { remove } of places) remove();
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      return code;
    },
  };
}

export type AppWorld = Awaited<ReturnType<typeof startAppWorld>>;
export type Place = Awaited<ReturnType<AppWorld['place']>>;

/** The last test of a file: the App stops in good order, and nothing was left behind that must not be. */
export function endsWell(world: () => AppWorld): void {
  // Where only some tests of a file are run, this one is not among them.
  afterAll(async () => {
    await world().stop();
  });
  it('leaves nothing behind, and stops in good order', async () => {
    expect(await world().stop()).toBe(0);
    const faults = world().faults();
    expect(faults).toEqual(Object.fromEntries(Object.keys(faults).map((name) => [name, []])));
  });
}

function isOurs({ repository }: GovernedRepository, { suiteId }: CheckRun, appId: number): boolean {
  return repository.suites.get(suiteId)?.appId === appId;
}

function repeated(texts: readonly string[]): string[] {
  return texts.filter((text, index) => texts.indexOf(text) !== index);
}

import { Probot, ProbotOctokit } from 'probot';
import * as z from 'zod';
import type { GitHubApi } from '../github/api.ts';
import { shaped } from '../github/graphql.ts';
import { createLimiter } from '../github/limiter.ts';
import type { Limiter } from '../github/limiter.ts';
import { attachRules } from '../github/rules.ts';
import type { CallRecord, RulesOptions } from '../github/rules.ts';
import { SYSTEM_TIME } from '../github/time.ts';
import type { Logger } from './log.ts';
import type { Settings } from './settings.ts';
import { installationEtags } from './etags.ts';
import type { Store } from './store/store.ts';

/** Who the App is on GitHub: how its own comments and check runs are told from others'. */
export interface AppIdentity {
  readonly id: number;
  readonly slug: string;
  /** Login of the account that it comments as. */
  readonly login: string;
}

/** GitHub, as the App itself and as each of its installations. */
export interface Clients {
  readonly probot: Probot;
  /** As the App: its installations, its deliveries. */
  readonly app: () => Promise<GitHubApi>;
  /** As an installation; calls of one share a budget. */
  readonly installation: (id: number) => Promise<GitHubApi>;
  /** Asked once. @throws Refusal CS16xx */
  readonly identity: () => Promise<AppIdentity>;
  /** Forgets an installation's client: it was suspended or removed. */
  readonly forget: (id: number) => void;
}

export interface ClientsOptions {
  readonly settings: Pick<Settings, 'appId' | 'privateKey' | 'restUrl' | 'graphqlUrl' | 'webhookSecrets'>;
  readonly userAgent: string;
  readonly store: Pick<Store, 'etag' | 'putEtag'>;
  readonly log: Logger;
  readonly onCall: (record: CallRecord, installation: number | undefined) => void;
  /** Milliseconds that the calls of one installation may wait in all before they give up. */
  readonly waitingBudget?: number;
  readonly rules?: Pick<RulesOptions, 'time' | 'timeout'>;
}

/** Installations whose clients are kept; one that drops out is made again with its next call. */
const MAX_CLIENTS = 1000;

/** An evaluation that had to wait longer than this is put back, so that its worker can serve others. */
const WAITING_BUDGET_MS = 60_000;

const appSchema = z.object({ id: z.int(), slug: z.string() });

export function createClients(options: ClientsOptions): Clients {
  const { settings, userAgent, store, log, onCall } = options;
  const probot = new Probot({
    appId: settings.appId,
    privateKey: settings.privateKey,
    secret: settings.webhookSecrets[0],
    // Its client notes every call with all that is sent at level debug.
    log: log.child({}, { level: 'warn' }),
    baseUrl: settings.restUrl,
    // What is repeated and when is waited is this project's to say (src/github/rules.ts). Only a function can switch
    // Probot's own throttling off.
    Octokit: ProbotOctokit.defaults((given: Record<string, unknown>) => ({
      ...given,
      userAgent,
      baseUrl: settings.restUrl,
      throttle: { enabled: false },
      retry: { enabled: false },
    })),
  });
  // What became of a client is asked for anew by each evaluation, so that its waiting budget is its own; the pace is
  // the installation's.
  const paces = new Map<number, Limiter>();
  const paceOf = (id: number): Limiter => {
    const known = paces.get(id);
    if (known !== undefined) return known;
    const [oldest] = paces.keys();
    if (paces.size >= MAX_CLIENTS && oldest !== undefined) paces.delete(oldest);
    const pace = createLimiter({ time: options.rules?.time ?? SYSTEM_TIME });
    paces.set(id, pace);
    return pace;
  };
  const ruled = async (id: number | undefined, more: Pick<RulesOptions, 'etags' | 'limiter'>): Promise<GitHubApi> => {
    const octokit = await probot.auth(id);
    attachRules(octokit, {
      ...options.rules,
      ...more,
      graphqlUrl: settings.graphqlUrl,
      budget: options.waitingBudget ?? WAITING_BUDGET_MS,
      onCall: (record) => onCall(record, id),
    });
    return octokit;
  };
  let identity: Promise<AppIdentity> | undefined;
  const asApp = async (): Promise<GitHubApi> => ruled(undefined, {});
  return {
    probot,
    app: asApp,
    installation: async (id) =>
      ruled(id, { etags: installationEtags(store, id, options.rules?.time ?? SYSTEM_TIME), limiter: paceOf(id) }),
    identity: async () => {
      identity ??= asApp().then(async (api) => {
        const { data } = await api.request('GET /app');
        const { id, slug } = shaped(appSchema, data, 'GET /app');
        return { id, slug, login: `${slug}[bot]` };
      });
      try {
        return await identity;
      } catch (thrown) {
        identity = undefined; // asked again the next time
        throw thrown;
      }
    },
    forget: (id) => void paces.delete(id),
  };
}

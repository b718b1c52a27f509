import { readFileSync } from 'node:fs';
import { createPrivateKey } from 'node:crypto';
import { Refusal } from '../domain/errors.ts';

/** What an operator sets, by environment variables (docs/how-to/run-the-app.md has the table). */
export interface Settings {
  readonly appId: number;
  /** PEM text. */
  readonly privateKey: string;
  /** Secrets of the webhook: the one in use first, during a rotation the one before it as well. */
  readonly webhookSecrets: readonly string[];
  readonly host: string;
  readonly port: number;
  readonly webhookPath: string;
  /** Addresses of the API, without a slash at the end. */
  readonly restUrl: string;
  readonly graphqlUrl: string;
  readonly store: { readonly url: string } | { readonly file: string };
  /** Pull requests that are evaluated at once by this process. */
  readonly workers: number;
  /** Minutes between two sweeps over open pull requests and failed deliveries. */
  readonly sweepMinutes: number;
  /** Days for which finished deliveries and results are kept. */
  readonly keepDays: number;
  /** Whether a commit status is written beside the check runs. */
  readonly commitStatus: boolean;
  readonly logLevel: LogLevel;
}

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The names of all variables, with their defaults, in the order in which the guide lists them. */
export const SETTINGS = {
  APP_ID: { default: undefined, meaning: 'id of the GitHub App' },
  PRIVATE_KEY: { default: undefined, meaning: 'its private key in PEM; line ends may be written as \\n' },
  PRIVATE_KEY_PATH: { default: undefined, meaning: 'or the file that holds it' },
  WEBHOOK_SECRET: { default: undefined, meaning: 'secret that GitHub signs deliveries with, 16 characters at least' },
  WEBHOOK_SECRET_PREVIOUS: { default: '', meaning: 'the secret before it, while a rotation is under way' },
  HOST: { default: '127.0.0.1', meaning: 'address to listen on; 0.0.0.0 in a container' },
  PORT: { default: '3000', meaning: 'port to listen on; 0 takes a free one' },
  WEBHOOK_PATH: { default: '/api/github/webhooks', meaning: 'path that deliveries come to' },
  GITHUB_API_URL: {
    default: 'https://api.github.com',
    meaning: 'REST API; https://HOST/api/v3 on an Enterprise Server',
  },
  GITHUB_GRAPHQL_URL: { default: '', meaning: 'GraphQL API, where it is not beside the REST API' },
  DATABASE_URL: { default: '', meaning: 'PostgreSQL 15 or newer; without it a SQLite file is used' },
  STORE_FILE: { default: 'countersign.sqlite', meaning: 'the SQLite file' },
  WORKERS: { default: '4', meaning: 'pull requests that are evaluated at once, 1 to 64' },
  SWEEP_MINUTES: { default: '30', meaning: 'minutes between two sweeps, 1 to 1440' },
  KEEP_DAYS: { default: '30', meaning: 'days for which finished deliveries and results are kept, 1 to 3650' },
  COMMIT_STATUS: { default: 'off', meaning: 'on: write a commit status beside the check runs, for old protections' },
  LOG_LEVEL: { default: 'info', meaning: LOG_LEVELS.join(', ') },
} as const satisfies Record<string, { readonly default: string | undefined; readonly meaning: string }>;

type Name = keyof typeof SETTINGS;

/** GitHub itself asks for secrets of high entropy; a short one can be guessed from one delivery that was seen. */
const SHORTEST_SECRET = 16;

/**
 * Reads the settings, all at once: every fault is told.
 * @throws Refusal CS1801 with a line for each setting that is missing or cannot be used; never with its value where
 * that is a secret
 */
export function readSettings(environment: Readonly<Record<string, string | undefined>>): Settings {
  const faults: string[] = [];
  const text = (name: Name): string => (environment[name] ?? '').trim() || (SETTINGS[name].default ?? '');
  const fault = (name: Name, why: string): void => void faults.push(`${name} ${why} (${SETTINGS[name].meaning}).`);
  const number = (name: Name, lowest: number, highest: number): number => {
    const given = text(name);
    const value = /^[0-9]{1,9}$/.test(given) ? Number(given) : Number.NaN;
    if (given === '') fault(name, 'is missing');
    else if (!(value >= lowest && value <= highest)) fault(name, `is no number from ${lowest} to ${highest}`);
    return value;
  };
  const address = (name: Name): string => {
    const given = text(name).replace(/\/+$/, '');
    if (given !== '' && !isHttp(given)) fault(name, 'is no http or https address without user and query');
    return given;
  };
  const appId = number('APP_ID', 1, 999_999_999);
  const privateKey = readKey(text, fault);
  const secret = text('WEBHOOK_SECRET');
  const previous = text('WEBHOOK_SECRET_PREVIOUS');
  if (secret === '') fault('WEBHOOK_SECRET', 'is missing');
  else if (secret.length < SHORTEST_SECRET) fault('WEBHOOK_SECRET', 'is too short');
  if (previous !== '' && previous.length < SHORTEST_SECRET) fault('WEBHOOK_SECRET_PREVIOUS', 'is too short');
  const webhookPath = text('WEBHOOK_PATH');
  if (!/^\/[\w./-]*$/.test(webhookPath)) fault('WEBHOOK_PATH', 'is no path');
  const restUrl = address('GITHUB_API_URL');
  const graphqlUrl = address('GITHUB_GRAPHQL_URL') || graphqlBeside(restUrl);
  const logLevel = LOG_LEVELS.find((level) => level === text('LOG_LEVEL'));
  if (logLevel === undefined) fault('LOG_LEVEL', 'is no level');
  const status = text('COMMIT_STATUS');
  if (status !== 'on' && status !== 'off') fault('COMMIT_STATUS', 'is neither on nor off');
  const url = text('DATABASE_URL');
  if (url !== '' && !/^postgres(ql)?:\/\//.test(url)) fault('DATABASE_URL', 'is no postgresql:// address');
  const settings = {
    appId,
    privateKey,
    webhookSecrets: previous === '' ? [secret] : [secret, previous],
    host: text('HOST'),
    port: number('PORT', 0, 65_535),
    webhookPath,
    restUrl,
    graphqlUrl,
    store: url === '' ? { file: text('STORE_FILE') } : { url },
    workers: number('WORKERS', 1, 64),
    sweepMinutes: number('SWEEP_MINUTES', 1, 1440),
    keepDays: number('KEEP_DAYS', 1, 3650),
    commitStatus: status === 'on',
    logLevel: logLevel ?? 'info',
  } satisfies Settings;
  if (faults.length === 0) return settings;
  throw new Refusal('CS1801', `The App cannot start with these settings:\n  ${faults.join('\n  ')}`);
}

function readKey(text: (name: Name) => string, fault: (name: Name, why: string) => void): string {
  const path = text('PRIVATE_KEY_PATH');
  let key = text('PRIVATE_KEY').replaceAll('\\n', '\n');
  if (key === '' && path === '') {
    fault('PRIVATE_KEY', 'is missing, and so is PRIVATE_KEY_PATH');
    return '';
  }
  const name: Name = key === '' ? 'PRIVATE_KEY_PATH' : 'PRIVATE_KEY';
  if (key === '') {
    try {
      key = readFileSync(path, 'utf8');
    } catch (thrown) {
      const why = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : 'unknown';
      fault(name, `names a file that cannot be read (${why})`);
      return '';
    }
  }
  try {
    createPrivateKey(key);
  } catch {
    // What the parser says could quote the key.
    fault(name, 'holds no private key in PEM');
  }
  return key;
}

function isHttp(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && url.search === ''
  );
}

// On GitHub /graphql stands beside the REST API's root, on an Enterprise Server /api/graphql beside /api/v3.
function graphqlBeside(restUrl: string): string {
  return restUrl.endsWith('/api/v3') ? restUrl.replace(/\/v3$/, '/graphql') : `${restUrl}/graphql`;
}

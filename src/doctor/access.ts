import { createPrivateKey, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { Refusal } from '../domain/errors.ts';
import { version } from '../domain/version.ts';
import type { GitHubApi, RepositoryName } from '../github/api.ts';
import { createGitHub } from '../github/client.ts';
import { absentOr } from '../github/errors.ts';
import { shaped } from '../github/graphql.ts';

/** What identifies an App; the key is never shown. */
export interface AppCredentials {
  readonly appId: number;
  readonly key: KeyObject;
}

type Environment = Readonly<Record<string, string | undefined>>;

const text = (environment: Environment, name: string): string => (environment[name] ?? '').trim();

/** Whether an App's settings are in the environment, by the names that the App itself reads. */
export const hasAppSettings = (environment: Environment): boolean =>
  text(environment, 'APP_ID') !== '' &&
  (text(environment, 'PRIVATE_KEY') !== '' || text(environment, 'PRIVATE_KEY_PATH') !== '');

/** @throws Refusal CS1801 where the settings are there and cannot be used */
export function readCredentials(environment: Environment): AppCredentials {
  const appId = text(environment, 'APP_ID');
  if (!/^[1-9]\d{0,8}$/.test(appId)) throw new Refusal('CS1801', 'APP_ID is no number from 1 to 999999999.');
  const path = text(environment, 'PRIVATE_KEY_PATH');
  const inline = text(environment, 'PRIVATE_KEY').replaceAll('\\n', '\n');
  let pem = inline;
  try {
    if (inline === '') pem = readFileSync(path, 'utf8');
    return { appId: Number(appId), key: createPrivateKey(pem) };
  } catch {
    // What a parser says could quote the key.
    const name = inline === '' ? 'PRIVATE_KEY_PATH' : 'PRIVATE_KEY';
    throw new Refusal('CS1801', `${name} holds no private key in PEM that can be read.`);
  }
}

/** A token that an App calls as itself with: good for nine minutes (docs, "Generating a JSON Web Token"). */
export function appToken({ appId, key }: AppCredentials, now: number): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const seconds = Math.floor(now / 1000);
  const body = `${part({ alg: 'RS256', typ: 'JWT' })}.${part({ iat: seconds - 60, exp: seconds + 540, iss: String(appId) })}`;
  return `${body}.${sign('sha256', Buffer.from(body), key).toString('base64url')}`;
}

/** Milliseconds that are waited in all for a GitHub that does not answer: a person looks on. */
const WAITING_MS = 20_000;

/** A client with a token. */
export const clientWith = (token: string, baseUrl: string | undefined): GitHubApi =>
  createGitHub({
    ...{ auth: token, userAgent: `countersign/${version()}`, budget: WAITING_MS },
    ...(baseUrl === undefined ? {} : { baseUrl }),
  }).api;

const INSTALLATION = 'GET /repos/{owner}/{repo}/installation';
const TOKEN = 'POST /app/installations/{installation_id}/access_tokens';

const installationShape = z.object({
  id: z.int(),
  html_url: z.string(),
  suspended_at: z.string().nullable(),
  permissions: z.record(z.string(), z.string()),
  account: z.object({ login: z.string() }).nullable(),
});

/** The installation of an App that covers a repository. */
export type Installation = z.infer<typeof installationShape>;

/** @returns undefined where the App is not installed there. @throws Refusal CS16xx */
export async function findInstallation(api: GitHubApi, repository: RepositoryName): Promise<Installation | undefined> {
  const found = await absentOr(api.request(INSTALLATION, { ...repository }));
  return found === undefined ? undefined : shaped(installationShape, found.data, INSTALLATION);
}

/** A token of an installation, on one repository. @throws Refusal CS16xx */
export async function installationToken(api: GitHubApi, { id }: Installation): Promise<string> {
  const { data } = await api.request(TOKEN, { installation_id: id });
  return shaped(z.object({ token: z.string() }), data, TOKEN).token;
}

import * as z from 'zod';
import { Refusal } from '../../domain/errors.ts';
import type { GitHubApi, RepositoryName } from '../../github/api.ts';
import { shaped } from '../../github/graphql.ts';
import { honourProxy } from '../../github/proxy.ts';
import { readRuleDocuments } from '../../sources/github/rule-documents.ts';
import {
  appToken,
  clientWith,
  findInstallation,
  hasAppSettings,
  installationToken,
  readCredentials,
} from '../../doctor/access.ts';
import { diagnoseLater, ill, ok } from '../../doctor/diagnosis.ts';
import type { Diagnosis } from '../../doctor/diagnosis.ts';
import { acceptedCheck, eventCheck, permissionCheck } from '../../doctor/permissions.ts';
import { organisationCheck, readDefaultBranch, workflowPermissionCheck } from '../../doctor/repository.ts';
import { requiredCheck, requiredChecks } from '../../doctor/required-check.ts';
import { deliveriesCheck, webhookCheck } from '../../doctor/webhook.ts';
import { rulesChecks } from './file-checks.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** What is asked of GitHub, and how. */
export interface GitHubQuestions {
  readonly environment: Environment;
  /** Undefined: only the App itself is looked at. */
  readonly repository: RepositoryName | undefined;
  /** Name of the variable that holds a token; by default GITHUB_TOKEN, then GH_TOKEN. */
  readonly tokenFrom: string | undefined;
  /** The App that is meant, where its settings are not there. */
  readonly appId: number | undefined;
}

/** @returns a token; undefined where there is none. @throws Refusal CS1301 where the variable that is named is empty */
function tokenOf({ environment, tokenFrom }: GitHubQuestions): string | undefined {
  const token = (tokenFrom === undefined ? ['GITHUB_TOKEN', 'GH_TOKEN'] : [tokenFrom])
    .map((name) => (environment[name] ?? '').trim())
    .find((text) => text !== '');
  if (token === undefined && tokenFrom !== undefined) throw new Refusal('CS1301', `There is no token in ${tokenFrom}.`);
  return token;
}

/**
 * What GitHub says of the set-up: of the App where its settings are in the environment, and of the default branch of a
 * repository. A check that cannot be made hides no other.
 * @throws Refusal CS1301 where nothing says how to ask; CS1801 where the App's settings cannot be used
 */
export async function githubChecks(questions: GitHubQuestions): Promise<Diagnosis[]> {
  const { environment, repository } = questions;
  const token = tokenOf(questions);
  const baseUrl = (environment['GITHUB_API_URL'] ?? '').trim() || undefined;
  const credentials = hasAppSettings(environment) ? readCredentials(environment) : undefined;
  if (token === undefined && credentials === undefined) {
    throw new Refusal('CS1301', 'Nothing says how to ask GitHub.', {
      remedy: 'Set GITHUB_TOKEN, or APP_ID and PRIVATE_KEY (or PRIVATE_KEY_PATH) as the App has them.',
    });
  }
  if (repository === undefined && credentials === undefined) {
    throw new Refusal('CS1301', 'Nothing says which repository to ask about: give --repo owner/name.');
  }
  await honourProxy(environment, baseUrl ?? 'https://api.github.com');
  const own = token === undefined ? undefined : clientWith(token, baseUrl);
  const asked: Diagnosis[] = [];
  let installed: GitHubApi | undefined;
  if (credentials !== undefined) {
    const asApp = clientWith(appToken(credentials, Date.now()), baseUrl);
    const app = await appChecks(asApp, repository);
    asked.push(...app.checks);
    if (app.token !== undefined) installed = clientWith(app.token, baseUrl);
  }
  // Whether the App can read it is what counts; where there is none to ask as, the person's token has to do.
  const api = installed ?? own;
  if (repository === undefined || api === undefined) return asked;
  const appId = questions.appId ?? credentials?.appId;
  return [...asked, ...(await repositoryChecks(api, own ?? api, repository, appId))];
}

const appShape = z.object({
  id: z.int(),
  slug: z.string(),
  html_url: z.string(),
  owner: z.object({ login: z.string(), type: z.string().optional() }).nullish(),
  permissions: z.record(z.string(), z.string()),
  events: z.array(z.string()),
});

interface AppAnswers {
  readonly checks: readonly Diagnosis[];
  /** Of the installation on the repository. */
  readonly token?: string;
}

async function appChecks(api: GitHubApi, repository: RepositoryName | undefined): Promise<AppAnswers> {
  let app: z.infer<typeof appShape> | undefined;
  const first = await diagnoseLater('App', async () => {
    app = shaped(appShape, (await api.request('GET /app')).data, 'GET /app');
    return ok('App', `${app.slug} (id ${app.id}) of ${app.owner?.login ?? 'nobody'}`);
  });
  if (app === undefined) return { checks: [first] };
  const page = settingsOf(app);
  const checks = [
    first,
    permissionCheck(app.permissions, page),
    eventCheck(app.events, page),
    await diagnoseLater('webhook', async () => webhookCheck(api, page)),
    await diagnoseLater('deliveries', async () => deliveriesCheck(api, page)),
  ];
  if (repository === undefined) return { checks };
  const { permissions, html_url: html } = app;
  let token: string | undefined;
  let accepted: Diagnosis | undefined;
  const installation = await diagnoseLater('installation', async () => {
    const found = await findInstallation(api, repository);
    const who = `an owner of ${repository.owner}`;
    const name = `${repository.owner}/${repository.repo}`;
    const why = 'It sees nothing of the repository, and says nothing there.';
    if (found === undefined) {
      const remedy = `Install it: ${html}/installations/new`;
      return ill('installation', 'fail', { detail: `The App is not installed on ${name}.`, why, remedy, who });
    }
    if (found.suspended_at !== null) {
      const detail = `The installation was suspended at ${found.suspended_at}.`;
      return ill('installation', 'fail', { detail, why, remedy: `Unsuspend it at ${found.html_url}.`, who });
    }
    accepted = acceptedCheck(found.permissions, permissions, found.html_url);
    token = await installationToken(api, found);
    return ok('installation', `on ${found.account?.login ?? repository.owner} (id ${found.id})`);
  });
  const all = [...checks, installation, ...(accepted === undefined ? [] : [accepted])];
  return { checks: all, ...(token === undefined ? {} : { token }) };
}

function settingsOf({ html_url: html, slug, owner }: z.infer<typeof appShape>): string {
  const origin = URL.parse(html)?.origin ?? 'https://github.com';
  const place = owner?.type === 'Organization' ? `/organizations/${owner.login}` : '';
  return `${origin}${place}/settings/apps/${slug}`;
}

async function repositoryChecks(
  api: GitHubApi,
  own: GitHubApi,
  repository: RepositoryName,
  appId: number | undefined,
): Promise<Diagnosis[]> {
  let branch: Awaited<ReturnType<typeof readDefaultBranch>> | undefined;
  const first = await diagnoseLater('default branch', async () => {
    branch = await readDefaultBranch(api, repository);
    return ok(
      'default branch',
      `${branch.name} of ${repository.owner}/${repository.repo} at ${branch.sha.slice(0, 12)}`,
    );
  });
  if (branch === undefined) return [first];
  const { name, sha, protection, organisation } = branch;
  const documents: Diagnosis[] = [];
  let named: string | undefined;
  const read = await diagnoseLater('rules', async () => {
    const { checks, config } = rulesChecks(await readRuleDocuments(api, repository, sha));
    named = config?.extends;
    documents.push(...checks.map((one) => ({ ...one, check: `${one.check} on ${name}` })));
    return ok('rules', `read from ${name}`);
  });
  return [
    first,
    ...(read.health === 'ok' ? documents : [read]),
    await diagnoseLater('organisation layer', async () => organisationCheck(api, named, organisation)),
    await diagnoseLater('required check', async () =>
      requiredCheck(await requiredChecks(api, repository, name, protection), name, appId),
    ),
    await diagnoseLater('workflow permissions', async () => workflowPermissionCheck(own, repository)),
  ];
}

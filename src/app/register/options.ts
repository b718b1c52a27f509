import { parseArgs } from 'node:util';
import { Refusal } from '../../domain/errors.ts';
import { line } from '../../domain/text/visible.ts';

/** What `register` is asked to do. */
export interface RegisterOptions {
  /** Registers under an organisation; undefined: under the account of whoever is logged in. */
  readonly organization: string | undefined;
  /** Where GitHub is to deliver events; undefined: told later, in the settings of the App. */
  readonly webhookUrl: string | undefined;
  readonly github: GitHubAddress;
  /** Port of the page on this machine; 0 takes a free one. */
  readonly port: number;
  /** File that the settings are written to. */
  readonly envFile: string;
  /** Replaces settings that the file has already. */
  readonly force: boolean;
}

/** A GitHub: github.com, one with data residency, or an Enterprise Server. Addresses without a slash at the end. */
export interface GitHubAddress {
  readonly web: string;
  readonly api: string;
}

export const REGISTER_HELP = `Usage: node dist/app.mjs register [options]

Makes the GitHub App from its manifest (app.yml): opens a page on this machine that sends you to GitHub, which shows
what the App asks for. When you have agreed there, the App's id, key and secret are written to a file that only you
can read. They are not shown.

  --organization NAME   register the App under an organisation instead of your own account
  --webhook-url URL     where GitHub delivers events: https://YOUR-HOST/api/github/webhooks
  --github-url URL      GitHub's address [https://github.com]; that of an Enterprise Server otherwise
  --port N              port of the page on this machine [a free one]
  --env FILE            file for the settings [.env]
  --force               replace settings that the file has already
  -h, --help            show this`;

/**
 * Reads the arguments. @returns undefined where help is asked for
 * @throws Refusal CS1301 for arguments that are not known or make no sense
 */
export function readOptions(argv: readonly string[]): RegisterOptions | undefined {
  const { values } = parsed(argv);
  if (values.help) return undefined;
  const organization = values.organization;
  if (organization !== undefined && !/^[A-Za-z0-9][A-Za-z0-9_-]{0,99}$/.test(organization)) {
    throw usage(`--organization ${line(organization, 60)} is no name of an organisation.`);
  }
  if (!/^\d{1,5}$/.test(values.port) || Number(values.port) > 65_535) throw usage('--port takes a number up to 65535.');
  if (values.env === '') throw usage('--env takes the name of a file.');
  return {
    ...{ organization, webhookUrl: values['webhook-url'] && webAddress('--webhook-url', values['webhook-url']) },
    ...{ github: githubAddress(webAddress('--github-url', values['github-url'])), port: Number(values.port) },
    ...{ envFile: values.env, force: values.force },
  };
}

function parsed(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      options: {
        organization: { type: 'string' },
        'webhook-url': { type: 'string' },
        'github-url': { type: 'string', default: 'https://github.com' },
        port: { type: 'string', default: '0' },
        env: { type: 'string', default: '.env' },
        force: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
  } catch (cause) {
    throw usage(line((cause as Error).message, 300), cause);
  }
}

const usage = (message: string, cause?: unknown): Refusal =>
  new Refusal('CS1301', message, { remedy: 'See: node dist/app.mjs register --help', cause });

function webAddress(option: string, text: string): string {
  const url = URL.parse(text);
  const plain = url !== null && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (plain && /^https?:$/.test(url.protocol)) return text.replace(/\/{1,20}$/, '');
  throw usage(`${option} takes an http or https address without user and query.`);
}

/**
 * Where the API of a GitHub is: `api.github.com`; `api.SUBDOMAIN.ghe.com` with data residency; `/api/v3` of an
 * Enterprise Server (REST docs, "Getting started with the REST API").
 */
export function githubAddress(web: string): GitHubAddress {
  const { host, protocol } = new URL(web);
  if (host === 'github.com' || host === 'www.github.com') return { web, api: 'https://api.github.com' };
  if (/^[a-z0-9-]{1,63}\.ghe\.com$/.test(host)) return { web, api: `${protocol}//api.${host}` };
  return { web, api: `${web}/api/v3` };
}

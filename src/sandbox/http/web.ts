import { randomBytes } from 'node:crypto';
import { addApp } from '../builders/people.ts';
import { isObject, textOf } from '../json.ts';
import type { JsonObject } from '../json.ts';
import { accountByLogin } from '../state.ts';
import type { Access, Account, Permissions } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import type { Answer } from './answer.ts';

// The few pages of GitHub's that a browser visits while an app is registered from a manifest (docs, "Registering a GitHub
// App from a manifest"). Whoever comes is taken for the first person that the sandbox knows.

/** Parameters of a manifest (docs, "GitHub App Manifest parameters"). */
const PARAMETERS = new Set([
  ...['name', 'url', 'hook_attributes', 'redirect_url', 'callback_urls', 'setup_url', 'description', 'public'],
  ...['default_events', 'default_permissions', 'request_oauth_on_install', 'setup_on_update'],
]);

/** Longest name of an app (docs, "Registering a GitHub App"). */
const MAX_NAME = 34;

/** What a path outside the API shows; undefined where there is nothing. */
export function webPage(sandbox: Sandbox, method: string, path: string, search: string, body: string) {
  const found = /^(?:\/organizations\/([^/]{1,100}))?\/settings\/apps\/(new|create)$/.exec(path);
  if (found === null || method !== 'POST') return undefined;
  const [, organization, step] = found;
  const owner = ownerOf(sandbox, organization);
  if (owner === undefined) return page(404, '<p>This is not the web page you are looking for.</p>');
  const form = new URLSearchParams(body);
  const manifest = parsed(form.get('manifest') ?? '');
  const faults = faultsOf(sandbox, manifest);
  if (manifest === undefined || faults.length > 0) return page(422, `<ul>${faults.map(item).join('')}</ul>`);
  const state = form.get('state') ?? new URLSearchParams(search).get('state') ?? '';
  return step === 'new' ? confirmation(path, manifest, state) : register(sandbox, owner, manifest, state);
}

function ownerOf({ state }: Sandbox, organization: string | undefined): Account | undefined {
  const person = [...state.accounts.values()].find(({ type }) => type === 'User');
  if (organization === undefined || person === undefined) return person;
  const account = accountByLogin(state, organization);
  return account !== undefined && state.memberships.get(account.id)?.get(person.id) === 'admin' ? account : undefined;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:\/\/./.test(value);

function faultsOf({ state }: Sandbox, manifest: JsonObject | undefined): string[] {
  if (manifest === undefined) return ['The manifest is no JSON object'];
  const { name, url, redirect_url, hook_attributes } = manifest;
  const taken = [...state.apps.values()].some((app) => app.slug === slugOf(textOf(manifest, 'name') ?? ''));
  const permissions = isObject(manifest['default_permissions']) ? Object.values(manifest['default_permissions']) : [];
  return [
    ...Object.keys(manifest).flatMap((key) => (PARAMETERS.has(key) ? [] : [`Unknown parameter ${key}`])),
    ...(typeof name === 'string' && name.length <= MAX_NAME ? [] : ['Name is too long or no text']),
    ...(taken ? ['Name is already taken'] : []),
    ...(isAddress(url) ? [] : ['Url must be a valid URL']),
    ...(isAddress(redirect_url) ? [] : ['Redirect url must be a valid URL']),
    ...(hook_attributes === undefined || (isObject(hook_attributes) && isAddress(hook_attributes['url']))
      ? []
      : ['Hook url must be a valid URL']),
    ...(permissions.every((access) => access === 'read' || access === 'write') ? [] : ['Unknown access']),
  ];
}

const slugOf = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]{1,100}/g, '-');

function confirmation(path: string, manifest: JsonObject, state: string): Answer {
  const hidden = (name: string, value: string): string =>
    `<input type="hidden" name="${name}" value="${escaped(value)}">`;
  const button = `<button type="submit">Create GitHub App ${escaped(textOf(manifest, 'name') ?? '')}</button>`;
  const action = path.replace(/new$/, 'create');
  const inside = `${hidden('manifest', JSON.stringify(manifest))}${hidden('state', state)}${button}`;
  return page(200, `<form method="post" action="${escaped(action)}">${inside}</form>`);
}

function register(sandbox: Sandbox, owner: Account, manifest: JsonObject, state: string): Answer {
  const name = textOf(manifest, 'name') ?? '';
  const asked = isObject(manifest['default_permissions']) ? Object.entries(manifest['default_permissions']) : [];
  const permissions: Permissions = Object.fromEntries(
    asked.filter(([key]) => key !== 'metadata').map(([key, access]) => [key, access as Access]),
  );
  const events = Array.isArray(manifest['default_events']) ? manifest['default_events'].map(String) : [];
  const { app, privateKey } = addApp(sandbox.state, sandbox.now(), owner, slugOf(name), { name, permissions, events });
  const hook = manifest['hook_attributes'];
  const secret = isObject(hook) ? randomBytes(20).toString('hex') : null;
  if (isObject(hook) && secret !== null && hook['active'] !== false)
    app.webhook = { url: textOf(hook, 'url') ?? '', secret };
  const code = randomBytes(20).toString('hex');
  sandbox.state.manifestCodes.set(code, { appId: app.id, privateKey, secret, madeAt: sandbox.now() });
  const back = new URL(textOf(manifest, 'redirect_url') ?? '');
  back.searchParams.set('code', code);
  back.searchParams.set('state', state);
  return { status: 302, headers: { location: back.href } };
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
const item = (text: string): string => `<li>${escaped(text)}</li>`;

function page(status: number, body: string): Answer {
  const html = `<!doctype html><html lang="en"><title>Sandbox</title>${body}</html>`;
  return { status, body: Buffer.from(html), headers: { 'content-type': 'text/html; charset=utf-8' } };
}

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { register } from '../../../src/app/register/register.ts';
import { readSettings } from '../../../src/app/settings.ts';
import { APP_MANIFEST } from '../../../src/doctor/app-manifest.ts';
import { startSandbox } from '../../../src/sandbox/start.ts';
import type { RunningSandbox } from '../../../src/sandbox/start.ts';

let folder: string;
let env: string;
let sandbox: RunningSandbox;
let out: string;
let err: string;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-register-'));
  env = join(folder, '.env');
  sandbox = await startSandbox();
  const ada = sandbox.addUser('ada');
  sandbox.addOrganization('acme', [ada]);
  [out, err] = ['', ''];
});

afterEach(async () => {
  await sandbox.stop();
  rmSync(folder, { recursive: true, force: true });
  expect(sandbox.violations()).toEqual([]);
});

/** Registers with a person who does something in a browser once the page is there. */
async function registering(argv: readonly string[], person: (page: string) => Promise<void>, timeoutMs = 60_000) {
  let opened: Promise<void> = Promise.resolve();
  const code = await register(['--github-url', sandbox.url, '--env', env, ...argv], {
    ...{ environment: {}, timeoutMs, err: (text) => void (err += text) },
    out: (text) => {
      out += text;
      const page = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//.exec(text)?.[0];
      if (page !== undefined) opened = person(page);
    },
  });
  await opened;
  return code;
}

interface Form {
  readonly action: string;
  readonly fields: Readonly<Record<string, string>>;
}

const unescaped = (text: string): string =>
  text.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)));

/** The form of a page, as a browser would send it. */
function formOf(html: string, at: string): Form {
  const action = /<form method="post" action="([^"]*)">/.exec(html)?.[1];
  if (action === undefined) throw new Error(`There is no form: ${html}`);
  const fields = [...html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return {
    action: new URL(unescaped(action), at).href,
    fields: Object.fromEntries(fields.map(([, name = '', value = '']) => [name, unescaped(value)])),
  };
}

const submit = async ({ action, fields }: Form): Promise<Response> =>
  fetch(action, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' });

/** Presses the button here and the one on GitHub. @returns where GitHub sends the browser */
async function agree(page: string): Promise<URL> {
  const here = await fetch(page);
  expect(here.status).toBe(200);
  const shown = await submit(formOf(await here.text(), page));
  expect(shown.status).toBe(200);
  const sent = await submit(formOf(await shown.text(), shown.url));
  expect(sent.status).toBe(302);
  return new URL(sent.headers.get('location') ?? '');
}

describe('register', () => {
  it('makes an App that can start with what was written', async () => {
    writeFileSync(env, '# mine\nPOSTGRES_PASSWORD=kept\nAPP_ID=\n', { mode: 0o644 });
    const webhook = 'https://countersign.example/api/github/webhooks';
    let last = '';
    const code = await registering(['--organization', 'acme', '--webhook-url', webhook], async (page) => {
      last = await (await fetch(await agree(page))).text();
    });
    expect([code, err]).toEqual([0, '']);
    expect(last).toContain('The App is registered');

    const app = [...sandbox.state.apps.values()].find(({ slug }) => slug === 'countersign');
    const acme = [...sandbox.state.accounts.values()].find(({ login }) => login === 'acme');
    const { metadata: _, ...permissions } = APP_MANIFEST.default_permissions;
    expect(app).toMatchObject({ ownerId: acme?.id, permissions, events: APP_MANIFEST.default_events });
    expect(app?.webhook?.url).toBe(webhook);

    const written = readFileSync(env, 'utf8');
    expect(written.startsWith('# mine\nPOSTGRES_PASSWORD=kept\n')).toBe(true);
    expect(statSync(env).mode & 0o777).toBe(0o600);
    const settings = readSettings(parseEnv(written));
    expect(settings).toMatchObject({ appId: app?.id, webhookSecrets: [app?.webhook?.secret] });
    expect(settings.restUrl).toBe(`${sandbox.url}/api/v3`);
    if (app === undefined) throw new Error('There is no app.');
    const asApp = await fetch(`${settings.restUrl}/app`, {
      headers: { authorization: `Bearer ${sandbox.appJwt(app, settings.privateKey)}`, 'user-agent': 'test' },
    });
    expect(asApp.status).toBe(200);

    for (const secret of [app.webhook?.secret ?? '-', 'PRIVATE KEY', settings.privateKey.split('\n')[1] ?? '-']) {
      expect(out).not.toContain(secret);
    }
    expect(out).toContain(`${sandbox.url}/apps/countersign/installations/new`);
    expect(out).toContain(`node --env-file=${env} dist/app.mjs`);
    expect(out).not.toContain('Tell GitHub where events go');
  });

  it('makes a secret of its own where GitHub makes none, and says what to do with it', async () => {
    const code = await registering([], async (page) => void (await fetch(await agree(page))));
    expect([code, err]).toEqual([0, '']);
    const app = [...sandbox.state.apps.values()].find(({ slug }) => slug === 'countersign');
    expect(app?.webhook).toBeNull();
    const { WEBHOOK_SECRET: secret } = parseEnv(readFileSync(env, 'utf8'));
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(out).toContain('Tell GitHub where events go');
    expect(out).not.toContain(secret);
  });

  it('takes nothing whose state is another one, and goes on waiting', async () => {
    const answers: number[] = [];
    const code = await registering([], async (page) => {
      const back = await agree(page);
      for (const state of ['', '0'.repeat(64), (back.searchParams.get('state') ?? '').slice(1)]) {
        const forged = new URL(back);
        forged.searchParams.set('state', state);
        answers.push((await fetch(forged)).status);
      }
      const codeless = new URL(back);
      codeless.searchParams.delete('code');
      answers.push((await fetch(codeless)).status, (await fetch(new URL('/', page))).status);
      const elsewhere = await fetch(new URL(`/${'0'.repeat(32)}/`, page));
      answers.push(elsewhere.status, (await fetch(page, { method: 'POST' })).status);
      expect(existsSync(env)).toBe(false);
      answers.push((await fetch(back)).status);
    });
    expect(answers).toEqual([400, 400, 400, 400, 404, 404, 404, 200]);
    expect(code).toBe(0);
  });

  it('says so where the code is not good, without the code', async () => {
    let page = 0;
    const code = await registering([], async (opened) => {
      const back = await agree(opened);
      back.searchParams.set('code', 'spentcode');
      page = (await fetch(back)).status;
    });
    expect([code, page]).toEqual([3, 502]);
    expect(err).toMatch(/^CS1805 GitHub did not hand the App over: CS1604 POST \/app-manifests\/…\/conversions/);
    expect(err).not.toContain('spentcode');
    expect(existsSync(env)).toBe(false);
  });

  it('ends with a clear message where nobody agrees', async () => {
    const code = await registering([], () => Promise.resolve(), 30);
    expect(code).toBe(3);
    expect(err).toMatch(/^CS1805 Nobody agreed on GitHub within 0 minutes; nothing is made\.\nRun it again/);
  });

  it('keeps the settings of another App unless it is told to replace them', async () => {
    const before = 'export APP_ID=7\nPRIVATE_KEY_PATH=key.pem\nHOST=0.0.0.0\n';
    writeFileSync(env, before);
    const never = (): Promise<void> => Promise.reject(new Error('No page is to be opened.'));
    expect(await registering([], never)).toBe(3);
    expect(err).toBe(
      `CS1805 ${env} has settings of an App already: APP_ID, PRIVATE_KEY_PATH.\nName another file with --env, or replace them with --force.\n`,
    );
    expect(readFileSync(env, 'utf8')).toBe(before);

    expect(await registering(['--force'], async (page) => void (await fetch(await agree(page))))).toBe(0);
    const after = readFileSync(env, 'utf8');
    expect(after).toMatch(/^HOST=0\.0\.0\.0\nAPP_ID=\d+\nPRIVATE_KEY=/);
    expect(after).not.toContain('PRIVATE_KEY_PATH');
  });

  it('follows a link, and refuses a folder before anything is made', async () => {
    const target = join(folder, 'real.env');
    writeFileSync(target, '');
    symlinkSync(target, env);
    expect(await registering([], async (page) => void (await fetch(await agree(page))))).toBe(0);
    expect(readFileSync(target, 'utf8')).toContain('APP_ID=');
    const never = (): Promise<void> => Promise.reject(new Error('No page is to be opened.'));
    expect(await registering(['--env', join(folder, 'nowhere', '.env')], never)).toBe(3);
    expect(err).toContain('cannot be written (ENOENT)');
    expect(await registering(['--env', folder], never)).toBe(3);
    expect(err).toContain('cannot be read (EISDIR)');
  });

  it.each([
    [['--organization', '../settings'], 'no name of an organisation'],
    [['--port', '70000'], '--port takes a number'],
    [['--webhook-url', 'ftp://example.com'], '--webhook-url takes an http or https address'],
    [['--github-url', 'https://user:pass@ghe.example'], '--github-url takes an http or https address'],
    [['--secret'], "Unknown option '--secret'"],
    [['--env', ''], '--env takes the name'],
  ])('refuses %j', async (argv, why) => {
    const never = (): Promise<void> => Promise.reject(new Error('No page is to be opened.'));
    expect(await registering(argv, never)).toBe(2);
    expect(err).toContain(why);
    expect(err).not.toContain('pass@');
  });

  it('shows its help', async () => {
    expect(await register(['--help'], { out: (text) => void (out += text) })).toBe(0);
    expect(out).toMatch(/--organization[\s\S]*--force/);
  });
});

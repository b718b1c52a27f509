import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { SETTINGS } from '../../src/app/settings.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CONTAINER = join(ROOT, 'scripts', 'container');

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'countersign-container-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const sh = (...argv: string[]) => spawnSync('sh', argv, { encoding: 'utf8' });

/** What `COPY . .` brings, as far as the build looks at it: the bundles as they were made for this run of tests. */
function source(): string {
  const to = join(folder, 'src');
  for (const name of ['app.yml', 'package.json', 'scripts/container']) {
    cpSync(join(ROOT, name), join(to, name), { recursive: true });
  }
  cpSync(join(ROOT, 'build'), join(to, 'dist'), { recursive: true });
  return to;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return address.port;
}

describe('the build of the container, without one', () => {
  it('makes a folder from which the App runs by itself, and the health check tells whether it does', async () => {
    const app = join(folder, 'app');
    const built = sh(join(source(), 'scripts', 'container', 'build.sh'), app);
    expect([built.status, built.stderr]).toEqual([0, '']);
    expect(readdirSync(app).sort()).toEqual(['app.yml', 'dist', 'healthcheck.mjs', 'package.json', 'prepare.sh']);
    rmSync(join(folder, 'src'), { recursive: true });

    const { privateKey } = generateKeyPairSync('rsa', {
      ...{ modulusLength: 2048, publicKeyEncoding: { type: 'spki', format: 'pem' } },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
    });
    const data = join(folder, 'data');
    mkdirSync(data);
    const port = String(await freePort());
    const env = {
      ...{ PORT: port, HOST: '127.0.0.1', APP_ID: '1', PRIVATE_KEY: privateKey, WEBHOOK_SECRET: 'sixteen letters.' },
      ...{ STORE_FILE: join(data, 'countersign.sqlite'), GITHUB_API_URL: 'http://127.0.0.1:9', NODE_ENV: 'production' },
    };
    // As the image runs it: nothing on the path, no packages anywhere above.
    const child = spawn(process.execPath, ['--disable-proto=delete', join(app, 'dist', 'app.mjs')], {
      ...{ cwd: app, env, stdio: ['ignore', 'pipe', 'pipe'] },
    });
    let log = '';
    const ended = once(child, 'close').then(([code]) => Number(code));
    const listening = new Promise<void>((resolve, reject) => {
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => {
          log += text;
          if (log.includes('"listening"')) resolve();
        });
      }
      void ended.then((code) => reject(new Error(`It ended with ${code}:\n${log}`)));
    });
    await listening;
    const health = () =>
      spawnSync(process.execPath, [join(app, 'healthcheck.mjs')], { env: { PORT: port }, encoding: 'utf8' });
    // While it serves in this process's child, the check is a process of its own, as the engine starts it.
    expect(health().status).toBe(0);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    const after = health();
    expect([after.status, after.stdout]).toEqual([1, '']);
    expect(after.stderr.trim()).not.toBe('');
    expect(readdirSync(data)).toContain('countersign.sqlite');
    expect(log).not.toContain('PRIVATE KEY');
  });

  it('says what to do where the bundle is missing, and how it is used', () => {
    const from = source();
    rmSync(join(from, 'dist', 'app.mjs'));
    const built = sh(join(from, 'scripts', 'container', 'build.sh'), join(folder, 'app'));
    expect([built.status, built.stderr]).toEqual([1, 'dist/app.mjs is missing. Make it with: npm run build\n']);
    expect(existsSync(join(folder, 'app'))).toBe(false);
    const bare = sh(join(CONTAINER, 'build.sh'));
    expect(bare.status).not.toBe(0);
    expect(bare.stderr).toContain('usage: build.sh FOLDER');
  });

  it('prepares the folder of the store for one user alone', () => {
    const data = join(folder, 'data');
    const { uid, gid } = statSync(folder);
    const prepared = sh(join(CONTAINER, 'prepare.sh'), data, `${uid}:${gid}`);
    expect([prepared.status, prepared.stderr]).toEqual([0, '']);
    expect(statSync(data).mode & 0o777).toBe(0o700);
    chmodSync(data, 0o755);
    expect(sh(join(CONTAINER, 'prepare.sh'), data, `${uid}:${gid}`).status).toBe(0);
    expect(statSync(data).mode & 0o777).toBe(0o700);
  });
});

/** Instructions of the Dockerfile, with their arguments; continued lines are one. */
function instructions(): { readonly name: string; readonly text: string }[] {
  const lines = readFileSync(join(ROOT, 'Dockerfile'), 'utf8').replace(/\\\n/g, ' ').split('\n');
  return lines
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => ({ name: line.split(' ')[0] ?? '', text: line.slice(line.indexOf(' ') + 1) }));
}

/** Variables that are set in the image, by name. */
function imageEnvironment(): Map<string, string> {
  const words = instructions().flatMap(({ name, text }) => (name === 'ENV' ? text.split(' ') : []));
  return new Map(words.map((word) => [word.slice(0, word.indexOf('=')), word.slice(word.indexOf('=') + 1)]));
}

const SECRETS = /KEY|SECRET|PASSWORD|TOKEN|DATABASE_URL/;

describe('the Dockerfile', () => {
  const of = (wanted: string): string[] => instructions().flatMap(({ name, text }) => (name === wanted ? [text] : []));

  it('uses known instructions, on images with a tag that says a version', () => {
    const known = ['FROM', 'WORKDIR', 'COPY', 'RUN', 'ENV', 'USER', 'VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD'];
    for (const { name } of instructions()) expect(known).toContain(name);
    expect(of('FROM').length).toBeGreaterThan(0);
    for (const from of of('FROM')) expect(from).toMatch(/^[a-z]+:\d+[\w.-]*( AS \w+)?$/);
  });

  it('runs as somebody who is not root, from the last stage on', () => {
    const last = instructions().slice(instructions().findLastIndex(({ name }) => name === 'FROM'));
    const user = last.findIndex(({ name }) => name === 'USER');
    expect(last[user]?.text).toBe('10001:10001');
    for (const { name } of last.slice(user + 1)) expect(['VOLUME', 'EXPOSE', 'HEALTHCHECK', 'CMD']).toContain(name);
  });

  it('only runs the scripts that are tested here, and holds no secret', () => {
    expect(of('RUN')).toEqual(['sh scripts/container/build.sh /app', 'sh /app/prepare.sh']);
    const names = [...imageEnvironment().keys()];
    for (const name of names) expect(name === 'NODE_ENV' || name in SETTINGS).toBe(true);
    for (const name of names) expect(name).not.toMatch(SECRETS);
    expect(of('ARG')).toEqual([]);
  });

  it('keeps the store on the volume, listens on the port that it exposes, and starts what the build makes', () => {
    const environment = imageEnvironment();
    expect(environment.get('STORE_FILE')?.startsWith(`${of('VOLUME')[0]}/`)).toBe(true);
    expect(environment.get('PORT')).toBe(of('EXPOSE')[0]);
    expect(environment.get('HOST')).toBe('0.0.0.0');
    const command = JSON.parse(of('CMD')[0] ?? '') as string[];
    expect(command.at(-1)).toBe('/app/dist/app.mjs');
    expect(of('HEALTHCHECK')[0]).toMatch(/CMD \["node", "\/app\/healthcheck\.mjs"\]$/);
  });

  it('does not copy what may hold secrets', () => {
    const ignored = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', 'node_modules', '.env*', '*.pem', '*.sqlite*']));
  });
});

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly user?: string;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly depends_on?: Readonly<Record<string, unknown>>;
  readonly stop_grace_period?: string;
}

describe('compose.yaml', () => {
  const text = readFileSync(join(ROOT, 'compose.yaml'), 'utf8');
  const compose = parse(text, { strict: true, uniqueKeys: true }) as {
    readonly services: Readonly<Record<string, Service>>;
    readonly volumes: Readonly<Record<string, unknown>>;
  };
  const services = Object.entries(compose.services);

  it('sets only settings that exist, and asks for no other', () => {
    for (const name of Object.keys(compose.services['app']?.environment ?? {})) expect(SETTINGS).toHaveProperty(name);
    const comment = text.split('services:')[0] ?? '';
    const named = [...comment.matchAll(/\b[A-Z][A-Z_]{3,40}\b/g)].map(([name]) => name);
    expect(named).toEqual(expect.arrayContaining(['APP_ID', 'PRIVATE_KEY', 'WEBHOOK_SECRET']));
    const others = named.filter((name) => !(name in SETTINGS));
    expect(others).toEqual(['POSTGRES_PASSWORD']);
  });

  it('holds no secret: passwords come from outside', () => {
    for (const [, { environment = {} }] of services) {
      for (const [name, value] of Object.entries(environment)) {
        if (SECRETS.test(name)) expect(value).toMatch(/\$\{POSTGRES_PASSWORD:\?[^}]{1,60}\}/);
      }
    }
  });

  it('pins images, listens on this machine only, and gives the App nothing it does not need', () => {
    for (const [, { image }] of services) if (image !== undefined) expect(image).toMatch(/^[a-z]+:\d+[\w.-]*$/);
    for (const [, { ports = [] }] of services) for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(compose.services['app']).toMatchObject({ read_only: true, cap_drop: ['ALL'], build: '.' });
  });

  it('waits for the database, keeps it on a volume, and leaves the App time to stop', () => {
    for (const name of Object.keys(compose.services['app']?.depends_on ?? {}))
      expect(compose.services).toHaveProperty(name);
    for (const [, { volumes = [] }] of services) {
      for (const volume of volumes) expect(compose.volumes).toHaveProperty([volume.split(':')[0] ?? '']);
    }
    expect(Number.parseInt(compose.services['app']?.stop_grace_period ?? '', 10)).toBeGreaterThan(8);
  });
});

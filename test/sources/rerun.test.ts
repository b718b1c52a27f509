import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { rerunSchema } from '../../src/gate/facts.ts';
import { removeAbandoned } from '../../src/sources/disposable-folder.ts';
import { rerunTests } from '../../src/sources/rerun.ts';
import type { Rerun, RerunRequest } from '../../src/sources/rerun.ts';
import { commitFiles, git, makeRepository, writeFiles } from '../support/git-repository.ts';
import { runs, until } from '../support/processes.ts';
import { filesOf } from '../support/documents.ts';

// Real processes, on a machine that may be busy.
jest.setTimeout(120_000);

const NODE = process.execPath;

/** Configuration of a base whose test command runs a script of the head. */
const BASE = JSON.stringify({ test_command: [NODE, 'test.cjs'] });
const READY = [['git', '--version']];

const whyOf = (rerun: Rerun): string => (rerun.ran ? `ran and ended with ${rerun.exit_code}` : rerun.why);

/** Digest of everything in a folder: names, bytes, links. */
function digestOf(root: string): string {
  const hash = createHash('sha256');
  for (const [path, content] of filesOf(root))
    hash.update(path).update(content instanceof Uint8Array ? content : content.link);
  return hash.digest('hex');
}

describe('running the tests again', () => {
  let scratch = '';
  beforeEach(() => {
    scratch = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-test-')));
  });
  afterEach(() => {
    const forgotten = left();
    rmSync(scratch, { recursive: true });
    expect(forgotten).toEqual([]);
  });

  /** Folders that runs of tests made and left. */
  const left = (): string[] => readdirSync(scratch).filter((name) => name.startsWith('countersign-rerun-'));

  async function rerunAt(root: string, request: Partial<RerunRequest> = {}): Promise<Rerun> {
    const headSha = git(root, 'rev-parse', 'HEAD');
    const rerun = await rerunTests({ root, headSha, baseConfig: BASE, setup: READY, temporary: scratch, ...request });
    expect(rerunSchema.parse(rerun)).toEqual(rerun);
    return rerun;
  }

  async function inRepository(files: Readonly<Record<string, string>>, body: (root: string) => Promise<void>) {
    const root = join(scratch, 'repository');
    mkdirSync(root);
    makeRepository(root);
    commitFiles(root, files);
    await body(root);
  }

  it.each([
    ['process.exit(0)', 0],
    ['process.exit(3)', 3],
    ["process.kill(process.pid, 'SIGKILL')", 137],
    ['throw new Error()', 1],
  ])('tells how they end: %s', async (script, exit_code) => {
    await inRepository({ 'test.cjs': script }, async (root) => {
      const head_sha = git(root, 'rev-parse', 'HEAD');
      expect(await rerunAt(root)).toEqual({ ran: true, command: [NODE, 'test.cjs'], exit_code, head_sha });
    });
  });

  it('tests what is committed, after the set-up, and not the working tree', async () => {
    const script = "process.exit(require('node:fs').readFileSync('made.txt', 'utf8') === 'ready' ? 0 : 4)";
    await inRepository({ 'test.cjs': script }, async (root) => {
      writeFileSync(join(root, 'test.cjs'), 'process.exit(5)');
      const setup = [[NODE, '-e', "require('node:fs').writeFileSync('made.txt', 'ready')"]];
      expect(await rerunAt(root, { setup })).toMatchObject({ ran: true, exit_code: 0 });
      expect(existsSync(join(root, 'made.txt'))).toBe(false);
    });
  });

  it('never takes a command from the head', async () => {
    const head = JSON.stringify({ test_command: 'true' });
    const config = 'evidence: { tests: { setup: [[touch, planted]] } }\n';
    const files = { 'test.cjs': 'process.exit(6)', '.rapid-os/config.json': head, '.github/countersign.yml': config };
    await inRepository(files, async (root) => {
      expect(await rerunAt(root)).toMatchObject({ ran: true, command: [NODE, 'test.cjs'], exit_code: 6 });
      expect(whyOf(await rerunAt(root, { baseConfig: undefined }))).toContain('no test_command');
      expect(whyOf(await rerunAt(root, { setup: [] }))).toContain('evidence.tests.setup');
    });
  });

  it.each([
    ['no command at the base', { baseConfig: '{}' }, 'no test_command'],
    ['a command that needs a shell', { baseConfig: '{"test_command": "a && b"}' }, 'CS1305'],
    ['a configuration that is no JSON', { baseConfig: '{' }, 'CS1305'],
    ['a command with two meanings', { baseConfig: '{"test_command": "a", "test_command": "b"}' }, 'CS1101'],
    ['no set-up', { setup: [] }, 'evidence.tests.setup'],
    [
      'a set-up that fails',
      { setup: [[NODE, '-e', "console.error('no disk'); process.exit(9)"]] },
      'ended with 9: no disk',
    ],
    ['a program that is not there', { setup: [['no-such-program']] }, 'CS1307'],
    ['a test program that is not there', { baseConfig: '{"test_command": "no-such-program"}' }, 'CS1307'],
    ['an empty set-up command', { setup: [[]] }, 'CS1305'],
    ['a head that is not there', { headSha: 'a'.repeat(40) }, 'cannot be checked out'],
    ['a head that is an option', { headSha: '--orphan=x' }, 'no full object id'],
    [
      'too little time',
      {
        baseConfig: JSON.stringify({ test_command: [NODE, '-e', 'setInterval(() => 0, 1000)'] }),
        timeoutMs: 1500,
        graceMs: 100,
      },
      'time limit',
    ],
  ] as const)('says nothing of the tests with %s', async (_, request, why) => {
    await inRepository({ 'test.cjs': 'process.exit(0)' }, async (root) => {
      expect(whyOf(await rerunAt(root, request))).toContain(why);
    });
  });

  it('says nothing of the tests outside a repository', async () => {
    expect(
      whyOf(
        await rerunTests({
          root: scratch,
          headSha: 'a'.repeat(40),
          baseConfig: BASE,
          setup: READY,
          temporary: scratch,
        }),
      ),
    ).toContain('not a git repository');
  });

  it('leaves no trace in the repository, whatever the tests do with theirs', async () => {
    const script = `
      const { execFileSync } = require('node:child_process');
      const git = (...args) => execFileSync('git', ['-c', 'user.name=x', '-c', 'user.email=x@example.org', ...args]);
      git('config', 'core.hooksPath', '/tmp/planted');
      git('commit', '--allow-empty', '-m', 'planted');
      git('branch', 'planted'); git('tag', 'planted'); git('update-ref', 'refs/heads/main', 'HEAD');
      require('node:fs').writeFileSync(git('rev-parse', '--git-path', 'hooks').toString().trim() + '-x', '');`;
    await inRepository({ 'test.cjs': script.replace('/tmp/planted', 'planted') }, async (root) => {
      const digest = digestOf(root);
      expect(await rerunAt(root)).toMatchObject({ ran: true, exit_code: 0 });
      expect(digestOf(root)).toBe(digest);
    });
  });

  it('starts no hook and no filter, wherever they are configured', async () => {
    const files = { 'test.cjs': 'process.exit(0)', '.gitattributes': '* filter=evil\n', 'a.txt': 'a\n' };
    await inRepository(files, async (root) => {
      const trace = join(scratch, 'trace');
      const evil = join(scratch, 'evil.sh');
      writeFileSync(evil, `#!/bin/sh\necho x >> '${trace}'\ncat\n`);
      chmodSync(evil, 0o755);
      for (const [key, value] of [
        ['filter.evil.smudge', evil],
        ['filter.evil.required', 'true'],
        ['core.fsmonitor', evil],
        ['core.hooksPath', join(scratch, 'hooks')],
      ] as const)
        git(root, 'config', key, value);
      mkdirSync(join(scratch, 'hooks'));
      symlinkSync(evil, join(scratch, 'hooks', 'post-checkout'));
      const home = join(scratch, 'home');
      writeFiles(home, { '.gitconfig': `[filter "evil"]\n\tsmudge = ${evil}\n[init]\n\ttemplateDir = ${scratch}\n` });
      const homeBefore = process.env['HOME'];
      process.env['HOME'] = home;
      try {
        expect(await rerunAt(root)).toMatchObject({ ran: true, exit_code: 0 });
      } finally {
        if (homeBefore === undefined) delete process.env['HOME'];
        else process.env['HOME'] = homeBefore;
      }
      expect(existsSync(trace)).toBe(false);
    });
  });

  it('works in a linked worktree and in a shallow clone', async () => {
    await inRepository({ 'test.cjs': 'process.exit(0)' }, async (root) => {
      commitFiles(root, { 'b.txt': 'b' });
      git(root, 'worktree', 'add', '--quiet', '--detach', join(scratch, 'linked'));
      expect(await rerunAt(join(scratch, 'linked'))).toMatchObject({ ran: true, exit_code: 0 });
      git(scratch, 'clone', '--quiet', '--depth=1', `file://${root}`, 'shallow');
      const log = JSON.stringify({ test_command: 'git log --oneline' });
      expect(await rerunAt(join(scratch, 'shallow'), { baseConfig: log })).toMatchObject({ ran: true, exit_code: 0 });
    });
  });

  it('hides the secrets of the environment from the tests', async () => {
    const script =
      "process.exit(Object.keys(process.env).some((name) => name.startsWith('GIT') || name.includes('TOKEN')) ? 1 : 0)";
    await inRepository({ 'test.cjs': script }, async (root) => {
      process.env['SOME_TOKEN'] = 'x';
      try {
        expect(await rerunAt(root)).toMatchObject({ ran: true, exit_code: 0 });
      } finally {
        delete process.env['SOME_TOKEN'];
      }
    });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'leaves nothing behind on %s, or only until the next start',
    async (signal) => {
      const script =
        "require('node:fs').writeFileSync(process.env.HOME + '/pid', String(process.pid)); process.on('SIGTERM', () => undefined); setInterval(() => 0, 1000)";
      await inRepository({ 'test.cjs': script }, async (root) => {
        const digest = digestOf(root);
        const request = {
          root,
          headSha: git(root, 'rev-parse', 'HEAD'),
          baseConfig: BASE,
          setup: READY,
          temporary: scratch,
          graceMs: 100,
        };
        const file = join(scratch, 'asker.ts');
        const source = join(import.meta.dirname, '../../src/sources/rerun.ts');
        writeFileSync(
          file,
          `import { rerunTests } from ${JSON.stringify(source)};\nconsole.log(JSON.stringify(await rerunTests(${JSON.stringify(request)})));`,
        );
        const child = spawn(NODE, [file], {
          env: { ...process.env, HOME: scratch },
          stdio: ['ignore', 'pipe', 'inherit'],
        });
        let printed = '';
        child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
        const closed = new Promise((resolve) => child.on('close', resolve));
        const pidFile = join(scratch, 'pid');
        await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
        const pid = Number(readFileSync(pidFile, 'utf8'));
        child.kill(signal);
        await closed;
        if (signal === 'SIGKILL') {
          // Nothing can be done then but to remove the folder at the next start.
          process.kill(pid, 'SIGKILL');
          expect(left()).toHaveLength(1);
          expect(removeAbandoned(scratch)).toHaveLength(1);
        } else {
          expect(JSON.parse(printed)).toMatchObject({ ran: false, why: expect.stringContaining(signal) });
          expect(runs(pid)).toBe(false);
        }
        expect(left()).toEqual([]);
        expect(digestOf(root)).toBe(digest);
      });
    },
  );

  it('removes only folders that are ours and whose owner is gone', async () => {
    const make = (name: string, owner: unknown): string => {
      const folder = join(scratch, `countersign-rerun-${name}`);
      writeFiles(folder, { 'checkout/a.txt': 'a', 'owner.json': JSON.stringify(owner) });
      return folder;
    };
    const gone = await new Promise<number>((resolve) => {
      const child = spawn(NODE, ['-e', '']);
      child.on('close', () => resolve(child.pid ?? 0));
    });
    const dead = make('dead', { pid: gone, host: hostname() });
    const kept = [
      make('alive', { pid: process.pid, host: hostname() }),
      make('elsewhere', { pid: gone, host: `${hostname()}-other` }),
      make('unsigned', 'nobody'),
    ];
    mkdirSync(join(scratch, 'precious'));
    symlinkSync(join(scratch, 'precious'), join(scratch, 'countersign-rerun-link'));
    writeFileSync(join(scratch, 'countersign-rerun-file'), '');
    expect(removeAbandoned(scratch)).toEqual([dead]);
    expect(kept.every((folder) => existsSync(folder))).toBe(true);
    expect(existsSync(join(scratch, 'precious'))).toBe(true);
    for (const name of left()) rmSync(join(scratch, name), { recursive: true });
  });
});

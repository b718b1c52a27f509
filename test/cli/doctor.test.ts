import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { nodeCheck } from '../../src/cli/set-up/file-checks.ts';
import { gitChecks } from '../../src/cli/set-up/git-checks.ts';
import { cli } from '../support/cli.ts';
import { commitFiles, git, makeRepository, writeFiles } from '../support/git-repository.ts';
import { inTemp, writeSample } from '../support/sample.ts';

// Real processes, on a machine that may be busy.
jest.setTimeout(120_000);

const CI = 'on: pull_request\njobs: { test: { strategy: { matrix: { n: [1] } }, steps: [{ run: npm test }] } }\n';
const PINNED = `- uses: acme/countersign@${'1'.repeat(40)}`;

interface Answer {
  readonly healthy: boolean;
  readonly checks: readonly {
    readonly check: string;
    readonly health: string;
    readonly detail: string;
    readonly remedy?: string;
  }[];
}

async function doctor(root: string, ...options: string[]): Promise<Answer> {
  const { code, out, err } = await cli(root, 'doctor', '--json', ...options);
  const answer = JSON.parse(out) as Answer;
  expect([code, err]).toEqual([answer.healthy ? 0 : 1, '']);
  expect(answer.healthy).toBe(answer.checks.every(({ health }) => health !== 'fail'));
  for (const { health, remedy } of answer.checks) expect(remedy === undefined).toBe(health === 'ok');
  return answer;
}

/** A repository that is set up as it should be. */
async function inHealthy(body: (root: string) => Promise<void>): Promise<void> {
  await inTemp(async (root) => {
    makeRepository(root);
    writeFiles(root, { '.github/workflows/ci.yml': CI, '.rapid-os/config.json': '{"test_command": "npm test"}' });
    expect((await cli(root, 'init')).code).toBe(0);
    writeFiles(root, {
      '.github/workflows/countersign.yml': `on: pull_request\njobs: { a: { steps: [] } }\n#${PINNED}\n`,
    });
    commitFiles(root, { 'a.txt': 'a' });
    await body(root);
  });
}

const healthOf = (answer: Answer, check: string) => {
  const found = answer.checks.find((one) => one.check === check);
  return `${found?.health ?? 'missing'}: ${found?.detail ?? ''}`;
};

describe('doctor', () => {
  // What a repository's own configuration can have git start while it is asked about the repository.
  it.each([
    ['core.fsmonitor', 'program'],
    ['core.hooksPath', 'folder'],
    ['core.pager', 'program'],
    ['core.alternateRefsCommand', 'program'],
    ['diff.external', 'program'],
    ['alias.rev-parse', 'alias'],
    ['alias.check-attr', 'alias'],
  ])('starts no program that %s names', async (setting, form) => {
    await inHealthy(async (root) => {
      const started = join(root, '.git', 'started');
      const hooks = join(root, '.git', 'own-hooks');
      mkdirSync(hooks);
      const script = `#!/bin/sh\ntouch '${started}'\ncat\n`;
      const names = ['program', 'fsmonitor-watchman', 'post-index-change', 'reference-transaction', 'post-checkout'];
      for (const name of names) writeFileSync(join(hooks, name), script, { mode: 0o755 });
      const program = join(hooks, 'program');
      git(root, 'config', setting, form === 'folder' ? hooks : form === 'alias' ? `!${program}` : program);
      await doctor(root);
      expect(existsSync(started)).toBe(false);
    });
  });

  it('finds nothing wrong where nothing is', async () => {
    await inHealthy(async (root) => {
      writeSample(root);
      const { checks } = await doctor(root);
      expect(checks.filter(({ health }) => health !== 'ok')).toEqual([]);
      expect(checks.map(({ check }) => check)).toEqual([
        ...['Node.js', 'git', 'repository', 'base branch', 'line ends', 'config', 'lock', 'policy', 'test workflows'],
        ...['action workflow', 'test command', 'documents'],
      ]);
    });
  });

  it('warns, and ends with 0, where nothing is set up yet', async () => {
    await inTemp(async (root) => {
      makeRepository(root);
      commitFiles(root, { 'a.txt': 'a' });
      const answer = await doctor(root);
      expect(answer.healthy).toBe(true);
      expect(answer.checks.filter(({ health }) => health === 'warn').map(({ check }) => check)).toEqual([
        ...['line ends', 'config', 'lock', 'test workflows', 'test command'],
      ]);
    });
  });

  const CONFIG = '.github/countersign.yml';
  const workflows = (jobs: string, path = '.github/workflows/ci.yml'): string =>
    `evidence: { tests: { workflows: [{ path: ${path}, jobs: [${jobs}] }] } }\n`;

  /** Check, what is written over a healthy set-up, and what the doctor says. */
  const ILL: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
    ['config', { [CONFIG]: 'runs: { requird: always }\n' }, /^fail: .*:1:\d+.*requird.*required/],
    ['config', { [CONFIG]: 'mode: [\n' }, /^fail: .*countersign\.yml:\d/],
    ['config', { [CONFIG]: 'runs:\nmode: warn\n' }, /^warn: .*`runs` is empty/],
    ['lock', { '.rapid-os/capabilities.lock': '{}' }, /^fail: RAPID1111/],
    ['lock', { '.rapid-os/capabilities.lock': 'x' }, /^fail: RAPID1111/],
    ['policy', { '.rapid-os/policy.json': '{"schema_version": 9}' }, /^fail: RAPID1005/],
    ['test workflows', { [CONFIG]: workflows('other') }, /^fail: .*has no job 'other', only 'test \(\*\)'/],
    ['test workflows', { [CONFIG]: workflows("'test (1)'") }, /^ok: /],
    ['test workflows', { [CONFIG]: workflows("'te*'") }, /^ok: /],
    ['test workflows', { [CONFIG]: workflows('test', '.github/workflows/no.yml') }, /^fail: .*does not exist/],
    ['test workflows', { '.github/workflows/ci.yml': 'jobs: [' }, /^fail: .*cannot be read: it is no valid YAML/],
    ['test workflows', { [CONFIG]: 'mode: warn\n' }, /^warn: None is configured/],
    [
      'action workflow',
      { '.github/workflows/countersign.yml': `${PINNED.replaceAll('1', '0')}\n` },
      /^fail: .*not finished/,
    ],
    ['action workflow', { '.github/workflows/countersign.yml': '- uses: acme/countersign@v1\n' }, /^warn: .*'v1'/],
    ['test command', { '.rapid-os/config.json': '{"test_command": "a | b"}' }, /^fail: CS1305/],
    ['test command', { '.rapid-os/config.json': '{}' }, /^warn: /],
    ['documents', { '.rapid-os/runs/x/run.json': '{}' }, /^fail: RAPID/],
    ['documents', { '.rapid-os/harnesses/codex.json': '{"schema_version": 1, "schema_version": 1}' }, /^fail: CS1101/],
    ['line ends', { '.gitattributes': '* text=auto\n' }, /^warn: /],
  ];

  it.each(ILL)('looks at %s: %j', async (check, files, said) => {
    await inHealthy(async (root) => {
      writeFiles(root, files);
      expect(healthOf(await doctor(root), check)).toMatch(said);
    });
  });

  it('finds a stale lock, and none where one is demanded', async () => {
    await inHealthy(async (root) => {
      expect((await cli(root, 'harness', 'init', 'mine')).code).toBe(0);
      expect(healthOf(await doctor(root), 'lock')).toMatch(/^fail: .*stale.*'mine'/);
      git(root, 'clean', '--quiet', '--force', '-x', '.rapid-os/capabilities.lock');
      expect(healthOf(await doctor(root), 'lock')).toMatch(/^fail: There is no/);
      writeFiles(root, { [CONFIG]: 'runs: { required: never }\n' });
      expect(healthOf(await doctor(root), 'lock')).toMatch(/^warn: There is no/);
    });
  });

  it('finds the base branch', async () => {
    await inHealthy(async (root) => {
      expect(healthOf(await doctor(root), 'base branch')).toMatch(/^ok: refs\/heads\/main at /);
      git(root, 'branch', '--move', 'main', 'develop');
      expect(healthOf(await doctor(root), 'base branch')).toMatch(/^warn: /);
      expect(healthOf(await doctor(root, '--base', 'develop'), 'base branch')).toMatch(/^ok: refs\/heads\/develop/);
      expect(healthOf(await doctor(root, '--base', 'main'), 'base branch')).toMatch(/^fail: /);
      expect(healthOf(await doctor(root, '--base=--help'), 'base branch')).toMatch(/^fail: /);
      git(root, 'update-ref', 'refs/remotes/origin/develop', 'HEAD');
      git(root, 'symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/develop');
      expect(healthOf(await doctor(root), 'base branch')).toMatch(/^ok: refs\/remotes\/origin\/develop/);
    });
  });

  it('finds no repository, one above the project, and a shallow one', async () => {
    await inTemp(async (root) => {
      mkdirSync(join(root, '.rapid-os'));
      expect(healthOf(await doctor(root), 'repository')).toMatch(/^fail: This is no git repository/);
      const top = join(root, 'top');
      mkdirSync(join(top, 'inner/.rapid-os'), { recursive: true });
      makeRepository(top);
      commitFiles(top, { 'a.txt': 'a' });
      commitFiles(top, { 'b.txt': 'b' });
      expect(healthOf(await doctor(join(top, 'inner')), 'repository')).toMatch(/^fail: .*folder in it/);
      git(root, 'clone', '--quiet', '--depth=1', `file://${top}`, 'shallow');
      expect(healthOf(await doctor(join(root, 'shallow')), 'repository')).toMatch(/^warn: .*shallow/);
    });
  });

  it.each([
    ['git version 2.30.9', /^fail: .*too old/],
    ['git version 2.31.0', /^ok: /],
    ['git version 10.0.0.windows.1', /^ok: /],
    ['no number', /^fail: /],
  ])('reads what git says of itself: %s', async (says, health) => {
    await inTemp(async (root) => {
      writeFileSync(join(root, 'git'), `#!/bin/sh\n[ "$1" = --version ] && echo '${says}'\n`);
      chmodSync(join(root, 'git'), 0o755);
      const before = process.env['PATH'];
      process.env['PATH'] = `${root}:${before ?? ''}`;
      try {
        const [first] = await gitChecks(root, undefined);
        expect(`${first?.health ?? ''}: ${first?.detail ?? ''}`).toMatch(health);
      } finally {
        process.env['PATH'] = before;
      }
    });
  });

  it('says so where there is no git', async () => {
    await inTemp(async (root) => {
      const before = process.env['PATH'];
      process.env['PATH'] = root;
      try {
        expect(await gitChecks(root, undefined)).toMatchObject([{ check: 'git', health: 'fail' }]);
      } finally {
        process.env['PATH'] = before;
      }
    });
  });

  it.each([
    ['v24.21.0', 'ok'],
    ['v20.0.0', 'ok'],
    ['v18.20.1', 'fail'],
    ['', 'fail'],
  ])('knows which Node.js is new enough: %s', (version, health) => {
    expect(nodeCheck(version).health).toBe(health);
  });

  it('tells a person the same, with what to do', async () => {
    await inHealthy(async (root) => {
      writeFiles(root, { '.rapid-os/capabilities.lock': '{}' });
      const { code, out } = await cli(root, 'doctor');
      expect(code).toBe(1);
      expect(out).toMatch(/^fail +lock +RAPID1111 .*countersign harness lock/m);
      expect(out).toMatch(/^\d+ ok, 0 warning\(s\), 2 failure\(s\)\.$/m);
    });
  });
});

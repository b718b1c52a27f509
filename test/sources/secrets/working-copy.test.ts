import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { decide } from '../../../src/gate/decide.ts';
import { collectWorkingTree } from '../../../src/sources/pull-request/working-tree.ts';
import { workingCopySecrets } from '../../../src/sources/secrets/working-copy.ts';
import { GITHUB } from '../../checks/secrets/support/shapes.ts';
import { withRepository } from '../../support/repository.ts';
import { inTemp } from '../../support/sample.ts';

jest.setTimeout(120_000); // many processes, on a machine that may be busy

async function found(root: string): Promise<string[]> {
  const { secrets, unread } = await workingCopySecrets(root);
  expect(unread).toEqual([]);
  expect(secrets.scanned).toBe('whole');
  return secrets.findings.map(({ rule, place }) => `${rule.slice(8)} ${place.at === 'file' ? place.path : ''}`);
}

describe('secrets in a working copy', () => {
  it('are files by name: tracked, ignored all the same, or about to be tracked', async () => {
    await withRepository(async ({ root, write, git }) => {
      write('.gitignore', '*.pem\nlocal/\n');
      for (const path of ['.env', 'a/.env.local', 'key.pem', 'local/.env', '.env.example', '.npmrc'])
        write(path, 'x\n');
      write('plain.txt', `${GITHUB}\n`); // not opened here: that is a branch's business
      git('add', '-f', '.env', 'key.pem');
      expect(await found(root)).toEqual([
        'file-tracked .env',
        'file-not-ignored .npmrc',
        'file-not-ignored a/.env.local',
        'file-tracked-ignored key.pem',
      ]);
    });
  });

  it("are credentials in git's configuration, without the value", async () => {
    await withRepository(async ({ root, git }) => {
      git('remote', 'add', 'origin', `https://u:${GITHUB}@github.com/o/r.git`);
      expect(await found(root)).toEqual(['git-config .git/config']);
      expect(JSON.stringify(await workingCopySecrets(root))).not.toContain(GITHUB.slice(4, 20));
      const report = decide(await collectWorkingTree({ root, now: '2026-01-02T03:04:05Z', engine: '1' }));
      expect(report).toMatchObject({
        outcome: 'failed',
        findings: [{ rule: 'secrets/git-config', severity: 'block' }],
      });
    });
  });

  it('are of no concern outside of git', async () => {
    await inTemp(async (root) => {
      expect(await workingCopySecrets(root)).toEqual({ secrets: { scanned: 'not', findings: [] }, unread: [] });
    });
  });

  it('make the verdict incomplete where they cannot be looked for', async () => {
    await withRepository(async ({ root, write }) => {
      write('.git/index', 'no index');
      const { secrets, unread } = await workingCopySecrets(root);
      expect(secrets.scanned).toBe('not');
      expect(unread).toMatchObject([{ what: 'secrets in the working copy' }]);
    });
  });

  it("are found in git's configuration also where git makes nothing of the repository", async () => {
    await withRepository(async ({ root, write }) => {
      write('.git/config', `[remote "origin"\n\turl = https://u:${GITHUB}@github.com/o/r.git\n`);
      write('.env', 'x\n');
      const { secrets, unread } = await workingCopySecrets(root);
      expect(secrets.findings).toMatchObject([{ rule: 'secrets/git-config', place: { path: '.git/config', line: 2 } }]);
      expect(unread).toMatchObject([{ what: 'secrets in the working copy' }]);
    });
  });

  it('are found where .git is a file that leads to a configuration and to no repository', async () => {
    await inTemp(async (root) => {
      const workspace = join(root, 'workspace');
      mkdirSync(join(root, 'real'), { recursive: true });
      mkdirSync(workspace);
      writeFileSync(join(root, 'real/config'), `[remote "origin"]\n\turl = https://u:${GITHUB}@github.com/o/r.git\n`);
      writeFileSync(join(workspace, '.git'), 'gitdir: ../real\n');
      expect(await found(workspace)).toEqual(['git-config ../real/config']);
    });
  });

  it('are looked for from a folder inside: its files, and the configuration of the whole', async () => {
    await withRepository(async ({ root, write, git }) => {
      git('remote', 'add', 'origin', `https://u:${GITHUB}@github.com/o/r.git`);
      for (const path of ['.env', 'app/.env', 'app/local.env']) write(path, 'x\n');
      write('.gitignore', 'local.env\n');
      expect(await found(join(root, 'app'))).toEqual(['file-not-ignored .env', 'git-config ../.git/config']);
    });
  });

  it("are ignored by the rules of the caller's own configuration, wherever that is said", async () => {
    await withRepository(async ({ root, write }) => {
      write('.env', 'x\n');
      write('.git/their-excludes', '.env\n');
      write('.git/their-config', '[core]\n\texcludesFile = .git/their-excludes\n');
      const environment = { ...process.env, GIT_CONFIG_GLOBAL: join(root, '.git/their-config') };
      const { secrets } = await workingCopySecrets(root, environment);
      expect(secrets.findings).toEqual([]);
      expect(await found(root)).toEqual(['file-not-ignored .env']);
    });
  });
});

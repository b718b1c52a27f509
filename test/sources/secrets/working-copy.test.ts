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
});

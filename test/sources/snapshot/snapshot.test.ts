import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { isRefusal } from '../../../src/domain/errors.ts';
import { openRepository } from '../../../src/sources/git.ts';
import { withObjects } from '../../../src/sources/git-objects.ts';
import { commitSnapshot } from '../../../src/sources/snapshot/commit.ts';
import type { SourceSnapshot } from '../../../src/sources/snapshot/snapshot.ts';
import { workingTreeSnapshot } from '../../../src/sources/snapshot/working-tree.ts';
import { withRepository } from '../../support/repository.ts';
import type { TestRepository } from '../../support/repository.ts';
import { inTemp } from '../../support/sample.ts';
import { snapshotContract } from './contract.ts';
import type { SnapshotFactory } from './contract.ts';
import { place, placeAll, SUBMODULE } from './place.ts';

jest.setTimeout(120_000); // many processes, on a machine that may be busy

async function onCommit(
  repository: TestRepository,
  commit: string,
  body: (snapshot: SourceSnapshot) => Promise<void>,
): Promise<void> {
  const opened = await openRepository(repository.root);
  await withObjects(opened, (objects) => body(commitSnapshot(opened, objects, commit)));
}

const commitFactory =
  (format: 'sha1' | 'sha256'): SnapshotFactory =>
  (state, body) =>
    withRepository(
      (repository) => onCommit(repository, placeAll(repository, state, format), body),
      `--object-format=${format}`,
    );

snapshotContract('a working tree', (state, body) =>
  inTemp(async (root) => {
    mkdirSync(join(root, '.git')); // the top's own is no item
    place(root, state);
    await body(workingTreeSnapshot(root));
  }),
);
snapshotContract('a commit', commitFactory('sha1'));
snapshotContract('a commit of a SHA-256 repository', commitFactory('sha256'));

describe('a commit of hand-made objects', () => {
  const unreadOf = async (
    entries: (repository: TestRepository) => Parameters<TestRepository['tree']>[0],
  ): Promise<{ items: string[]; unread: string[] }> => {
    let seen: { items: string[]; unread: string[] } = { items: [], unread: [] };
    await withRepository(async (repository) => {
      const commit = repository.commitTree(repository.tree(entries(repository)));
      await onCommit(repository, commit, async (snapshot) => {
        const listing = await snapshot.list('');
        seen = {
          items: listing.items.map(({ path, mode }) => `${mode} ${path}`),
          unread: listing.unread.map(({ what, why }) => `${what}: ${why}`),
        };
      });
    });
    return seen;
  };

  it.each([
    ['a name that is no UTF-8', '100644', new Uint8Array([0x66, 0xff]), 'f\\xff: its name is not valid UTF-8'],
    ['..', '100644', '..', '..: no checkout can hold this name'],
    ['a name with a slash', '100644', 'a/b', 'a/b: no checkout can hold this name'],
    ['.git in any case', '100644', '.GIT', '.GIT: no checkout can hold this name'],
    ['a mode that git does not give', '0', 'x', 'x: its mode is none that git gives'],
    ['a path that is too long', '100644', 'x'.repeat(5000), `${'x'.repeat(200)}…: its path is longer than 4096 bytes`],
  ])('names %s as unread', async (_what, mode, name, row) => {
    const { items, unread } = await unreadOf((repository) => [[mode, name, repository.blob('content')]]);
    expect([items, unread]).toEqual([[], [row]]);
  });

  it('names a name that stands twice as unread', async () => {
    const { items, unread } = await unreadOf((repository) => [
      ['100644', 'policy.json', repository.blob('one')],
      ['100644', 'policy.json', repository.blob('two')],
    ]);
    expect([items, unread]).toEqual([['100644 policy.json'], ['policy.json: the name stands twice in its folder']]);
  });

  it('keeps names apart that differ in case, and reads old modes as git does', async () => {
    const { items } = await unreadOf((repository) => [
      ['100664', 'README', repository.blob('one')],
      ['100775', 'readme', repository.blob('two')],
    ]);
    expect(items).toEqual(['100644 README', '100755 readme']);
  });

  it('stops where a few trees stand for any number of files', async () => {
    await withRepository(async (repository) => {
      let tree = repository.tree([['100644', 'f', repository.blob('x')]]);
      for (let level = 0; level < 12; level += 1) {
        const below = tree;
        tree = repository.tree(Array.from({ length: 10 }, (_, index) => ['40000', `d${index}`, below] as const));
      }
      await onCommit(repository, repository.commitTree(tree), async (snapshot) => {
        const { items, unread } = await snapshot.list('', 1000);
        expect([items.length, unread]).toEqual([1000, [{ what: '', why: 'more than 1000 files stand there' }]]);
      });
    });
  });

  it.each(['blob', 'tree'])('refuses a %s that is missing', async (type) => {
    await withRepository(async (repository) => {
      const tree = repository.tree([[type === 'blob' ? '100644' : '40000', 'x', SUBMODULE]]);
      await onCommit(repository, repository.commitTree(tree), async (snapshot) => {
        await expect(type === 'blob' ? snapshot.read('x', 9) : snapshot.list('x')).rejects.toMatchObject({
          code: 'CS1508',
        });
      });
    });
  });

  it('refuses content that is not what its id says', async () => {
    await withRepository(async (repository) => {
      const [good, bad] = [repository.blob('good'), repository.blob('evil')];
      const pathOf = (id: string): string => join(repository.root, '.git/objects', id.slice(0, 2), id.slice(2));
      rmSync(pathOf(good), { force: true });
      execFileSync('cp', [pathOf(bad), pathOf(good)]);
      const commit = repository.commitTree(repository.tree([['100644', 'x', good]]));
      await onCommit(repository, commit, async (snapshot) => {
        const why = await snapshot.read('x', 9).then(
          () => 'read',
          (thrown: unknown) => (isRefusal(thrown) ? thrown.code : 'thrown'),
        );
        expect(['CS1502', 'CS1508']).toContain(why);
      });
    });
  });

  it('does not see what stands in for an object (replace refs)', async () => {
    await withRepository(async (repository) => {
      const [good, other] = [repository.blob('good'), repository.blob('other')];
      repository.git('replace', good, other);
      const commit = repository.commitTree(repository.tree([['100644', 'x', good]]));
      await onCommit(repository, commit, async (snapshot) => {
        expect(Buffer.from((await snapshot.read('x', 9))?.bytes ?? []).toString()).toBe('good');
      });
    });
  });
});

describe('a working tree of odd things', () => {
  it('stops at a limit', async () => {
    await inTemp(async (root) => {
      for (const name of ['a', 'b', 'c']) writeFileSync(join(root, name), '');
      const { items, unread } = await workingTreeSnapshot(root).list('', 2);
      expect([items.length, unread]).toEqual([2, [{ what: '', why: 'more than 2 files stand there' }]]);
      expect((await workingTreeSnapshot(root).list('', 3)).unread).toEqual([]);
    });
  });

  it('names a pipe as unread and never waits for its other end', async () => {
    await inTemp(async (root) => {
      execFileSync('mkfifo', [join(root, 'pipe')]);
      const snapshot = workingTreeSnapshot(root);
      expect(await snapshot.list('')).toEqual({
        items: [],
        unread: [{ what: 'pipe', why: 'it is neither a file, a folder nor a link' }],
      });
      expect(await snapshot.read('pipe', 9)).toBeUndefined();
    });
  });

  it('names what is no UTF-8 as unread', async () => {
    await inTemp(async (root) => {
      writeFileSync(Buffer.concat([Buffer.from(`${root}/f`), Buffer.from([0xff])]), '');
      const { items, unread } = await workingTreeSnapshot(root).list('');
      // Some file systems take no such name, or change it.
      const kept = readdirSync(root, { encoding: 'buffer' })[0]?.includes(0xff) === true;
      expect([items.length, unread.map((row) => row.what)]).toEqual(kept ? [0, ['f\\xff']] : [1, []]);
    });
  });
});

import { describe, expect, it, jest } from '@jest/globals';
import * as fc from 'fast-check';
import { openRepository } from '../../src/sources/git.ts';
import { withObjects } from '../../src/sources/git-objects.ts';
import { parseTree } from '../../src/sources/git-tree.ts';
import { parseRawDiff } from '../../src/sources/pull-request/raw-diff.ts';
import { mergeChanges } from '../../src/sources/secrets/merges.ts';
import { mergeDiff, treeDiff } from '../../src/sources/tree-diff.ts';
import type { TreeSource } from '../../src/sources/tree-source.ts';
import { randomState, writeState } from '../support/random-trees.ts';
import { withRepository } from '../support/repository.ts';
import type { TestRepository } from '../support/repository.ts';

jest.setTimeout(300_000); // many processes, on a machine that may be busy

/** The trees of a repository, and which of them were asked for. */
async function withTrees(
  repository: TestRepository,
  body: (trees: TreeSource, asked: string[]) => Promise<void>,
): Promise<void> {
  const opened = await openRepository(repository.root);
  await withObjects(opened, async (objects) => {
    const asked: string[] = [];
    const tree = async (oid: string) => {
      asked.push(oid);
      const bytes = (await objects.read(oid, 1_000_000))?.bytes;
      return parseTree(bytes ?? Buffer.alloc(0), 20) ?? [];
    };
    await body({ tree }, asked);
  });
}

const RAW = ['-r', '-z', '--raw', '--no-abbrev', '--no-renames', '--ignore-submodules=none'];
const byGit = ({ git }: TestRepository, from: string, to: string, ...under: string[]) =>
  parseRawDiff(Buffer.from(git('diff-tree', ...RAW, from, to, '--', ...under))).flatMap((block) => block.changes);

describe('the difference of two trees', () => {
  it('is what git says, for any two states', async () => {
    await withRepository(async (repository) => {
      await withTrees(repository, async (trees) => {
        await fc.assert(
          fc.asyncProperty(randomState, randomState, async (one, other) => {
            const [from, to] = [writeState(repository, one), writeState(repository, other)];
            const { changes, unnamed, unread } = await treeDiff(trees, from, to);
            expect([changes, unnamed, unread]).toEqual([byGit(repository, from, to), [], []]);
            const under = await treeDiff(trees, from, to, { under: ['a', 'b/a'] });
            expect(under.changes).toEqual(byGit(repository, from, to, 'a', 'b/a'));
          }),
          { numRuns: 60 },
        );
      });
    });
  });

  it('from nothing is everything, and to nothing too', async () => {
    await withRepository(async (repository) => {
      const tree = writeState(repository, { 'a/b': { mode: '100644', content: 1 }, c: { mode: '120000', content: 2 } });
      await withTrees(repository, async (trees) => {
        const rows = async (from: string | undefined, to: string | undefined) =>
          (await treeDiff(trees, from, to)).changes.map(({ status, path, mode }) => `${status} ${path} ${mode}`);
        expect(await rows(undefined, tree)).toEqual(['added a/b 100644', 'added c 120000']);
        expect(await rows(tree, undefined)).toEqual(['deleted a/b 000000', 'deleted c 000000']);
      });
    });
  });

  it('does not ask for folders that are the same', async () => {
    await withRepository(async (repository) => {
      const same = { 'same/deep/x': { mode: '100644', content: 1 } } as const;
      const from = writeState(repository, same);
      const to = writeState(repository, { ...same, 'new/x': { mode: '100644', content: 1 } });
      await withTrees(repository, async (trees, asked) => {
        await treeDiff(trees, from, to);
        expect(asked.sort()).toEqual([from, to, repository.git('rev-parse', `${to}:new`)].sort());
      });
    });
  });

  it('names what has no name that can be given, and what stands twice', async () => {
    await withRepository(async (repository) => {
      const [one, two] = [repository.blob('1'), repository.blob('2')];
      const bad = new Uint8Array([0x66, 0xff]);
      const from = repository.tree([['100644', bad, one]]);
      const inner = repository.tree([['100644', 'x', one]]);
      const to = repository.tree([
        ['100644', 'a', one],
        ['100644', 'a', two],
        ['100644', bad, two],
        ['40000', new Uint8Array([0xfe]), inner],
      ]);
      await withTrees(repository, async (trees) => {
        const { changes, unnamed, unread } = await treeDiff(trees, from, to);
        expect(changes.map(({ path }) => path)).toEqual(['a']);
        expect(unnamed).toEqual(['f\\xff', '\\xfe/x']);
        expect(unread).toEqual([{ what: 'a', why: 'the name stands twice in its folder' }]);
      });
    });
  });

  it('stops where a few trees stand for any number of files, or go down without end', async () => {
    await withRepository(async (repository) => {
      let wide = repository.tree([['100644', 'f', repository.blob('x')]]);
      for (let level = 0; level < 5; level += 1) {
        const below = wide;
        wide = repository.tree(Array.from({ length: 10 }, (_, index) => ['40000', `d${index}`, below] as const));
      }
      await withTrees(repository, async (trees) => {
        const { changes, unread } = await treeDiff(trees, undefined, wide, { limit: 1000 });
        expect(changes.length).toBeLessThanOrEqual(1000);
        expect(unread).toEqual([{ what: 'changed files', why: 'more than 1000 files differ' }]);
      });
      let deep = repository.tree([['100644', 'f', repository.blob('x')]]);
      for (let level = 0; level < 20; level += 1) deep = repository.tree([['40000', 'x'.repeat(250), deep]]);
      await withTrees(repository, async (trees) => {
        const { changes, unread } = await treeDiff(trees, undefined, deep);
        expect([changes, unread.map(({ why }) => why)]).toEqual([[], ['its path is longer than 4096 bytes']]);
      });
    });
  });
});

describe('what a merge changes itself', () => {
  it('is what git says, for any states of two or three sides', async () => {
    await withRepository(async (repository) => {
      const opened = await openRepository(repository.root);
      await withTrees(repository, async (trees) => {
        await fc.assert(
          fc.asyncProperty(fc.array(randomState, { minLength: 3, maxLength: 4 }), async (states) => {
            const [own = '', ...sides] = states.map((state) => writeState(repository, state));
            const parents = sides.map((tree, index) => repository.commitTree(tree, [], `side ${index}`));
            const merge = repository.commitTree(own, parents);
            const expected = (await mergeChanges(opened, [merge])).map(({ commit: _commit, ...change }) => change);
            const { changes, unread } = await mergeDiff(trees, sides, own);
            const isFile = ({ mode }: { readonly mode: string }): boolean => mode !== '160000';
            expect([changes.filter(isFile), unread]).toEqual([expected, []]);
          }),
          { numRuns: 40 },
        );
      });
    });
  });
});

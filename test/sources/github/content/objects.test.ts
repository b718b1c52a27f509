import { describe, expect, it, jest } from '@jest/globals';
import { openBlobs } from '../../../../src/sources/github/content/blob-store.ts';
import { gather } from '../../../../src/sources/github/content/gather.ts';
import { openTrees } from '../../../../src/sources/github/content/tree-store.ts';
import { withRenames } from '../../../../src/sources/github/content/renames.ts';
import { Refusal } from '../../../../src/domain/errors.ts';
import type { GitHubApi } from '../../../../src/github/api.ts';
import { githubSnapshot } from '../../../../src/sources/snapshot/github.ts';
import { withRepository } from '../../../support/repository.ts';
import type { TestRepository } from '../../../support/repository.ts';
import { withHosted } from '../hosted.ts';
import type { Hosted } from '../hosted.ts';

jest.setTimeout(120_000); // many processes, on a machine that may be busy

const hosted = (
  make: (repository: TestRepository) => string,
  body: (hosted: Hosted, commit: string, repository: TestRepository) => Promise<void>,
  limits: Readonly<Record<string, number>> = {},
): Promise<void> =>
  withRepository(async (repository) => {
    const commit = make(repository);
    await withHosted(repository, (one) => body(one, commit, repository), { limits });
  });

const open = ({ api, repository }: Hosted, changed: GitHubApi = api) => {
  const trees = openTrees(changed, repository);
  return { trees, blobs: openBlobs(changed, repository, (oid) => trees.sizeOf(oid)) };
};

/** The API with another answer to some query or call: what a proxy, or a fault, could make of it. */
function tampered({ api }: Hosted, change: (text: string) => string): GitHubApi {
  const request = async (...args: Parameters<GitHubApi['request']>) => {
    const answer = await api.request(...args);
    return { ...answer, data: JSON.parse(change(JSON.stringify(answer.data))) as unknown };
  };
  return { request, graphql: api.graphql } as unknown as GitHubApi;
}

describe('trees at GitHub', () => {
  const wide = ({ write, commit }: TestRepository): string => {
    for (let at = 0; at < 12; at += 1) write(`d${at % 4}/f${at}`, `${at}`);
    return commit();
  };

  it('that are cut are read to their end', async () => {
    await hosted(
      wide,
      async (one, commit) => {
        const { trees, blobs } = open(one);
        await trees.load([commit]);
        const { items, unread } = await githubSnapshot(trees, blobs, commit).list('');
        expect([items.length, unread]).toEqual([12, []]);
      },
      { treeEntries: 7 },
    );
  });

  it('of names that are no UTF-8 are read by their bytes', async () => {
    await hosted(
      (repository) => {
        const inner = repository.tree([
          ['100644', 'good', repository.blob('1')],
          ['100644', new Uint8Array([0x68, 0xff]), repository.blob('2')],
        ]);
        const commit = repository.commitTree(repository.tree([['40000', 'd', inner]]));
        repository.git('update-ref', 'refs/heads/main', commit);
        return commit;
      },
      async (one, commit) => {
        const { trees, blobs } = open(one);
        await trees.load([commit]);
        expect(await githubSnapshot(trees, blobs, commit).list('')).toEqual({
          items: [{ path: 'd/good', mode: '100644' }],
          unread: [{ what: 'd/h\\xff', why: 'its name is not valid UTF-8' }],
        });
      },
    );
  });

  it('whose entries are not what their id says are refused', async () => {
    await hosted(wide, async (one, commit) => {
      const { trees, blobs } = open(
        one,
        tampered(one, (text) =>
          text.replaceAll('"f1"', '"g1"').replaceAll('d1/f1"', 'd1/g1"').replaceAll('"ZjE="', '"ZzE="'),
        ),
      );
      await trees.load([commit]);
      await expect(githubSnapshot(trees, blobs, commit).list('d1')).rejects.toMatchObject({ code: 'CS1508' });
      expect((await githubSnapshot(trees, blobs, commit).list('d0')).items.length).toBe(3);
    });
  });

  it('that are missing, and commits that are, are refused', async () => {
    await hosted(wide, async (one) => {
      const { trees } = open(one);
      const none = '1'.repeat(40);
      await trees.load([none]);
      await expect(trees.tree(none)).rejects.toMatchObject({ code: 'CS1508' });
      await expect(trees.rootOf(none)).rejects.toMatchObject({ code: 'CS1508' });
    });
  });

  it('of many folders that are asked for together take one query', async () => {
    await hosted(wide, async (one, commit, { git }) => {
      const { trees } = open(one);
      const oids = ['d0', 'd1', 'd2', 'd3'].map((folder) => git('rev-parse', `${commit}:${folder}`));
      one.calls();
      await Promise.all([...oids, ...oids].map((oid) => trees.tree(oid)));
      expect(one.calls()).toEqual({ graphql: 1 });
    });
  });
});

describe('blobs at GitHub', () => {
  const texts = (repository: TestRepository): string => {
    for (let at = 0; at < 5; at += 1) repository.write(`t${at}`, `text ${at}\r\n`);
    repository.write('marked', '\ufeffwith a mark');
    repository.write('latin', new Uint8Array([0x66, 0xff]));
    repository.write('bytes', new Uint8Array([1, 0, 2]));
    repository.write('long', 'x'.repeat(300));
    return repository.commit();
  };

  it('come together as texts, and by themselves where those are not what their id says', async () => {
    await hosted(
      texts,
      async (one, commit, { git }) => {
        const { blobs } = open(one);
        const names = git('ls-tree', '--name-only', commit).split('\n');
        const oids = names.map((name) => git('rev-parse', `${commit}:${name}`));
        one.calls();
        const read = await Promise.all(oids.map((oid) => blobs.read(oid, 1000)));
        expect(read.map((object) => object?.oid)).toEqual(oids);
        expect(
          Object.fromEntries(read.map((object, at) => [names[at], object?.bytes?.toString('latin1')])),
        ).toMatchObject({
          t0: 'text 0\r\n',
          latin: 'f\xff',
          bytes: '\x01\x00\x02',
          long: 'x'.repeat(300),
        });
        const calls = one.calls();
        expect(calls['graphql']).toBe(1);
        // What is no UTF-8, binary, or cut.
        expect(calls['git/get-blob']).toBeGreaterThanOrEqual(3);
        await Promise.all(oids.map((oid) => blobs.read(oid, 1000)));
        expect(one.calls()).toEqual({});
        expect(await blobs.read('1'.repeat(40), 9)).toBeUndefined();
      },
      { blobTextBytes: 200 },
    );
  });

  it('that are not what their id says either way are refused', async () => {
    await hosted(texts, async (one, commit, { git }) => {
      const change = (text: string): string =>
        text.replaceAll('text 1', 'test 1').replaceAll('dGV4dCAxDQo=', 'dGVzdCAxDQo=');
      const { blobs } = open(one, tampered(one, change));
      await expect(blobs.read(git('rev-parse', `${commit}:t1`), 99)).rejects.toMatchObject({ code: 'CS1508' });
      expect((await blobs.read(git('rev-parse', `${commit}:t2`), 99))?.size).toBe(8);
    });
  });
});

describe('gathering', () => {
  it('sends what is asked in one turn together, within its bounds', async () => {
    const sent: number[][] = [];
    const ask = gather<number, number>({ count: 4, weight: 10, weightOf: (key) => key }, (keys) => {
      sent.push([...keys]);
      return Promise.resolve(keys.map((key) => key * 2));
    });
    expect(await Promise.all([1, 2, 3, 4, 5, 20, 1].map(ask))).toEqual([2, 4, 6, 8, 10, 40, 2]);
    expect(sent).toEqual([[1, 2, 3, 4], [5], [20], [1]]);
  });

  it('halves what GitHub does not answer, and refuses what it never does', async () => {
    const sent: number[] = [];
    const ask = gather<number, number>({ count: 8, weight: 99, weightOf: () => 1 }, (keys) => {
      sent.push(keys.length);
      if (keys.length > 2 || keys.includes(9)) throw new Refusal('CS1601', 'too slow');
      return Promise.resolve([...keys]);
    });
    expect(await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(ask))).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(sent).toEqual([8, 4, 2, 2, 4, 2, 2]);
    await expect(ask(9)).rejects.toMatchObject({ code: 'CS1601' });
  });
});

describe('renames', () => {
  const row = (status: 'added' | 'deleted', path: string, oid: string, mode = '100644') => ({
    ...{ status, path, oldPath: undefined, mode: status === 'added' ? mode : '000000' },
    ...{ oldMode: status === 'added' ? '000000' : mode, oid: status === 'added' ? oid : '0', oldOid: oid },
  });
  const shown = (changes: ReturnType<typeof withRenames>): string[] =>
    changes.map(({ status, path, oldPath }) => `${status} ${oldPath ?? ''} ${path}`);

  it('are those that fit what changed', () => {
    const changes = [row('deleted', 'a', '1'), row('added', 'b', '2'), row('added', 'c', '1')];
    expect(shown(withRenames(changes, new Map([['b', 'a']]), true))).toEqual(['renamed a b', 'added  c']);
    expect(shown(withRenames(changes, new Map([['b', 'x']]), false))).toEqual(['deleted  a', 'added  b', 'added  c']);
    expect(shown(withRenames(changes, new Map(), true))).toEqual(['added  b', 'renamed a c']);
  });

  it('go to the same name first, and never from a file to a link', () => {
    const changes = [row('added', 'n/y', '1'), row('deleted', 'o/x', '1'), row('deleted', 'o/y', '1')];
    expect(shown(withRenames(changes, new Map(), true))).toEqual(['renamed o/y n/y', 'deleted  o/x']);
    const link = [row('added', 'l', '1', '120000'), row('deleted', 'f', '1')];
    expect(shown(withRenames(link, new Map(), true))).toEqual(['deleted  f', 'added  l']);
  });
});

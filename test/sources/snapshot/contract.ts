import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { SourceSnapshot } from '../../../src/sources/snapshot/snapshot.ts';

/** Something that stands in a snapshot: a file's bytes, a link's target, or a submodule's commit. */
export type Placed =
  | { readonly file: string | Uint8Array; readonly executable?: boolean }
  | { readonly link: string }
  | { readonly submodule: true };

/** Makes a snapshot of such a state and runs `body` on it. */
export type SnapshotFactory = (
  state: Readonly<Record<string, Placed>>,
  body: (snapshot: SourceSnapshot) => Promise<void>,
) => Promise<void>;

const STATE = {
  'a.txt': { file: 'one\n' },
  'a/b.txt': { file: 'two\r\n' },
  'a/deep/er/c.txt': { file: '' },
  'bin/run': { file: '#!/bin/sh\n', executable: true },
  'bytes.dat': { file: new Uint8Array([0, 255, 10, 0]) },
  escape: { link: '../outside' },
  'to-folder': { link: 'a' },
  vendor: { submodule: true },
  'hostile/ b/x\ny\t"\'': { file: 'odd' },
  'hostile/--option': { file: 'dash' },
  'hostile/über \u{1f600}': { file: 'letters' },
  'large.bin': { file: new Uint8Array(300_000).fill(7) },
} as const satisfies Record<string, Placed>;

const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** What every snapshot has to do, wherever its files lie. */
export function snapshotContract(name: string, make: SnapshotFactory): void {
  describe(`${name} as a snapshot`, () => {
    it('lists everything, links and submodules as items that nothing stands behind', async () => {
      await make(STATE, async (snapshot) => {
        expect(await snapshot.list('')).toEqual({
          items: [
            { path: 'a.txt', mode: '100644' },
            { path: 'a/b.txt', mode: '100644' },
            { path: 'a/deep/er/c.txt', mode: '100644' },
            { path: 'bin/run', mode: '100755' },
            { path: 'bytes.dat', mode: '100644' },
            { path: 'escape', mode: '120000' },
            { path: 'hostile/ b/x\ny\t"\'', mode: '100644' },
            { path: 'hostile/--option', mode: '100644' },
            { path: 'hostile/über \u{1f600}', mode: '100644' },
            { path: 'large.bin', mode: '100644' },
            { path: 'to-folder', mode: '120000' },
            { path: 'vendor', mode: '160000' },
          ],
          unread: [],
        });
      });
    });

    // One state for all rows: making one can take many processes.
    const LISTED = [
      ['a folder', 'a', ['a/b.txt', 'a/deep/er/c.txt']],
      ['a folder in a folder', 'a/deep', ['a/deep/er/c.txt']],
      ['a file', 'a.txt', ['a.txt']],
      ['a file at a step to the path', 'a.txt/below/it', ['a.txt']],
      ['a link at a step to the path', 'to-folder/b.txt', ['to-folder']],
      ['a submodule at a step to the path', 'vendor/x', ['vendor']],
      ['nothing', 'none', []],
      ['nothing in a folder', 'a/none/below', []],
      ['another case', 'A/b.txt', []],
      ['an option', '--option', []],
      ['what is no name', 'a/../a.txt', []],
      ['the folder itself', './a', []],
      ['a pattern', 'a*', []],
      ['magic', ':(top)a', []],
    ] as const;
    it('lists a folder, a file, and what stands at a step to a path', async () => {
      await make(STATE, async (snapshot) => {
        for (const [what, path, expected] of LISTED) {
          const paths = (await snapshot.list(path)).items.map((item) => item.path);
          expect([what, paths]).toEqual([what, expected]);
        }
      });
    });

    it('tells mode and size of every item', async () => {
      await make(STATE, async (snapshot) => {
        for (const [path, placed] of Object.entries<Placed>(STATE)) {
          const expected =
            'file' in placed
              ? { mode: placed.executable === true ? '100755' : '100644', size: Buffer.from(placed.file).length }
              : 'link' in placed
                ? { mode: '120000', size: placed.link.length }
                : { mode: '160000', size: undefined };
          expect([path, await snapshot.look(path)]).toEqual([path, expected]);
        }
      });
    });

    it('finds no item at a folder, behind a link or a file, or outside', async () => {
      await make(STATE, async (snapshot) => {
        for (const path of ['', 'a', 'none', 'to-folder/b.txt', 'a.txt/x', 'a.txt/', '../outside', 'A.TXT']) {
          const found = [path, await snapshot.look(path), await snapshot.read(path, 100)];
          expect(found).toEqual([path, undefined, undefined]);
        }
      });
    });

    it('reads bytes as they are', async () => {
      await make(STATE, async (snapshot) => {
        for (const [path, placed] of Object.entries(STATE)) {
          const read = await snapshot.read(path, 1_000_000);
          if (!('file' in placed)) expect(read).toBeUndefined();
          else {
            const bytes = Buffer.from(placed.file);
            expect({ ...read, bytes: Buffer.from(read?.bytes ?? []).equals(bytes) }).toEqual({
              size: bytes.length,
              sha256: sha256(bytes),
              bytes: true,
            });
          }
        }
      });
    });

    it('measures a file that is longer than may be held', async () => {
      await make(STATE, async (snapshot) => {
        const digest = sha256(STATE['large.bin'].file);
        for (const [hold, held] of [
          [300_001, true],
          [300_000, true],
          [299_999, false],
          [0, false],
        ] as const) {
          const read = await snapshot.read('large.bin', hold);
          expect([hold, read?.size, read?.sha256, read?.bytes !== undefined]).toEqual([hold, 300_000, digest, held]);
        }
      });
    });

    it('answers many questions at once, each with its own answer', async () => {
      const state = Object.fromEntries(
        Array.from({ length: 300 }, (_, index) => [`f/${index}`, { file: `content ${index}` }]),
      );
      await make(state, async (snapshot) => {
        const read = await Promise.all(Object.keys(state).map((path) => snapshot.read(path, 100)));
        expect(read.map((one) => Buffer.from(one?.bytes ?? []).toString())).toEqual(
          Object.values(state).map(({ file }) => file),
        );
      });
    });
  });
}

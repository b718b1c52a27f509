import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { diskTree, isErrno } from '../../src/workspace/disk-tree.ts';
import { findRoot, projectRoot } from '../../src/workspace/workspace.ts';
import { filesOf } from '../support/documents.ts';
import { memoryTree } from '../support/memory-tree.ts';
import { codeOf, inTemp } from '../support/sample.ts';

/** A folder with links of every kind; `outside` is next to it. */
function lay(root: string, outside: string): void {
  mkdirSync(join(root, 'a/b'), { recursive: true });
  mkdirSync(join(root, 'other'));
  writeFileSync(join(root, 'a/b/file'), 'content');
  writeFileSync(join(root, 'other/file'), 'other');
  writeFileSync(join(outside, 'secret'), 'secret');
  const link = (path: string, target: string): void => symlinkSync(target, join(root, path));
  link('a/stays', 'b/file');
  link('a/stays-folder', 'b');
  link('a/chain', 'stays');
  link('a/leaves', join(outside, 'secret'));
  link('a/leaves-up', '../other/file');
  link('a/leaves-folder', outside);
  link('a/to-parent', '.');
  link('a/dangling', 'b/nothing');
  link('a/dangling-out', '../nothing');
  link('a/dangling-far', join(outside, 'nothing/at/all'));
  link('a/loop', 'loop');
  link('a/loop-1', 'loop-2');
  link('a/loop-2', 'loop-1');
}

describe('diskTree', () => {
  it.each([
    ['a', { kind: 'folder', link: false }],
    ['a/b/file', { kind: 'file', link: false }],
    ['a/nothing', { kind: 'absent', link: false }],
    ['a/nothing/below', { kind: 'absent', link: false }],
    ['a/b/file/below', { kind: 'not-a-folder', at: 'a/b/file' }],
    ['a/stays', { kind: 'file', link: true }],
    ['a/stays-folder', { kind: 'folder', link: true }],
    ['a/stays-folder/file', { kind: 'file', link: true }],
    ['a/stays-folder/nothing', { kind: 'absent', link: true }],
    ['a/chain', { kind: 'file', link: true }],
    ['a/leaves', { kind: 'escapes', at: 'a/leaves' }],
    ['a/leaves-up', { kind: 'escapes', at: 'a/leaves-up' }],
    ['a/leaves-folder', { kind: 'escapes', at: 'a/leaves-folder' }],
    ['a/leaves-folder/secret', { kind: 'escapes', at: 'a/leaves-folder' }],
    ['a/to-parent', { kind: 'escapes', at: 'a/to-parent' }],
    ['a/dangling', { kind: 'absent', link: true }],
    ['a/dangling-out', { kind: 'escapes', at: 'a/dangling-out' }],
    ['a/dangling-far', { kind: 'escapes', at: 'a/dangling-far' }],
    ['a/loop', { kind: 'unreadable' }],
    ['a/loop-1', { kind: 'unreadable' }],
    [`a/${'x'.repeat(300)}`, { kind: 'unreadable' }],
    [`${'y/'.repeat(5000)}z`, { kind: 'absent', link: false }],
    ['a/nul\u0000', { kind: 'unreadable' }],
  ])('looks at %s', async (path, entry) => {
    await inTemp((root) =>
      inTemp((outside) => {
        lay(root, outside);
        expect(diskTree(root).look(path)).toMatchObject(entry);
      }),
    );
  });

  it('lists entries by code point and follows no link', async () => {
    await inTemp((root) => {
      for (const name of ['\uff5e', '😀', 'b', 'B', 'é']) writeFileSync(join(root, name), '');
      mkdirSync(join(root, 'c'));
      symlinkSync('c', join(root, 'd'));
      expect(diskTree(root).list('')).toEqual([
        { name: 'B', kind: 'file' },
        { name: 'b', kind: 'file' },
        { name: 'c', kind: 'folder' },
        { name: 'd', kind: 'link' },
        { name: 'é', kind: 'file' },
        { name: '\uff5e', kind: 'file' },
        { name: '😀', kind: 'file' },
      ]);
    });
  });

  it('measures the bytes as they are, and reads nothing that is not there', async () => {
    await inTemp((root) => {
      writeFileSync(join(root, 'x'), 'a\r\n');
      expect(diskTree(root).measure('x')).toMatchObject({ size: 3 });
      expect(() => diskTree(root).read('nothing')).toThrow();
      expect(() => diskTree(root).read('x/y')).toThrow('nothing to read at x/y');
    });
  });

  it('sees what a tree in memory sees', async () => {
    await inTemp((root) =>
      inTemp((outside) => {
        lay(root, outside);
        const memory = memoryTree(filesOf(root));
        const paths = [
          '',
          'a',
          'a/b/file',
          'a/b/file/below',
          'a/stays',
          'a/stays-folder/file',
          'a/chain',
          'a/leaves-up',
          'a/leaves',
          'a/to-parent',
          'a/dangling',
          'a/nothing',
        ];
        for (const path of paths) expect([path, memory.look(path)]).toEqual([path, diskTree(root).look(path)]);
      }),
    );
  });
});

describe('the root', () => {
  it('is the nearest folder upwards that holds documents or a repository', async () => {
    await inTemp((root) => {
      mkdirSync(join(root, '.git'));
      mkdirSync(join(root, 'x/y/z'), { recursive: true });
      mkdirSync(join(root, 'x/y/.rapid-os'));
      expect(findRoot(join(root, 'x/y/z'))).toBe(join(root, 'x/y'));
      expect(findRoot(join(root, 'x'))).toBe(root);
    });
  });

  it('is also where documents cannot be reached: better refused than looked past', async () => {
    await inTemp((root) => {
      mkdirSync(join(root, '.git'));
      mkdirSync(join(root, 'x'));
      symlinkSync('.rapid-os', join(root, 'x/.rapid-os'));
      expect(findRoot(join(root, 'x'))).toBe(join(root, 'x'));
    });
  });

  it('has to be a folder', async () => {
    await inTemp((root) => {
      writeFileSync(join(root, 'file'), '');
      symlinkSync('loop', join(root, 'loop'));
      symlinkSync('.', join(root, 'self'));
      for (const name of ['file', 'nothing', 'loop', 'x'.repeat(300), 'nul\u0000'])
        expect(codeOf(() => projectRoot(join(root, name)))).toBe('CS1203');
      expect(projectRoot(join(root, 'self'))).toBe(root);
    });
  });
});

describe('isErrno', () => {
  it.each([
    [{ code: 'ENOENT' }, true],
    [{ code: 'EACCES' }, false],
    [{ code: 2 }, false],
    [null, false],
    ['ENOENT', false],
  ])('of %p is %p', (thrown, expected) => {
    expect(isErrno(thrown, 'ENOENT')).toBe(expected);
  });
});

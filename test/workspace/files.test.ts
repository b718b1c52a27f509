import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { makeFolder, writeSynced } from '../../src/workspace/files.ts';
import { inTemp } from '../support/sample.ts';

const FILES = new URL('../../src/workspace/files.ts', import.meta.url).href;

describe('making folders', () => {
  it.each(['a', 'a/b/c', 'made', 'made/b', 'link/b/c'])('makes %s, also a second time', async (path) => {
    await inTemp(async (root) => {
      mkdirSync(join(root, 'made'));
      symlinkSync('made', join(root, 'link'));
      makeFolder(join(root, path));
      makeFolder(join(root, path));
      expect(statSync(join(root, path)).isDirectory()).toBe(true);
      await Promise.resolve();
    });
  });

  it.each([
    ['file', 'EEXIST'],
    ['file/below', 'ENOTDIR'],
    ['dangling', 'EEXIST'],
  ])('does not make %s', async (path, code) => {
    await inTemp(async (root) => {
      writeFileSync(join(root, 'file'), '');
      symlinkSync('nowhere', join(root, 'dangling'));
      expect(() => makeFolder(join(root, path))).toThrow(expect.objectContaining({ code }));
      await Promise.resolve();
    });
  });

  it('makes the folders of a file', async () => {
    await inTemp(async (root) => {
      writeSynced(join(root, 'a/b/file'), 'x');
      expect(existsSync(join(root, 'a/b/file'))).toBe(true);
      await Promise.resolve();
    });
  });

  // In a process of its own, which can be ended: Node's own recursion never comes back from such a file system.
  const onLinux = process.platform === 'linux' ? it : it.skip;
  onLinux.each(['/proc/countersign/a', '/proc/countersign/a/b/c'])(
    'gives up on %s, where nothing can be made',
    (path) => {
      const script = `
      const { makeFolder } = await import(${JSON.stringify(FILES)});
      try { makeFolder(${JSON.stringify(path)}); } catch (cause) { console.log(cause.code); }`;
      const { stdout, signal } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
        encoding: 'utf8',
        timeout: 30_000,
        killSignal: 'SIGKILL',
      });
      expect([signal, stdout.trim()]).toEqual([null, 'ENOENT']);
    },
  );
});

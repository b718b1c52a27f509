import { existsSync, mkdirSync, readFileSync, rmdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { Refusal } from '../../src/domain/errors.ts';
import { applyChange } from '../../src/workspace/changes.ts';
import type { Step } from '../../src/workspace/changes.ts';
import { finishJournals } from '../../src/workspace/journal.ts';
import { SCRATCH } from '../../src/workspace/scratch.ts';
import { snapshot } from '../conformance/vector.ts';
import { codeOf, inTemp } from '../support/sample.ts';

const taken = (): Refusal => new Refusal('CS1204', 'taken');
const create = (path: string, text = 'new'): Step => ({ step: 'create', path, text, taken });
const replace = (path: string, text = 'new'): Step => ({ step: 'replace', path, text });
const place = (path: string, ...names: string[]): Step => ({
  step: 'place',
  path,
  files: names.map((name) => ({ path: name, bytes: Buffer.from(name) })),
  taken,
});

/** Documents of a folder; the scratch folder is `withLock`'s to remove, but nothing may be left in it. */
function documents(root: string): Record<string, string> {
  const entries = [...snapshot(root)].filter(([path]) => path !== `${SCRATCH}/.gitignore`);
  return Object.fromEntries(entries.map(([path, base64]) => [path, Buffer.from(base64, 'base64').toString()]));
}

describe('applyChange', () => {
  it('creates, replaces and places, also several at once, and leaves nothing else', async () => {
    await inTemp((root) => {
      applyChange(root, [replace('.rapid-os/a.json', 'one')]);
      applyChange(root, [
        place('.rapid-os/p/q', 'x', 'deep/y'),
        create('.rapid-os/n/b.json'),
        replace('.rapid-os/a.json'),
      ]);
      expect(documents(root)).toEqual({
        '.rapid-os/a.json': 'new',
        '.rapid-os/n/b.json': 'new',
        '.rapid-os/p/q/x': 'x',
        '.rapid-os/p/q/deep/y': 'deep/y',
      });
    });
  });

  it.each([
    ['a file', [create('.rapid-os/there')]],
    ['a placed folder', [place('.rapid-os/there', 'x')]],
    ['a file after others', [place('.rapid-os/p', 'x'), create('.rapid-os/n'), create('.rapid-os/there')]],
    [
      'a file that an earlier step has just taken',
      [place('.rapid-os/p', 'x'), create('.rapid-os/n'), create('.rapid-os/n')],
    ],
  ])('changes nothing where the place of %s is taken', async (_what, steps) => {
    await inTemp((root) => {
      mkdirSync(join(root, '.rapid-os'));
      writeFileSync(join(root, '.rapid-os/there'), 'old');
      expect(codeOf(() => applyChange(root, steps))).toBe('CS1204');
      expect(documents(root)).toEqual({ '.rapid-os/there': 'old' });
    });
  });

  it.each([
    ['a folder stands where a file is replaced', [create('.rapid-os/n'), replace('.rapid-os/folder')]],
    ['a folder on the way is a file', [place('.rapid-os/p', 'x'), create('.rapid-os/n'), replace('.rapid-os/there/x')]],
    ['one artifact is a file and another lies below it', [place('.rapid-os/p', 'x', 'x/y')]],
    ['a name is too long', [create('.rapid-os/n'), create(`.rapid-os/${'x'.repeat(300)}`)]],
    ['a placed name is too long', [place('.rapid-os/p', 'x', 'y'.repeat(300))]],
    ['a link on the way leads nowhere', [create('.rapid-os/n'), create('.rapid-os/dangling/x')]],
  ])('takes back what it did and refuses where %s', async (_what, steps) => {
    await inTemp((root) => {
      mkdirSync(join(root, '.rapid-os/folder'), { recursive: true });
      writeFileSync(join(root, '.rapid-os/there'), 'old');
      symlinkSync('nowhere', join(root, '.rapid-os/dangling'));
      const before = documents(root);
      expect(codeOf(() => applyChange(root, steps))).toBe('CS1201');
      expect(documents(root)).toEqual(before);
    });
  });

  it('keeps the journal where a replaced file cannot be had back, and the next writer finishes', async () => {
    await inTemp((root) => {
      mkdirSync(join(root, '.rapid-os'));
      writeFileSync(join(root, '.rapid-os/a'), 'old');
      mkdirSync(join(root, '.rapid-os/folder'));
      expect(codeOf(() => applyChange(root, [replace('.rapid-os/a'), replace('.rapid-os/folder')]))).toBe('CS1201');
      expect(readFileSync(join(root, '.rapid-os/a'), 'utf8')).toBe('new');
      const left = Object.keys(documents(root)).filter((path) => path.startsWith(SCRATCH));
      expect(left).toEqual([expect.stringMatching(/journal-.*\.json$/), expect.stringMatching(/stage-.*\/1$/)]);
      rmdirSync(join(root, '.rapid-os/folder'));
      finishJournals(root);
      expect(documents(root)).toEqual({ '.rapid-os/a': 'new', '.rapid-os/folder': 'new' });
    });
  });

  it.each(['folder', 'link', 'file'])(
    'writes nothing where the scratch folder is a %s of the checkout',
    async (kind) => {
      await inTemp(async (root) => {
        await inTemp((outside) => {
          mkdirSync(join(root, '.rapid-os'));
          if (kind === 'folder') mkdirSync(join(root, SCRATCH));
          if (kind === 'link') symlinkSync(outside, join(root, SCRATCH));
          if (kind === 'file') writeFileSync(join(root, SCRATCH), '');
          const code = codeOf(() => applyChange(root, [create('.rapid-os/n')]));
          expect(code).toBe(kind === 'folder' ? 'no refusal' : 'CS1201');
          expect(existsSync(join(root, '.rapid-os/n'))).toBe(kind === 'folder');
          expect(snapshot(outside).size).toBe(0);
        });
      });
    },
  );

  it.each(['link', 'file', 'dangling'])('writes nothing where .rapid-os is a %s', async (kind) => {
    await inTemp(async (root) => {
      await inTemp((outside) => {
        if (kind === 'file') writeFileSync(join(root, '.rapid-os'), '');
        else symlinkSync(kind === 'link' ? outside : 'nowhere', join(root, '.rapid-os'));
        expect(codeOf(() => applyChange(root, [create('.rapid-os/n')]))).toBe('CS1201');
        expect(snapshot(outside).size).toBe(0);
      });
    });
  });
});

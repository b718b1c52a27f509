import { linkSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { finishJournals, stagedPath, writeJournal } from '../../src/workspace/journal.ts';
import type { Move } from '../../src/workspace/moves.ts';
import { SCRATCH } from '../../src/workspace/scratch.ts';
import { snapshot } from '../conformance/vector.ts';
import { codeOf, inTemp } from '../support/sample.ts';

const ID = '1-2-abc';
const MOVES: readonly Move[] = [
  { staged: stagedPath(ID, 0), path: '.rapid-os/evidence/r/artifacts/E001', how: 'place' },
  { staged: stagedPath(ID, 1), path: '.rapid-os/evidence/r/records/E001.json', how: 'create' },
  { staged: stagedPath(ID, 2), path: '.rapid-os/runs/r/run.json', how: 'replace' },
];

function write(root: string, path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

/** A change as it stands right after its journal was written. */
function interrupted(root: string): void {
  write(root, '.rapid-os/runs/r/run.json', 'old');
  write(root, `${stagedPath(ID, 0)}/deep/log.txt`, 'log');
  write(root, stagedPath(ID, 1), 'record');
  write(root, stagedPath(ID, 2), 'new');
  writeJournal(join(root, SCRATCH), ID, MOVES);
}

function documents(root: string): Record<string, string> {
  return Object.fromEntries(
    [...snapshot(root)].map(([path, base64]) => [path, Buffer.from(base64, 'base64').toString()]),
  );
}

const FINISHED = {
  '.rapid-os/evidence/r/artifacts/E001/deep/log.txt': 'log',
  '.rapid-os/evidence/r/records/E001.json': 'record',
  '.rapid-os/runs/r/run.json': 'new',
};

describe('finishJournals', () => {
  it.each([0, 1, 2, 3])('finishes a change of which %i moves were made', async (made) => {
    await inTemp((root) => {
      interrupted(root);
      for (const { staged, path } of MOVES.slice(0, made)) {
        mkdirSync(dirname(join(root, path)), { recursive: true });
        renameSync(join(root, staged), join(root, path));
      }
      finishJournals(root);
      expect(documents(root)).toEqual(FINISHED);
      finishJournals(root);
      expect(documents(root)).toEqual(FINISHED);
    });
  });

  it('finishes a creation that was killed while its file had both names', async () => {
    await inTemp((root) => {
      interrupted(root);
      mkdirSync(join(root, '.rapid-os/evidence/r/records'), { recursive: true });
      linkSync(join(root, stagedPath(ID, 1)), join(root, '.rapid-os/evidence/r/records/E001.json'));
      finishJournals(root);
      expect(documents(root)).toEqual(FINISHED);
    });
  });

  it('clears what was staged before a point of no return, and unfinished journals', async () => {
    await inTemp((root) => {
      write(root, `${stagedPath(ID, 0)}/deep/log.txt`, 'log');
      write(root, `${SCRATCH}/journal-${ID}.json.part`, '{"mov');
      write(root, `${SCRATCH}/takeover-999999999-ab`, '');
      finishJournals(root);
      expect(documents(root)).toEqual({});
    });
  });

  it('clears a planted stage that is a link without following it', async () => {
    await inTemp(async (root) => {
      await inTemp((outside) => {
        writeFileSync(join(outside, 'precious'), 'x');
        mkdirSync(join(root, SCRATCH), { recursive: true });
        symlinkSync(outside, join(root, `${SCRATCH}/stage-1`));
        finishJournals(root);
        expect(documents(root)).toEqual({});
        expect(documents(outside)).toEqual({ precious: 'x' });
      });
    });
  });

  it('overwrites nothing that another program created meanwhile', async () => {
    await inTemp((root) => {
      interrupted(root);
      write(root, '.rapid-os/evidence/r/records/E001.json', 'theirs');
      expect(codeOf(() => finishJournals(root))).toBe('CS1205');
      expect(readFileSync(join(root, '.rapid-os/evidence/r/records/E001.json'), 'utf8')).toBe('theirs');
      expect(readFileSync(join(root, '.rapid-os/runs/r/run.json'), 'utf8')).toBe('old');
    });
  });

  it.each([
    ['outside', '{"moves":[{"path":"evil","how":"create"}]}'],
    ['above', '{"moves":[{"path":".rapid-os/../evil","how":"create"}]}'],
    ['absolute', '{"moves":[{"path":"/tmp/evil","how":"create"}]}'],
    ['next door', '{"moves":[{"path":".rapid-osx/evil","how":"create"}]}'],
    ['the folder itself', '{"moves":[{"path":".rapid-os","how":"replace"}]}'],
    ['in the scratch folder', '{"moves":[{"path":".rapid-os/.countersign/lock","how":"replace"}]}'],
    ['behind a link that leaves', '{"moves":[{"path":".rapid-os/out/evil","how":"create"}]}'],
    ['behind a file', '{"moves":[{"path":".rapid-os/file/evil","how":"create"}]}'],
    ['with a backslash', '{"moves":[{"path":".rapid-os/a\\\\..\\\\evil","how":"create"}]}'],
    ['with a NUL', '{"moves":[{"path":".rapid-os/a\\u0000","how":"create"}]}'],
    ['of an unknown kind', '{"moves":[{"path":".rapid-os/n","how":"delete"}]}'],
    ['without a path', '{"moves":[{"how":"create"}]}'],
    ['of no move', '{"moves":[null]}'],
    ['a folder as a file', '{"moves":[{"path":".rapid-os/n","how":"place"}]}'],
    ['first sound, then not', '{"moves":[{"path":".rapid-os/n","how":"create"},{"path":"evil","how":"create"}]}'],
    ['no list', '{"moves":{}}'],
    ['no object', '[]'],
    ['no JSON', '{"moves":'],
  ])('makes no move of a planted journal: %s', async (_what, text) => {
    await inTemp(async (root) => {
      await inTemp((outside) => {
        write(root, stagedPath(ID, 0), 'evil');
        write(root, stagedPath(ID, 1), 'evil');
        write(root, '.rapid-os/file', 'x');
        symlinkSync(outside, join(root, '.rapid-os/out'));
        writeFileSync(join(root, `${SCRATCH}/journal-${ID}.json`), text);
        const before = documents(root);
        expect(codeOf(() => finishJournals(root))).toMatch(/^CS1(1|205)/);
        expect(documents(root)).toEqual(before);
        expect(documents(outside)).toEqual({});
      });
    });
  });

  it.each(['stage', 'file in it'])('takes nothing from outside through a planted link as the %s', async (kind) => {
    await inTemp(async (root) => {
      await inTemp((outside) => {
        writeFileSync(join(outside, '0'), 'secret');
        mkdirSync(join(root, SCRATCH), { recursive: true });
        const stage = join(root, SCRATCH, `stage-${ID}`);
        if (kind === 'stage') symlinkSync(outside, stage);
        else {
          mkdirSync(stage);
          symlinkSync(join(outside, '0'), join(stage, '0'));
        }
        writeFileSync(join(root, `${SCRATCH}/journal-${ID}.json`), '{"moves":[{"path":".rapid-os/n","how":"create"}]}');
        expect(codeOf(() => finishJournals(root))).toBe('CS1205');
        expect(documents(outside)).toEqual({ 0: 'secret' });
        expect(Object.keys(documents(root))).not.toContain('.rapid-os/n');
      });
    });
  });
});

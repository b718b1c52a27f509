import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { Refusal } from '../../src/domain/errors.ts';
import { writeLock } from '../../src/workspace/harnesses.ts';
import { withLock } from '../../src/workspace/lock.ts';
import { SCRATCH } from '../../src/workspace/scratch.ts';
import { snapshot } from '../conformance/vector.ts';
import { codeOf, inTemp } from '../support/sample.ts';

// Processes take their time on a busy machine; nothing here is about speed.
jest.setTimeout(600_000);

/** The id of a process that has ended. */
const DEAD = spawnSync(process.execPath, ['--version']).pid;
const HOUR = 3600;

function signed(pid: number, host = hostname()): string {
  return `${JSON.stringify({ pid, host, token: 'ab' })}\n`;
}

/** Leaves a lock as another writer would; `age` in seconds. */
function leaveLock(root: string, text: string, age = 0): void {
  const path = join(root, SCRATCH, 'lock');
  mkdirSync(join(root, SCRATCH), { recursive: true });
  writeFileSync(path, text);
  utimesSync(path, Date.now() / 1000 - age, Date.now() / 1000 - age);
}

describe('withLock', () => {
  it('holds the lock while it runs and leaves nothing behind', async () => {
    await inTemp((root) => {
      const answer = withLock(root, () => {
        expect(readFileSync(join(root, SCRATCH, 'lock'), 'utf8')).toContain(`"pid":${process.pid}`);
        return 7;
      });
      expect(answer).toBe(7);
      expect(existsSync(join(root, '.rapid-os'))).toBe(false);
    });
  });

  it('lets go when its body refuses', async () => {
    await inTemp((root) => {
      const refusing = (): never => {
        throw new Refusal('CS1204', 'no');
      };
      expect(codeOf(() => withLock(root, refusing))).toBe('CS1204');
      expect(existsSync(join(root, '.rapid-os'))).toBe(false);
    });
  });

  it.each([
    ['a process that has ended', signed(DEAD), 0, 'no refusal'],
    ['a process that runs', signed(process.pid), 0, 'CS1202'],
    ['a process that runs, long ago', signed(process.pid), HOUR, 'CS1202'],
    ['another machine', signed(DEAD, 'another-machine'), 0, 'CS1202'],
    ['another machine, long ago', signed(DEAD, 'another-machine'), HOUR, 'no refusal'],
    ['nobody', '', 0, 'CS1202'],
    ['nobody, long ago', '', HOUR, 'no refusal'],
    ['something else', '{"pid":-1}', 0, 'CS1202'],
    ['something else, long ago', '{"pid":-1}', HOUR, 'no refusal'],
  ])('meets the lock of %s', async (_who, text, age, code) => {
    await inTemp((root) => {
      leaveLock(root, text, age);
      expect(codeOf(() => withLock(root, () => undefined, { patience: 50 }))).toBe(code);
      expect(existsSync(join(root, SCRATCH, 'lock'))).toBe(code === 'CS1202');
    });
  });

  it('names the process that it waited for', async () => {
    await inTemp((root) => {
      leaveLock(root, signed(process.pid));
      expect(() => withLock(root, () => undefined, { patience: 1000 })).toThrow(
        `Process ${process.pid} on ${hostname()} has been writing for over 1 seconds (${SCRATCH}/lock).`,
      );
    });
  });

  it('leaves the lock of another writer that took its own for abandoned', async () => {
    await inTemp((root) => {
      withLock(root, () => {
        leaveLock(root, signed(process.pid, 'thief'));
      });
      expect(readFileSync(join(root, SCRATCH, 'lock'), 'utf8')).toBe(signed(process.pid, 'thief'));
    });
  });

  it('clears the flag of a writer that died while it removed an abandoned lock', async () => {
    await inTemp((root) => {
      leaveLock(root, signed(DEAD));
      writeFileSync(join(root, SCRATCH, `takeover-${DEAD}-ab`), '');
      expect(codeOf(() => withLock(root, () => undefined, { patience: 1000 }))).toBe('no refusal');
      expect(existsSync(join(root, SCRATCH))).toBe(false);
    });
  });

  it('waits for a living writer that is removing an abandoned lock', async () => {
    await inTemp((root) => {
      leaveLock(root, signed(DEAD));
      writeFileSync(join(root, SCRATCH, `takeover-${process.pid}-ab`), '');
      expect(codeOf(() => withLock(root, () => undefined, { patience: 50 }))).toBe('CS1202');
      expect(readFileSync(join(root, SCRATCH, 'lock'), 'utf8')).toBe(signed(DEAD));
    });
  });

  it.each(['folder', 'dangling link', 'link to a folder'])('refuses a planted %s as the lock', async (kind) => {
    await inTemp((root) => {
      mkdirSync(join(root, SCRATCH), { recursive: true });
      const lock = join(root, SCRATCH, 'lock');
      if (kind === 'folder') mkdirSync(lock);
      else symlinkSync(kind === 'dangling link' ? 'nowhere' : '..', lock);
      expect(codeOf(() => withLock(root, () => undefined, { patience: 50 }))).toBe('CS1201');
    });
  });

  it.each(['link', 'dangling link', 'file'])('touches nothing behind a scratch folder that is a %s', async (kind) => {
    await inTemp(async (root) => {
      await inTemp((outside) => {
        mkdirSync(join(outside, 'stage-1'));
        writeFileSync(join(outside, 'stage-1/precious.part'), 'x');
        mkdirSync(join(root, '.rapid-os'));
        if (kind === 'file') writeFileSync(join(root, SCRATCH), 'x');
        else symlinkSync(kind === 'link' ? outside : join(outside, 'nowhere'), join(root, SCRATCH));
        const before = snapshot(root);
        expect(codeOf(() => withLock(root, () => undefined, { patience: 50 }))).toBe('CS1201');
        expect(snapshot(root)).toEqual(before);
        expect([...snapshot(outside).keys()]).toEqual(['stage-1/precious.part']);
      });
    });
  });

  it.each(['link', 'file'])('refuses in the code of the area where .rapid-os is a %s that leaves', async (kind) => {
    await inTemp(async (root) => {
      await inTemp((outside) => {
        if (kind === 'file') writeFileSync(join(root, '.rapid-os'), 'x');
        else symlinkSync(outside, join(root, '.rapid-os'));
        expect(codeOf(() => writeLock(root))).toBe('RAPID1105');
        expect(snapshot(outside).size).toBe(0);
      });
    });
  });

  it('lets one writer in at a time, also where all of them find an abandoned lock', async () => {
    await inTemp(async (root) => {
      writeFileSync(join(root, 'count.txt'), '0');
      leaveLock(root, signed(DEAD));
      const writers = [1, 2, 3, 4].map(
        () =>
          new Promise<number | null>((done) => {
            const script = join(import.meta.dirname, 'writer.ts');
            spawn(process.execPath, [script, 'count', root, '25'], { stdio: 'ignore' }).on('exit', done);
          }),
      );
      expect(await Promise.all(writers)).toEqual([0, 0, 0, 0]);
      expect(readFileSync(join(root, 'count.txt'), 'utf8')).toBe('100');
      expect(existsSync(join(root, '.rapid-os'))).toBe(false);
    });
  });
});

import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { Refusal } from '../domain/errors.ts';
import { RAPID_OS } from '../domain/project.ts';
import { finishJournals, SCRATCH } from './changes.ts';
import { isErrno } from './disk-tree.ts';

/** How long a writing command waits for another one, in milliseconds. */
const PATIENCE = 10_000;
/** A lock of another machine is taken for abandoned after this long, in milliseconds. */
const ABANDONED = 10 * 60_000;
const PAUSE = 20;

/**
 * Runs `body` as the only writer of a project. Interrupted changes of a writer that died are finished first.
 * The lock makes two writers wait for each other; that neither overwrites the other does not rest on it, but
 * on files that are created exclusively.
 * @throws Refusal CS1202 where another process writes for longer than ten seconds
 */
export function withLock<T>(root: string, body: () => T): T {
  const folder = join(root, SCRATCH);
  const path = join(folder, 'lock');
  acquire(path);
  try {
    finishJournals(root);
    return body();
  } finally {
    rmSync(join(folder, '.gitignore'), { force: true });
    rmSync(path, { force: true });
    removeIfEmpty(folder);
    removeIfEmpty(join(root, RAPID_OS));
  }
}

// Nothing is left behind, unless another writer waits or died half-way.
function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (cause) {
    if (!isErrno(cause, 'ENOTEMPTY', 'EEXIST', 'ENOENT', 'EPERM', 'EBUSY', 'ENOTDIR')) throw cause;
  }
}

function acquire(path: string): void {
  const deadline = Date.now() + PATIENCE;
  for (;;) {
    try {
      mkdirSync(dirname(path), { recursive: true });
      const file = openSync(path, 'wx', 0o644);
      try {
        writeSync(file, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`);
      } finally {
        closeSync(file);
      }
      return;
    } catch (cause) {
      if (isErrno(cause, 'ENOENT')) continue; // the last writer has just removed the folder
      if (!isErrno(cause, 'EEXIST'))
        throw new Refusal('CS1201', `${SCRATCH}/lock cannot be written.`, { where: `${SCRATCH}/lock`, cause });
    }
    const held = readHolder(path);
    if (held === 'gone') continue;
    if (held.abandoned) {
      dislodge(path, held.text);
      continue;
    }
    if (Date.now() > deadline) {
      throw new Refusal(
        'CS1202',
        `Process ${held.pid} has been writing for over ${PATIENCE / 1000} seconds (${SCRATCH}/lock).`,
        {
          where: `${SCRATCH}/lock`,
        },
      );
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
  }
}

interface Holder {
  readonly pid: number;
  readonly text: string;
  readonly abandoned: boolean;
}

function readHolder(path: string): Holder | 'gone' {
  try {
    const text = readFileSync(path, 'utf8');
    const age = Date.now() - statSync(path).mtimeMs;
    const match = /^\{"pid":([0-9]{1,10}),"host":"(.*)"\}\n$/.exec(text);
    // An empty lock is one that is being written, or whose writer died in between.
    if (match === null) return { pid: 0, text, abandoned: age > PATIENCE / 2 };
    const pid = Number(match[1]);
    const local = match[2] === hostname();
    return { pid, text, abandoned: local ? !isAlive(pid) : age > ABANDONED };
  } catch (cause) {
    if (isErrno(cause, 'ENOENT')) return 'gone';
    throw cause;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return !isErrno(cause, 'ESRCH');
  }
}

// Several waiters may find the same dead holder. Moving the lock aside succeeds for one of them; if what was
// moved turns out to be a new holder's, it is put back.
function dislodge(path: string, expected: string): void {
  const aside = `${path}.${process.pid}`;
  try {
    renameSync(path, aside);
    if (readFileSync(aside, 'utf8') === expected) unlinkSync(aside);
    else renameSync(aside, path);
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT')) throw cause;
  }
}

import { randomBytes } from 'node:crypto';
import { linkSync, readdirSync, readFileSync, rmSync, unlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isRefusal, Refusal } from '../domain/errors.ts';
import { isErrno } from './disk-tree.ts';
import { orRefuse, statOf, writeSynced } from './files.ts';
import { finishJournals } from './journal.ts';
import { canHoldScratch, openScratch, SCRATCH, tidyScratch, unhideScratch } from './scratch.ts';

/** How long a writing command waits for another one, in milliseconds. */
const PATIENCE = 10_000;
/** A lock of another machine, or one that nobody signed, is taken for abandoned after this long, in milliseconds. */
const ABANDONED = 10 * 60_000;
/** Pause between two looks at a lock, in milliseconds; up to as much again is added at random. */
const PAUSE = 10;

const WHERE = `${SCRATCH}/lock`;

/** Options of locking. */
export interface LockOptions {
  /** Milliseconds to wait for another writer; ten seconds where it is not given. */
  readonly patience?: number;
}

/**
 * Runs `body` as the only writer of a project. Interrupted changes of a writer that died are finished first.
 * The lock makes two writers wait for each other; that neither overwrites the other does not rest on it, but
 * on files that are created exclusively. Where `.rapid-os` is no folder inside the project, `body` runs without
 * a lock: it refuses that in its own code, and no change can be made there.
 * @throws Refusal CS1202 where another process writes for longer than the caller waits; CS1201, CS1205
 */
export function withLock<T>(root: string, body: () => T, options: LockOptions = {}): T {
  if (!canHoldScratch(root)) return body();
  const own = acquire(root, options.patience ?? PATIENCE);
  try {
    finishJournals(root);
    return body();
  } finally {
    release(root, own);
  }
}

function release(root: string, own: string): void {
  const scratch = join(root, SCRATCH);
  const path = join(scratch, 'lock');
  // Only our own: a lock that was wrongly taken for abandoned may be another writer's by now.
  if (readIfAny(path) === own) {
    unhideScratch(scratch);
    rmSync(path, { force: true });
  }
  tidyScratch(root);
}

function acquire(root: string, patience: number): string {
  const own = `${JSON.stringify({ pid: process.pid, host: hostname(), token: randomBytes(8).toString('hex') })}\n`;
  const deadline = Date.now() + patience;
  for (;;) {
    const holder = attempt(root, own);
    if (holder === 'own') return own;
    if (Date.now() > deadline) throw refuseWaiting(holder, patience);
    pause();
  }
}

function attempt(root: string, own: string): Holder | 'own' | undefined {
  try {
    return orRefuse(WHERE, 'written', () => {
      const scratch = openScratch(root);
      return claim(scratch, own) ? 'own' : lookAt(scratch);
    });
  } catch (thrown) {
    // A writer that has just ended removed the folder between two of our steps.
    if (isRefusal(thrown) && isErrno(thrown.cause, 'ENOENT')) return undefined;
    throw thrown;
  }
}

function refuseWaiting(holder: Holder | undefined, patience: number): Refusal {
  const who = holder?.pid === undefined ? 'Another process' : `Process ${holder.pid} on ${holder.host}`;
  return new Refusal('CS1202', `${who} has been writing for over ${patience / 1000} seconds (${WHERE}).`, {
    where: WHERE,
  });
}

function pause(): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE + Math.random() * PAUSE);
}

// The lock appears with its content: written beside, then linked to its name, which fails where it is taken.
function claim(scratch: string, own: string): boolean {
  const path = join(scratch, 'lock');
  if (statOf(path) !== undefined) return false;
  const beside = `${path}-${process.pid}-${randomBytes(6).toString('hex')}.part`;
  try {
    writeSynced(beside, own);
    try {
      linkSync(beside, path);
    } catch (cause) {
      if (!isErrno(cause, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS')) throw cause;
      writeSynced(path, own); // a file system without links; exclusive as well, but empty for a moment
    }
    return true;
  } catch (cause) {
    // Taken by another writer, or a writer that has just ended removed the folder or what lay beside.
    if (isErrno(cause, 'EEXIST', 'ENOENT')) return false;
    throw cause;
  } finally {
    rmSync(beside, { force: true });
  }
}

interface Holder {
  readonly pid: number | undefined;
  readonly host: string;
}

// Who holds the lock, if it is held; an abandoned one is removed.
function lookAt(scratch: string): Holder | undefined {
  const path = join(scratch, 'lock');
  const stat = statOf(path);
  if (stat === undefined) return undefined;
  if (!stat.isFile()) {
    throw new Refusal('CS1201', `${WHERE} is not a regular file.`, { where: WHERE, remedy: `Remove ${SCRATCH}.` });
  }
  const text = readIfAny(path);
  if (text === undefined) return undefined;
  const holder = holderOf(text);
  const old = Date.now() - stat.mtimeMs > ABANDONED;
  const abandoned = holder.host === hostname() && holder.pid !== undefined ? !isAlive(holder.pid) : old;
  if (abandoned) removeAbandoned(scratch, text);
  return holder;
}

function holderOf(text: string): Holder {
  const match = /^\{"pid":([1-9][0-9]{0,9}),"host":"([^"]{0,255})"/.exec(text);
  return { pid: match === null ? undefined : Number(match[1]), host: match?.[2] ?? '' };
}

function readIfAny(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    if (isErrno(cause, 'ENOENT')) return undefined;
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

// Several waiters may find the same dead holder, and one that is late must not remove the lock of the next holder.
// So each shows a flag before it looks around, and only one that sees no other flag removes the lock: of two, at
// least one sees the other's. While the lock stands, nobody but the holder of a flag removes it, and nobody replaces it.
function removeAbandoned(scratch: string, text: string): void {
  const name = `takeover-${process.pid}-${randomBytes(6).toString('hex')}`;
  const flag = join(scratch, name);
  try {
    writeSynced(flag, '');
    const others = readdirSync(scratch).filter((one) => one.startsWith('takeover-') && one !== name);
    const waiting = others.filter((one) => !clearFlag(scratch, one));
    const path = join(scratch, 'lock');
    if (waiting.length === 0 && readIfAny(path) === text) unlinkSync(path);
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT')) throw cause;
  } finally {
    rmSync(flag, { force: true });
  }
}

// Names of flags are never used twice, so that of a dead process can be removed at any time.
function clearFlag(scratch: string, name: string): boolean {
  const pid = Number(/^takeover-([1-9][0-9]{0,9})-/.exec(name)?.[1] ?? 0);
  if (pid !== 0 && isAlive(pid)) return false;
  rmSync(join(scratch, name), { recursive: true, force: true });
  return true;
}

import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { DatabaseSync } from 'node:sqlite';
import { types } from 'node:util';
import { Refusal } from '../../domain/errors.ts';

/** How long a starting process waits for one that is just ending, in milliseconds. */
const PATIENCE = 1000;

/**
 * Makes this process the only one that uses a store's file, until the function that it returns is called.
 *
 * The lock is one that the operating system holds for us: an open write transaction of SQLite on an empty file beside
 * the store. It ends with the process, however that ends, so no lock is ever stale, and none is taken for stale because
 * a process of another container has the same number. The store's own file stays unlocked for readers and backups.
 * @throws Refusal CS1812 where another process holds it
 */
export function lockStore(file: string): () => void {
  const owner = `${file}.owner`;
  const lock = new DatabaseSync(`${file}.lock`, { timeout: PATIENCE });
  try {
    lock.exec('begin immediate');
  } catch (cause) {
    lock.close();
    if (!isBusy(cause)) throw cause;
    throw new Refusal('CS1812', `${holder(owner)} uses the store ${file}.`, { where: file });
  }
  // Who holds it is for people only, so it is a file of its own; it is written under the lock.
  const beside = `${owner}.${process.pid}.part`;
  writeFileSync(beside, `${JSON.stringify({ pid: process.pid, host: hostname() })}\n`, { mode: 0o600 });
  renameSync(beside, owner);
  return () => {
    rmSync(owner, { force: true });
    lock.close();
  };
}

function holder(owner: string): string {
  try {
    const match = /^\{"pid":([0-9]{1,10}),"host":"([^"]{0,255})"/.exec(readFileSync(owner, 'utf8'));
    if (match !== null) return `Process ${match[1]} on ${match[2]}`;
  } catch {
    // It has just started, or just ended.
  }
  return 'Another process';
}

/** Result code SQLITE_BUSY (https://www.sqlite.org/rescode.html#busy), of which extended codes are made. */
const SQLITE_BUSY = 5;

function isBusy(thrown: unknown): boolean {
  return types.isNativeError(thrown) && 'errcode' in thrown && (Number(thrown.errcode) & 0xff) === SQLITE_BUSY;
}

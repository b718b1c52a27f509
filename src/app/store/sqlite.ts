import { closeSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { StatementSync } from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import { types } from 'node:util';
import { isRefusal, Refusal } from '../../domain/errors.ts';
import type { Database, Row, Sql, SqlValue } from './database.ts';
import { bound } from './database.ts';
import { lockStore } from './sqlite-lock.ts';

/** How long SQLite waits for a reader of another process, such as a backup, in milliseconds. */
const BUSY_TIMEOUT = 5000;

/**
 * Opens a store's file for this process alone; file and folder are made where they are missing.
 * @throws Refusal CS1812 where another process uses it; CS1811 where it cannot be read or written, or is no database
 */
export function openSqlite(path: string): Database {
  let unlock: (() => void) | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true });
    // Payloads are private: nobody but the owner reads the file, nor those that SQLite makes beside it.
    closeSync(openSync(path, 'a', 0o600));
    // One file, one lock, by whatever name it is called.
    const file = realpathSync(path);
    unlock = lockStore(file);
    return database(open(file), unlock);
  } catch (cause) {
    unlock?.();
    if (isRefusal(cause)) throw cause;
    throw new Refusal('CS1811', `The store ${path} cannot be opened: ${messageOf(cause)}.`, { where: path, cause });
  }
}

function open(file: string): DatabaseSync {
  const db = new DatabaseSync(file, { timeout: BUSY_TIMEOUT });
  try {
    // FULL syncs the log at each commit: what was acknowledged outlives a power cut too.
    db.exec('pragma journal_mode = wal; pragma synchronous = full');
    return db;
  } catch (cause) {
    db.close();
    throw cause;
  }
}

function database(db: DatabaseSync, unlock: () => void): Database {
  const statements = new Map<string, StatementSync>();
  let closed = false;

  function run(text: string, values: readonly SqlValue[] = []): readonly Row[] {
    if (closed) throw new Refusal('CS1814', 'The store is closed.');
    try {
      let statement = statements.get(text);
      // `?1` is bound by position, as `$1` is in PostgreSQL; to SQLite `$1` would be a name.
      if (statement === undefined) statements.set(text, (statement = db.prepare(text.replace(/\$([0-9])/g, '?$1'))));
      return statement.all(...values.map(bound));
    } catch (cause) {
      throw refused(cause);
    }
  }

  // One connection: a transaction must not get another caller's statements in between, so callers queue up here.
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(body: () => T | Promise<T>): Promise<T> {
    const result = last.then(body);
    last = result.catch(() => undefined);
    return result;
  }

  const sql: Sql = {
    dialect: 'sqlite',
    all: (text, values) =>
      new Promise((resolve) => {
        resolve(run(text, values));
      }),
  };

  return {
    dialect: 'sqlite',
    all: (text, values) => inTurn(() => run(text, values)),
    transaction: (body) =>
      inTurn(async () => {
        run('begin immediate');
        try {
          const result = await body(sql);
          run('commit');
          return result;
        } catch (cause) {
          // Some faults, such as a full disk, have ended it already.
          if (db.isTransaction) run('rollback');
          throw cause;
        }
      }),
    close: () =>
      inTurn(() => {
        if (closed) return;
        closed = true;
        try {
          db.close();
        } finally {
          unlock();
        }
      }),
  };
}

// Result codes of SQLite (https://www.sqlite.org/rescode.html) that tell of the world rather than of a defect here.
const PASSING = new Set([5]); // busy
const OF_THE_WORLD = new Set([3, 7, 8, 10, 11, 13, 14, 15, 23, 26]);

function refused(cause: unknown): unknown {
  if (!types.isNativeError(cause) || !('errcode' in cause)) return cause;
  const code = Number(cause.errcode) & 0xff;
  if (PASSING.has(code)) return new Refusal('CS1814', `The store is busy: ${cause.message}.`, { cause });
  if (OF_THE_WORLD.has(code)) {
    return new Refusal('CS1815', `SQLite refused: ${cause.message} (${code}).`, { cause });
  }
  return cause;
}

function messageOf(thrown: unknown): string {
  return types.isNativeError(thrown) ? thrown.message : String(thrown);
}

import { types } from 'node:util';
import pg from 'pg';
import { isRefusal, Refusal } from '../../domain/errors.ts';
import type { Database, Row, Sql, SqlValue } from './database.ts';
import { bound } from './database.ts';

/** The oldest version that the tests run on, as `server_version_num` has it. */
const OLDEST_SERVER = 150_000;

/** In milliseconds. A server that does not answer must not hold a delivery longer than GitHub waits for (10 s). */
const CONNECT_TIMEOUT = 5000;
const STATEMENT_TIMEOUT = 30_000;
/** For a server that is gone without a word, so that nothing but our own clock ends the wait. */
const ANSWER_TIMEOUT = 35_000;

/** How often a transaction is run that the server asks to repeat. */
const TRIES = 5;
/** Serialisation failure, deadlock (https://www.postgresql.org/docs/15/errcodes-appendix.html). */
const REPEAT = new Set(['40001', '40P01']);

export interface PostgresOptions {
  /** `postgresql://user:password@host:port/database`. */
  readonly url: string;
  /** Connections at most. */
  readonly connections?: number;
}

/**
 * Connects to PostgreSQL. A connection that breaks fails the operation on it and is replaced by the next one.
 * @throws Refusal CS1817 where the URL is malformed or the server too old; CS1814, CS1815
 */
export async function openPostgres({ url, connections = 10 }: PostgresOptions): Promise<Database> {
  const safe = redactor(url);
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'countersign',
    connectionTimeoutMillis: CONNECT_TIMEOUT,
    statement_timeout: STATEMENT_TIMEOUT,
    query_timeout: ANSWER_TIMEOUT,
    idle_in_transaction_session_timeout: STATEMENT_TIMEOUT,
    keepAlive: true,
    types: { getTypeParser },
  });
  // A connection that breaks while nobody uses it is told here; unheard, it would end the process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));

  const db = database(pool, (thrown) => refused(thrown, safe));
  try {
    const rows = await db.all('show server_version_num');
    const version = Number(rows[0]?.['server_version_num']);
    if (!(version >= OLDEST_SERVER)) {
      throw new Refusal('CS1817', `PostgreSQL ${Math.floor(version / 10_000)} is too old: 15 is the oldest.`);
    }
    return db;
  } catch (thrown) {
    await db.close();
    throw thrown;
  }
}

// Identifiers and times are below 2^53, so 64-bit integers can be numbers.
const INT8 = 20;
function getTypeParser(oid: number, format?: 'text' | 'binary'): (value: string) => unknown {
  if (oid === INT8 && format !== 'binary') return Number;
  return pg.types.getTypeParser(oid, format) as (value: string) => unknown;
}

function database(pool: pg.Pool, refusal: (thrown: unknown) => unknown): Database {
  let closing: Promise<void> | undefined;
  const under = new Set<Promise<unknown>>();

  async function noted<T>(body: () => Promise<T>): Promise<T> {
    if (closing !== undefined) throw new Refusal('CS1814', 'The store is closed.');
    const result = body();
    under.add(result);
    try {
      return await result;
    } finally {
      under.delete(result);
    }
  }

  async function on(client: pg.Pool | pg.PoolClient, text: string, values: readonly SqlValue[] = []) {
    try {
      const result = await client.query<Row>(text, values.map(bound));
      return result.rows;
    } catch (thrown) {
      throw refusal(thrown);
    }
  }

  async function connect(): Promise<pg.PoolClient> {
    try {
      return await pool.connect();
    } catch (thrown) {
      throw refusal(thrown);
    }
  }

  async function once<T>(body: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await connect();
    let broken = false;
    try {
      await on(client, 'begin');
      try {
        const result = await body({ dialect: 'postgres', all: (text, values) => on(client, text, values) });
        await on(client, 'commit');
        return result;
      } catch (thrown) {
        await on(client, 'rollback').catch(() => (broken = true));
        throw thrown;
      }
    } catch (thrown) {
      broken ||= isRefusal(thrown) && thrown.code === 'CS1814';
      throw thrown;
    } finally {
      client.release(broken);
    }
  }

  return {
    dialect: 'postgres',
    all: (text, values) => noted(() => repeated(() => on(pool, text, values))),
    transaction: (body) => noted(() => repeated(() => once(body))),
    // The pool forgets who waits for a connection when it ends, so it ends after them.
    close: () => (closing ??= Promise.allSettled(under).then(() => pool.end())),
  };
}

async function repeated<T>(body: () => Promise<T>): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await body();
    } catch (thrown) {
      const repeat = isRefusal(thrown) && isErrorWithCode(thrown.cause) && REPEAT.has(thrown.cause.code);
      if (!repeat || tried === TRIES) throw thrown;
    }
  }
}

// Causes are made anew: pg's errors may carry the connection's settings and the values of a row.
function refused(thrown: unknown, safe: (text: string) => string): unknown {
  if (!types.isNativeError(thrown)) return thrown;
  const code = isErrorWithCode(thrown) ? thrown.code : '';
  const message = safe(messageOf(thrown));
  const cause = Object.assign(new Error(message), { code });
  if (isGone(code, thrown)) {
    return new Refusal('CS1814', `PostgreSQL cannot be reached: ${message}.`, { cause });
  }
  return new Refusal('CS1815', `PostgreSQL refused: ${message}${code === '' ? '' : ` (${code})`}.`, { cause });
}

// An error of several addresses that were tried has an empty message of its own.
function messageOf(thrown: Error): string {
  const messages = 'errors' in thrown && Array.isArray(thrown.errors) ? thrown.errors.map(String) : [thrown.message];
  return messages.join('; ').replace(/\.$/, '');
}

/** Classes and codes of PostgreSQL that pass: connection exception, too many connections, shutting down, starting. */
const GONE = /^(08...|53300|57P0[1-5]|25P03)$/;
const SQLSTATE = /^[0-9A-Z]{5}$/;

// What carries no SQLSTATE did not come from the server: an error of the network, or pg's own word on a lost connection.
function isGone(code: string, thrown: Error): boolean {
  return SQLSTATE.test(code) && 'severity' in thrown ? GONE.test(code) : true;
}

function isErrorWithCode(thrown: unknown): thrown is Error & { readonly code: string } {
  return types.isNativeError(thrown) && 'code' in thrown && typeof thrown.code === 'string';
}

// Takes every password of the URL out of a text.
function redactor(url: string): (text: string) => string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw malformed();
  }
  if (!/^postgres(ql)?:$/.test(parsed.protocol)) throw malformed();
  // An `@` behind the host is the end of a password with a bare `/`, `?` or `#`: what is taken for host or path is part
  // of it, and would be shown.
  if (/@/.test(`${parsed.pathname}${parsed.search}${parsed.hash}`)) throw malformed();
  const raw = [parsed.password, parsed.searchParams.get('password') ?? ''];
  const secrets = raw.flatMap((one) => [one, decoded(one)]).filter((one) => one !== '');
  return (text) => secrets.reduce((sofar, secret) => sofar.replaceAll(secret, '***'), text.replaceAll(url, '***'));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function malformed(): Refusal {
  return new Refusal(
    'CS1817',
    'DATABASE_URL is no postgresql:// address. In a password, write / ? # @ and % as %2F %3F %23 %40 %25.',
  );
}

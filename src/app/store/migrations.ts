import { types } from 'node:util';
import { Refusal } from '../../domain/errors.ts';
import type { Database, Sql } from './database.ts';
import { int } from './database.ts';

/** One step of the schema. */
export interface Migration {
  /** 1, 2, 3 … without gaps. */
  readonly version: number;
  readonly statements: readonly string[];
}

/** Key of PostgreSQL's advisory lock under which one process at a time migrates; any number that nobody else uses. */
const ADVISORY_LOCK = 4_177_202_611;

/**
 * Brings a database to the newest of the versions given. All steps are one transaction: a step that fails leaves the
 * database at the version it had. Processes that start at once wait for each other.
 * @throws Refusal CS1813 where the database is newer than this program; CS1816 where a step fails
 */
export async function migrate(db: Database, migrations: readonly Migration[]): Promise<void> {
  await db.transaction(async (sql) => {
    if (sql.dialect === 'postgres') await sql.all('select pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    await sql.all('create table if not exists countersign_schema (version bigint primary key)');
    const rows = await sql.all('select coalesce(max(version), 0) as version from countersign_schema');
    const found = rows[0] === undefined ? 0 : int(rows[0], 'version');
    const known = migrations.at(-1)?.version ?? 0;
    if (found > known) {
      throw new Refusal(
        'CS1813',
        `The store has schema version ${found}; this version of Countersign knows up to ${known}.`,
      );
    }
    for (const migration of migrations.filter(({ version }) => version > found)) await step(sql, migration);
  });
}

async function step(sql: Sql, { version, statements }: Migration): Promise<void> {
  try {
    for (const statement of statements) await sql.all(statement);
  } catch (cause) {
    if (cause instanceof Refusal && cause.code === 'CS1814') throw cause;
    const why = types.isNativeError(cause) ? cause.message : String(cause);
    throw new Refusal('CS1816', `Step ${version} of the store's schema failed and was rolled back: ${why}`, { cause });
  }
  await sql.all('insert into countersign_schema (version) values ($1)', [version]);
}

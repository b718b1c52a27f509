import { Refusal } from '../../domain/errors.ts';
import type { Database } from './database.ts';
import { decisionStore } from './decisions.ts';
import { deliveryStore } from './deliveries.ts';
import { etagStore } from './etags.ts';
import { evaluationQueue } from './evaluations.ts';
import { installationStore } from './installations.ts';
import { endLeases } from './lease.ts';
import { migrate } from './migrations.ts';
import { publicationStore } from './publications.ts';
import { resultStore } from './results.ts';
import { MIGRATIONS } from './schema.ts';
import type { Store } from './store.ts';
import { sweepStore } from './sweeps.ts';
import { upkeepStore } from './upkeep.ts';

export interface StorePlace {
  /** PostgreSQL's address, as DATABASE_URL has it; goes before a file. */
  readonly url?: string;
  /** SQLite's file. */
  readonly file?: string;
}

/**
 * Opens the store, and brings its schema up to date.
 * @throws Refusal CS1811 (file unusable), CS1812 (another process uses the file), CS1813 (written by a newer version),
 * CS1814 (database cannot be reached), CS1815 (it refuses), CS1816 (a step of the schema failed), CS1817 (URL malformed,
 * server too old, or no place given)
 */
export async function openStore(place: StorePlace): Promise<Store> {
  const db = await openDatabase(place);
  try {
    await migrate(db, MIGRATIONS);
    // Nobody else can have the file open, so whoever held a lease has ended: nothing need wait for it to expire.
    if (db.dialect === 'sqlite') await endLeases(db);
  } catch (thrown) {
    await db.close();
    throw thrown;
  }
  return storeOn(db);
}

// Loaded late: each is of no use to those who run the other, and Node 20 has no SQLite.
async function openDatabase({ url, file }: StorePlace): Promise<Database> {
  if (url !== undefined && url !== '') return (await import('./postgres.ts')).openPostgres({ url });
  if (file !== undefined && file !== '') return (await import('./sqlite.ts')).openSqlite(file);
  throw new Refusal('CS1817', 'There is neither a DATABASE_URL nor a file for the store.');
}

/** The store on a database whose schema is up to date. */
export function storeOn(db: Database): Store {
  return {
    kind: db.dialect,
    ping: async () => void (await db.all('select 1 as one')),
    close: db.close,
    ...deliveryStore(db),
    ...evaluationQueue(db),
    ...resultStore(db),
    ...publicationStore(db),
    ...decisionStore(db),
    ...installationStore(db),
    ...sweepStore(db),
    ...etagStore(db),
    ...upkeepStore(db),
  };
}

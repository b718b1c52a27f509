import { inspect } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Refusal } from '../../../src/domain/errors.ts';
import { migrate } from '../../../src/app/store/migrations.ts';
import { openStore } from '../../../src/app/store/open.ts';
import { openPostgres } from '../../../src/app/store/postgres.ts';
import { MIGRATIONS } from '../../../src/app/store/schema.ts';
import type { PostgresServer } from '../../support/postgres.ts';
import {
  CAN_START_POSTGRES,
  embeddedBinaries,
  installedBinaries,
  query,
  startPostgres,
} from '../../support/postgres.ts';
import { storeContract } from './contract.ts';
import { claimRequest, delivery, mustClaimDelivery, T } from './lab.ts';

const refusal = (body: () => Promise<unknown>): Promise<Refusal> =>
  body().then(
    () => Promise.reject(new Error('It was not refused.')),
    (thrown: Refusal) => thrown,
  );

const installed = installedBinaries();

// The package's server is the newest, PostgreSQL 15 the oldest that is promised; where none is installed, it is skipped.
describe.each<[string, string, (() => string) | undefined]>([
  ['PostgreSQL of the npm package', '18.', CAN_START_POSTGRES ? embeddedBinaries : undefined],
  ['PostgreSQL 15 that is installed', '15.', installed === undefined ? undefined : () => installed],
])('%s', (_name, version, binaries) => {
  if (binaries === undefined) {
    it.skip('is not here: set COUNTERSIGN_POSTGRES_15 to its folder of programs', () => undefined);
    return;
  }

  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres(binaries());
  });
  afterAll(() => server.stop());

  const lab = { place: async () => ({ url: await server.database() }), shared: true };

  it('is the version that it should be', () => {
    expect(server.version).toContain(` ${version}`);
  });

  storeContract(lab, 12);

  describe('the schema', () => {
    const NEXT = MIGRATIONS.length + 1;
    const versions = MIGRATIONS.map(({ version }) => ({ version: String(version) }));

    it('is made once by processes that start at once', async () => {
      const place = await lab.place();
      const stores = await Promise.all(Array.from({ length: 6 }, () => openStore(place)));
      expect(await query(place.url, 'select version from countersign_schema order by version')).toEqual(versions);
      await stores[0]?.acceptDelivery(delivery('d1'));
      expect(await stores[5]?.acceptDelivery(delivery('d1'))).toBe('duplicate');
      for (const store of stores) await store.close();
    });

    it.each(MIGRATIONS.map(({ version }) => version))('of version %s is brought to the newest', async (version) => {
      const { url } = await lab.place();
      const db = await openPostgres({ url });
      await migrate(db, MIGRATIONS.slice(0, version));
      await db.all("insert into installations values (7, 1, 'acme', 'active', 1)");
      await db.close();
      const store = await openStore({ url });
      expect(await store.installations({ limit: 9 })).toMatchObject([{ id: 7, accountLogin: 'acme' }]);
      await store.close();
      expect(await query(url, 'select version from countersign_schema order by version')).toEqual(versions);
    });

    it('of a newer version is refused', async () => {
      const { url } = await lab.place();
      await (await openStore({ url })).close();
      await query(url, 'insert into countersign_schema values (99)');
      expect(await refusal(() => openStore({ url }))).toMatchObject({ code: 'CS1813' });
    });

    it('is as it was after a step that failed', async () => {
      const { url } = await lab.place();
      await (await openStore({ url })).close();
      const broken = {
        version: NEXT,
        statements: ['alter table deliveries add column extra text', 'create tabel x (y)'],
      };
      const db = await openPostgres({ url });
      expect(await refusal(() => migrate(db, [...MIGRATIONS, broken]))).toMatchObject({ code: 'CS1816' });
      await db.close();
      expect(await query(url, 'select version from countersign_schema order by version')).toEqual(versions);
      const extra = "select 1 from information_schema.columns where column_name = 'extra'";
      expect(await query(url, extra)).toEqual([]);
    });
  });

  describe('a database that goes away', () => {
    it('is told by a code, loses nothing, and is used again when it is back', async () => {
      const { url } = await lab.place();
      const store = await openStore({ url });
      await store.acceptDelivery(delivery('d1'));
      await store.acceptDelivery(delivery('d2'));
      const { lease } = await mustClaimDelivery(store);
      const accepted: string[] = [];
      let stopped = false;
      // Deliveries keep coming while it breaks down: each is kept or refused, never half.
      const coming = Promise.all(
        Array.from({ length: 4 }, async (_, worker) => {
          for (let n = 0; !stopped; n++) {
            const id = `w${worker}-${n}`;
            try {
              await store.acceptDelivery(delivery(id));
              accepted.push(id);
            } catch (thrown) {
              expect(thrown).toMatchObject({ code: 'CS1814' });
              await new Promise((resume) => setTimeout(resume, 5));
            }
          }
        }),
      );
      while (accepted.length < 20) await new Promise((resume) => setTimeout(resume, 5));
      await server.crash();
      expect(await refusal(() => store.ping())).toMatchObject({ code: 'CS1814' });
      expect(await refusal(() => store.claimDelivery(claimRequest()))).toMatchObject({ code: 'CS1814' });
      await server.restart();
      const before = accepted.length;
      while (accepted.length < before + 20) await new Promise((resume) => setTimeout(resume, 5));
      stopped = true;
      await coming;
      for (const id of accepted) expect([id, await store.acceptDelivery(delivery(id))]).toEqual([id, 'duplicate']);
      expect(await store.finishDelivery({ lease, now: T, outcome: 'evaluated' })).toBe('done');
      await store.close();
    });

    it('in the middle of a transaction is told too', async () => {
      const { url } = await lab.place();
      const db = await openPostgres({ url });
      await db.all('create table t (n bigint)');
      const body = db.transaction(async (sql) => {
        await sql.all('insert into t values ($1)', [1]);
        await query(
          url,
          "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'countersign'",
        );
        await sql.all('insert into t values ($1)', [2]);
      });
      await expect(body).rejects.toMatchObject({ code: 'CS1814' });
      expect(await db.all('select n from t')).toEqual([]);
      await db.close();
    });
  });

  it('repeats a transaction that fell victim to a deadlock', async () => {
    const { url } = await lab.place();
    const db = await openPostgres({ url });
    await db.all('create table t (id bigint primary key, n bigint)');
    await db.all('insert into t values (1, 0), (2, 0)');
    const add = (first: number, second: number) =>
      db.transaction(async (sql) => {
        await sql.all('update t set n = n + 1 where id = $1', [first]);
        await sql.all('select pg_sleep(0.05)');
        await sql.all('update t set n = n + 1 where id = $1', [second]);
      });
    await Promise.all([add(1, 2), add(2, 1)]);
    expect(await db.all('select n from t order by id')).toEqual([{ n: 2 }, { n: 2 }]);
    await db.close();
  });

  describe('errors', () => {
    it('never show the password', async () => {
      const good = new URL(await server.database());
      const secret = `p@ss/w:rd-${server.password}`;
      const wrong = (change: (url: URL) => void): string => {
        const url = new URL(good);
        url.password = secret;
        change(url);
        return url.href;
      };
      const cases: readonly (readonly [string, string, string])[] = [
        ['wrong password', wrong(() => undefined), 'CS1815'],
        ['unknown user', wrong((url) => (url.username = secret)), 'CS1815'],
        [
          'database that is not',
          wrong((url) => ((url.password = server.password), (url.pathname = '/none'))),
          'CS1815',
        ],
        ['nobody listens', wrong((url) => (url.port = '1')), 'CS1814'],
        ['no such host', wrong((url) => (url.hostname = 'db.invalid')), 'CS1814'],
        ['not PostgreSQL', wrong(() => undefined).replace('postgresql:', 'mysql:'), 'CS1817'],
        ['malformed', `postgresql://u:${secret}@[::1/x`, 'CS1817'],
        ['a bare slash behind digits', `postgresql://u:12/${secret}@127.0.0.1/x`, 'CS1817'],
        ['a bare question mark', `postgresql://u:12?${secret}@127.0.0.1/x`, 'CS1817'],
        ['a bare number sign', `postgresql://u:12#${secret}@127.0.0.1/x`, 'CS1817'],
        ['no URL', secret, 'CS1817'],
      ];
      for (const [name, url, code] of cases) {
        const refused = await refusal(() => openStore({ url }));
        const shown = inspect(refused, { depth: 9, showHidden: true });
        expect([name, refused.code]).toEqual([name, code]);
        expect(shown).not.toContain(secret);
        expect(shown).not.toContain(encodeURIComponent(secret));
        expect(shown).not.toContain(server.password);
      }
    });

    it('never show the values of a row', async () => {
      const { url } = await lab.place();
      const db = await openPostgres({ url });
      await db.all('create table t (id text primary key)');
      const insert = () => db.all('insert into t values ($1)', ['a-private-value']);
      await insert();
      const refused = await refusal(insert);
      expect(refused).toMatchObject({ code: 'CS1815', message: expect.stringContaining('23505') });
      expect(inspect(refused, { depth: 9, showHidden: true })).not.toContain('a-private-value');
      await db.close();
    });
  });
});

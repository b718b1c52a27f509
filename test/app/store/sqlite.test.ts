import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { Refusal } from '../../../src/domain/errors.ts';
import { migrate } from '../../../src/app/store/migrations.ts';
import { openStore } from '../../../src/app/store/open.ts';
import { MIGRATIONS } from '../../../src/app/store/schema.ts';
import { openSqlite } from '../../../src/app/store/sqlite.ts';
import { scratchFolder } from '../../support/postgres.ts';
import { storeContract } from './contract.ts';
import { claimRequest, delivery, mustClaim, mustClaimDelivery, request, T, withStore } from './lab.ts';

const scratch = scratchFolder();
afterAll(scratch.remove);

let files = 0;
const newFile = (): string => join(scratch.path, `folder-${++files}`, 'store.db');
const lab = { place: () => Promise.resolve({ file: newFile() }), shared: false };

const refusal = (body: () => Promise<unknown>): Promise<Refusal> =>
  body().then(
    () => Promise.reject(new Error('It was not refused.')),
    (thrown: Refusal) => thrown,
  );

describe('SQLite', () => {
  storeContract(lab, 60);

  it('lets whoever opens it go on at once with what an ended process held', async () => {
    const file = newFile();
    const before = await openStore({ file });
    await before.acceptDelivery(delivery('d1'));
    await before.requestEvaluation(request(1));
    await mustClaimDelivery(before);
    await mustClaim(before);
    await before.beginSweep({ name: 'pulls', ...claimRequest() });
    await before.close();
    const after = await openStore({ file });
    expect(await after.releaseExpired({ now: T + 1, maxAttempts: 8 })).toEqual({ deliveries: 1, evaluations: 1 });
    expect((await mustClaimDelivery(after, T + 1)).attempts).toBe(2);
    expect(await after.beginSweep({ name: 'pulls', ...claimRequest(T + 1), early: true })).toBeDefined();
    await after.close();
  });

  it('keeps its files from others', async () => {
    if (process.platform === 'win32') return;
    const file = newFile();
    const store = await openStore({ file });
    await store.acceptDelivery(delivery('d1'));
    for (const suffix of ['', '-wal', '-shm', '.owner']) {
      expect([suffix, statSync(`${file}${suffix}`).mode & 0o077]).toEqual([suffix, 0]);
    }
    await store.close();
  });

  it('syncs each commit to the log', async () => {
    const file = newFile();
    const db = openSqlite(file);
    expect(await db.all('pragma journal_mode')).toEqual([{ journal_mode: 'wal' }]);
    expect(await db.all('pragma synchronous')).toEqual([{ synchronous: 2 }]);
    await db.close();
  });

  it('can be copied while it is used', async () => {
    const file = newFile();
    const copy = join(scratch.path, 'copy.db');
    const store = await openStore({ file });
    await store.acceptDelivery(delivery('d1'));
    const reader = new DatabaseSync(file, { readOnly: true });
    reader.prepare('vacuum into ?').run(copy);
    reader.close();
    await store.close();
    const restored = await openStore({ file: copy });
    expect(await restored.acceptDelivery(delivery('d1'))).toBe('duplicate');
    await restored.close();
  });

  describe('a second process', () => {
    const SECOND = `
      import { openStore } from ${JSON.stringify(join(import.meta.dirname, '../../../src/app/store/open.ts'))};
      await openStore({ file: process.argv[1] }).then(
        (store) => { console.log('open'); setInterval(() => store, 1000); },
        (refused) => { console.log(refused.code, refused.message); process.exit(3); },
      );`;
    const second = ['--input-type=module', '--disable-warning=ExperimentalWarning', '-e', SECOND];

    it('is refused and told who uses the file, by whatever name it calls it', async () => {
      const file = newFile();
      const store = await openStore({ file });
      const link = join(scratch.path, 'link.db');
      symlinkSync(file, link);
      for (const name of [file, link]) {
        const { status, stdout } = spawnSync(process.execPath, [...second, name], { encoding: 'utf8' });
        expect([status, stdout]).toEqual([3, expect.stringContaining(`CS1812 Process ${process.pid} on `)]);
      }
      await store.close();
      expect(existsSync(`${file}.owner`)).toBe(false);
      const again = await openStore({ file });
      await again.close();
    });

    it('is refused within the same process too', async () => {
      await withStore(lab, async (_store, place) => {
        expect(await refusal(() => openStore(place))).toMatchObject({ code: 'CS1812' });
      });
    });

    it('takes over from one that was killed, at once', async () => {
      const file = newFile();
      const child = spawn(process.execPath, [...second, file], { stdio: ['ignore', 'pipe', 'ignore'] });
      const ended = new Promise((resolve) => child.once('close', resolve));
      await new Promise((resolve) => child.stdout.once('data', resolve));
      const refused = await refusal(() => openStore({ file })).finally(() => child.kill('SIGKILL'));
      expect(refused).toMatchObject({ code: 'CS1812', message: expect.stringContaining(`Process ${child.pid} on`) });
      await ended;
      expect(readFileSync(`${file}.owner`, 'utf8')).toContain(String(child.pid));
      const store = await openStore({ file });
      expect(readFileSync(`${file}.owner`, 'utf8')).toContain(`"pid":${process.pid},`);
      await store.ping();
      await store.close();
    });
  });

  describe('its file', () => {
    it.each<[string, (file: string) => void]>([
      ['is a folder', (file) => mkdirSync(file, { recursive: true })],
      ['is no database', (file) => writeFileSync(file, 'x'.repeat(5000))],
      ['lies below a file', (file) => writeFileSync(join(file, '..', 'parent'), '')],
    ])('is refused where it %s, and can be used once that is mended', async (what, spoil) => {
      const folder = newFile();
      mkdirSync(folder, { recursive: true });
      const file = what === 'lies below a file' ? join(folder, 'parent', 'store.db') : join(folder, 'store.db');
      spoil(what === 'lies below a file' ? join(folder, 'x') : file);
      expect(await refusal(() => openStore({ file }))).toMatchObject({ code: 'CS1811', where: file });
      if (what !== 'is no database') return;
      writeFileSync(file, '');
      const store = await openStore({ file });
      await store.close();
    });
  });

  describe('its schema', () => {
    const rows = (file: string, sql: string) => {
      const db = new DatabaseSync(file, { readOnly: true });
      const found = db.prepare(sql).all();
      db.close();
      return found.map((row) => Object.values(row)[0]);
    };

    const NEXT = MIGRATIONS.length + 1;
    const versions = MIGRATIONS.map(({ version }) => version);

    it.each(versions)('of version %s is brought to the newest', async (version) => {
      const file = newFile();
      const db = openSqlite(file);
      await migrate(db, MIGRATIONS.slice(0, version));
      await db.all("insert into installations values (7, 1, 'acme', 'active', 1)");
      await db.close();
      const store = await openStore({ file });
      expect(await store.installations({ limit: 9 })).toMatchObject([{ id: 7, accountLogin: 'acme' }]);
      await store.close();
      expect(rows(file, 'select version from countersign_schema order by version')).toEqual(versions);
    });

    it('of a newer version is refused and left as it is', async () => {
      const file = newFile();
      const store = await openStore({ file });
      await store.close();
      const db = new DatabaseSync(file);
      db.exec('insert into countersign_schema values (99)');
      db.close();
      expect(await refusal(() => openStore({ file }))).toMatchObject({
        code: 'CS1813',
        message: expect.stringMatching(new RegExp(`version 99.*up to ${MIGRATIONS.length}\\.`)),
      });
      expect(rows(file, 'select max(version) from countersign_schema')).toEqual([99]);
    });

    it('is as it was after a step that failed', async () => {
      const file = newFile();
      const store = await openStore({ file });
      await store.acceptDelivery(delivery('d1'));
      await store.close();
      const broken = {
        version: NEXT,
        statements: ['alter table deliveries add column extra text', 'create tabel x (y)'],
      };
      const db = openSqlite(file);
      expect(await refusal(() => migrate(db, [...MIGRATIONS, broken]))).toMatchObject({
        code: 'CS1816',
        message: expect.stringContaining(`Step ${NEXT} `),
      });
      await db.close();
      expect(rows(file, 'select version from countersign_schema order by version')).toEqual(versions);
      expect(rows(file, "select count(*) from pragma_table_info('deliveries') where name = 'extra'")).toEqual([0]);
      const again = await openStore({ file });
      expect(await again.acceptDelivery(delivery('d1'))).toBe('duplicate');
      await again.close();
    });
  });

  it('needs a place', async () => {
    expect(await refusal(() => openStore({}))).toMatchObject({ code: 'CS1817' });
    expect(await refusal(() => openStore({ url: '', file: '' }))).toMatchObject({ code: 'CS1817' });
  });
});

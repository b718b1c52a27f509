import type { Database, Row, Sql } from './database.ts';
import { int, lockRow, optionalText, text, word } from './database.ts';
import { PULL_HELD } from './lease.ts';
import type { Lease, Time } from './queues.ts';
import type { Publication, PublicationBegin, PublicationStore } from './records.ts';

/** What was posted, and what may have been: an intent is kept before each call, its end after it. */
export function publicationStore(db: Database): PublicationStore {
  return {
    beginPublication: ({ lease, now, kind, target, evaluationId, digest }) =>
      db.transaction<PublicationBegin>(async (sql) => {
        if (!(await holds(sql, lease, now))) return { is: 'lost' };
        const [row] = await sql.all(`${ONE}${lockRow(sql)}`, [lease.id, kind, target]);
        const known = row === undefined ? undefined : publicationOf(row);
        if (known?.state === 'done' && known.digest === digest && known.remoteId !== undefined) {
          return { is: 'unchanged', remoteId: known.remoteId };
        }
        await sql.all(BEGIN, [lease.id, kind, target, evaluationId, digest, lease.token, now]);
        if (known === undefined) return { is: 'create' };
        return known.remoteId === undefined ? { is: 'look' } : { is: 'update', remoteId: known.remoteId };
      }),

    finishPublication: async ({ lease, now, kind, target, remoteId }) => {
      const rows = await db.all(FINISH, [lease.id, kind, target, lease.token, remoteId, now]);
      return rows.length === 0 ? 'lost' : 'done';
    },

    forgetPublication: ({ lease, now, kind, target }) =>
      db.transaction(async (sql) => {
        if (!(await holds(sql, lease, now))) return 'lost';
        await sql.all('delete from publications where key = $1 and kind = $2 and target = $3', [
          lease.id,
          kind,
          target,
        ]);
        return 'done';
      }),

    pendingPublications: async (key) => {
      const pending = `select * from publications where key = $1 and state = 'intent' order by begun_at, kind, target`;
      return (await db.all(pending, [key])).map(publicationOf);
    },

    publication: async ({ key, kind, target }) => {
      const [row] = await db.all(ONE, [key, kind, target]);
      return row === undefined ? undefined : publicationOf(row);
    },
  };
}

const ONE = 'select * from publications where key = $1 and kind = $2 and target = $3';

const BEGIN = `
  insert into publications (key, kind, target, state, evaluation_id, digest, token, begun_at)
  values ($1, $2, $3, 'intent', $4, $5, $6, $7)
  on conflict (key, kind, target) do update set state = 'intent', evaluation_id = excluded.evaluation_id,
    digest = excluded.digest, token = excluded.token, begun_at = excluded.begun_at, done_at = null`;

const FINISH = `
  update publications set state = 'done', remote_id = $5, done_at = $6
  where key = $1 and kind = $2 and target = $3 and token = $4 returning key`;

// The row stays locked until the end of the transaction, so that nobody takes the lease over in between.
async function holds(sql: Sql, lease: Lease, now: Time): Promise<boolean> {
  const held = `select key from pulls where ${PULL_HELD}${lockRow(sql)}`;
  return (await sql.all(held, [lease.id, lease.token, now])).length > 0;
}

function publicationOf(row: Row): Publication {
  return {
    key: text(row, 'key'),
    kind: text(row, 'kind'),
    target: text(row, 'target'),
    state: word(row, 'state', ['intent', 'done']),
    evaluationId: text(row, 'evaluation_id'),
    digest: text(row, 'digest'),
    remoteId: optionalText(row, 'remote_id'),
    begunAt: int(row, 'begun_at'),
  };
}

import type { Database, Row, Sql } from './database.ts';
import { int, lockRows, optionalInt, optionalText, text, word } from './database.ts';
import type { Counts, PoisonRow, QueueCounts, UpkeepStore } from './care.ts';

/** Releasing, counting, poison and pruning. */
export function upkeepStore(db: Database): UpkeepStore {
  return {
    releaseExpired: async ({ now, maxAttempts }) => {
      const values = [now, maxAttempts, NO_END];
      const deliveries = await db.all(RELEASE_DELIVERIES, values);
      const evaluations = await db.all(RELEASE_PULLS, values);
      return { deliveries: deliveries.length, evaluations: evaluations.length };
    },

    counts: async ({ now }) => ({
      deliveries: await queueCounts(db, 'deliveries', 'received_at', now),
      evaluations: await queueCounts(db, 'pulls', 'requested_at', now),
      ended: (await db.all(ENDED)).map(endedOf),
    }),

    poison: async ({ limit }) => (await db.all(POISON, [limit])).map(poisonOf),

    retryPoison: async ({ kind, id, now }) => {
      const [table, key] = kind === 'delivery' ? ['deliveries', 'id'] : ['pulls', 'key'];
      const retry = `
        update ${table} set status = 'queued', attempts = 0, not_before = $2, ended_at = null
        where ${key} = $1 and status = 'poison' returning ${key}`;
      return (await db.all(retry, [id, now])).length > 0;
    },

    prune: ({ before, limit }) =>
      db.transaction(async (sql) => {
        const deliveries = await pruneDeliveries(sql, before, limit);
        const evaluations = await sql.all(OLD_RESULTS, [before, limit]);
        const pulls = await prunePulls(sql, before, limit);
        return {
          deliveries,
          evaluations: evaluations.length,
          pulls,
          more: [deliveries, evaluations.length, pulls].includes(limit),
        };
      }),
  };
}

const NO_END = 'The lease expired: its worker ended or hung.';

const EXPIRED = `status = 'running' and lease_until <= $1`;

const RELEASE_DELIVERIES = `
  update deliveries set status = case when attempts >= $2 then 'poison' else 'queued' end, error = $3,
    lease_until = null, ended_at = case when attempts >= $2 then cast($1 as bigint) else null end
  where ${EXPIRED} returning id`;

const RELEASE_PULLS = `
  update pulls set
    status = case when again = 0 and attempts >= $2 then 'poison' else 'queued' end,
    attempts = case when again = 1 then 0 else attempts end,
    again = 0, error = $3, lease_until = null, ended_at = cast($1 as bigint)
  where ${EXPIRED} returning key`;

async function queueCounts(db: Database, table: string, since: string, now: number): Promise<QueueCounts> {
  const rows = await db.all(
    `select status, count(*) as count, min(${since}) as oldest from ${table}
     where status in ('queued', 'running', 'poison') group by status`,
  );
  const of = (status: string): Row | undefined => rows.find((row) => row['status'] === status);
  const count = (row: Row | undefined): number => (row === undefined ? 0 : int(row, 'count'));
  const queued = of('queued');
  return {
    queued: count(queued),
    running: count(of('running')),
    poison: count(of('poison')),
    oldestAge: queued === undefined ? 0 : Math.max(0, now - int(queued, 'oldest')),
  };
}

const ENDED = `
  select event, outcome, cast(sum(count) as bigint) as count from (
    select event, outcome, count(*) as count from deliveries where status = 'done' group by event, outcome
    union all
    select event, outcome, count from pruned_deliveries
  ) as every group by event, outcome order by event, outcome`;

function endedOf(row: Row): Counts['ended'][number] {
  return { event: text(row, 'event'), outcome: text(row, 'outcome'), count: int(row, 'count') };
}

const POISON = `
  select 'delivery' as kind, id, event as what, repository_id, attempts, error, ended_at
  from deliveries where status = 'poison'
  union all
  select 'evaluation' as kind, key as id, reason as what, repository_id, attempts, error, ended_at
  from pulls where status = 'poison'
  order by ended_at desc, id limit $1`;

function poisonOf(row: Row): PoisonRow {
  return {
    kind: word(row, 'kind', ['delivery', 'evaluation']),
    id: text(row, 'id'),
    what: text(row, 'what'),
    repositoryId: optionalInt(row, 'repository_id'),
    attempts: int(row, 'attempts'),
    error: optionalText(row, 'error') ?? '',
    at: int(row, 'ended_at'),
  };
}

async function pruneDeliveries(sql: Sql, before: number, limit: number): Promise<number> {
  const rows = await sql.all(
    `delete from deliveries where id in (
       select d.id from deliveries d where d.status in ('done', 'poison') and d.ended_at < $1
       order by d.ended_at limit $2${lockRows(sql, 'd')}
     ) returning event, outcome`,
    [before, limit],
  );
  const counted = Map.groupBy(
    rows.filter((row) => optionalText(row, 'outcome') !== undefined),
    (row) => JSON.stringify([text(row, 'event'), text(row, 'outcome')]),
  );
  // In one order in every process, so that two never wait for each other in a circle.
  for (const [, same] of [...counted].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const [first] = same;
    if (first !== undefined) await sql.all(COUNT, [text(first, 'event'), text(first, 'outcome'), same.length]);
  }
  return rows.length;
}

const COUNT = `
  insert into pruned_deliveries (event, outcome, count) values ($1, $2, $3)
  on conflict (event, outcome) do update set count = pruned_deliveries.count + excluded.count`;

const OLD_RESULTS = `
  delete from evaluations where id in (
    select e.id from evaluations e where e.at < $1 and exists (
      select 1 from evaluations n where n.key = e.key
        and (n.token > e.token or (n.token = e.token and (n.at > e.at or (n.at = e.at and n.id > e.id)))))
    order by e.at limit $2
  ) returning id`;

/** Tables with rows of a pull request; the voids go by their decisions. */
const OF_A_PULL = ['publications', 'evaluations', 'decisions', 'answers'] as const;

async function prunePulls(sql: Sql, before: number, limit: number): Promise<number> {
  const closed = await sql.all(
    `select p.key from pulls p where p.closed_at < $1 and p.status = 'idle'
     order by p.closed_at limit $2${lockRows(sql, 'p')}`,
    [before, limit],
  );
  for (const row of closed) {
    const key = [text(row, 'key')];
    await sql.all(
      'delete from decision_voids where comment_id in (select comment_id from decisions where key = $1)',
      key,
    );
    for (const table of OF_A_PULL) await sql.all(`delete from ${table} where key = $1`, key);
    await sql.all('delete from pulls where key = $1', key);
  }
  return closed.length;
}

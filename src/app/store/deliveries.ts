import type { Database, Row } from './database.ts';
import { int, lockRows, optionalInt, optionalText, shortened, text, textMap, word } from './database.ts';
import { leaseEnd } from './lease.ts';
import type { ClaimedDelivery, DeliveryStore } from './queues.ts';

/** Deliveries of a database. */
export function deliveryStore(db: Database): DeliveryStore {
  return {
    acceptDelivery: async (delivery) => {
      const rows = await db.all(ACCEPT, [
        delivery.id,
        delivery.event,
        delivery.action,
        delivery.installationId,
        delivery.repositoryId,
        delivery.pullKey,
        delivery.receivedAt,
        JSON.stringify(delivery.headers),
        delivery.payload,
      ]);
      if (rows[0] === undefined) return 'duplicate';
      return int(rows[0], 'accepted') === 1 ? 'stored' : 'retry';
    },

    claimDelivery: (request) =>
      db.transaction(async (sql) => {
        const [next] = await sql.all(`${NEXT}${lockRows(sql, 'd')}`, [request.now]);
        if (next === undefined) return undefined;
        const [row] = await sql.all(CLAIM, [text(next, 'id'), request.worker, leaseEnd(request), request.now]);
        return row === undefined ? undefined : claimed(row);
      }),

    renewDelivery: async ({ lease, now, leaseSeconds }) => {
      const rows = await db.all(`update deliveries set lease_until = $4 where ${HELD} returning id`, [
        lease.id,
        lease.token,
        now,
        leaseEnd({ now, leaseSeconds }),
      ]);
      return rows.length === 0 ? 'lost' : 'held';
    },

    finishDelivery: async ({ lease, now, outcome }) => {
      const rows = await db.all(FINISH, [lease.id, lease.token, now, outcome]);
      return rows.length === 0 ? 'lost' : 'done';
    },

    failDelivery: async ({ lease, now, retryAt, error, maxAttempts }) => {
      const [row] = await db.all(FAIL, [lease.id, lease.token, now, retryAt, shortened(error), maxAttempts]);
      if (row === undefined) return 'lost';
      return word(row, 'status', ['queued', 'poison']) === 'poison' ? 'poison' : 'retry';
    },

    giveBackDelivery: async ({ lease, now, notBefore }) => {
      const rows = await db.all(GIVE_BACK, [lease.id, lease.token, now, notBefore]);
      return rows.length === 0 ? 'lost' : 'queued';
    },
  };
}

// What has failed has `attempts` and waits, or is poison. `accepted` tells a new row from one that was there.
const ACCEPT = `
  insert into deliveries (id, event, action, installation_id, repository_id, pull_key, received_at, headers, payload,
    status, accepted, not_before)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, 'queued', 1, $7)
  on conflict (id) do update set
    status = 'queued',
    accepted = deliveries.accepted + 1,
    attempts = case when deliveries.status = 'poison' then 0 else deliveries.attempts end,
    not_before = case when deliveries.not_before < excluded.not_before then deliveries.not_before
      else excluded.not_before end,
    payload = excluded.payload,
    headers = excluded.headers,
    ended_at = null
  where deliveries.status = 'poison' or (deliveries.status = 'queued' and deliveries.attempts > 0)
  returning accepted`;

const NEXT = `
  select d.id from deliveries d where d.status = 'queued' and d.not_before <= $1
  order by d.not_before, d.received_at, d.id limit 1`;

// The token is never below the time, so it grows even past a row that was pruned and has come again.
const CLAIM = `
  update deliveries set status = 'running', attempts = attempts + 1, worker = $2, lease_until = $3,
    token = case when token < $4 then $4 else token + 1 end
  where id = $1 returning *`;

const HELD = `id = $1 and token = $2 and status = 'running' and lease_until > $3`;

const FINISH = `
  update deliveries set status = 'done', outcome = $4, payload = null, error = null, lease_until = null, ended_at = $3
  where ${HELD} returning id`;

const FAIL = `
  update deliveries set status = case when attempts >= $6 then 'poison' else 'queued' end, not_before = $4, error = $5,
    lease_until = null, ended_at = case when attempts >= $6 then cast($3 as bigint) else null end
  where ${HELD} returning status`;

const GIVE_BACK = `
  update deliveries set status = 'queued', not_before = $4, lease_until = null,
    attempts = case when attempts > 0 then attempts - 1 else 0 end
  where ${HELD} returning id`;

function claimed(row: Row): ClaimedDelivery {
  const id = text(row, 'id');
  return {
    lease: { id, token: int(row, 'token') },
    id,
    event: text(row, 'event'),
    action: optionalText(row, 'action'),
    installationId: optionalInt(row, 'installation_id'),
    repositoryId: optionalInt(row, 'repository_id'),
    pullKey: optionalText(row, 'pull_key'),
    receivedAt: int(row, 'received_at'),
    payload: text(row, 'payload'),
    headers: textMap(row, 'headers'),
    attempts: int(row, 'attempts'),
  };
}

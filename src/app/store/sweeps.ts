import type { Database } from './database.ts';
import { int, optionalText } from './database.ts';
import { leaseEnd } from './lease.ts';
import type { SweepStore } from './care.ts';

/** Turns of periodic tasks, and where each has come to. */
export function sweepStore(db: Database): SweepStore {
  return {
    beginSweep: async ({ name, worker, now, leaseSeconds, early = false }) => {
      const [row] = await db.all(BEGIN, [name, worker, now, leaseEnd({ now, leaseSeconds }), early ? 1 : 0]);
      if (row === undefined) return undefined;
      return { lease: { id: name, token: int(row, 'token') }, value: optionalText(row, 'value') };
    },

    renewSweep: async ({ lease, now, leaseSeconds }) => {
      const rows = await db.all(RENEW, [lease.id, lease.token, now, leaseEnd({ now, leaseSeconds })]);
      return rows.length === 0 ? 'lost' : 'held';
    },

    endSweep: async ({ lease, now, nextAt, value }) => {
      const rows = await db.all(END, [lease.id, lease.token, now, nextAt, value]);
      return rows.length === 0 ? 'lost' : 'done';
    },
  };
}

const BEGIN = `
  insert into sweeps (name, worker, next_at, token, lease_until) values ($1, $2, $3, 1, $4)
  on conflict (name) do update set worker = excluded.worker, token = sweeps.token + 1, lease_until = excluded.lease_until
  where (sweeps.next_at <= $3 or cast($5 as bigint) = 1) and (sweeps.lease_until is null or sweeps.lease_until <= $3)
  returning token, value`;

const RENEW = `
  update sweeps set lease_until = $4 where name = $1 and token = $2 and lease_until > $3 returning name`;

const END = `
  update sweeps set value = $5, next_at = $4, lease_until = null
  where name = $1 and token = $2 and lease_until > $3 returning name`;

import type { Database } from './database.ts';
import type { Time } from './queues.ts';

/** When a lease taken now ends. */
export function leaseEnd({ now, leaseSeconds }: { readonly now: Time; readonly leaseSeconds: number }): Time {
  return now + Math.round(leaseSeconds * 1000);
}

/** Whether a pull request is held under the lease $1 (key), $2 (token) at the time $3. */
export const PULL_HELD = `key = $1 and token = $2 and status = 'running' and lease_until > $3`;

const HOLDERS = [
  `update deliveries set lease_until = 0 where status = 'running'`,
  `update pulls set lease_until = 0 where status = 'running'`,
  'update sweeps set lease_until = null',
];

/** Lets every lease expire at once. Only where all who hold one are known to have ended. */
export async function endLeases(db: Database): Promise<void> {
  await db.transaction(async (sql) => {
    for (const text of HOLDERS) await sql.all(text);
  });
}

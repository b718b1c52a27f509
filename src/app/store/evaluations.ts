import type { Database, Row } from './database.ts';
import { int, lockRows, optionalText, shortened, text, word } from './database.ts';
import { leaseEnd, PULL_HELD } from './lease.ts';
import type { ClaimedEvaluation, EvaluationStore } from './queues.ts';
import { pullKey } from './queues.ts';

type QueueStore = Omit<EvaluationStore, 'recordEvaluation' | 'evaluation' | 'latestEvaluation' | 'awaitingAt'>;

/** The queue of evaluations: one row a pull request, which stays when it is done. */
export function evaluationQueue(db: Database): QueueStore {
  return {
    requestEvaluation: async (request) => {
      await db.all(REQUEST, [
        pullKey(request.repositoryId, request.number),
        request.repositoryId,
        request.installationId,
        request.number,
        request.reason,
        request.headSha,
        request.priority,
        request.notBefore,
        request.now,
      ]);
    },

    claimEvaluation: (request) =>
      db.transaction(async (sql) => {
        // Two claims at once would not see which heads the other one takes. PostgreSQL lets go at the end of either.
        if (sql.dialect === 'postgres') await sql.all('select pg_advisory_xact_lock($1)', [CLAIMING]);
        const [next] = await sql.all(`${NEXT}${lockRows(sql, 'p')}`, [request.now]);
        if (next === undefined) return undefined;
        const [row] = await sql.all(CLAIM, [text(next, 'key'), request.worker, leaseEnd(request), request.now]);
        if (row === undefined) return undefined;
        await sql.all(SERVED, [int(row, 'repository_id')]);
        return claimed(row);
      }),

    renewEvaluation: async ({ lease, now, leaseSeconds }) => {
      const [row] = await db.all(`update pulls set lease_until = $4 where ${PULL_HELD} returning again`, [
        lease.id,
        lease.token,
        now,
        leaseEnd({ now, leaseSeconds }),
      ]);
      if (row === undefined) return 'lost';
      return int(row, 'again') === 1 ? 'superseded' : 'held';
    },

    finishEvaluation: async ({ lease, now, closed = false }) => {
      const [row] = await db.all(FINISH, [lease.id, lease.token, now, closed ? 1 : 0]);
      if (row === undefined) return 'lost';
      return word(row, 'status', ['queued', 'idle']) === 'queued' ? 'again' : 'done';
    },

    failEvaluation: async ({ lease, now, retryAt, error, maxAttempts }) => {
      const [row] = await db.all(FAIL, [lease.id, lease.token, now, retryAt, shortened(error), maxAttempts]);
      if (row === undefined) return 'lost';
      return word(row, 'status', ['queued', 'poison']) === 'poison' ? 'poison' : 'retry';
    },

    giveBackEvaluation: async ({ lease, now, notBefore }) => {
      const rows = await db.all(GIVE_BACK, [lease.id, lease.token, now, notBefore]);
      return rows.length === 0 ? 'lost' : 'queued';
    },

    closePull: async ({ key, now }) => {
      await db.all(CLOSE, [key, now]);
    },
  };
}

// `again` is the request that arrived while the row runs: priority, not_before and requested_at are its own from then on,
// since those of the run have served. The first of its kind replaces them, later ones are joined with it.
const JOINS = `pulls.status = 'queued' or pulls.again = 1`;
const REQUEST = `
  insert into pulls (key, repository_id, installation_id, number, reason, head_sha, status, priority, not_before,
    requested_at)
  values ($1, $2, $3, $4, $5, $6, 'queued', $7, $8, $9)
  on conflict (key) do update set
    installation_id = excluded.installation_id,
    reason = excluded.reason,
    head_sha = coalesce(excluded.head_sha, pulls.head_sha),
    priority = case when (${JOINS}) and pulls.priority > excluded.priority then pulls.priority
      else excluded.priority end,
    not_before = case when (${JOINS}) and pulls.not_before < excluded.not_before then pulls.not_before
      else excluded.not_before end,
    requested_at = case when ${JOINS} then pulls.requested_at else excluded.requested_at end,
    attempts = case when pulls.status = 'running' then pulls.attempts else 0 end,
    again = case when pulls.status = 'running' then 1 else 0 end,
    status = case when pulls.status = 'running' then 'running' else 'queued' end,
    ended_at = null,
    closed_at = null`;

/** Key of the lock: any number that no other use has (migrations.ts has one). */
const CLAIMING = 6_280_402;

const NEXT = `
  select p.key from pulls p left join turns t on t.repository_id = p.repository_id
  where p.status = 'queued' and p.not_before <= $1
    and not exists (select 1 from installations i where i.id = p.installation_id and i.state <> 'active')
    and not exists (select 1 from pulls r
      where r.status = 'running' and r.repository_id = p.repository_id and r.head_sha = p.head_sha)
  order by coalesce(t.served, 0), p.not_before - p.priority * 1000, p.key limit 1`;

// The token is never below the time, so it grows even past a row that was pruned and has come again.
const CLAIM = `
  update pulls set status = 'running', again = 0, attempts = attempts + 1, worker = $2, lease_until = $3,
    token = case when token < $4 then $4 else token + 1 end
  where key = $1 returning *`;

const SERVED = `
  insert into turns (repository_id, served) select cast($1 as bigint), coalesce(max(served), 0) + 1 from turns where true
  on conflict (repository_id) do update set served = excluded.served`;

const FINISH = `
  update pulls set status = case when again = 1 then 'queued' else 'idle' end, again = 0, attempts = 0, error = null,
    lease_until = null, ended_at = $3,
    closed_at = case when $4 = 1 and again = 0 then coalesce(closed_at, $3) else closed_at end
  where ${PULL_HELD} returning status`;

// A newer request is not to blame for what failed before it: it gets all its tries, at its own time.
const FAIL = `
  update pulls set
    status = case when again = 0 and attempts >= $6 then 'poison' else 'queued' end,
    attempts = case when again = 1 then 0 else attempts end,
    not_before = case when again = 1 then not_before else $4 end,
    again = 0, error = $5, lease_until = null, ended_at = $3
  where ${PULL_HELD} returning status`;

const GIVE_BACK = `
  update pulls set status = 'queued', not_before = $4, again = 0, lease_until = null,
    attempts = case when again = 1 or attempts = 0 then 0 else attempts - 1 end
  where ${PULL_HELD} returning key`;

const CLOSE = `
  update pulls set closed_at = $2, again = 0, status = case when status = 'running' then 'running' else 'idle' end
  where key = $1`;

function claimed(row: Row): ClaimedEvaluation {
  const key = text(row, 'key');
  return {
    lease: { id: key, token: int(row, 'token') },
    key,
    repositoryId: int(row, 'repository_id'),
    installationId: int(row, 'installation_id'),
    number: int(row, 'number'),
    reason: text(row, 'reason'),
    headSha: optionalText(row, 'head_sha'),
    requestedAt: int(row, 'requested_at'),
    attempts: int(row, 'attempts'),
  };
}

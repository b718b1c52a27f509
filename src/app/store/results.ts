import type { Database, Row } from './database.ts';
import { int, lockRow, optionalInt, optionalText, text } from './database.ts';
import { PULL_HELD } from './lease.ts';
import type { EvaluationResult, EvaluationStore } from './queues.ts';

type ResultStore = Pick<EvaluationStore, 'recordEvaluation' | 'evaluation' | 'latestEvaluation' | 'awaitingAt'>;

/** Results of evaluations, of which only the ids of what was published are filled in later. */
export function resultStore(db: Database): ResultStore {
  return {
    recordEvaluation: ({ lease, now, result }) =>
      db.transaction(async (sql) => {
        const held = await sql.all(`select key from pulls where ${PULL_HELD}${lockRow(sql)}`, [
          lease.id,
          lease.token,
          now,
        ]);
        if (held.length === 0) return 'lost';
        if (result.key !== lease.id) throw new TypeError(`The lease of ${lease.id} does not cover ${result.key}.`);
        await sql.all(RECORD, [
          result.id,
          result.key,
          lease.token,
          result.headSha,
          result.baseSha,
          result.outcome,
          result.word,
          result.reportDigest,
          result.commentId,
          result.checkIds === undefined ? undefined : JSON.stringify(result.checkIds),
          result.at,
          result.awaits === undefined ? undefined : JSON.stringify(result.awaits),
        ]);
        return 'recorded';
      }),

    evaluation: async (id) => {
      const [row] = await db.all('select * from evaluations where id = $1', [id]);
      return row === undefined ? undefined : resultOf(row);
    },

    latestEvaluation: async (key) => {
      const [row] = await db.all(`select * from evaluations where id = (${newestOf('$1')})`, [key]);
      return row === undefined ? undefined : resultOf(row);
    },

    awaitingAt: async ({ repositoryId, headSha }) =>
      (await db.all(AWAITING, [repositoryId, headSha])).map((row) => ({
        number: int(row, 'number'),
        awaits: listOf(row, 'awaits'),
      })),
  };
}

const newestOf = (key: string): string =>
  `select n.id from evaluations n where n.key = ${key} order by n.token desc, n.at desc, n.id desc limit 1`;

// What one awaits that is being evaluated for the first time at its head is not known yet.
const AWAITING = `
  select p.number, e.awaits from pulls p
  left join evaluations e on e.id = (${newestOf('p.key')}) and e.head_sha = p.head_sha and e.outcome = 'pending'
  where p.repository_id = $1 and p.head_sha = $2 and p.closed_at is null and (p.status = 'running' or e.id is not null)
  order by p.number`;

const RECORD = `
  insert into evaluations (id, key, token, head_sha, base_sha, outcome, word, report_digest, comment_id, check_ids, at,
    awaits)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
  on conflict (id) do update set
    comment_id = coalesce(excluded.comment_id, evaluations.comment_id),
    check_ids = coalesce(excluded.check_ids, evaluations.check_ids)`;

function resultOf(row: Row): EvaluationResult {
  const commentId = optionalInt(row, 'comment_id');
  const checkIds = optionalText(row, 'check_ids');
  const awaits = listOf(row, 'awaits');
  return {
    id: text(row, 'id'),
    key: text(row, 'key'),
    headSha: text(row, 'head_sha'),
    baseSha: text(row, 'base_sha'),
    outcome: text(row, 'outcome'),
    word: optionalText(row, 'word'),
    reportDigest: text(row, 'report_digest'),
    ...(awaits === undefined ? {} : { awaits }),
    ...(commentId === undefined ? {} : { commentId }),
    ...(checkIds === undefined ? {} : { checkIds: JSON.parse(checkIds) as Record<string, number> }),
    at: int(row, 'at'),
  };
}

function listOf(row: Row, column: string): readonly string[] | undefined {
  const found = optionalText(row, column);
  return found === undefined ? undefined : (JSON.parse(found) as string[]);
}

import type { Database, Row } from './database.ts';
import { int, optionalInt, optionalText, text, textMap } from './database.ts';
import type { DecisionStore, KeptDecision } from './records.ts';

/** What people decided, and which comments were answered. */
export function decisionStore(db: Database): DecisionStore {
  return {
    appendDecision: async (decision) => {
      const rows = await db.all(APPEND, [
        decision.id,
        decision.commentId,
        decision.key,
        decision.actorId,
        decision.actorLogin,
        decision.verb,
        JSON.stringify(decision.details),
        decision.headSha,
        decision.contractDigest,
        decision.at,
      ]);
      return rows.length === 0 ? 'duplicate' : 'appended';
    },

    voidDecisions: async ({ commentId, now, why }) => {
      await db.all(
        'insert into decision_voids (comment_id, at, why) values ($1, $2, $3) on conflict (comment_id) do nothing',
        [commentId, now, why],
      );
    },

    decisionsOf: async (key) => (await db.all(OF_KEY, [key])).map(decisionOf),

    beginAnswer: ({ commentId, key, now }) =>
      db.transaction(async (sql) => {
        const begun = await sql.all(BEGIN_ANSWER, [commentId, key, now]);
        if (begun.length > 0) return 'first';
        const [row] = await sql.all('select answered_at from answers where comment_id = $1', [commentId]);
        return row === undefined || optionalInt(row, 'answered_at') === undefined ? 'look' : 'answered';
      }),

    markAnswered: async ({ commentId, now, remoteId }) => {
      const rows = await db.all(
        `update answers set answered_at = $2, remote_id = $3 where comment_id = $1 and answered_at is null
         returning comment_id`,
        [commentId, now, remoteId],
      );
      return rows.length > 0;
    },
  };
}

const APPEND = `
  insert into decisions (id, comment_id, key, actor_id, actor_login, verb, details, head_sha, contract_digest, at, seq)
  select $1, cast($2 as bigint), $3, cast($4 as bigint), $5, $6, $7, $8, $9, cast($10 as bigint), coalesce(max(seq), 0) + 1
  from decisions where key = $3
  on conflict (id) do nothing returning id`;

const OF_KEY = `
  select d.*, v.at as voided_at, v.why from decisions d left join decision_voids v on v.comment_id = d.comment_id
  where d.key = $1 order by d.seq, d.at, d.id`;

const BEGIN_ANSWER = `
  insert into answers (comment_id, key, begun_at) values ($1, $2, $3) on conflict (comment_id) do nothing
  returning comment_id`;

function decisionOf(row: Row): KeptDecision {
  const voidedAt = optionalInt(row, 'voided_at');
  return {
    id: text(row, 'id'),
    commentId: int(row, 'comment_id'),
    key: text(row, 'key'),
    actorId: int(row, 'actor_id'),
    actorLogin: text(row, 'actor_login'),
    verb: text(row, 'verb'),
    details: textMap(row, 'details'),
    headSha: text(row, 'head_sha'),
    contractDigest: optionalText(row, 'contract_digest'),
    at: int(row, 'at'),
    voided: voidedAt === undefined ? undefined : { at: voidedAt, why: text(row, 'why') },
  };
}

import { createHash } from 'node:crypto';
import type { Database } from './database.ts';
import { int, text } from './database.ts';
import type { EtagKey, EtagStore } from './care.ts';

/** A use is noted at most this often, so that reading seldom writes; in milliseconds. */
const NOTED_EVERY = 60 * 60_000;

/** Answers of GitHub that may be asked for again with their ETag. */
export function etagStore(db: Database): EtagStore {
  return {
    etag: async ({ now, ...key }) => {
      const values = [key.installationId, digestOf(key)];
      const [row] = await db.all(`select etag, body, used_at from etags where ${ONE}`, values);
      if (row === undefined) return undefined;
      if (now - int(row, 'used_at') >= NOTED_EVERY) {
        await db.all(`update etags set used_at = $3 where ${ONE}`, [...values, now]);
      }
      return { etag: text(row, 'etag'), body: text(row, 'body') };
    },

    putEtag: async ({ etag, body, now, ...key }) => {
      await db.all(PUT, [key.installationId, digestOf(key), etag, now, body]);
    },

    trimEtags: async ({ before, maxCount }) => {
      const old = await db.all('delete from etags where used_at < $1 returning used_at', [before]);
      // The one that is just too many; its equals in time go with it, so the count holds.
      const [extra] = await db.all('select used_at from etags order by used_at desc limit 1 offset $1', [maxCount]);
      if (extra === undefined) return old.length;
      const more = await db.all('delete from etags where used_at <= $1 returning used_at', [int(extra, 'used_at')]);
      return old.length + more.length;
    },
  };
}

const ONE = 'installation_id = $1 and url_digest = $2';

const PUT = `
  insert into etags (installation_id, url_digest, etag, used_at, body) values ($1, $2, $3, $4, $5)
  on conflict (installation_id, url_digest) do update set etag = excluded.etag, used_at = excluded.used_at,
    body = excluded.body`;

// Addresses with their queries may be longer than what PostgreSQL's indexes take (2,704 bytes).
function digestOf({ url }: EtagKey): string {
  return createHash('sha256').update(url).digest('hex');
}

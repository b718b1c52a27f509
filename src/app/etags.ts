import * as z from 'zod';
import type { EtagStore, StoredAnswer } from '../github/etags.ts';
import type { Time } from '../github/time.ts';
import type { Store } from './store/store.ts';

const answerSchema = z.object({ body: z.unknown(), link: z.string().optional() });

/**
 * Answers that one installation was given, kept in the store: asking again for what has not changed costs nothing of
 * the rate limit (docs.github.com, "Best practices for using the REST API": conditional requests).
 */
export function installationEtags(
  store: Pick<Store, 'etag' | 'putEtag'>,
  installationId: number,
  time: Pick<Time, 'now'>,
): EtagStore {
  return {
    get: async (key): Promise<StoredAnswer | undefined> => {
      const kept = await store.etag({ installationId, url: key, now: time.now() });
      if (kept === undefined) return undefined;
      const { body, link } = answerSchema.parse(JSON.parse(kept.body));
      return { etag: kept.etag, body, link };
    },
    set: async (key, { etag, body, link }) => {
      await store.putEtag({ installationId, url: key, etag, body: JSON.stringify({ body, link }), now: time.now() });
    },
  };
}

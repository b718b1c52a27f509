import { Refusal } from '../../domain/errors.ts';
import type { PublicationLog } from '../../publish/log.ts';
import type { Lease } from '../store/queues.ts';
import type { Store } from '../store/store.ts';

/**
 * Bookkeeping of what an evaluation writes to GitHub, in the App's store: what was begun is known after a crash, and a
 * worker that was overtaken writes nothing any more.
 * @throws Refusal CS1804 (from `begin`) where another worker has taken over; CS181x
 */
export function publicationLog(
  store: Pick<Store, 'beginPublication' | 'finishPublication'>,
  lease: Lease,
  evaluationId: string,
  now: () => number,
): PublicationLog {
  return {
    begin: async ({ surface: kind, target, digest }) => {
      const begun = await store.beginPublication({ lease, now: now(), kind, target, evaluationId, digest });
      switch (begun.is) {
        case 'create':
          return { state: 'new' };
        case 'look':
          return { state: 'begun' };
        case 'update':
        case 'unchanged':
          return { state: 'finished', id: Number(begun.remoteId) };
        case 'lost':
          throw new Refusal('CS1804', 'The evaluation is carried out by another worker by now.');
      }
    },
    finish: async ({ surface: kind, target }, { id }) => {
      await store.finishPublication({ lease, now: now(), kind, target, remoteId: String(id) });
    },
  };
}

import { isRefusal } from '../../domain/errors.ts';
import type { Metrics } from '../metrics.ts';
import type { Counts } from '../store/care.ts';
import type { Store } from '../store/store.ts';
import type { Page } from './server.ts';

export interface HealthOptions {
  readonly store: Pick<Store, 'ping' | 'counts'>;
  readonly metrics: Metrics;
  readonly now: () => number;
  readonly version: string;
  /** Why no new work is taken, where that is so: it is shutting down, or GitHub refuses the App. */
  readonly notReady: () => string | undefined;
}

/** The pages that operators and their tools look at. */
export function healthPages(options: HealthOptions): Readonly<Record<string, Page>> {
  const { store, metrics, now, version, notReady } = options;
  return {
    // Alive: the process answers. Nothing else is asked, or an outage of the database would have it killed.
    '/healthz': () => Promise.resolve({ status: 200, body: { status: 'ok', version } }),
    '/readyz': async () => {
      const why = notReady() ?? (await fault(() => store.ping()));
      return why === undefined
        ? { status: 200, body: { status: 'ready' } }
        : { status: 503, body: { status: 'not ready', why } };
    },
    '/metrics': async () => {
      const counts: Counts | undefined = await store.counts({ now: now() }).catch((thrown: unknown) => {
        if (isRefusal(thrown)) return undefined; // countersign_store_up tells it
        throw thrown;
      });
      return { status: 200, text: await metrics.text(counts), contentType: metrics.contentType };
    },
  };
}

async function fault(body: () => Promise<void>): Promise<string | undefined> {
  try {
    await body();
    return undefined;
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    return `${thrown.code} ${thrown.message}`;
  }
}

import { describe, expect, it } from '@jest/globals';
import { soakApp } from '../../scripts/soak/app.ts';
import type { AppSoak } from '../../scripts/soak/app.ts';
import { CAN_START_POSTGRES } from '../support/postgres.ts';
import { SEED } from '../support/random.ts';

/** It waits for leases and for deliveries to be sent again, on machines that do other things too. */
const TIMEOUT = 600_000;

// The short form of `npm run soak -- app`.
const soak = async (store: 'sqlite' | 'postgres'): Promise<AppSoak> =>
  soakApp({
    ...{
      store,
      processes: 1,
      deliveries: 100,
      pulls: 8,
      kills: 3,
      outages: 0,
      faults: 0,
      seed: SEED,
      progress: () => undefined,
    },
  });

describe('an App that is killed again and again', () => {
  for (const store of ['sqlite', 'postgres'] as const) {
    const run = store === 'postgres' && !CAN_START_POSTGRES ? it.skip : it;
    run(
      `loses and doubles nothing on ${store}`,
      async () => {
        const { breaches, figures, folder } = await soak(store);
        expect({ breaches, log: folder }).toEqual({ breaches: [], log: undefined });
        // It was really struck, and something had to be brought by the sweep.
        expect(figures['deliveries']).toBeGreaterThanOrEqual(100);
        expect([figures['kills'], figures['pull requests']]).toEqual([3, 8]);
        expect(figures['failed at first']).toBeGreaterThan(0);
        expect(figures['sent again']).toBeGreaterThan(0);
      },
      TIMEOUT,
    );
  }
});

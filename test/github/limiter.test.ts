import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  CONTENT_PER_HOUR,
  CONTENT_PER_MINUTE,
  createLimiter,
  GRAPHQL_POINTS_PER_MINUTE,
  REST_POINTS_PER_MINUTE,
} from '../../src/github/limiter.ts';
import type { CallCost, Limiter } from '../../src/github/limiter.ts';
import { createBudget } from '../../src/github/retry.ts';
import { SEED } from '../support/random.ts';

const MINUTE = 60_000;
const HOUR = 3_600_000;

/** The most that lies within any span of a length. */
function densest(turns: readonly { readonly at: number; readonly amount: number }[], length: number): number {
  return Math.max(
    ...turns.map(({ at }) =>
      turns.filter((one) => one.at >= at && one.at < at + length).reduce((sum, one) => sum + one.amount, 0),
    ),
  );
}

describe('turns', () => {
  it.each([
    ['core', false, REST_POINTS_PER_MINUTE, 1, 2000],
    ['core', true, REST_POINTS_PER_MINUTE, 5, 400],
    ['graphql', false, GRAPHQL_POINTS_PER_MINUTE, 1, 4000],
  ] as const)('%s, writes: %s: at most %d points a minute, and no fewer', (resource, writes, most, amount, calls) => {
    const limiter = createLimiter({ time: { now: () => 0 } });
    const turns = Array.from({ length: calls }, () => ({ at: limiter.turn({ resource, writes }, Infinity), amount }));
    expect(densest(turns, MINUTE)).toBe(Math.floor(most / amount) * amount);
    // As early as that allows.
    expect(turns.at(-1)?.at).toBe(Math.floor((calls * amount - 1) / most) * MINUTE);
  });

  it('of content: at most so many a minute and an hour', () => {
    const limiter = createLimiter({ time: { now: () => 0 } });
    const turns = Array.from({ length: 1000 }, () => ({ at: limiter.contentTurn(Infinity), amount: 1 }));
    expect([densest(turns, MINUTE), densest(turns, HOUR)]).toEqual([CONTENT_PER_MINUTE, CONTENT_PER_HOUR]);
  });

  it('never exceed a limit, whenever they are asked for', () => {
    const steps = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.boolean()), {
      minLength: 1,
      maxLength: 400,
    });
    fc.assert(
      fc.property(steps, (calls) => {
        let now = 0;
        const limiter = createLimiter({ time: { now: () => now } });
        const turns = calls.map(([later, writes]) => {
          now += later % 300;
          return { at: limiter.turn({ resource: 'core', writes }, Infinity), amount: writes ? 5 : 1, now };
        });
        expect(turns.every(({ at, now: asked }) => at >= asked)).toBe(true);
        expect(densest(turns, MINUTE)).toBeLessThanOrEqual(REST_POINTS_PER_MINUTE);
      }),
      { seed: SEED, numRuns: 50 },
    );
  });

  it('that come too late take nothing', () => {
    const limiter = createLimiter({ time: { now: () => 0 } });
    const cost: CallCost = { resource: 'core', writes: false };
    for (let n = 0; n < REST_POINTS_PER_MINUTE; n += 1) limiter.turn(cost, 0);
    for (let n = 0; n < 5000; n += 1) expect(limiter.turn(cost, 0)).toBe(MINUTE);
    expect(limiter.turn(cost, Infinity)).toBe(MINUTE);
    // Content that must wait holds nothing else back.
    for (let n = 0; n < 1000; n += 1) limiter.contentTurn(Infinity);
    expect(limiter.turn(cost, Infinity)).toBe(MINUTE);
  });

  it.each([
    ['core', 500, 0],
    ['graphql', 0, 500],
    ['all', 500, 500],
  ] as const)('are held back as GitHub asks: %s', (resource, core, graphql) => {
    const limiter = createLimiter({ time: { now: () => 0 } });
    limiter.pause(resource, 500);
    limiter.pause(resource, 100);
    const turn = (one: CallCost['resource']) => limiter.turn({ resource: one, writes: false }, Infinity);
    expect([turn('core'), turn('graphql')]).toEqual([core, graphql]);
  });
});

describe('places', () => {
  const run = async (limiter: Limiter, calls: number): Promise<number> => {
    let running = 0;
    let most = 0;
    await Promise.allSettled(
      Array.from({ length: calls }, (_, n) =>
        limiter.place(async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          if (n % 3 === 0) throw new Error('failed');
        }),
      ),
    );
    return most;
  };

  it.each([
    [1, 20, 1],
    [10, 50, 10],
    [10, 3, 3],
  ])('%d for %d calls', async (places, calls, most) => {
    const limiter = createLimiter({ time: { now: () => 0 }, maxInFlight: places });
    expect(await run(limiter, calls)).toBe(most);
    // Those that failed have given their places back.
    expect(await run(limiter, calls)).toBe(most);
  });
});

describe('a budget', () => {
  it('counts spans that overlap once', () => {
    let now = 1000;
    const budget = createBudget(100, { now: () => now });
    expect(budget.latest()).toBe(1100);
    budget.spend(1060);
    budget.spend(1060);
    budget.spend(1030);
    expect(budget.latest()).toBe(1100);
    now = 1050;
    expect(budget.latest()).toBe(1100);
    now = 2000;
    expect(budget.latest()).toBe(2040);
    budget.spend(2040);
    now = 3000;
    expect(budget.latest()).toBe(3000);
  });
});

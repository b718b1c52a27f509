import { beforeAll, describe, expect, it } from '@jest/globals';
import { endsWell, startAppWorld } from '../../support/app-world.ts';
import type { AppWorld } from '../../support/app-world.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld();
});

describe('calls of the API', () => {
  it('judging an unchanged head again takes at most 6 that are not answered from memory', async () => {
    const place = await world.place({ governed: { risk: 'high' } });
    const pull = await place.judged({ tested: 'success' });
    place.approve(pull);
    await world.settled();
    expect(place.checks(pull)[0]).toBe('success');
    world.sandbox.forgetCalls();
    await place.says(pull, world.ana, '/countersign recheck');
    const { 'reactions/create-for-issue-comment': reaction, ...calls } = world.sandbox.calls('uncached');
    expect(reaction).toBe(1);
    const sum = Object.values(calls).reduce((all, one) => all + one, 0);
    expect([sum <= 6, calls]).toEqual([true, calls]);
    expect(Object.keys(calls).filter((route) => /create|update|delete/.test(route))).toEqual([]);
  });

  it('and once more at most 3', async () => {
    const place = await world.place({ governed: { risk: 'high' } });
    const pull = await place.judged({ tested: 'success' });
    await place.says(pull, world.ana, '/countersign recheck');
    world.sandbox.forgetCalls();
    const run = place.run(pull);
    if (run === undefined) throw new Error('no check run');
    world.sandbox.requestAction(place.repository, run, 'recheck', world.ana);
    await world.settled();
    const calls = world.sandbox.calls('uncached');
    const sum = Object.values(calls).reduce((all, one) => all + one, 0);
    expect([sum <= 3, calls]).toEqual([true, calls]);
  });
});

endsWell(() => world);

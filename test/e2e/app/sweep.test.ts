import { beforeAll, describe, expect, it } from '@jest/globals';
import { endsWell, startAppWorld } from '../../support/app-world.ts';
import type { AppWorld } from '../../support/app-world.ts';
import { until } from '../../support/processes.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld({ started: false });
});

const plain = { governed: null, config: null } as const;

describe('a sweep', () => {
  it('finds pull requests that no event brought', async () => {
    const place = await world.place(plain);
    const pull = await place.open();
    const other = await place.open({ branch: 'other', fork: world.eve });
    await world.start('first');
    await until(() => place.checks(pull)[2] === 'success' && place.checks(other)[2] === 'success');
    await world.settled();
    expect([place.checks(pull), place.checks(other)].flat()).toEqual(Array.from({ length: 6 }, () => 'success'));
    expect(await world.stopApp()).toBe(0);
  });

  it('asks for deliveries again that failed', async () => {
    const place = await world.place(plain);
    const pull = await place.open();
    // Nobody listens there.
    world.sandbox.deliverTo('http://127.0.0.1:9/', world.secrets.current, world.app);
    world.sandbox.comment(place.repository, pull, world.ana, '/countersign help');
    await world.sandbox.settled();
    const failed = world.deliveries('issue_comment', 'created').at(-1);
    expect(failed?.statusCode).toBe(0);
    world.step(120);
    // It is older than a minute by the clock of the sandbox, and the App's goes by its own.
    Object.assign(failed ?? {}, { at: Date.now() - 120_000 });
    world.sandbox.deliverTo(null, world.secrets.current, world.app);
    await world.start('second');
    await until(() => place.answers(pull).length > 0);
    await world.settled();
    expect(place.answers(pull)).toHaveLength(1);
    expect(world.process().said('asked for a failed delivery again')).toHaveLength(1);
  });

  it('asks for the others where asking for one fails, and for that one later', async () => {
    expect(await world.stopApp()).toBe(0);
    const place = await world.place(plain);
    const pull = await place.open();
    world.sandbox.deliverTo('http://127.0.0.1:9/', world.secrets.current, world.app);
    for (let count = 0; count < 3; count += 1) {
      world.sandbox.comment(place.repository, pull, world.ana, '/countersign help');
      await world.sandbox.settled();
    }
    for (const one of world.deliveries('issue_comment', 'created').slice(-3))
      Object.assign(one, { at: Date.now() - 120_000 });
    world.sandbox.deliverTo(null, world.secrets.current, world.app);
    world.sandbox.faults.add({
      ...{ route: 'apps/redeliver-webhook-delivery', nth: 1, times: 1 },
      effect: { kind: 'status', status: 500, when: 'before' },
    });
    await world.start('partly');
    await until(() => world.process().said('a failed delivery was not asked for again').length > 0);
    await until(() => place.answers(pull).length === 2);
    await until(() => place.answers(pull).length === 3);
    await world.settled();
    expect(world.process().said('a failed delivery was not asked for again')).toHaveLength(1);
    world.sandbox.faults.clear();
  });

  it('writes nothing where all is as it was', async () => {
    const place = await world.place(plain);
    const pull = await place.judged();
    const run = place.run(pull);
    expect(await world.stopApp()).toBe(0);
    world.sandbox.forgetCalls();
    await world.start('third');
    await until(() => (world.sandbox.calls()['pulls/get'] ?? 0) >= 4);
    await world.settled();
    expect(place.run(pull)).toEqual(run);
    expect(Object.keys(world.sandbox.calls()).filter((route) => /create|update/.test(route))).toEqual([
      'apps/create-installation-access-token',
    ]);
  });
});

endsWell(() => world);

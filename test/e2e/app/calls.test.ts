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
    world.sandbox.forgetCalls();
    await place.says(pull, world.ana, '/countersign recheck');
    console.log(world.sandbox.calls(), world.sandbox.calls('uncached'), world.sandbox.log().map(c=>JSON.stringify(c)).join('\n'));
  });
});

endsWell(() => world);

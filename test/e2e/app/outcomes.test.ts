import { beforeAll, describe, expect, it } from '@jest/globals';
import { CHECKS, endsWell, startAppWorld } from '../../support/app-world.ts';
import type { AppWorld } from '../../support/app-world.ts';
import { CI, CONFIG_TEXT } from '../../support/governed-repository.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld();
});

describe('the App says each outcome', () => {
  it('verified: three check runs, one comment, and in_progress came first', async () => {
    const place = await world.place();
    const pull = await place.judged({ tested: 'success' });
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
    expect(place.run(pull)?.title).toMatch(/^VERIFIED \(platform/);
    expect(place.verdict(pull)?.body).toMatch(/^## .*VERIFIED \(platform/);
    const id = place.run(pull)?.externalId;
    for (const name of CHECKS) expect(place.run(pull, name)?.externalId).toBe(id);
    const begun = world.sandbox.events().filter(({ event, action }) => event === 'check_run' && action === 'created');
    for (const { payload } of begun) expect(payload).toMatchObject({ check_run: { status: 'in_progress' } });
    expect(begun).toHaveLength(3);
  });
});

endsWell(() => world);

import { beforeAll, describe, expect, it } from '@jest/globals';
import { endsWell, startAppWorld } from '../../support/app-world.ts';
import type { AppWorld } from '../../support/app-world.ts';
import { CONFIG_TEXT } from '../../support/governed-repository.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld({ settings: { COMMIT_STATUS: 'on' } });
});

describe('a commit status beside the check runs', () => {
  it('says the same, once', async () => {
    const place = await world.place();
    const pull = await place.judged({ tested: 'success' });
    await place.says(pull, world.ana, '/countersign recheck');
    const own = place.repository.statuses.filter(({ sha }) => sha === pull.head.sha);
    expect(own).toMatchObject([{ context: 'countersign', state: 'success' }]);
    expect(own[0]?.description).toMatch(/^VERIFIED/);
  });

  it('waits for a person as pending', async () => {
    const place = await world.place({ governed: { risk: 'high' } });
    const pull = await place.judged({ tested: 'success' });
    expect(place.repository.statuses).toMatchObject([{ state: 'pending' }]);
    expect(place.checks(pull)[0]).toBe('action_required');
  });
});

describe('the comment, as the configuration says', () => {
  it('never: none', async () => {
    const place = await world.place({ config: `comment: never\n${CONFIG_TEXT}` });
    const pull = await place.judged({ tested: 'failure' });
    expect([place.checks(pull)[0], place.verdict(pull)]).toEqual(['failure', undefined]);
  });

  it('on-problem: none while it is verified, and brought up to date where there is one', async () => {
    const place = await world.place({ config: `comment: on-problem\n${CONFIG_TEXT}` });
    const pull = await place.judged({ tested: 'success' });
    expect([place.checks(pull)[0], place.verdict(pull)]).toEqual(['success', undefined]);
    const [run] = place.repository.runs.values();
    if (run === undefined) throw new Error('no run');
    await world.sandbox.rerun(place.repository, run);
    await world.sandbox.finishJob(place.repository, run, 'test', 'failure');
    await world.settled();
    expect(place.verdict(pull)?.body).toContain('UNVERIFIED');
    await world.sandbox.rerun(place.repository, run);
    await world.sandbox.finishJob(place.repository, run, 'test', 'success');
    await world.settled();
    expect(place.verdict(pull)?.body).toMatch(/^## [^\n]* VERIFIED/);
  });

  it('always: where a run governs, and none on a plain change by people', async () => {
    const place = await world.place({ config: `comment: always\n${CONFIG_TEXT}` });
    const pull = await place.judged({ tested: 'success' });
    expect(place.verdict(pull)).toBeDefined();
    const other = await place.judged({ branch: 'people', ledger: false, tested: 'success' });
    expect([place.checks(other)[0], place.verdict(other)]).toEqual(['success', undefined]);
  });
});

endsWell(() => world);

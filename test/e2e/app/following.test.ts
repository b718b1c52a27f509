import { beforeAll, describe, expect, it } from '@jest/globals';
import { endsWell, startAppWorld } from '../../support/app-world.ts';
import type { AppWorld } from '../../support/app-world.ts';
import { CI } from '../../support/governed-repository.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld({ apart: true });
});

const NEW = { 'src/app.ts': 'export const app = 9;\n' };

describe('the App waits, and follows', () => {
  it('turns green when the tests end, through workflow_run', async () => {
    const place = await world.place();
    const pull = await place.judged();
    const run = await place.tests(pull);
    await world.sandbox.finishJob(place.repository, run, 'test', 'success');
    await world.settled();
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
    expect(place.verdict(pull)?.body).toContain('VERIFIED (platform');
  });

  it.each(['success', 'failure'] as const)(
    'says what the awaited job showed (%s) while its workflow goes on',
    async (how) => {
      const place = await world.place();
      const pull = await place.judged();
      const run = await world.sandbox.startWorkflowRun(place.repository, {
        ...{ at: pull, path: CI, name: 'CI', jobs: ['test', 'deploy', 'docs', 'e2e'] },
      });
      await world.settled();
      // Nobody waits for these: they cost no call, however many there are.
      const ends = async (job: string): Promise<void> => {
        world.sandbox.forgetCalls();
        await world.sandbox.finishJob(place.repository, run, job, 'success');
        await world.settled();
        expect(world.sandbox.calls()).toEqual({});
      };
      await ends('deploy');
      expect(place.checks(pull)[0]).toBe('in_progress');
      await world.sandbox.finishJob(place.repository, run, 'test', how);
      await world.settled();
      expect(place.checks(pull)[0]).toBe(how);
      await ends('docs');
    },
  );

  it('turns green with a review, goes back when it is dismissed, and fails where changes are requested', async () => {
    const place = await world.place({ governed: { risk: 'high' } });
    const pull = await place.judged({ tested: 'success' });
    expect([place.run(pull)?.title, ...place.checks(pull)]).toEqual([
      ...[expect.stringMatching(/^UNVERIFIED, waiting: /), 'action_required', 'success', 'success'],
    ]);
    const review = place.approve(pull);
    await world.settled();
    expect(place.checks(pull)[0]).toBe('success');
    world.sandbox.dismissReview(place.repository, pull, review, world.ada);
    await world.settled();
    expect(place.checks(pull)[0]).toBe('action_required');
    world.sandbox.review(place.repository, pull, world.ana, 'CHANGES_REQUESTED');
    await world.settled();
    expect(place.checks(pull)[0]).toBe('failure');
  });

  it('does not take an approval over to a new head', async () => {
    const place = await world.place({ governed: { risk: 'high' } });
    const pull = await place.judged({ tested: 'success' });
    place.approve(pull);
    world.step();
    const old = pull.head.sha;
    await place.push(pull, NEW);
    await place.tests(pull, 'success');
    await world.settled();
    expect(pull.head.sha).not.toBe(old);
    expect(place.checks(pull)[0]).toBe('action_required');
  });

  it('judges a draft like any other', async () => {
    const place = await world.place();
    const pull = await place.judged({ tested: 'success', draft: true });
    expect(place.checks(pull)[0]).toBe('success');
  });

  it('judges a pull request from a fork, and follows its tests', async () => {
    const place = await world.place();
    const pull = await place.judged({ fork: world.eve });
    expect(place.checks(pull)).toEqual(['in_progress', 'success', 'success']);
    const run = await place.tests(pull);
    await world.sandbox.finishJob(place.repository, run, 'test', 'success');
    await world.settled();
    expect(place.checks(pull)).toEqual(['success', 'success', 'success']);
    expect(place.verdict(pull)).toBeDefined();
  });

  it('red tests that are run again', async () => {
    const place = await world.place();
    const pull = await place.judged({ tested: 'failure' });
    expect(place.checks(pull)[0]).toBe('failure');
    const [run] = place.repository.runs.values();
    if (run === undefined) throw new Error('no run');
    await world.sandbox.rerun(place.repository, run);
    await world.sandbox.finishJob(place.repository, run, 'test', 'success');
    await world.settled();
    expect(place.checks(pull)[0]).toBe('success');
  });
});

endsWell(() => world);

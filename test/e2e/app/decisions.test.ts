import { beforeAll, describe, expect, it } from '@jest/globals';
import { endsWell, startAppWorld } from '../../support/app-world.ts';
import type { AppWorld, Place } from '../../support/app-world.ts';
import type { PullRequest } from '../../../src/sandbox/state.ts';

let world: AppWorld;
beforeAll(async () => {
  world = await startAppWorld({ apart: true });
});

describe('decisions', () => {
  const waiting = async (): Promise<{ place: Place; pull: PullRequest }> => {
    const place = await world.place({ governed: { risk: 'high', waive: { 'gate.review': 'Alone' } } });
    const pull = await place.judged({ tested: 'success' });
    expect([place.run(pull)?.title, place.checks(pull)[0]]).toEqual([
      expect.stringMatching(/^UNVERIFIED, waiting: /),
      'action_required',
    ]);
    return { place, pull };
  };

  it('a waiver in the ledger, confirmed by a person', async () => {
    const { place, pull } = await waiting();
    const comment = await place.says(pull, world.ana, '/countersign confirm waiver There is nothing to test yet');
    expect(place.reactions(comment)).toEqual(['+1']);
    expect([place.run(pull)?.title, place.checks(pull)[0]]).toEqual([expect.stringMatching(/^VERIFIED/), 'success']);
    expect(place.verdict(pull)?.body).toContain('ana');
    expect(place.answers(pull)).toEqual([]);
  });

  it.each([
    ['the author', 'coder'],
    ['somebody without permission', 'eve'],
  ] as const)('by %s: not counted, and told why', async (_, who) => {
    const { place, pull } = await waiting();
    const comment = await place.says(pull, world[who], '/countersign confirm waiver It is fine');
    expect(place.reactions(comment)).toEqual(['confused']);
    expect(place.answers(pull)[0]).toContain('does not count');
    expect(place.answers(pull)[0]).toContain(who);
    expect(place.checks(pull)[0]).toBe('action_required');
  });

  it('an edited comment never counts, not even one that had counted', async () => {
    const { place, pull } = await waiting();
    const comment = await place.says(pull, world.ana, '/countersign confirm waiver Nothing to test');
    expect(place.checks(pull)[0]).toBe('success');
    world.sandbox.editComment(
      place.repository,
      comment,
      world.ana,
      '/countersign confirm waiver Nothing to test at all',
    );
    await world.settled();
    expect(place.checks(pull)[0]).toBe('action_required');
  });

  it('a comment that becomes a command by an edit is none', async () => {
    const { place, pull } = await waiting();
    const comment = await place.says(pull, world.ana, 'Looks good');
    world.sandbox.editComment(place.repository, comment, world.ana, '/countersign confirm waiver Nothing to test');
    await world.settled();
    expect([place.checks(pull)[0], place.answers(pull)]).toEqual(['action_required', []]);
  });

  it('a deleted one does not count any more', async () => {
    const { place, pull } = await waiting();
    const comment = await place.says(pull, world.ana, '/countersign confirm waiver Nothing to test');
    expect(place.checks(pull)[0]).toBe('success');
    world.sandbox.deleteComment(place.repository, comment, world.ana);
    await world.settled();
    expect(place.checks(pull)[0]).toBe('action_required');
  });

  it('is void after a push', async () => {
    const { place, pull } = await waiting();
    await place.says(pull, world.ana, '/countersign confirm waiver Nothing to test');
    expect(place.checks(pull)[0]).toBe('success');
    await place.push(pull, { 'src/app.ts': 'export const app = 3;\n' });
    await place.tests(pull, 'success');
    await world.settled();
    expect(place.checks(pull)[0]).toBe('action_required');
  });
});

endsWell(() => world);

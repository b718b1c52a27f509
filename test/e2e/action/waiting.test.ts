import { describe, expect, it } from '@jest/globals';
import { inWorld } from '../../support/action-world.ts';

describe('the Action waits, and follows', () => {
  it('turns green when the tests end, through workflow_run', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      const run = await world.tests(pull);
      await world.act('pull_request');
      expect(world.status(pull.head.sha)?.state).toBe('pending');
      await world.sandbox.finishJob(world.repository, run, 'test', 'success');
      const said = await world.act('workflow_run');
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
      expect(world.status(pull.head.sha)?.state).toBe('success');
      expect(world.comments(pull)).toHaveLength(1);
      expect(world.comments(pull)[0]?.body).toContain('VERIFIED (platform');
    });
  });

  it('turns red when the tests fail, and green when they are run again', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      const run = await world.tests(pull, 'failure');
      await world.act('workflow_run');
      expect(world.status(pull.head.sha)?.state).toBe('failure');
      await world.sandbox.rerun(world.repository, run);
      await world.act('pull_request');
      expect(world.status(pull.head.sha)?.state).toBe('pending');
      await world.sandbox.finishJob(world.repository, run, 'test', 'success');
      await world.act('workflow_run');
      expect(world.status(pull.head.sha)?.state).toBe('success');
    });
  });

  it('turns green with an approving review', async () => {
    await inWorld({ governed: { risk: 'high' } }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const before = await world.act('pull_request');
      expect(before.outputs['outcome']).toBe('pending');
      world.approve(pull);
      const said = await world.act('pull_request_review');
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
      expect(world.status(pull.head.sha)?.state).toBe('success');
    });
  });

  it('goes back to waiting when the review is dismissed', async () => {
    await inWorld({ governed: { risk: 'high' } }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const review = world.approve(pull);
      await world.act('pull_request_review');
      expect(world.status(pull.head.sha)?.state).toBe('success');
      world.sandbox.dismissReview(world.repository, pull, review, world.ada);
      await world.act('pull_request_review');
      expect(world.status(pull.head.sha)?.state).toBe('pending');
    });
  });

  it('fails where changes are requested', async () => {
    await inWorld({ governed: { risk: 'high' } }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      world.sandbox.review(world.repository, pull, world.ana, 'CHANGES_REQUESTED');
      const said = await world.act('pull_request_review');
      expect(said.outputs['outcome']).toBe('failed');
    });
  });

  it.each([
    ['its author', 'coder'],
    ['somebody without write permission', 'eve'],
  ] as const)('does not take an approval by %s', async (_, who) => {
    await inWorld({ governed: { risk: 'high' } }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      if (who === 'eve') world.approve(pull, world.eve);
      else expect(() => world.approve(pull, world.coder)).not.toThrow();
      const said = await world.act('pull_request_review');
      expect(said.outputs['outcome']).toBe('pending');
    });
  });

  it('does not carry an approval over to a new head', async () => {
    await inWorld({ governed: { risk: 'high' } }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      world.approve(pull);
      await world.sandbox.push(world.repository, world.coder, {
        ...{ branch: 'feature', files: { 'src/app.ts': 'export const app = 3;\n' }, message: 'Once more' },
      });
      await world.tests(pull, 'success');
      const said = await world.act('pull_request');
      expect(said.outputs['outcome']).toBe('pending');
      expect(world.status(pull.head.sha)?.state).toBe('pending');
    });
  });

  it('judges a draft like any other', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open({ draft: true });
      await world.tests(pull, 'success');
      expect((await world.act('pull_request')).outputs['outcome']).toBe('verified');
      await world.sandbox.editPullRequest(world.repository, pull, world.coder, { draft: false });
      const said = await world.act('pull_request');
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
    });
  });
});

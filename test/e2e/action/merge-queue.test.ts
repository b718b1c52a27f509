import { describe, expect, it } from '@jest/globals';
import { inWorld } from '../../support/action-world.ts';

const OPTIONS = { example: 'merge-queue.yml' } as const;
const GROUP = { 'fail-on': '' } as const;

describe('the merge queue', () => {
  it('judges each queued pull request again and publishes on the group', async () => {
    await inWorld(OPTIONS, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const group = await world.sandbox.mergeGroup(world.repository, [pull], world.ada);
      const said = await world.act('merge_group', { with: GROUP });
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
      expect(world.status(group.headSha)?.state).toBe('success');
      expect(world.status(pull.head.sha)).toBeUndefined();
    });
  });

  it('is as bad as the worst of several', async () => {
    await inWorld({ ...OPTIONS, config: null }, async (world) => {
      const one = await world.open({ branch: 'one', ledger: false, files: { 'src/app.ts': 'a\n' } });
      const two = await world.open({
        ...{ branch: 'two', ledger: false, files: { 'src/app.ts': 'export const app = 1;\n', 'src/b.ts': 'b\n' } },
        message: 'Add b\n\nCo-authored-by: Claude <noreply@anthropic.com>',
      });
      const group = await world.sandbox.mergeGroup(world.repository, [one, two], world.ada);
      const said = await world.act('merge_group', { with: GROUP });
      expect([said.code, said.outputs['outcome']]).toEqual([1, 'failed']);
      expect(world.status(group.headSha)?.state).toBe('failure');
    });
  });

  it('does not take a verdict for granted: evidence that is gone is missed', async () => {
    await inWorld(OPTIONS, async (world) => {
      const pull = await world.open();
      const run = await world.tests(pull, 'success');
      await world.act('pull_request');
      expect(world.status(pull.head.sha)?.state).toBe('success');
      await world.sandbox.rerun(world.repository, run);
      await world.sandbox.finishJob(world.repository, run, 'test', 'failure');
      const group = await world.sandbox.mergeGroup(world.repository, [pull], world.ada);
      const said = await world.act('merge_group', { with: GROUP });
      expect([said.code, said.outputs['outcome']]).toEqual([1, 'failed']);
      expect(world.status(group.headSha)?.state).toBe('failure');
    });
  });

  it('refuses a group whose pull request has another head than is queued', async () => {
    await inWorld(OPTIONS, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const group = await world.sandbox.mergeGroup(world.repository, [pull], world.ada);
      await world.sandbox.push(world.repository, world.coder, {
        ...{ branch: 'feature', files: { 'src/app.ts': 'export const app = 3;\n' }, message: 'Once more' },
      });
      await world.tests(pull, 'success');
      const said = await world.act('merge_group', { with: GROUP });
      expect([said.code, said.outputs['outcome']]).toEqual([4, 'incomplete']);
      expect(world.status(group.headSha)).toBeUndefined();
    });
  });

  it('refuses a group of nothing', async () => {
    await inWorld(OPTIONS, async (world) => {
      const pull = await world.open();
      await world.sandbox.mergeGroup(world.repository, [pull], world.ada);
      const event = world.newest('merge_group');
      const { merge_group } = event.payload as { readonly merge_group: { readonly base_sha: string } };
      const empty = { ...merge_group, head_sha: merge_group.base_sha };
      const payload = { ...event.payload, merge_group: empty };
      const said = await world.act('merge_group', { event: { ...event, payload }, with: GROUP });
      expect([said.code, said.outputs['outcome']]).toEqual([4, 'incomplete']);
      expect(said.annotations[0]?.properties['title']).toContain('CS1704');
    });
  });

  describe.each(['squash', 'rebase'] as const)('that makes a %s', (method) => {
    it('passes what its pull request proves', async () => {
      await inWorld(OPTIONS, async (world) => {
        const more = [{ message: 'Once more', files: { 'src/app.ts': 'export const app = 3;\n' } }];
        const pull = await world.open({ commits: more });
        await world.tests(pull, 'success');
        const group = await world.sandbox.mergeGroup(world.repository, [pull], world.ada, method);
        const said = await world.act('merge_group', { with: GROUP });
        expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
        expect(world.status(group.headSha)?.state).toBe('success');
      });
    });

    it('fails with a pull request that is not proven', async () => {
      await inWorld(OPTIONS, async (world) => {
        const pull = await world.open();
        await world.tests(pull, 'failure');
        const group = await world.sandbox.mergeGroup(world.repository, [pull], world.ada, method);
        const said = await world.act('merge_group', { with: GROUP });
        expect([said.code, said.outputs['outcome']]).toEqual([1, 'failed']);
        expect(world.status(group.headSha)?.state).toBe('failure');
      });
    });

    it('fails with a file that no queued pull request changes', async () => {
      await inWorld({ ...OPTIONS, config: null, governed: null }, async (world) => {
        const pull = await world.open({ title: 'Add the demo' });
        const group = await world.sandbox.mergeGroup(world.repository, [pull], world.ada, method);
        const sha = await world.sandbox.push(world.repository, world.ada, {
          ...{ branch: group.branch, files: { 'src/planted.ts': 'x\n' }, message: `Add more (#${pull.number})` },
        });
        const event = world.newest('merge_group');
        const { merge_group } = event.payload as { readonly merge_group: object };
        const payload = { ...event.payload, merge_group: { ...merge_group, head_sha: sha } };
        const said = await world.act('merge_group', { event: { ...event, payload }, with: GROUP });
        expect([said.code, said.outputs['outcome']]).toEqual([4, 'incomplete']);
        expect(said.summary).toContain('src/planted.ts');
      });
    });
  });

  it('squashes several, each told by its number', async () => {
    await inWorld({ ...OPTIONS, config: null, governed: null }, async (world) => {
      const one = await world.open({ branch: 'one', title: 'Add one (#99)', files: { 'src/one.ts': '1\n' } });
      const two = await world.open({ branch: 'two', title: 'Add two', files: { 'src/two.ts': '2\n' } });
      await world.sandbox.mergeGroup(world.repository, [one, two], world.ada, 'squash');
      const said = await world.act('merge_group', { with: GROUP });
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'not-governed']);
    });
  });

  it('cannot tell which are queued where several are rebased, and says so', async () => {
    await inWorld({ ...OPTIONS, config: null, governed: null }, async (world) => {
      // Of one file, so that no file tells them apart.
      const one = await world.open({ branch: 'one', message: 'One', files: { 'src/it.ts': '1\n' } });
      const two = await world.open({ branch: 'two', message: 'Two', files: { 'src/it.ts': '1\n' } });
      await world.sandbox.mergeGroup(world.repository, [one, two], world.ada, 'rebase');
      const said = await world.act('merge_group', { with: GROUP });
      expect([said.code, said.outputs['outcome']]).toEqual([4, 'incomplete']);
      expect(said.annotations[0]?.properties['title']).toContain('CS1704');
    });
  });

  it('looks at what the queue itself wrote, but not at who wrote it', async () => {
    await inWorld({ ...OPTIONS, config: null, governed: null }, async (world) => {
      const pull = await world.open({ title: 'Add the demo' });
      await world.sandbox.mergeGroup(world.repository, [pull], world.ada);
      expect((await world.act('merge_group', { with: GROUP })).outputs['outcome']).toBe('not-governed');
    });
  });
});

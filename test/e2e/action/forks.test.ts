import { describe, expect, it } from '@jest/globals';
import { inWorld } from '../../support/action-world.ts';

describe('pull requests from forks', () => {
  it('are judged with a token that only reads: summary, annotations, exit code and one notice', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open({ fork: world.eve });
      await world.tests(pull, 'success');
      const said = await world.act('pull_request', { with: { 'fail-on': '' } });
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
      expect(world.status(pull.head.sha)).toBeUndefined();
      expect(world.comments(pull)).toEqual([]);
      const notices = said.annotations.filter(({ message }) => message.includes('two-workflow pattern'));
      expect(notices).toHaveLength(1);
      expect(notices[0]?.level).toBe('notice');
      expect(said.summary).toContain('VERIFIED');
    });
  });

  it('get their verdict from a second workflow, which takes nothing over from the first', async () => {
    await inWorld({ example: 'forks.yml' }, async (world) => {
      const pull = await world.open({ fork: world.eve });
      const run = await world.tests(pull);
      const waits = await world.act('workflow_run', { event: requested(world) });
      expect([waits.code, waits.outputs['outcome']]).toEqual([0, 'pending']);
      expect(world.status(pull.head.sha)?.state).toBe('pending');
      await world.sandbox.finishJob(world.repository, run, 'test', 'success');
      const said = await world.act('workflow_run');
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
      expect(world.status(pull.head.sha)?.state).toBe('success');
      expect(world.comments(pull)).toHaveLength(1);
    });
  });

  it('cannot have another pull request judged by what the payload says', async () => {
    await inWorld({ example: 'forks.yml' }, async (world) => {
      const other = await world.open({ branch: 'other', ledger: false });
      const pull = await world.open({ fork: world.eve });
      await world.tests(pull, 'success');
      const event = world.newest('workflow_run');
      const run = { ...(event.payload['workflow_run'] as object), pull_requests: [{ number: other.number }] };
      await world.act('workflow_run', { event: { ...event, payload: { ...event.payload, workflow_run: run } } });
      expect(world.status(other.head.sha)).toBeUndefined();
      expect(world.status(pull.head.sha)?.state).toBe('success');
    });
  });

  it('can be judged at once by pull_request_target, as data', async () => {
    await inWorld({ example: 'pull-request-target.yml' }, async (world) => {
      const pull = await world.open({ fork: world.eve });
      await world.tests(pull, 'success');
      const said = await world.act('pull_request_target');
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
      expect(world.status(pull.head.sha)?.state).toBe('success');
    });
  });

  it('are judged though the fork is gone: nobody knows any more who pushed, so nobody may decide', async () => {
    await inWorld({ example: 'pull-request-target.yml', governed: { risk: 'high' } }, async (world) => {
      const pull = await world.open({ fork: world.eve });
      world.sandbox.deleteFork(world.sandbox.repositoryById(pull.head.repositoryId ?? 0));
      world.approve(pull);
      await world.sandbox.editPullRequest(world.repository, pull, world.eve, { title: 'Another title' });
      const said = await world.act('pull_request_target');
      expect(said.outputs['verdict']).toBe('UNVERIFIED');
      expect(['unverified', 'pending', 'incomplete']).toContain(said.outputs['outcome']);
      expect(world.status(pull.head.sha)?.state).not.toBe('success');
      expect(said.stderr).toBe('');
    });
  });
});

function requested(world: { readonly sandbox: { readonly events: () => readonly SandboxEvent[] } }): SandboxEvent {
  const found = world.sandbox
    .events()
    .findLast(({ event, action }) => event === 'workflow_run' && action === 'requested');
  if (found === undefined) throw new Error('No run was requested.');
  return found;
}
type SandboxEvent = ReturnType<Parameters<Parameters<typeof inWorld>[1]>[0]['newest']>;

import { describe, expect, it } from '@jest/globals';
import { inWorld } from '../../support/action-world.ts';
import type { ActionWorld } from '../../support/action-world.ts';

const CLEAN = { files: { 'src/b.ts': 'export const b = 1;\n' }, message: 'Add b' };
const CREDITED = { ...CLEAN, message: 'Add b\n\nCo-authored-by: Claude <noreply@anthropic.com>' };
const OPTIONS = { example: 'push.yml', governed: null } as const;

async function outcome(world: ActionWorld): Promise<readonly [number, string | undefined]> {
  const said = await world.act('push');
  expect(world.repository.statuses.filter(({ context }) => context === 'countersign')).toEqual([]);
  return [said.code, said.outputs['outcome']];
}

describe('what is pushed', () => {
  it('to a branch: what is new on it', async () => {
    await inWorld(OPTIONS, async (world) => {
      const { sandbox, repository, coder } = world;
      await sandbox.push(repository, coder, { branch: 'topic', ...CREDITED });
      await sandbox.push(repository, coder, { branch: 'topic', ...CLEAN, files: { 'src/c.ts': 'c\n' } });
      expect(await outcome(world)).toEqual([0, 'not-governed']);
    });
  });

  it('as a new branch: all that the default branch does not have', async () => {
    await inWorld(OPTIONS, async (world) => {
      const { sandbox, repository, coder } = world;
      await sandbox.push(repository, coder, { branch: 'topic', ...CLEAN });
      expect(await outcome(world)).toEqual([0, 'not-governed']);
      await sandbox.push(repository, coder, { branch: 'other', commits: [CREDITED, { ...CLEAN, message: 'More' }] });
      expect(await outcome(world)).toEqual([1, 'failed']);
    });
  });

  it('by force: the whole rewritten branch', async () => {
    await inWorld(OPTIONS, async (world) => {
      const { sandbox, repository, coder } = world;
      await sandbox.push(repository, coder, { branch: 'topic', ...CLEAN });
      await sandbox.push(repository, coder, { branch: 'topic', force: true, from: 'main', ...CREDITED });
      expect(await outcome(world)).toEqual([1, 'failed']);
    });
  });

  it('to the default branch: what is new on it', async () => {
    await inWorld(OPTIONS, async (world) => {
      await world.sandbox.push(world.repository, world.ada, { branch: 'main', ...CREDITED });
      expect(await outcome(world)).toEqual([1, 'failed']);
    });
  });

  it('a branch that is deleted: nothing to judge', async () => {
    await inWorld(OPTIONS, async (world) => {
      const { sandbox, repository, coder } = world;
      await sandbox.push(repository, coder, { branch: 'topic', ...CLEAN });
      await sandbox.deleteBranch(repository, coder, 'topic');
      expect(await outcome(world)).toEqual([0, '']);
    });
  });

  it('a tag: all that the default branch does not have', async () => {
    await inWorld(OPTIONS, async (world) => {
      const { sandbox, repository, coder } = world;
      const sha = await sandbox.push(repository, coder, { branch: 'topic', ...CREDITED });
      const event = world.newest('push');
      const payload = { ...event.payload, ref: 'refs/tags/v1', before: '0'.repeat(40), after: sha };
      const said = await world.act('push', { event: { ...event, payload } });
      expect([said.code, said.outputs['outcome']]).toEqual([1, 'failed']);
    });
  });

  it('a secret: it is found, and not shown', async () => {
    await inWorld(OPTIONS, async (world) => {
      const { sandbox, repository, coder } = world;
      const secret = ['ghp', '_', 'x9K2mQ7vR4tB8nL1cZ5wY3dF6gH0jS'.padEnd(36, 'aQ3')].join('');
      const message = 'Add settings';
      await sandbox.push(repository, coder, {
        branch: 'topic',
        message,
        files: { 'settings.env': `TOKEN=${secret}\n` },
      });
      const said = await world.act('push', { env: { ACTIONS_STEP_DEBUG: 'true', RUNNER_DEBUG: '1' } });
      expect([said.code, said.outputs['outcome']]).toEqual([1, 'failed']);
      const everything = [said.stdout, said.stderr, said.summary, said.report, said.sarif, said.facts].join('\n');
      expect(everything).not.toContain(secret);
      expect(everything).toContain('settings.env');
    });
  });

  it('started by hand on a branch with a pull request: the pull request', async () => {
    await inWorld({ example: 'push.yml' }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      world.sandbox.dispatch(
        world.repository,
        world.coder,
        '.github/workflows/countersign.yml',
        null,
        'refs/heads/feature',
      );
      const said = await world.act('workflow_dispatch');
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
    });
  });

  it('started by hand on a branch without one: the branch', async () => {
    await inWorld(OPTIONS, async (world) => {
      const { sandbox, repository, coder } = world;
      await sandbox.push(repository, coder, { branch: 'topic', ...CREDITED });
      sandbox.dispatch(repository, coder, '.github/workflows/countersign.yml', null, 'refs/heads/topic');
      const said = await world.act('workflow_dispatch');
      expect([said.code, said.outputs['outcome']]).toEqual([1, 'failed']);
    });
  });
});

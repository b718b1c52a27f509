import { describe, expect, it } from '@jest/globals';
import { inWorld } from '../../support/action-world.ts';

const HIDDEN = {
  message: 'Add it\n\nCo-authored-by: Claude <noreply@anthropic.com>',
  files: { 'src/app.ts': 'hidden\n' },
};

describe('limits of the platform hide nothing', () => {
  it('a commit behind 250 others', async () => {
    await inWorld({ governed: null, config: null }, async (world) => {
      const others = Array.from({ length: 260 }, (_, index) => ({
        ...{ message: `Step ${index}`, files: { 'src/app.ts': `${index}\n` } },
      }));
      await world.open({ message: HIDDEN.message, commits: others });
      const said = await world.act('pull_request', { with: { 'fail-on': '' } });
      expect([said.code, said.outputs['outcome']]).toEqual([1, 'failed']);
    });
  });

  it('a file behind 3,000 others', async () => {
    await inWorld({ governed: null, config: 'runs:\n  required: never\n' }, async (world) => {
      const many: Record<string, string> = {};
      for (let index = 0; index < 3100; index += 1) many[`a/${String(index).padStart(4, '0')}.txt`] = `${index}\n`;
      await world.open({
        files: { ...many, '.github/countersign.yml': 'runs: {}\n', 'zz/z.txt': 'z\n' },
      });
      const said = await world.act('pull_request', { with: { 'fail-on': '' } });
      // Either all are seen, or the verdict says that they were not: it never passes.
      expect(said.code).not.toBe(0);
      expect(['pending', 'incomplete']).toContain(said.outputs['outcome']);
      if (said.outputs['outcome'] === 'incomplete') expect(said.summary).toContain('files');
    });
  });

  it('more pull requests with one head than are judged', async () => {
    await inWorld({ governed: null, config: null }, async (world) => {
      const { sandbox, repository, ada, coder } = world;
      const pull = await world.open();
      for (let index = 0; index < 10; index += 1) {
        await sandbox.push(repository, ada, {
          branch: `base-${index}`,
          files: { 'b.txt': `${index}\n` },
          message: 'Base',
        });
        await sandbox.openPullRequest(repository, { by: coder, branch: 'feature', base: `base-${index}` });
      }
      const said = await world.act('pull_request', { with: { 'fail-on': '' } });
      expect([said.code, said.outputs['outcome']]).toEqual([4, 'incomplete']);
      expect(world.status(pull.head.sha)?.state).toBe('failure');
    });
  });
});

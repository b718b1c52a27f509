import { describe, expect, it } from '@jest/globals';
import { CONFIG_TEXT, inWorld } from '../../support/action-world.ts';

describe('events', () => {
  it('a run that is started again reads the pull request anew', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open({ body: 'Countersign-Run: another-r1-run-001' });
      await world.tests(pull, 'success');
      const event = world.newest('pull_request');
      expect((await world.act('pull_request', { event })).outputs['outcome']).toBe('unverified');
      await world.sandbox.editPullRequest(world.repository, pull, world.coder, { body: 'What it does.' });
      const again = await world.act('pull_request', { event, env: { GITHUB_RUN_ATTEMPT: '2' } });
      expect([again.code, again.outputs['outcome']]).toEqual([0, 'verified']);
    });
  });

  it('a run for a head that is no more passes for no other, and publishes nothing', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      const event = world.newest('pull_request');
      await world.sandbox.push(world.repository, world.coder, {
        ...{ branch: 'feature', files: { 'src/app.ts': 'export const app = 3;\n' }, message: 'Once more' },
      });
      await world.tests(pull, 'success');
      const said = await world.act('pull_request', { event });
      expect([said.code, said.outputs['outcome'], said.outputs['verdict']]).toEqual([4, 'incomplete', 'UNVERIFIED']);
      expect(said.annotations[0]?.properties['title']).toContain('CS1705');
      expect(world.repository.statuses.filter(({ context }) => context === 'countersign')).toEqual([]);
    });
  });

  it('a push in the middle of an evaluation: the result is dropped', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const judged = pull.head.sha;
      const event = world.newest('pull_request');
      world.sandbox.faults.add({
        ...{ route: 'pulls/get', nth: 1 },
        effect: {
          kind: 'meanwhile',
          act: () =>
            world.sandbox.push(world.repository, world.coder, {
              ...{ branch: 'feature', force: true, from: 'main', message: 'Rewritten' },
              files: { 'src/app.ts': 'export const app = 9;\n' },
            }),
        },
      });
      const said = await world.act('pull_request', { event });
      expect(pull.head.sha).not.toBe(judged);
      expect([said.code, said.outputs['outcome']]).toEqual([4, 'incomplete']);
      expect(world.repository.statuses.filter(({ context }) => context === 'countersign')).toEqual([]);
      expect(world.comments(pull)).toEqual([]);
    });
  });

  it('a push before the collection has begun: the result is dropped', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const event = world.newest('pull_request');
      world.sandbox.faults.add({
        ...{ route: 'graphql', nth: 1 },
        effect: {
          kind: 'meanwhile',
          act: () =>
            world.sandbox.push(world.repository, world.coder, {
              ...{ branch: 'feature', files: { 'src/app.ts': 'export const app = 9;\n' }, message: 'Once more' },
            }),
        },
      });
      const said = await world.act('pull_request', { event });
      expect([said.code, said.outputs['outcome']]).toEqual([4, 'incomplete']);
      expect(world.repository.statuses.filter(({ context }) => context === 'countersign')).toEqual([]);
    });
  });

  it('another base: the rules of the new one, and the old result does not stand', async () => {
    await inWorld({ config: null, governed: null }, async (world) => {
      const { sandbox, repository, ada } = world;
      await sandbox.push(repository, ada, {
        ...{ branch: 'release', message: 'Demand runs' },
        files: { '.github/countersign.yml': 'runs:\n  required: always\n' },
      });
      repository.protectedBranches.add('release');
      const pull = await world.open();
      await world.act('pull_request');
      expect(world.status(pull.head.sha)?.state).toBe('success');
      await sandbox.editPullRequest(repository, pull, world.coder, { base: 'release' });
      const said = await world.act('pull_request');
      expect(said.outputs['outcome']).toBe('unverified');
      expect(world.status(pull.head.sha)?.state).toBe('failure');
    });
  });

  it('another base, and the evaluation fails: what stood for the old base does not stand', async () => {
    await inWorld({ config: null, governed: null }, async (world) => {
      const { sandbox, repository, ada } = world;
      await sandbox.push(repository, ada, { branch: 'release', message: 'Begin', files: { 'a.txt': 'a\n' } });
      const pull = await world.open();
      await world.act('pull_request');
      await sandbox.editPullRequest(repository, pull, world.coder, { base: 'release' });
      sandbox.faults.add({ route: 'graphql', effect: { kind: 'status', status: 503 } });
      const said = await world.act('pull_request', { env: { COUNTERSIGN_WAIT_SECONDS: '2' } });
      expect(said.code).not.toBe(0);
      expect(world.status(pull.head.sha)?.state).not.toBe('success');
    });
  });

  it('one head in two pull requests: the worst stands on the commit', async () => {
    await inWorld({}, async (world) => {
      const { sandbox, repository, ada, coder } = world;
      await sandbox.push(repository, ada, {
        ...{ branch: 'release', message: 'Ask for more' },
        files: { '.github/countersign.yml': `${CONFIG_TEXT}scope:\n  enforce: block\nruns:\n  required: always\n` },
      });
      repository.protectedBranches.add('release');
      // Tests of a push: of a pull request's it would not be known for which of the two they ran.
      const pull = await world.open({ tested: 'success' });
      const other = await sandbox.openPullRequest(repository, {
        ...{ by: coder, branch: 'feature', base: 'release', title: 'The same' },
        body: 'Countersign-Run: another-r1-run-001',
      });
      expect(other.head.sha).toBe(pull.head.sha);
      const said = await world.act('workflow_run');
      expect(said.outputs['outcome']).toBe('unverified');
      expect(world.status(pull.head.sha)?.state).toBe('failure');
      expect(said.summary).toContain('Pull request');
      // The one that was right still says so, and the summary tells why the commit is red.
      expect(world.comments(pull)[0]?.body).toContain('VERIFIED (platform');
      expect(world.comments(other)[0]?.body).toContain('UNVERIFIED');
      await sandbox.editPullRequest(repository, other, coder, { state: 'closed' });
      const after = await world.act('workflow_run');
      expect(after.outputs['outcome']).toBe('verified');
      expect(world.status(pull.head.sha)?.state).toBe('success');
    });
  });

  it('workflow_run at a commit of no pull request: nothing to judge', async () => {
    await inWorld({}, async (world) => {
      const sha = await world.sandbox.tip(world.repository, 'main');
      const run = await world.sandbox.startWorkflowRun(world.repository, {
        ...{ path: '.github/workflows/ci.yml', name: 'CI', event: 'push', at: { sha, branch: 'main' } },
      });
      await world.sandbox.finishJob(world.repository, run, 'test', 'success');
      const said = await world.act('workflow_run');
      expect([said.code, said.outputs['outcome'], said.outputs['verdict']]).toEqual([0, '', '']);
      expect(said.annotations[0]?.message).toContain('No open pull request');
    });
  });

  it('a pull request that is closed meanwhile: nothing is judged, and the job does not pass', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      const event = world.newest('pull_request');
      await world.sandbox.editPullRequest(world.repository, pull, world.coder, { state: 'closed' });
      const said = await world.act('pull_request', { event });
      expect([said.code, said.outputs['outcome']]).toEqual([4, 'incomplete']);
      expect(world.status(pull.head.sha)).toBeUndefined();
    });
  });

  it('an event that is not supported: a clear failure that lists those that are', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      const { runAction } = await import('../../support/run-action.ts');
      const said = await runAction({
        ...{ token: 'none', eventName: 'schedule', payload: { number: pull.number } },
        env: { GITHUB_REPOSITORY: 'acme/widgets', GITHUB_API_URL: world.sandbox.url },
      });
      expect(said.code).toBe(1);
      expect(said.annotations[0]?.message).toContain(
        'pull_request, pull_request_target, pull_request_review, workflow_run, merge_group, push, workflow_dispatch',
      );
      expect(world.sandbox.log()).toEqual([]);
    });
  });

  it.each([
    ['mode', 'strict', 'observe, warn, enforce'],
    ['fail-on', 'everything', 'pending, unverified, failed, incomplete'],
  ])('an unknown value of input %s: a failure that lists what it takes', async (name, value, allowed) => {
    await inWorld({}, async (world) => {
      await world.open();
      const said = await world.act('pull_request', { with: { [name]: value } });
      expect(said.code).toBe(1);
      expect(said.annotations[0]?.properties['title']).toContain('CS1701');
      expect(said.annotations[0]?.message).toContain(allowed);
    });
  });
});

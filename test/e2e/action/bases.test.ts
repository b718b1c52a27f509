import { describe, expect, it } from '@jest/globals';
import { CI, startActionWorld } from '../../support/action-world.ts';
import type { ActionWorld, ActionWorldOptions } from '../../support/action-world.ts';

/** A world whose time goes on by a minute at every step that is told, and a branch with tests that pass whatever happens. */
async function inBases(
  options: ActionWorldOptions,
  scenario: (world: ActionWorld, later: () => void) => Promise<void>,
): Promise<void> {
  let ahead = 0;
  const world = await startActionWorld({ ...options, sandbox: { now: () => Date.now() + ahead } });
  try {
    const text = 'on: pull_request\njobs:\n  test:\n    runs-on: ubuntu-latest\n    steps:\n      - run: "true"\n';
    await world.sandbox.push(world.repository, world.coder, {
      ...{ branch: 'easy', message: 'Make the tests easy', files: { [CI]: text } },
    });
    await scenario(world, () => void (ahead += 60_000));
  } finally {
    await world.stop();
  }
}

const REVIEWED = { governed: { risk: 'high' } };

describe('what is known of one base says nothing of another', () => {
  it('tests that ran for another base: the workflow of that base was run, also when it is run again', async () => {
    await inBases({}, async (world, later) => {
      const { sandbox, repository, coder, act } = world;
      const pull = await world.open();
      await sandbox.editPullRequest(repository, pull, coder, { base: 'easy' });
      const run = await world.tests(pull, 'success');
      later();
      await sandbox.editPullRequest(repository, pull, coder, { base: 'main' });
      const said = await act('pull_request');
      expect(said.outputs['outcome']).not.toBe('verified');
      expect(world.status(pull.head.sha)?.state).not.toBe('success');
      expect(said.summary).toContain('only before the pull request had its base');
      expect(said.summary).toContain('close the pull request and open it again, or push');
      later();
      await sandbox.rerun(repository, run);
      await sandbox.finishJob(repository, run, 'test', 'success');
      expect((await act('workflow_run')).outputs['outcome']).not.toBe('verified');
      later();
      await world.tests(pull, 'success');
      expect((await act('workflow_run')).outputs['outcome']).toBe('verified');
    });
  });

  it('tests that may have run for another pull request of the same branch, which is open or was closed at once', async () => {
    await inBases({}, async (world, later) => {
      const { sandbox, repository, coder, act } = world;
      const pull = await world.open();
      later();
      const other = await sandbox.openPullRequest(repository, {
        ...{ by: coder, branch: 'feature', base: 'easy', title: 'The same' },
      });
      await world.tests(other, 'success');
      await sandbox.editPullRequest(repository, other, coder, { state: 'closed' });
      const said = await act('workflow_run');
      expect(said.outputs['outcome']).toBe('pending');
      expect(said.summary).toContain(`they may have run for pull request ${other.number}`);
      expect(said.summary).toContain('Push another commit');
      expect(world.status(pull.head.sha)?.state).not.toBe('success');
    });
  });

  it('tests that ran before the pull request was opened, for one that was closed before', async () => {
    await inBases({}, async (world, later) => {
      const { sandbox, repository, coder, act } = world;
      const other = await world.open();
      await sandbox.editPullRequest(repository, other, coder, { base: 'easy' });
      await world.tests(other, 'success');
      await sandbox.editPullRequest(repository, other, coder, { state: 'closed' });
      for (let minute = 0; minute < 11; minute += 1) later();
      const pull = await sandbox.openPullRequest(repository, {
        ...{ by: coder, branch: 'feature', base: 'main', title: 'The same' },
      });
      expect((await act('pull_request')).outputs['outcome']).not.toBe('verified');
      later();
      await world.tests(pull, 'success');
      expect((await act('workflow_run')).outputs['outcome']).toBe('verified');
    });
  });

  it('a workflow of another branch at the same commit', async () => {
    await inBases({}, async (world) => {
      const { sandbox, repository, coder, act } = world;
      const pull = await world.open();
      const at = { sha: pull.head.sha, branch: 'twin' };
      const run = await sandbox.startWorkflowRun(repository, { at, path: CI, by: coder });
      await sandbox.finishJob(repository, run, 'test', 'success');
      expect((await act('workflow_run')).outputs['outcome']).toBe('pending');
    });
  });

  it('a review: the same head brings other changes into another base', async () => {
    await inBases(REVIEWED, async (world, later) => {
      const { sandbox, repository, coder, act } = world;
      const pull = await world.open();
      await sandbox.editPullRequest(repository, pull, coder, { base: 'easy' });
      later();
      world.approve(pull);
      later();
      await sandbox.editPullRequest(repository, pull, coder, { base: 'main' });
      later();
      await world.tests(pull, 'success');
      const said = await act('workflow_run');
      expect(said.outputs['outcome']).toBe('pending');
      expect(said.summary).toContain('approved before the pull request was given its base');
      later();
      world.approve(pull);
      expect((await act('pull_request_review')).outputs['outcome']).toBe('verified');
    });
  });
});

describe('who had a hand in it does not decide about it', () => {
  it('a co-author of a commit', async () => {
    await inBases(REVIEWED, async (world) => {
      const { ana, act } = world;
      const pull = await world.open({
        message: `Add the demo\n\nCo-authored-by: Ana <${ana.id}+ana@users.noreply.github.com>`,
      });
      await world.tests(pull, 'success');
      world.approve(pull);
      const said = await act('pull_request_review');
      expect(said.outputs['outcome']).toBe('pending');
      expect(said.summary).toContain('ana is a co-author of its commits');
    });
  });

  it("whoever pushed a commit under another's name, though somebody else pushed last", async () => {
    await inBases(REVIEWED, async (world) => {
      const { sandbox, repository, coder, ana, act } = world;
      const pull = await world.open();
      const author = { name: 'Coder', email: 'coder@example.com' };
      await sandbox.push(repository, ana, {
        ...{
          branch: 'feature',
          author,
          committer: author,
          files: { 'src/app.ts': 'export const app = 3;\n' },
          message: 'More',
        },
      });
      await world.push(pull, { 'src/app.ts': 'export const app = 4;\n' }, 'Last', coder);
      await world.tests(pull, 'success');
      world.approve(pull);
      const said = await act('pull_request_review');
      expect(said.outputs['outcome']).toBe('pending');
      expect(said.summary).toContain('ana is a pusher of its commits');
    });
  });
});

describe('a base that anybody may push to', () => {
  it('a verdict on it does not stand by the name that a protection requires: the commit could be merged elsewhere', async () => {
    await inBases({}, async (world, later) => {
      const { sandbox, repository, coder, act } = world;
      await sandbox.push(repository, coder, {
        ...{ branch: 'stack', message: 'Hide it here', files: { 'src/hidden.ts': 'export const hidden = 1;\n' } },
      });
      const pull = await world.open({ base: 'stack', tested: 'success' });
      later();
      const said = await act('workflow_run');
      expect(said.outputs['outcome']).toBe('verified');
      const contexts = repository.statuses.filter(({ sha }) => sha === pull.head.sha).map((one) => one.context);
      expect(contexts).toEqual(['countersign (into stack)']);
      // The same commit into the branch that is guarded: nothing stands there before it is judged.
      later();
      const real = await sandbox.openPullRequest(repository, {
        ...{ by: coder, branch: 'feature', base: 'main', title: 'The same' },
      });
      expect(real.head.sha).toBe(pull.head.sha);
      expect(world.status(pull.head.sha)).toBeUndefined();
      expect((await act('pull_request')).outputs['outcome']).toBe('failed');
      expect(world.status(pull.head.sha)?.state).toBe('failure');
    });
  });
});

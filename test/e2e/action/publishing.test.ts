import { describe, expect, it } from '@jest/globals';
import { CONFIG_TEXT, inWorld } from '../../support/action-world.ts';
import { runAction } from '../../support/run-action.ts';

describe('publishing', () => {
  it('as a check run', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const token = world.sandbox.workflowToken(world.repository, {
        ...{ actions: 'read', contents: 'read', pull_requests: 'write', checks: 'write' },
      });
      const said = await world.act('pull_request', { with: { publish: 'check' }, token });
      expect(said.code).toBe(0);
      const checks = [...world.repository.checkRuns.values()].filter(({ name }) => name === 'countersign');
      expect(checks).toMatchObject([{ headSha: pull.head.sha, status: 'completed', conclusion: 'success' }]);
      expect(checks[0]?.title).toMatch(/^VERIFIED \(platform/);
      expect(world.status(pull.head.sha)).toBeUndefined();
    });
  });

  it('as the configuration says where the input does not', async () => {
    await inWorld({ config: 'publish: none\ncomment: never\n' }, async (world) => {
      const pull = await world.open();
      const said = await world.act('pull_request', { with: { publish: '' } });
      expect(said.outputs['outcome']).toBe('unverified');
      expect(world.status(pull.head.sha)).toBeUndefined();
      expect(world.comments(pull)).toEqual([]);
    });
  });

  it('a status has the name that the configuration gives it', async () => {
    await inWorld({ config: `${CONFIG_TEXT}context: gate\n` }, async (world) => {
      const pull = await world.open({ tested: 'success' });
      await world.act('pull_request');
      expect(world.repository.statuses.map(({ sha, context, state }) => [sha, context, state])).toEqual([
        [pull.head.sha, 'gate', 'success'],
      ]);
    });
  });

  it('the same again: nothing is written to the comment', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      await world.act('pull_request');
      world.sandbox.forgetCalls();
      await world.act('pull_request', { env: { GITHUB_RUN_ID: '4712' } });
      const calls = world.sandbox.calls();
      expect(calls['issues/create-comment']).toBeUndefined();
      expect(calls['issues/update-comment']).toBeUndefined();
      expect(world.comments(pull)).toHaveLength(1);
    });
  });

  it('on the head, never on the merge that GitHub tries', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      await world.act('pull_request');
      const own = world.repository.statuses.filter(({ context }) => context === 'countersign');
      expect(own.map(({ sha }) => sha)).toEqual([pull.head.sha]);
      expect(own[0]?.targetUrl).toBe('https://github.example/acme/widgets/actions/runs/4711');
    });
  });

  it('a plain pull request takes at most 18 calls', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      world.sandbox.forgetCalls();
      await world.act('pull_request');
      const calls = world.sandbox.calls();
      const sum = Object.values(calls).reduce((all, one) => all + one, 0);
      expect([sum <= 18, calls]).toEqual([true, calls]);
    });
  });

  it('on an Enterprise Server, by the addresses that the runner names', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const { url } = world.sandbox;
      const said = await world.act('pull_request', {
        env: { GITHUB_API_URL: `${url}/api/v3`, GITHUB_GRAPHQL_URL: `${url}/api/graphql` },
      });
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
    });
  });

  it('outside of a runner it says what is missing', async () => {
    const said = await runAction({ token: 'x', eventName: 'push', payload: {}, env: { GITHUB_REPOSITORY: '' } });
    expect(said.code).toBe(1);
    expect(said.annotations[0]?.properties['title']).toContain('CS1702');
  });
});

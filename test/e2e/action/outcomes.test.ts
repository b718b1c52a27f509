import { describe, expect, it } from '@jest/globals';
import { inWorld } from '../../support/action-world.ts';

describe('the Action says each outcome', () => {
  it('verified: everything is there, and the platform vouches for the tests', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const said = await world.act('pull_request');
      expect(said.outputs).toMatchObject({
        ...{ verdict: 'VERIFIED', outcome: 'verified', compatibility: 'compatible', evaluation: 'pass' },
        'run-ids': JSON.stringify([world.runId]),
      });
      expect(said.code).toBe(0);
      expect(said.summary).toMatch(/^## .*VERIFIED \(platform/);
      expect(world.status(pull.head.sha)).toMatchObject({ state: 'success' });
      expect(world.comments(pull)).toHaveLength(1);
      expect(said.commands).toEqual([]);
    });
  });

  it('not-governed: a plain change by people, without a comment', async () => {
    await inWorld({ governed: null, config: null }, async (world) => {
      const pull = await world.open();
      const said = await world.act('pull_request');
      expect([said.code, said.outputs['outcome'], said.outputs['verdict']]).toEqual([0, 'not-governed', '']);
      expect(world.status(pull.head.sha)).toMatchObject({ state: 'success', description: 'No governed run' });
      expect(world.comments(pull)).toEqual([]);
    });
  });

  it('pending: the tests still run, and a job without fail-on is red', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull);
      const said = await world.act('pull_request', { with: { 'fail-on': '' } });
      expect([said.code, said.outputs['outcome'], said.outputs['verdict']]).toEqual([5, 'pending', 'UNVERIFIED']);
      expect(world.status(pull.head.sha)?.state).toBe('pending');
      expect(world.status(pull.head.sha)?.description).toMatch(/^UNVERIFIED, waiting: /);
    });
  });

  it('unverified: no workflow is named that could show that the tests ran', async () => {
    await inWorld({ config: 'version: 1\n' }, async (world) => {
      const pull = await world.open();
      const said = await world.act('pull_request', { with: { 'fail-on': '' } });
      expect([said.code, said.outputs['outcome']]).toEqual([1, 'unverified']);
      expect(world.status(pull.head.sha)?.state).toBe('failure');
      expect(said.summary).toContain('workflows:');
    });
  });

  it('failed: the evidence is contradicted by the platform', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'failure');
      const said = await world.act('pull_request', { with: { 'fail-on': '' } });
      expect([said.code, said.outputs['outcome']]).toEqual([1, 'failed']);
      expect(world.status(pull.head.sha)?.state).toBe('failure');
      expect(said.annotations.some(({ level }) => level === 'error')).toBe(true);
    });
  });

  it('incomplete: the configuration at the base cannot be read', async () => {
    await inWorld({ config: 'modes: enforce\n' }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const said = await world.act('pull_request');
      expect([said.code, said.outputs['outcome']]).toEqual([4, 'incomplete']);
      expect(world.status(pull.head.sha)?.state).toBe('failure');
      expect(said.summary).toContain('mode');
    });
  });

  it.each(['warn', 'observe'])('mode %s: it passes and says what it would have been', async (mode) => {
    const config = `mode: ${mode}\nevidence:\n  tests:\n    workflows:\n      - path: .github/workflows/ci.yml\n        jobs: [test]\n`;
    await inWorld({ config }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'failure');
      const said = await world.act('pull_request');
      expect([said.code, said.outputs['outcome'], said.outputs['verdict']]).toEqual([0, 'failed', 'UNVERIFIED']);
      const status = world.status(pull.head.sha);
      expect(status?.state).toBe('success');
      expect(status?.description).toContain(`[mode ${mode}, not enforced] UNVERIFIED`);
      expect(world.comments(pull)).toHaveLength(mode === 'warn' ? 1 : 0);
    });
  });

  it('unresolved: the harness does not say that it can run tests', async () => {
    await inWorld({ governed: { unknown: ['tests.execute'] } }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const said = await world.act('pull_request');
      expect([said.outputs['outcome'], said.outputs['compatibility']]).toEqual(['unverified', 'unresolved']);
    });
  });

  it('incompatible: the harness says that it cannot', async () => {
    await inWorld({ governed: { unsupported: ['tests.execute'] } }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const said = await world.act('pull_request');
      expect([said.outputs['outcome'], said.outputs['compatibility']]).toEqual(['failed', 'incompatible']);
    });
  });

  it('the simple form: the job is the verdict, nothing is written on the commit', async () => {
    const path = '.github/workflows/countersign.yml';
    const config = `evidence:\n  tests:\n    workflows:\n      - path: ${path}\n        jobs: [test]\n`;
    await inWorld({ example: 'pull-request.yml', config }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success', path);
      const said = await world.act('pull_request');
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
      expect(world.status(pull.head.sha)).toBeUndefined();
      expect(world.comments(pull)).toHaveLength(1);
      expect(said.annotations.filter(({ level }) => level !== 'notice')).toEqual([]);
    });
  });
});

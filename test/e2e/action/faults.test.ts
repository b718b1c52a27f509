import { describe, expect, it } from '@jest/globals';
import type { FaultEffect } from '../../../src/sandbox/http/faults.ts';
import { inWorld } from '../../support/action-world.ts';
import type { ActionWorld } from '../../support/action-world.ts';

/** Faults that go away when a call is made again. */
const PASSING: readonly (readonly [string, FaultEffect])[] = [
  ['500', { kind: 'status', status: 500 }],
  ['502', { kind: 'status', status: 502 }],
  ['503', { kind: 'status', status: 503 }],
  ['a secondary limit', { kind: 'secondary-limit', retryAfter: 1 }],
  ['429', { kind: 'too-many-requests', retryAfter: 1 }],
  ['a reset connection', { kind: 'reset' }],
  ['a body that breaks off', { kind: 'truncated' }],
  ['a slow answer', { kind: 'latency', ms: 1500 }],
];

/** A fault that stays is waited for no longer than this. */
const HASTE = { COUNTERSIGN_WAIT_SECONDS: '3' } as const;

async function verified(world: ActionWorld): Promise<void> {
  const pull = await world.open();
  await world.tests(pull, 'success');
}

describe('a fault that passes does no harm', () => {
  it.each(PASSING)('%s in one answer of each kind of reading', async (_, effect) => {
    await inWorld({}, async (world) => {
      await verified(world);
      world.sandbox.faults.add({ method: 'GET', nth: 1, effect });
      world.sandbox.faults.add({ route: 'graphql', nth: 1, effect });
      const said = await world.act('pull_request');
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
    });
  });

  it.each<[string, FaultEffect]>([
    ['a lost answer', { kind: 'reset', when: 'after' }],
    ['an error after it was done', { kind: 'status', status: 502, when: 'after' }],
    ['an error before it was done', { kind: 'status', status: 502 }],
    ['a secondary limit', { kind: 'secondary-limit', retryAfter: 1 }],
  ])('%s when writing: one comment and one status in the end', async (_, effect) => {
    await inWorld({}, async (world) => {
      await verified(world);
      world.sandbox.faults.add({ route: 'issues/create-comment', nth: 1, effect });
      world.sandbox.faults.add({ route: 'repos/create-commit-status', nth: 1, effect });
      const said = await world.act('pull_request');
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
      const [pull] = world.repository.pulls.values();
      if (pull === undefined) throw new Error('no pull request');
      expect(world.comments(pull)).toHaveLength(1);
      expect(world.status(pull.head.sha)?.state).toBe('success');
    });
  });
});

describe('a fault that stays is never verified', () => {
  it.each<[string, FaultEffect]>([
    ['500', { kind: 'status', status: 500 }],
    ['a reset connection', { kind: 'reset' }],
    ['a body that breaks off', { kind: 'truncated' }],
    ['the rate limit', { kind: 'primary-limit', resetAfter: 3600 }],
  ])('%s on every query', async (_, effect) => {
    await inWorld({}, async (world) => {
      await verified(world);
      world.sandbox.faults.add({ route: 'graphql', effect });
      const said = await world.act('pull_request', { env: HASTE });
      expect([said.code, said.outputs['outcome'], said.outputs['verdict']]).toEqual([4, 'incomplete', 'UNVERIFIED']);
      const [error] = said.annotations.filter(({ level }) => level === 'error');
      expect(error).toBeDefined();
      expect(said.summary).toContain('UNVERIFIED');
    });
  });

  it.each([
    'actions/list-workflow-runs-for-repo',
    'actions/list-workflow-runs',
    'repos/list-activities',
    'repos/get-collaborator-permission-level',
    'git/get-blob',
    'pulls/list',
  ])('500 on every %s: where it is asked at all, the verdict is not green', async (route) => {
    await inWorld({ governed: { risk: 'high' } }, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      world.approve(pull);
      world.sandbox.faults.add({ route, effect: { kind: 'status', status: 500 } });
      const said = await world.act('pull_request_review', { env: HASTE });
      const asked = world.sandbox.log().some((call) => call.route === route);
      if (asked) {
        expect(said.outputs['verdict']).toBe('UNVERIFIED');
        expect(world.status(pull.head.sha)?.state).not.toBe('success');
      } else expect(said.outputs['outcome']).toBe('verified');
    });
  });

  it('500 on every git/get-tree: trees are asked for by query, and proved by their ids all the same', async () => {
    await inWorld({}, async (world) => {
      await verified(world);
      world.sandbox.faults.add({ route: 'git/get-tree', effect: { kind: 'status', status: 500 } });
      const said = await world.act('pull_request', { env: HASTE });
      expect([said.code, said.outputs['outcome']]).toEqual([0, 'verified']);
      expect(world.sandbox.calls()['graphql']).toBeGreaterThan(2);
    });
  });

  it('where the verdict cannot be written the job fails, and says why', async () => {
    await inWorld({}, async (world) => {
      await verified(world);
      world.sandbox.faults.add({ route: 'repos/create-commit-status', effect: { kind: 'status', status: 500 } });
      const said = await world.act('pull_request', { env: HASTE });
      expect(said.outputs['outcome']).toBe('verified');
      expect(said.code).toBe(1);
      expect(said.annotations.some(({ message }) => message.includes('could not be published'))).toBe(true);
    });
  });

  it('a token that GitHub does not know', async () => {
    await inWorld({}, async (world) => {
      await verified(world);
      const said = await world.act('pull_request', { token: ['ghs', '_', 'nobody'].join('') });
      expect([said.code, said.outputs['outcome']]).toEqual([4, 'incomplete']);
      expect(said.annotations[0]?.properties['title']).toContain('CS1602');
    });
  });
});

describe('a permission that is missing is named, with the line to add', () => {
  const ALL = { actions: 'read', contents: 'read', pull_requests: 'write', statuses: 'write' } as const;

  it.each([
    ['actions', 'actions: read'],
    ['contents', 'contents: read'],
    ['pull_requests', 'pull-requests:'],
    ['statuses', 'statuses: write'],
  ] as const)('%s', async (missing, line) => {
    await inWorld({}, async (world) => {
      await verified(world);
      const permissions = Object.fromEntries(Object.entries(ALL).filter(([name]) => name !== missing));
      const token = world.sandbox.workflowToken(world.repository, permissions);
      const said = await world.act('pull_request', { token });
      const text = [said.summary, ...said.annotations.map(({ message }) => message)].join('\n');
      expect(text).toContain(line);
      if (missing !== 'statuses') expect(said.outputs['verdict']).toBe('UNVERIFIED');
    });
  });
});

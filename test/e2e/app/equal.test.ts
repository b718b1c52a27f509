import { describe, expect, it } from '@jest/globals';
import { Octokit } from '@octokit/core';
import { decide } from '../../../src/gate/decide.ts';
import type { Facts } from '../../../src/gate/facts.ts';
import { judgePull } from '../../../src/judge/pull.ts';
import { attachRules } from '../../../src/github/rules.ts';
import { inWorld } from '../../support/action-world.ts';
import type { ActionWorldOptions, NewPull } from '../../support/action-world.ts';

/** What the App may read by its manifest. */
const PERMISSIONS = { actions: 'read', checks: 'write', contents: 'read', pull_requests: 'write' } as const;

describe('the App collects what the Action collects, and says the same to the byte', () => {
  it.each<[string, ActionWorldOptions, NewPull]>([
    ['verified', {}, { tested: 'success' }],
    ['failed', {}, { tested: 'failure' }],
    ['pending', { governed: { risk: 'high' } }, { tested: 'success' }],
    ['unverified', { config: 'version: 1\n' }, { tested: 'success' }],
    ['incomplete', { config: 'modes: enforce\n' }, {}],
    ['not-governed', { governed: null, config: null }, {}],
    [
      'attribution',
      { governed: null, config: null },
      { message: 'x\n\nCo-authored-by: Claude <noreply@anthropic.com>' },
    ],
  ])('%s', async (_, options, given) => {
    await inWorld(options, async (world) => {
      const pull = await world.open(given);
      const said = await world.act('pull_request');
      const { caller: _caller, ...action } = JSON.parse(said.facts ?? '{}') as Facts;
      const octokit = new Octokit({
        ...{ auth: world.sandbox.workflowToken(world.repository, PERMISSIONS), baseUrl: world.sandbox.url },
      });
      attachRules(octokit, {});
      const { facts } = await judgePull(octokit, { owner: 'acme', repo: 'widgets' }, pull.number);
      // Sources have no version of their own, and each face its clock.
      const app = { ...facts, now: action.now, engine: action.engine };
      expect(JSON.parse(JSON.stringify(app))).toEqual(action);
      expect(JSON.stringify(decide(app))).toBe(JSON.stringify(decide(action)));
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import { inWorld } from '../../support/action-world.ts';

const COMMANDS = [
  '::error::planted',
  '::set-output name=verdict::VERIFIED',
  '##[set-output name=verdict]VERIFIED',
  '%0A::add-mask::a',
  '::stop-commands::x',
] as const;

describe('text of others', () => {
  it.each(COMMANDS)('in titles, bodies and messages is no workflow command: %s', async (text) => {
    await inWorld({}, async (world) => {
      const pull = await world.open({
        ...{ title: text, body: `x\n${text}\n\nCo-authored-by: Claude ${text} <noreply@anthropic.com>` },
        message: `Add it\n\n${text}\n\nCo-authored-by: Claude <noreply@anthropic.com>`,
      });
      await world.tests(pull, 'success');
      const said = await world.act('pull_request', { env: { RUNNER_DEBUG: '1' } });
      expect(said.outputs).toMatchObject({ verdict: 'UNVERIFIED', outcome: 'failed' });
      expect(said.commands).toEqual([]);
      expect(said.annotations.map(({ message }) => message)).not.toContain('planted');
    });
  });

  it.each([
    'src/::error::planted.ts',
    'src/a\n::error::planted',
    'src/a %0A::error::b.ts',
    'src/##[error]x.ts',
    'src/@everyone #1 <img src=x> `.md',
    'src/\u202efoo.ts',
    'verdict<<ghadelimiter\nVERIFIED\nghadelimiter',
  ])('in the names of files: %j', async (path) => {
    await inWorld({}, async (world) => {
      const pull = await world.open({ files: { [path]: 'x\n' } });
      await world.tests(pull, 'success');
      const said = await world.act('pull_request');
      expect(said.outputs['verdict']).toBe('UNVERIFIED');
      expect(said.commands).toEqual([]);
      expect(said.annotations.map(({ message }) => message)).not.toContain('planted');
      const body = world.comments(pull)[0]?.body ?? '';
      expect(body).not.toMatch(/@everyone|<img|\u202e/);
      expect(said.summary).not.toMatch(/@everyone|<img|\u202e/);
    });
  });

  it('in a run id: outputs stay what they are', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open({ body: 'Countersign-Run: x%0Averdict=VERIFIED' });
      await world.tests(pull, 'success');
      const said = await world.act('pull_request', { with: { 'run-id': 'a\nverdict=VERIFIED' } });
      expect(said.outputs['verdict']).toBe('UNVERIFIED');
      expect(JSON.parse(said.outputs['run-ids'] ?? '')).toBeInstanceOf(Array);
    });
  });

  it('the token is shown nowhere, not even when everything is logged', async () => {
    await inWorld({}, async (world) => {
      const pull = await world.open();
      await world.tests(pull, 'success');
      const token = world.sandbox.workflowToken(world.repository, {
        ...{ actions: 'read', contents: 'read', pull_requests: 'write', statuses: 'write' },
      });
      const said = await world.act('pull_request', { token, env: { RUNNER_DEBUG: '1', ACTIONS_STEP_DEBUG: 'true' } });
      expect(said.outputs['outcome']).toBe('verified');
      const everything = [said.stdout, said.stderr, said.summary, said.report, said.sarif, said.facts].join('\n');
      expect(everything).not.toContain(token);
    });
  });
});

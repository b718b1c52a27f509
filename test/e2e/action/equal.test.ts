import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { inWorld } from '../../support/action-world.ts';
import type { ActionWorldOptions, NewPull } from '../../support/action-world.ts';

const CLI = join(import.meta.dirname, '..', '..', '..', 'build', 'cli.mjs');

describe('equal facts give equal reports, to the byte', () => {
  it.each<[string, ActionWorldOptions, NewPull, 'success' | 'failure' | undefined]>([
    ['verified', {}, {}, 'success'],
    ['failed', {}, {}, 'failure'],
    ['pending', {}, {}, undefined],
    ['unverified', { config: 'version: 1\n' }, {}, 'success'],
    ['not-governed', { governed: null, config: null }, {}, undefined],
    ['hostile', {}, { title: '\u202e::error::x', body: 'Co-authored-by: Claude <noreply@anthropic.com>' }, 'success'],
    ['fork', {}, { files: { 'a "b" ü.txt': 'ü\n' } }, 'success'],
  ])('%s', async (_, options, given, conclusion) => {
    await inWorld(options, async (world) => {
      const pull = await world.open(given);
      await world.tests(pull, conclusion);
      const said = await world.act('pull_request');
      const folder = mkdtempSync(join(tmpdir(), 'countersign-equal-'));
      const facts = join(folder, 'facts.json');
      writeFileSync(facts, said.facts ?? '');
      const again = spawnSync(process.execPath, [CLI, 'evaluate', '--facts', facts, '--json'], { encoding: 'utf8' });
      rmSync(folder, { recursive: true });
      expect(again.stderr).toBe('');
      expect(again.stdout).toBe(said.report);
    });
  });

  it('writes no facts unless asked', async () => {
    await inWorld({ governed: null, config: null }, async (world) => {
      await world.open();
      const said = await world.act('pull_request', { env: { COUNTERSIGN_FACTS: '' } });
      expect(said.facts).toBeUndefined();
      expect(said.report).toBeDefined();
    });
  });
});

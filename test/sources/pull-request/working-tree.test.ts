import { symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { factsSchema } from '../../../src/gate/facts.ts';
import { collectWorkingTree } from '../../../src/sources/pull-request/local.ts';
import { repositoryAt } from '../../support/repository.ts';
import { inTemp, RUN, writeSample } from '../../support/sample.ts';

const options = { now: '2026-01-02T03:04:05Z', engine: '1' } as const;

describe('collectWorkingTree', () => {
  it('judges all runs of a folder without git, base and head alike', async () => {
    await inTemp(async (root) => {
      writeSample(root);
      const facts = await collectWorkingTree({ root, ...options });
      expect(factsSchema.parse(facts)).toEqual(facts);
      expect(facts.subject).toMatchObject({ kind: 'working-tree', head: { ref: '', sha: null }, merge_base: null });
      expect([facts.named_runs, facts.commits, facts.files, facts.unread]).toEqual([[RUN], [], [], []]);
      expect(facts.head).toEqual(facts.base);
      const paths = facts.head.entries.map((entry) => entry.path);
      expect(paths).toEqual(
        expect.arrayContaining([`.rapid-os/runs/${RUN}/contract.json`, '.rapid-os/specs/sample/spec.json']),
      );
    });
  });

  it('takes the runs that are named, and the commit and branch where there is git', async () => {
    await inTemp(async (root) => {
      writeSample(root);
      const repository = repositoryAt(root);
      repository.git('init', '-q', '-b', 'topic');
      expect((await collectWorkingTree({ root, ...options })).subject.head).toEqual({
        ref: 'refs/heads/topic',
        sha: null,
      });
      const sha = repository.commit();
      const facts = await collectWorkingTree({ root, ...options, runs: ['none'] });
      expect(facts.subject.head).toEqual({ ref: 'refs/heads/topic', sha });
      expect(facts.named_runs).toEqual(['none']);
      expect(facts.head.entries.some((entry) => entry.path.includes(`runs/${RUN}/`))).toBe(false);
    });
  });

  it('reports a link and names an unreadable configuration', async () => {
    await inTemp(async (root) => {
      writeSample(root);
      symlinkSync('run.json', join(root, `.rapid-os/runs/${RUN}/link.json`));
      writeFileSync(join(root, '.github'), 'a file');
      const facts = await collectWorkingTree({ root, ...options });
      expect(facts.head.entries).toContainEqual({ path: `.rapid-os/runs/${RUN}/link.json`, mode: '120000' });
      expect(facts.unread[0]).toEqual({
        what: '.github/countersign.yml at the working tree',
        why: '.github is no folder',
      });
    });
  });
});

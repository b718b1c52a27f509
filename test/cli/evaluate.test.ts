import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { cli } from '../support/cli.ts';
import { commitFiles, git, makeRepository } from '../support/git-repository.ts';
import { inTemp } from '../support/sample.ts';

// Real processes, on a machine that may be busy.
jest.setTimeout(120_000);

/** A repository with a branch `work`, two commits ahead of `main`. */
async function inBranch(body: (root: string) => Promise<void>): Promise<void> {
  await inTemp(async (root) => {
    makeRepository(root);
    commitFiles(root, { 'a.txt': 'a' });
    git(root, 'switch', '--quiet', '--create', 'work');
    commitFiles(root, { 'b.txt': 'b' });
    commitFiles(root, { 'b.txt': 'c' });
    await body(root);
  });
}

const object = (root: string, name: string): string => {
  const id = git(root, 'rev-parse', name);
  return join(root, '.git', 'objects', id.slice(0, 2), id.slice(2));
};
const judgeBranch = ['--base', 'main', '--head', 'work'] as const;
const facts = (text: string) => (root: string) => {
  writeFileSync(join(root, 'facts.json'), text);
};

describe('evaluate, where what is to be judged cannot be had', () => {
  it('judges the branch as long as it can', async () => {
    await inBranch(async (root) => {
      expect((await cli(root, 'evaluate', ...judgeBranch)).code).toBe(0);
    });
  });

  // Whoever runs this in a job tells "could not look" (4) from "does not hold" (1): neither may pass for the other.
  it.each<[string, string, readonly string[], (root: string) => void]>([
    ['a base that is not there', 'CS1505', ['--base', 'origin/main', '--head', 'work'], () => undefined],
    ['facts that are not there', 'CS1510', ['--facts', 'gone.json'], () => undefined],
    ['a head that is not there', 'CS1505', ['--base', 'main', '--head', 'gone'], () => undefined],
    [
      'a clone that is cut off before the merge base',
      'CS1507',
      judgeBranch,
      (root) => writeFileSync(join(root, '.git', 'shallow'), `${git(root, 'rev-parse', 'work')}\n`),
    ],
    [
      'a head that starts anew',
      'CS1506',
      judgeBranch,
      (root) => {
        git(root, 'switch', '--quiet', '--orphan', 'anew');
        commitFiles(root, { 'c.txt': 'c' });
        git(root, 'branch', '--quiet', '--force', 'work', 'anew');
      },
    ],
    // Whether git fails, or only finds no common history, depends on the order in which it walks the commits.
    ['a commit that is missing', 'CS150[26]', judgeBranch, (root) => rmSync(object(root, 'work~1'))],
    ['a tree that is missing', 'CS1502', judgeBranch, (root) => rmSync(object(root, 'work^{tree}'))],
    ['no repository', 'CS1504', judgeBranch, (root) => rmSync(join(root, '.git'), { recursive: true })],
    ['facts that are no JSON', 'CS1510', ['--facts', 'facts.json'], facts('{')],
    ['facts of another form', 'CS1510', ['--facts', 'facts.json'], facts('{}')],
  ])('ends with 4 for %s', async (_name, code, options, spoil) => {
    await inBranch(async (root) => {
      spoil(root);
      const plain = await cli(root, 'evaluate', '--root', root, ...options);
      expect([plain.code, plain.out]).toEqual([4, '']);
      expect(plain.err).toMatch(new RegExp(code));
      const json = await cli(root, 'evaluate', '--root', root, '--json', ...options);
      expect([json.code, json.err]).toEqual([4, '']);
      expect(JSON.parse(json.out)).toMatchObject({ error: { code: expect.stringMatching(code) } });
    });
  });
});

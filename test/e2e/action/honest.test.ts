import { describe, expect, it } from '@jest/globals';
import { inWorld } from '../../support/action-world.ts';
import type { ActionWorld, Files } from '../../support/action-world.ts';

/** What the Action makes of a plain pull request of people: no verdict, a job that passes, no comment. */
async function blamed(world: ActionWorld, branch: string, files: Files, more: object = {}): Promise<unknown[]> {
  const pull = await world.open({
    ledger: false,
    branch,
    files: { 'src/app.ts': 'export const app = 1;\n', ...files },
    ...more,
  });
  const { code, outputs, summary } = await world.act('pull_request');
  const right = outputs['outcome'] === 'not-governed' && code === 0 && world.comments(pull).length === 0;
  return right ? [] : [branch, code, outputs['outcome'], summary.slice(0, 1500)];
}

const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${'ab'.repeat(32)}\nsize 12345678\n`;

describe('pull requests that nothing is wrong with', () => {
  it('of people, in many shapes, are not blamed', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 400 }, (_, n) => [`lib/m${n % 20}/f${n}.ts`, `export const f = ${n};\n`]),
    );
    await inWorld(
      { base: { 'docs/a.md': 'a\n', 'old/name.ts': 'export const name = 1;\n', 'test/a.test.ts': 'test();\n' } },
      async (world) => {
        const found: unknown[] = [];
        const shape = async (...given: [string, Files, object?]) => void found.push(...(await blamed(world, ...given)));
        await shape('docs', { 'docs/a.md': 'b\n', 'docs/b.md': '# B\n\nSee https://example.com/b for all of it.\n' });
        await shape('rename', { 'old/name.ts': null, 'new/name.ts': 'export const name = 1;\n' });
        await shape(
          'crlf',
          { 'src/app.ts': 'export const app = 1;\r\nexport const b = 2;\r\n' },
          { message: 'Line ends\r\n\r\nOf Windows.\r\n' },
        );
        await shape('lfs', { '.gitattributes': '*.psd filter=lfs diff=lfs merge=lfs -text\n', 'art/a.psd': POINTER });
        await shape('deleted-test', { 'test/a.test.ts': null });
        await shape(
          'revert',
          { 'docs/a.md': 'a again\n' },
          { message: `Revert "Add b"\n\nThis reverts commit ${'12'.repeat(20)}.\n`, title: 'Revert "Add b"' },
        );
        await shape('refactor', many);
        await shape(
          'fork',
          { 'src/fix.ts': 'export const fix = 1;\n' },
          { fork: world.eve, title: 'Fix a typo', body: 'My first one! Fixes #1' },
        );
        await shape(
          'pair',
          { 'src/pair.ts': 'export const pair = 1;\n' },
          { message: 'Pair\n\nCo-authored-by: Ana <ana@example.com>\nSigned-off-by: Coder <coder@example.com>' },
        );
        await shape('draft', { 'src/draft.ts': 'export const draft = 1;\n' }, { draft: true });
        expect(found).toEqual([]);
      },
    );
  });

  it('of which the base moved on and was merged in', async () => {
    await inWorld({}, async (world) => {
      const { sandbox, repository, ada, coder } = world;
      const pull = await world.open({ tested: 'success' });
      const tip = await sandbox.push(repository, ada, {
        branch: 'main',
        files: { 'later.txt': 'later\n' },
        message: 'Go on',
      });
      const sha = await sandbox.push(repository, coder, {
        ...{
          branch: 'feature',
          message: "Merge branch 'main' into feature",
          merges: [tip],
          files: { 'later.txt': 'later\n' },
        },
      });
      await world.tests(pull, 'success');
      const said = await world.act('workflow_run');
      expect([said.outputs['outcome'], world.status(sha)?.state]).toEqual(['verified', 'success']);
    });
  });
});

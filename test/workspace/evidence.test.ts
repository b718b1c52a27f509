import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { verifyEvidence } from '../../src/domain/evidence/evidence-set.ts';
import type { JsonNode } from '../../src/domain/json/node.ts';
import { addEvidence } from '../../src/workspace/evidence.ts';
import { scanProject } from '../../src/workspace/scan.ts';
import { openProject } from '../../src/workspace/workspace.ts';
import { snapshot } from '../conformance/vector.ts';
import { codeOf, inTemp, RUN, writeActiveSample } from '../support/sample.ts';

/** Root reads everything, so nothing is unreadable to it. */
const IS_ROOT = process.getuid?.() === 0;

function authored(...artifacts: string[]): JsonNode {
  return new Map<string, JsonNode>([
    ['kind', 'artifact'],
    ['producer', 'tester'],
    ['summary', 'Logs'],
    ['payload', new Map([['label', 'log']])],
    ['artifacts', artifacts],
  ]);
}

describe('addEvidence', () => {
  it.each([
    ['does not exist', 'nothing', 'RAPID1205'],
    ['is a folder', 'folder', 'RAPID1205'],
    ['has a name that is too long', 'x'.repeat(300), 'RAPID1205'],
    ['is a loop of links', 'loop', 'RAPID1205'],
    ['lies behind a link that leaves', 'out/secret', 'RAPID1204'],
    ['lies above', '../secret', 'RAPID1204'],
  ])('refuses an artifact that %s, and writes nothing', async (_what, artifact, code) => {
    await inTemp((root) =>
      inTemp((outside) => {
        writeActiveSample(root);
        mkdirSync(join(root, 'folder'));
        writeFileSync(join(outside, 'secret'), 's');
        symlinkSync('loop', join(root, 'loop'));
        symlinkSync(outside, join(root, 'out'));
        const before = snapshot(root);
        expect(codeOf(() => addEvidence(root, RUN, { from: 'object', node: authored(artifact) }))).toBe(code);
        expect(snapshot(root)).toEqual(before);
      }),
    );
  });

  it.each([
    ['nothing', 'RAPID1202'],
    ['folder', 'RAPID1202'],
    ['link.json', 'RAPID1204'],
    ['x'.repeat(300), 'RAPID1204'],
    ['file.json/below', 'RAPID1204'],
    ['nul\u0000', 'RAPID1204'],
    ['latin.json', 'RAPID1204'],
    ['file.json', 'RAPID1202'],
  ])('refuses the authoring file %j', async (file, code) => {
    await inTemp((root) => {
      writeActiveSample(root);
      mkdirSync(join(root, 'folder'));
      writeFileSync(join(root, 'file.json'), '[]');
      writeFileSync(join(root, 'latin.json'), Buffer.from([0xe9]));
      symlinkSync('file.json', join(root, 'link.json'));
      expect(codeOf(() => addEvidence(root, RUN, { from: 'file', file }))).toBe(code);
    });
  });

  it('refuses artifacts of two folders that cannot lie in one', async () => {
    await inTemp((root) => {
      writeActiveSample(root);
      mkdirSync(join(root, 'base'));
      mkdirSync(join(root, 'a'));
      writeFileSync(join(root, 'base/a'), 'file');
      writeFileSync(join(root, 'a/b'), 'file');
      const add = (): unknown =>
        addEvidence(root, RUN, { from: 'object', node: authored('a', 'a/b'), baseDir: 'base' });
      expect(codeOf(add)).toBe('CS1201');
      expect(verifyEvidence(openProject(root), RUN).records).toEqual([]);
      expect(existsSync(join(root, '.rapid-os/.countersign'))).toBe(false);
    });
  });

  (IS_ROOT ? it.skip : it)('refuses what it may not read (skipped for root, who may read all)', async () => {
    await inTemp((root) => {
      writeActiveSample(root);
      writeFileSync(join(root, 'log'), 'x');
      chmodSync(join(root, 'log'), 0);
      expect(codeOf(() => addEvidence(root, RUN, { from: 'object', node: authored('log') }))).toBe('RAPID1205');
      expect(codeOf(() => addEvidence(root, RUN, { from: 'file', file: 'log' }))).toBe('RAPID1204');
      chmodSync(join(root, 'log'), 0o644);
      addEvidence(root, RUN, { from: 'object', node: authored('log') });
      chmodSync(join(root, `.rapid-os/evidence/${RUN}/artifacts/E001/log`), 0);
      expect(codeOf(() => verifyEvidence(openProject(root), RUN))).toBe('RAPID1205');
    });
  });
});

describe('scanProject', () => {
  it('reads no manifest that is a link, a folder, broken or huge', async () => {
    await inTemp((root) => {
      symlinkSync('/dev/zero', join(root, 'requirements.txt'));
      mkdirSync(join(root, 'pyproject.toml'));
      writeFileSync(join(root, 'Makefile'), `test:\n${' '.repeat(5 * 1024 * 1024)}`);
      writeFileSync(join(root, 'package.json'), '{');
      expect(scanProject(root)).toMatchObject({ languages: [], frameworks: [] });
    });
  });

  it('tells languages, frameworks and the test command', async () => {
    await inTemp((root) => {
      writeFileSync(
        join(root, 'package.json'),
        '{"scripts": {"test": "x"}, "dependencies": {"react": "1", "toString": "1"}}',
      );
      writeFileSync(join(root, 'a.ts'), '');
      mkdirSync(join(root, 'node_modules'));
      writeFileSync(join(root, 'node_modules/b.py'), '');
      expect(scanProject(root)).toMatchObject({
        languages: ['TypeScript'],
        frameworks: ['React'],
        test_command: 'npm test',
      });
    });
  });
});

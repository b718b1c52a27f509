import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';

const ROOT = join(import.meta.dirname, '..', '..');

/** A file, what it imports, and the rule that this breaks. */
const FORBIDDEN = [
  ['src/domain/a.ts', '../checks/target.ts', 'domain-is-pure'],
  ['src/domain/b.ts', 'node:fs', 'domain-is-pure'],
  ['src/domain/c.ts', 'zod', 'domain-is-pure'],
  ['src/domain/d.ts', 'path', 'domain-is-pure'],
  ['src/checks/secrets/a.ts', '../../config/target.ts', 'checks-import-only-domain'],
  ['src/checks/secrets/b.ts', 'node:crypto', 'checks-import-only-domain'],
  ['src/checks/secrets/c.ts', 'zod', 'checks-import-only-domain'],
  ['src/config/a.ts', '../checks/target.ts', 'config-imports-only-domain'],
  ['src/config/b.ts', 'node:fs', 'config-imports-only-domain'],
  ['src/config/c.ts', 'commander', 'config-imports-only-domain'],
  ['src/gate/a.ts', '../workspace/target.ts', 'gate-imports-only-what-it-decides-on'],
  ['src/gate/b.ts', '../render/target.ts', 'gate-imports-only-what-it-decides-on'],
  ['src/gate/c.ts', 'yaml', 'gate-imports-only-what-it-decides-on'],
  ['src/gate/d.ts', 'node:process', 'gate-imports-only-what-it-decides-on'],
  ['src/render/a.ts', '../sources/target.ts', 'render-imports-only-gate-and-below'],
  ['src/render/b.ts', 'node:fs', 'render-imports-only-gate-and-below'],
  ['src/process/a.ts', '../workspace/target.ts', 'process-imports-only-domain'],
  ['src/process/b.ts', 'zod', 'process-imports-only-domain'],
  ['src/sources/a.ts', '../publish/target.ts', 'sources-never-import-publish'],
  ['src/publish/a.ts', '../sources/target.ts', 'publish-never-imports-sources'],
  ['src/workspace/a.ts', '../cli/target.ts', 'nothing-imports-a-face'],
  ['src/publish/b.ts', '../app/target.ts', 'nothing-imports-a-face'],
  ['src/hooks/a.ts', '../cli/target.ts', 'nothing-imports-a-face'],
  ['src/sources/b.ts', '../hooks/target.ts', 'only-faces-import-hooks'],
  ['src/cli/a.ts', '../action/target.ts', 'nothing-imports-a-face'],
  ['src/top.ts', './cli/target.ts', 'nothing-imports-a-face'],
  ['src/workspace/ring-a.ts', './ring-b.ts', 'no-circles'],
  ['src/workspace/b.ts', './not-there.ts', 'not-to-unresolvable'],
  ['src/workspace/c.ts', 'no-such-package', 'not-to-unresolvable'],
] as const;

/** The other half of the circle: the tool names a circle once. */
const RING = ['src/workspace/ring-b.ts', './ring-a.ts'] as const;

const ALLOWED = [
  ['src/domain/ok.ts', 'node:crypto'],
  ['src/domain/json/ok.ts', '../target.ts'],
  ['src/checks/secrets/ok-a.ts', '../target.ts'],
  ['src/checks/secrets/ok-b.ts', '../../domain/target.ts'],
  ['src/config/ok-a.ts', 'zod'],
  ['src/config/ok-b.ts', 'yaml'],
  ['src/config/ok-c.ts', '../domain/target.ts'],
  ['src/gate/ok-a.ts', '../checks/target.ts'],
  ['src/gate/ok-b.ts', '../config/target.ts'],
  ['src/gate/ok-c.ts', 'zod'],
  ['src/render/ok-a.ts', '../gate/target.ts'],
  ['src/render/ok-b.ts', '../domain/target.ts'],
  ['src/process/ok-a.ts', 'node:child_process'],
  ['src/process/ok-b.ts', '../domain/target.ts'],
  ['src/sources/ok.ts', '../workspace/target.ts'],
  ['src/publish/ok.ts', '../render/target.ts'],
  ['src/cli/ok-a.ts', './target.ts'],
  ['src/cli/ok-b.ts', '../sources/target.ts'],
  ['src/app/ok.ts', '../publish/target.ts'],
  ['src/hooks/ok.ts', '../sources/target.ts'],
  ['src/cli/ok-c.ts', '../hooks/target.ts'],
] as const;

const FOLDERS = 'action app checks cli config domain gate hooks publish render sandbox sources workspace'.split(' ');

interface Violation {
  readonly from: string;
  readonly rule: { readonly name: string };
}

/** What the tool says about a tree of files in which each imports one thing; half of them only a type. */
function violationsIn(imports: readonly (readonly [file: string, target: string, ...unknown[]])[]): Violation[] {
  const build = join(ROOT, 'build');
  mkdirSync(build, { recursive: true });
  // Below the project, so that its packages resolve.
  const tree = mkdtempSync(join(build, 'dependency-rules-'));
  try {
    const write = (file: string, text: string) => {
      mkdirSync(dirname(join(tree, file)), { recursive: true });
      writeFileSync(join(tree, file), text);
    };
    for (const folder of FOLDERS) write(`src/${folder}/target.ts`, 'export const target = 1;\n');
    imports.forEach(([file, target], index) => {
      write(
        file,
        `import ${index % 2 === 0 ? 'type ' : ''}* as other from '${target}';\nexport type T = typeof other;\n`,
      );
    });
    const tool = join(ROOT, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
    const args = [tool, '--config', join(ROOT, '.dependency-cruiser.mjs'), '--output-type', 'json', 'src'];
    const { stdout } = spawnSync(process.execPath, args, { cwd: tree, encoding: 'utf8' });
    return (JSON.parse(stdout) as { summary: { violations: Violation[] } }).summary.violations;
  } finally {
    rmSync(tree, { recursive: true });
  }
}

describe('an import that breaks a rule of the house', () => {
  let found: string[];
  beforeAll(() => {
    found = violationsIn([...FORBIDDEN, RING]).map(({ from, rule }) => `${rule.name}: ${from}`);
  });

  test.each(FORBIDDEN)('%s -> %s: %s', (file, _target, rule) => {
    expect(found).toContain(`${rule}: ${file}`);
  });
});

test('imports that keep the rules are no violations', () => {
  expect(violationsIn(ALLOWED)).toEqual([]);
});

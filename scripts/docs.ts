// Writes what is generated from the sources: node scripts/docs.ts [--check]
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import * as prettier from 'prettier';
import { appGuide, appManifest } from './docs-app.ts';
import { configJsonSchema, configReference } from './docs-config.ts';
import {
  cliReference,
  errorReference,
  exitReference,
  factsJsonSchema,
  reportJsonSchema,
  rulePages,
  scanJsonSchema,
} from './docs-reference.ts';

const ROOT = resolve(import.meta.dirname, '..');

/** Every generated file, from the project's root, and its text before Prettier. */
const GENERATED: Readonly<Record<string, () => string | Promise<string>>> = {
  'docs/reference/cli.md': cliReference,
  'docs/reference/errors.md': errorReference,
  'docs/reference/exit-codes.md': exitReference,
  'schemas/facts.schema.json': factsJsonSchema,
  'schemas/gate-report.schema.json': reportJsonSchema,
  'schemas/scan-report.schema.json': scanJsonSchema,
  ...rulePages(),
  'docs/reference/config.md': configReference,
  'schemas/countersign.schema.json': configJsonSchema,
  'src/doctor/app-manifest.ts': appManifest,
  'docs/how-to/run-the-app.md': appGuide,
};

/** The generated files as they should be. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const [path, text] of Object.entries(GENERATED)) {
    const filepath = join(ROOT, path);
    const options = await prettier.resolveConfig(filepath, { editorconfig: true });
    files.set(path, await prettier.format(await text(), { ...options, filepath }));
  }
  return files;
}

/** Those that are missing or differ. */
export async function staleFiles(): Promise<string[]> {
  const stale: string[] = [];
  for (const [path, text] of await generatedFiles()) {
    const there = await readFile(join(ROOT, path), 'utf8').catch(() => undefined);
    if (there !== text) stale.push(path);
  }
  return stale;
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const stale = await staleFiles();
  if (values.check && stale.length > 0) {
    process.stderr.write(`Not fresh: ${stale.join(', ')}. Run \`npm run docs\`.\n`);
    process.exitCode = 1;
  } else if (!values.check) {
    const files = await generatedFiles();
    for (const path of stale) {
      await mkdir(dirname(join(ROOT, path)), { recursive: true });
      await writeFile(join(ROOT, path), files.get(path) ?? '');
      process.stdout.write(`wrote ${path}\n`);
    }
  }
}

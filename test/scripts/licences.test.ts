import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { Metafile } from 'esbuild';
import { licences, packagesOf } from '../../scripts/licences.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-licences-'));
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

function addPackage(name: string, files: Record<string, string>): string {
  const folder = join('node_modules', name);
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, 'package.json'), JSON.stringify({ name, version: '1.2.3', license: 'ISC' }));
  for (const [file, text] of Object.entries(files)) writeFileSync(join(root, folder, file), text);
  return folder;
}

test('only packages of which something is in the bundle are named', () => {
  const inputs = {
    'src/cli/main.ts': { bytesInOutput: 10 },
    'node_modules/used/lib/a.js': { bytesInOutput: 1 },
    'node_modules/shaken-away/index.js': { bytesInOutput: 0 },
    'node_modules/@scope/one/node_modules/inner/index.js': { bytesInOutput: 5 },
  };
  const output = { bytes: 0, imports: [], exports: [], inputs };
  const outputs: Metafile['outputs'] = { 'dist/cli.mjs': output };
  expect([...packagesOf({ outputs })]).toEqual(['node_modules/used', 'node_modules/@scope/one/node_modules/inner']);
});

test('the text has every licence and notice, in an order of its own', async () => {
  const folders = [
    addPackage('zebra', { 'LICENSE.md': 'Zebra terms\r\n', NOTICE: 'Zebra notice' }),
    addPackage('@ant/hill', { LICENCE: 'Ant terms' }),
  ];
  const text = await licences(root, folders);
  expect(text).toBe(
    `@ant/hill 1.2.3 (ISC)\n\nAnt terms\n\n${'-'.repeat(80)}\n\nzebra 1.2.3 (ISC)\n\nZebra terms\nZebra notice\n`,
  );
  expect(await licences(root, folders.reverse())).toBe(text);
});

test('a licence that is a section of the README is taken from there', async () => {
  const terms = 'Copyright (c) 2014 Ant\n\nPermission is hereby granted, free of charge, to any person';
  const folder = addPackage('ant', { 'README.md': `# Ant\n\nHow it is used\n\n## license\n\n${terms}\n` });
  expect(await licences(root, [folder])).toBe(`ant 1.2.3 (ISC)\n\n${terms}\n`);
});

test('a package without a licence text is refused', async () => {
  const named = addPackage('named', { 'README.md': '# Named\n\n## License\n\nMIT\n' });
  await expect(licences(root, [named])).rejects.toThrow('no licence text');
  await expect(licences(root, [addPackage('bare', {})])).rejects.toThrow('no licence text');
});

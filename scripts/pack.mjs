// What `npm pack` and `npm publish` do to package.json, and undo: node scripts/pack.mjs strip|restore
// The bundles contain what they need, so the published package depends on nothing, and least of all on a Node.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
// The scripts stay: npm reads `postpack` only after packing, and a pack that was killed is undone through them.
const ONLY_FOR_DEVELOPMENT = ['dependencies', 'devDependencies', 'optionalDependencies', 'allowScripts'];

/** @param {string} manifest */
export function publishedManifest(manifest) {
  const fields = Object.entries(JSON.parse(manifest)).filter(([name]) => !ONLY_FOR_DEVELOPMENT.includes(name));
  return `${JSON.stringify(Object.fromEntries(fields), null, 2)}\n`;
}

/** @param {string} root */
export function strip(root) {
  restore(root);
  const original = readFileSync(join(root, 'package.json'), 'utf8');
  writeFileSync(join(root, '.package.json.original'), original);
  writeFileSync(join(root, 'package.json'), publishedManifest(original));
}

/**
 * Puts the original back, if one is set aside.
 *
 * @param {string} root
 */
export function restore(root) {
  const aside = join(root, '.package.json.original');
  if (existsSync(aside)) renameSync(aside, join(root, 'package.json'));
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const action = process.argv[2];
  if (action === 'strip') strip(ROOT);
  else if (action === 'restore') restore(ROOT);
  else {
    process.stderr.write('Usage: node scripts/pack.mjs strip|restore\n');
    process.exitCode = 2;
  }
}

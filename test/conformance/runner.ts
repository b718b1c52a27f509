// Runs every vector of a folder against the code in src, in compatible reading:
//   npm run --silent conformance -- DIR [--hints]
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkVector } from './check.ts';
import { parseVector } from './vector.ts';

/** Characters of a result that a failing line shows. */
const SHOWN = 1500;

const [folder, ...flags] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: npm run --silent conformance -- DIR [--hints]');
  process.exit(2);
}
let passed = 0;
let failed = 0;
for (const name of names(folder)) {
  if (!name.endsWith('.json')) continue;
  const { difference, hint } = run(join(folder, name), name);
  if (difference === undefined) passed += 1;
  else failed += 1;
  if (difference !== undefined) {
    console.log(`${name}: expected ${line(difference.expected)} got ${line(difference.got)}`);
  }
  if (hint !== undefined && flags.includes('--hints')) console.log(`${name}: hint: ${line(hint)}`);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;

function line(text: string): string {
  return text.slice(0, SHOWN).replaceAll('\n', ' ');
}

function names(path: string): string[] {
  try {
    return readdirSync(path).sort();
  } catch (thrown) {
    console.error(`${path} cannot be read: ${String(thrown)}`);
    process.exit(2);
  }
}

function run(path: string, name: string): ReturnType<typeof checkVector> {
  try {
    return checkVector(parseVector(readFileSync(path, 'utf8'), name));
  } catch (thrown) {
    return { difference: { expected: 'a readable vector', got: String(thrown) }, hint: undefined };
  }
}

// Packs a folder of vectors into the project's fixtures: node test/conformance/pack.ts DIR
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { quote } from '../../src/domain/json/canonical.ts';
import { isFloat, isObject } from '../../src/domain/json/node.ts';
import type { JsonNode, JsonObject } from '../../src/domain/json/node.ts';
import { compareCodePoints } from '../../src/domain/text/order.ts';
import { PACKED, POOL } from './packed.ts';
import { readVectorJson } from './vector.ts';

/** Larger vectors, in bytes, are left out: they show speed, not rules. */
const LARGEST = 50_000;

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error('usage: node test/conformance/pack.ts DIR');
  process.exit(2);
}
const vectors = readdirSync(folder)
  .filter((name) => name.endsWith('.json') && statSync(join(folder, name)).size <= LARGEST)
  .sort(compareCodePoints)
  .map((name) => objectOf(readVectorJson(readFileSync(join(folder, name), 'utf8'), name)));

const uses = new Map<string, number>();
for (const vector of vectors) {
  for (const files of fileMaps(vector)) {
    for (const content of files.values()) uses.set(written(content), (uses.get(written(content)) ?? 0) + 1);
  }
}
const pool = [...uses].filter(([text, count]) => count > 1 && text.length > 40).map(([text]) => text);
const index = new Map(pool.map((text, at) => [text, at]));
for (const vector of vectors) {
  for (const files of fileMaps(vector)) {
    for (const [path, content] of files) {
      const at = index.get(written(content));
      if (at !== undefined) files.set(path, new Map([['pool', at]]));
    }
  }
}
rmSync(PACKED, { recursive: true, force: true });
mkdirSync(PACKED, { recursive: true });
writeLines(POOL, pool);
for (const [area, group] of Map.groupBy(vectors, (vector) => vector.get('area'))) {
  writeLines(`${typeof area === 'string' ? area : 'other'}.jsonl`, group.map(written));
}

function fileMaps(vector: JsonObject): JsonObject[] {
  return [vector.get('files'), objectOf(vector.get('expect') ?? null).get('files_after')].filter(isObject);
}

function objectOf(node: JsonNode): JsonObject {
  if (!isObject(node)) throw new TypeError('a vector that is no object');
  return node;
}

// Fractions keep their spelling as fractions: an integer is something else to these formats.
function written(node: JsonNode): string {
  if (typeof node === 'string') return quote(node);
  if (isFloat(node)) return Number.isInteger(node.float) ? node.float.toFixed(1) : String(node.float);
  if (Array.isArray(node)) return `[${node.map(written).join(',')}]`;
  if (isObject(node)) return `{${[...node].map(([key, value]) => `${quote(key)}:${written(value)}`).join(',')}}`;
  return String(node);
}

function writeLines(name: string, lines: readonly string[]): void {
  writeFileSync(join(PACKED, name), `${lines.join('\n')}\n`);
}

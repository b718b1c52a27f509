import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonNode } from '../../src/domain/json/node.ts';
import { readVectorJson, vectorOf } from './vector.ts';
import type { Vector } from './vector.ts';

/** The project's own copy of the vectors: a file an area, a line a vector, contents that repeat in a pool. */
export const PACKED = join(import.meta.dirname, '../fixtures/conformance');

/** Name of the file that holds, line by line, the contents that several vectors share. */
export const POOL = 'pool.jsonl';

/** The areas of the packed vectors. */
export function packedAreas(): string[] {
  return readdirSync(PACKED)
    .filter((name) => name.endsWith('.jsonl') && name !== POOL)
    .map((name) => name.slice(0, -'.jsonl'.length))
    .sort();
}

/** The packed vectors of an area. */
export function packedVectors(area: string): Vector[] {
  pool ??= lines(POOL);
  const shared = pool;
  return lines(`${area}.jsonl`).map((node) => vectorOf(node, shared));
}

let pool: readonly JsonNode[] | undefined;

function lines(name: string): JsonNode[] {
  const text = readFileSync(join(PACKED, name), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, index) => readVectorJson(line, `${name}:${index + 1}`));
}

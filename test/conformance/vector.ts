import { mkdirSync, lstatSync, readdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '../../src/domain/json/node.ts';
import type { JsonNode, JsonObject } from '../../src/domain/json/node.ts';
import { readJson } from '../../src/domain/json/read.ts';

/** One scenario: a tree of files, an operation on it, and what Rapid OS 3.0.0 answered. */
export interface Vector {
  readonly id: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly symlinks: ReadonlyMap<string, string>;
  readonly op: string;
  readonly runId: string | undefined;
  readonly require: readonly string[];
  readonly args: JsonObject;
  readonly expect: Expectation;
}

export type Expectation =
  | { readonly ok: true; readonly result: JsonNode; readonly filesAfter: ReadonlyMap<string, Uint8Array> }
  | {
      readonly ok: false;
      /** null: Rapid OS crashed; any orderly refusal will do. */
      readonly code: string | null;
      readonly messageContains: readonly string[];
      readonly filesAfter: ReadonlyMap<string, Uint8Array>;
    };

/** Parses a vector with the project's own reader: `1.0` and big integers in arguments must survive. */
export function parseVector(text: string, name: string): Vector {
  return vectorOf(readVectorJson(text, name));
}

/** Reads JSON that belongs to a vector. */
export function readVectorJson(text: string, name: string): JsonNode {
  return readJson(text, { code: 'CS1303', file: name, reading: 'compatible' });
}

/**
 * The vector that a JSON value describes.
 * @param pool contents that several vectors share; a file `{"pool": n}` has the n-th
 */
export function vectorOf(node: JsonNode, pool: readonly JsonNode[] = []): Vector {
  const vector = object(node, 'vector');
  const files = (listed: JsonNode): Map<string, Uint8Array> =>
    new Map([...object(listed, 'files')].map(([path, content]) => [path, bytes(pooled(content, pool))]));
  const call = object(vector.get('call'), 'call');
  const expect = object(vector.get('expect'), 'expect');
  const filesAfter = files(expect.get('files_after') ?? new Map());
  const code = expect.get('code');
  const runId = call.get('run_id');
  return {
    id: string(vector.get('id')),
    files: files(vector.get('files') ?? new Map()),
    symlinks: new Map(
      [...object(vector.get('symlinks') ?? new Map(), 'symlinks')].map(([path, to]) => [path, string(to)]),
    ),
    op: string(call.get('op')),
    runId: runId === undefined ? undefined : string(runId),
    require: strings(call.get('require') ?? []),
    args: object(call.get('args') ?? new Map(), 'args'),
    expect:
      expect.get('ok') === true
        ? { ok: true, result: expect.get('result') ?? null, filesAfter }
        : {
            ok: false,
            code: typeof code === 'string' ? code : null,
            messageContains: strings(expect.get('message_contains') ?? []),
            filesAfter,
          },
  };
}

function object(node: JsonNode | undefined, what: string): JsonObject {
  if (!isObject(node)) throw new TypeError(`${what} is no object`);
  return node;
}

function string(node: JsonNode | undefined): string {
  if (typeof node !== 'string') throw new TypeError('expected a text');
  return node;
}

function strings(node: JsonNode): string[] {
  if (!Array.isArray(node)) throw new TypeError('expected a list');
  return node.map(string);
}

function pooled(content: JsonNode, pool: readonly JsonNode[]): JsonNode {
  const index = isObject(content) ? content.get('pool') : undefined;
  if (index === undefined) return content;
  const shared = pool[Number(index)];
  if (shared === undefined) throw new TypeError('a content that the pool does not hold');
  return shared;
}

function bytes(content: JsonNode): Uint8Array {
  if (typeof content === 'string') return Buffer.from(content, 'utf8');
  return Buffer.from(string(object(content, 'file').get('base64')), 'base64');
}

/** Writes a vector's tree into an empty folder. */
export function layOut(root: string, vector: Vector): void {
  for (const [path, content] of vector.files) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
  for (const [path, target] of vector.symlinks) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(target, join(root, path));
  }
}

/** Every file and link below a folder: path to content, a link as its target. */
export function snapshot(root: string, below = ''): Map<string, string> {
  const found = new Map<string, string>();
  for (const name of readdirSync(join(root, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    const stat = lstatSync(join(root, path));
    if (stat.isSymbolicLink()) found.set(path, `link to ${readlinkSync(join(root, path))}`);
    else if (stat.isDirectory()) for (const [inner, content] of snapshot(root, path)) found.set(inner, content);
    else found.set(path, readFileSync(join(root, path)).toString('base64'));
  }
  return found;
}

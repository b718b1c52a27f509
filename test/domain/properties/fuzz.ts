import { loadProfile } from '../../../src/domain/capabilities/profile.ts';
import { loadLock, lockedProfileOf } from '../../../src/domain/capabilities/lock.ts';
import { resolve } from '../../../src/domain/capabilities/resolution.ts';
import { loadContract } from '../../../src/domain/contracts/contract-store.ts';
import { decideExecution } from '../../../src/domain/contracts/decision.ts';
import { loadRun } from '../../../src/domain/contracts/ledger.ts';
import { loadPolicy } from '../../../src/domain/contracts/policy.ts';
import { loadRevision } from '../../../src/domain/contracts/spec-store.ts';
import { codeEntry } from '../../../src/domain/codes.ts';
import { isRefusal } from '../../../src/domain/errors.ts';
import { evaluateRun, loadReports } from '../../../src/domain/evaluation/report-store.ts';
import { boundState, makeRecord, readAuthoring } from '../../../src/domain/evidence/authoring.ts';
import { canonicalJson, quote } from '../../../src/domain/json/canonical.ts';
import { isFloat, isObject } from '../../../src/domain/json/node.ts';
import type { JsonNode } from '../../../src/domain/json/node.ts';
import { readJson } from '../../../src/domain/json/read.ts';
import type { Project } from '../../../src/domain/project.ts';
import { validateDocuments } from '../../../src/domain/validation.ts';
import { packedAreas, packedVectors } from '../../conformance/packed.ts';
import type { Vector } from '../../conformance/vector.ts';
import { memoryTree } from '../../support/memory-tree.ts';
import { pick, random, SEED } from '../../support/random.ts';
import { holds, same } from './property.ts';
import type { Property } from './property.ts';

type Next = () => number;

const VALUES: readonly [JsonNode, ...JsonNode[]] = [
  null,
  true,
  0,
  -1,
  2n ** 64n,
  { float: 1 },
  { float: Number.NaN },
  '',
  ' ',
  'x',
  '__proto__',
  '\u0000',
  '\u202e',
  '../../etc/passwd',
  'T001',
  'E001',
  'a'.repeat(300),
  '0'.repeat(64),
  [],
  [null],
  ['x', 'x'],
  new Map(),
  new Map([['x', 1]]),
];
const KEYS: readonly [string, ...string[]] = [
  'x',
  '',
  '__proto__',
  'constructor',
  'toString',
  'id',
  'content_digest',
  'reason',
];
const CHARS: readonly [string, ...string[]] = [
  '"',
  '\\',
  '{',
  '}',
  '[',
  ',',
  '0',
  '-',
  '\u0000',
  '\ufeff',
  '\r',
  '\u00e9',
  'e',
  'NaN',
];

/** Changes one thing somewhere in a JSON value; lists and objects are copied. */
function mutateNode(node: JsonNode, next: Next): JsonNode {
  const stay = next();
  if (Array.isArray(node)) {
    if (stay < 0.25 || node.length === 0) return pick(next, VALUES);
    const at = Math.floor(next() * node.length);
    const item = node[at] ?? null;
    return pick<() => JsonNode>(next, [
      () => node.with(at, mutateNode(item, next)),
      () => node.with(at, mutateNode(item, next)),
      () => node.toSpliced(at, 1),
      () => node.toSpliced(at, 0, item),
      () => node.toReversed(),
      () => [...node, pick(next, VALUES)],
    ])();
  }
  if (isObject(node)) {
    const keys = [...node.keys()];
    const [first] = keys;
    if (stay < 0.1 || first === undefined) return pick(next, VALUES);
    const key = pick(next, [first, ...keys.slice(1)]);
    const change = (edit: (copy: Map<string, JsonNode>) => void): JsonNode => {
      const copy = new Map(node);
      edit(copy);
      return copy;
    };
    const deeper = (): JsonNode => change((copy) => copy.set(key, mutateNode(node.get(key) ?? null, next)));
    return pick<() => JsonNode>(next, [
      deeper,
      deeper,
      deeper,
      deeper,
      () => change((copy) => copy.delete(key)),
      () => change((copy) => copy.set(pick(next, KEYS), pick(next, VALUES))),
      () => change((copy) => copy.set(key, pick(next, VALUES))),
      () => change((copy) => copy.set(key, node.get(pick(next, [first, ...keys.slice(1)])) ?? null)),
    ])();
  }
  if (typeof node !== 'string' || node === '' || stay < 0.5) return pick(next, VALUES);
  const at = Math.floor(next() * node.length);
  return pick(next, [
    node.slice(0, at) + pick(next, CHARS) + node.slice(at + 1),
    node.slice(0, at) + node.slice(at + 1),
    `${node}\n`,
    ` ${node.toUpperCase()} `,
  ]);
}

function written(node: JsonNode): string {
  if (typeof node === 'string') return quote(node);
  if (isFloat(node)) return Number.isInteger(node.float) ? node.float.toFixed(1) : String(node.float);
  if (Array.isArray(node)) return `[${node.map(written).join(',')}]`;
  if (isObject(node)) return `{${[...node].map(([key, value]) => `${quote(key)}:${written(value)}`).join(',')}}`;
  return String(node);
}

function mutateText(text: string, next: Next): string {
  const at = Math.floor(next() * (text.length + 1));
  const length = Math.floor(next() * 20);
  return pick(next, [
    text.slice(0, at),
    text.slice(0, at) + pick(next, CHARS) + text.slice(at),
    text.slice(0, at) + pick(next, CHARS) + text.slice(at + 1),
    text.slice(0, at) + text.slice(at + length),
    text.slice(0, at + length) + text.slice(at),
    text.replaceAll('\n', '\r\n'),
    `${text}${text}`,
  ]);
}

function mutateFile(bytes: Uint8Array, next: Next): Uint8Array {
  const text = Buffer.from(bytes).toString('utf8');
  const way = next();
  if (way < 0.05) return bytes.map((byte) => (next() < 0.02 ? byte ^ (1 << Math.floor(next() * 8)) : byte));
  if (way < 0.3) return Buffer.from(mutateText(text, next));
  let node: JsonNode;
  try {
    node = readJson(text, { code: 'CS1303', file: 'vector', reading: 'compatible' });
  } catch {
    return Buffer.from(mutateText(text, next));
  }
  return Buffer.from(written(withoutSeal(mutateNode(node, next), next)));
}

// An empty own digest skips the self check, so that a mutation reaches the rules behind it.
function withoutSeal(node: JsonNode, next: Next): JsonNode {
  if (!isObject(node) || next() < 0.3) return node;
  const copy = new Map(node);
  for (const key of ['content_digest', 'report_digest']) if (copy.has(key)) copy.set(key, '');
  return copy;
}

type Files = Map<string, Uint8Array | { readonly link: string }>;

/** The tree of a vector with one to three faults in it. */
export function mutateTree(vector: Vector, next: Next): Files {
  const files: Files = new Map(vector.files);
  for (const [path, target] of vector.symlinks) files.set(path, { link: target });
  const faults = 1 + Math.floor(next() * 3);
  for (let fault = 0; fault < faults; fault += 1) {
    const paths = [...files.keys()];
    const [first] = paths;
    if (first === undefined) break;
    const path = pick(next, [first, ...paths.slice(1)]);
    const other = pick(next, [first, ...paths.slice(1)]);
    const content = files.get(path);
    const way = next();
    if (way < 0.04) files.delete(path);
    else if (way < 0.08 && content !== undefined) files.set(other, content);
    else if (way < 0.1)
      files.set(path, { link: pick(next, ['nowhere', '/etc/passwd', '..', other.slice(other.lastIndexOf('/') + 1)]) });
    else if (way < 0.12) files.set(`${path}.extra`, Buffer.from('{}'));
    else if (content instanceof Uint8Array) files.set(path, mutateFile(content, next));
  }
  return files;
}

/** Everything that reads documents, each on its own; the names are for messages. */
function loadersOf(files: Files, vector: Vector): Readonly<Record<string, (project: Project) => unknown>> {
  const named = (pattern: RegExp, otherwise: string): string => {
    const found = [...files.keys()].map((path) => pattern.exec(path)?.[1]).find((id) => id !== undefined);
    return found ?? otherwise;
  };
  const run = vector.runId ?? named(/^\.rapid-os\/runs\/([^/]+)\//, 'run');
  const spec = named(/^\.rapid-os\/specs\/([^/]+)\//, 'spec');
  const harness = named(/^\.rapid-os\/harnesses\/([^/]+)\.json$/, 'codex');
  return {
    profile: (project) => loadProfile(project, harness),
    lock: (project) => lockedProfileOf(loadLock(project), harness),
    policy: loadPolicy,
    decision: (project) => decideExecution(loadRevision(project, spec), loadPolicy(project).policy),
    resolution: (project) => {
      const { contract } = loadContract(project, run);
      return resolve(contract, loadProfile(project, contract.harness), vector.require);
    },
    run: (project) => loadRun(project, run),
    reports: (project) => {
      const verified = loadReports(project, run);
      return [verified.reports, evaluateRun(verified)];
    },
    authoring: (project) => {
      const place = { code: 'RAPID1202', file: 'authoring', reading: 'compatible' } as const;
      const loaded = loadRun(project, run);
      const authored = readAuthoring(vector.args.get('evidence') ?? null, place);
      return makeRecord(authored, loaded.contract, boundState(authored, loaded.states), 'E001', [], place);
    },
    validation: (project) => {
      validateDocuments(project); // strict reading finds more faults, so the answers differ
      return null;
    },
  };
}

type Answer = { readonly answer: string } | { readonly code: string };

// A crash carries what is needed to see it again.
function answerOf(load: (project: Project) => unknown, project: Project): Answer {
  try {
    return { answer: canonicalJson(comparable(load(project))) };
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    holds(codeEntry(thrown.code).title !== '', 'a refusal without a documented code');
    return { code: thrown.code };
  }
}

// Canonical JSON takes no undefined: answers hold some where a part is not there.
function comparable(value: unknown): unknown {
  if (value === undefined) return null;
  if (Array.isArray(value)) return value.map(comparable);
  if (typeof value !== 'object' || value === null || value instanceof Map) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, comparable(item)]));
}

/** How mutated vectors were answered. */
export interface FuzzCounts {
  cases: number;
  answers: number;
  refusals: number;
}

/** Feeds mutated vectors to every loader, in both readings. */
export function fuzz(runs: number, seed: number, onCase?: (counts: FuzzCounts) => void): FuzzCounts {
  const vectors = packedAreas().flatMap((area) => packedVectors(area));
  const [first] = vectors;
  if (first === undefined) throw new Error('no vectors');
  const counts: FuzzCounts = { cases: 0, answers: 0, refusals: 0 };
  for (let n = 0; n < runs; n += 1) {
    const next = random(seed + n);
    next();
    const vector = pick(next, [first, ...vectors.slice(1)]);
    const files = mutateTree(vector, next);
    for (const [name, load] of Object.entries(loadersOf(files, vector))) {
      try {
        const strict = answerOf(load, { tree: memoryTree(files), reading: 'strict' });
        const compatible = answerOf(load, { tree: memoryTree(files), reading: 'compatible' });
        // Strict reading may refuse more, and answers nothing else.
        if ('answer' in strict)
          same('answer' in compatible ? compatible.answer : compatible.code, strict.answer, 'compatible');
        counts['answer' in compatible ? 'answers' : 'refusals'] += 1;
      } catch (cause) {
        throw new Error(`${name} of ${vector.id}, mutated with seed ${seed + n}: ${String(cause)}`, { cause });
      }
    }
    counts.cases += 1;
    onCase?.(counts);
  }
  return counts;
}

export const FUZZ_LAWS: readonly Property[] = [
  {
    name: 'mutated documents are answered or refused with a code, and strict reading is never laxer',
    check: (runs) => {
      const { answers, refusals } = fuzz(runs, SEED);
      holds(answers > runs / 2 && refusals > runs / 2, `one-sided: ${answers} answers, ${refusals} refusals`);
    },
  },
];

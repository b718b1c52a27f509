import type { RefusalCode } from './codes.ts';
import { Refusal } from './errors.ts';
import type { JsonPlace } from './json/read.ts';

const SLUG = /^[a-z0-9][a-z0-9-]{0,62}$/;
const GATE_ID = /^gate\.[a-z0-9][a-z0-9-]{0,62}$/;
const TASK_ID = /^T(?!000$)(?:[0-9]{3}|[1-9][0-9]{3,})$/;
const EVIDENCE_ID = /^E(?!000$)(?:[0-9]{3}|[1-9][0-9]{3,})$/;
const DIGEST = /^[0-9a-f]{64}\n?$/;
const REVISION_NAME = /^(?!0000$)(?:[0-9]{4}|[1-9][0-9]{4,})$/;

/** Whether a text is a harness, run or spec id: 1–63 of `a-z`, `0-9`, `-`, not starting with a dash. */
export function isSlug(text: string): boolean {
  return SLUG.test(text);
}

/** @throws Refusal RAPID1104 (or `code`) for a malformed harness id */
export function checkHarnessId(id: string, code: RefusalCode = 'RAPID1104'): string {
  if (id === '') throw new Refusal(code, 'A harness id cannot be empty.');
  if (!SLUG.test(id)) throw new Refusal(code, `Invalid harness id '${id}'.`);
  return id;
}

/** @throws Refusal `code` for a malformed run id */
export function checkRunId(id: string, code: RefusalCode): string {
  if (!SLUG.test(id)) throw new Refusal(code, `Invalid run id '${id}'.`);
  return id;
}

/** @throws Refusal `code` for a malformed spec id */
export function checkSpecId(id: string, code: RefusalCode): string {
  if (!SLUG.test(id)) throw new Refusal(code, `Invalid spec id '${id}'.`);
  return id;
}

/** Whether a text is a gate id, such as `gate.tests`. */
export function isGateId(text: string): boolean {
  return GATE_ID.test(text);
}

/** Whether a text is a task id: `T001` … `T999`, `T1000` … */
export function isTaskId(text: string): boolean {
  return TASK_ID.test(text);
}

/** Whether a text is an evidence id: `E001` … `E999`, `E1000` … */
export function isEvidenceId(text: string): boolean {
  return EVIDENCE_ID.test(text);
}

/** Number `n` (from 1) as a task or evidence id. */
export function numberedId(letter: 'T' | 'E', n: number): string {
  return `${letter}${String(n).padStart(3, '0')}`;
}

/** Task or evidence ids by number, without repetitions. */
export function sortedById(ids: Iterable<string>): string[] {
  return [...new Set(ids)].sort((a, b) => a.length - b.length || (a < b ? -1 : Number(a > b)));
}

/** Revision `n` (from 1) as the base of a file or folder name: `0001`, `12345`. */
export function revisionName(n: number): string {
  return String(n).padStart(4, '0');
}

/** The revision of a canonical name without ending, or undefined. */
export function revisionOf(name: string): number | undefined {
  if (!REVISION_NAME.test(name)) return undefined;
  const revision = Number(name);
  return Number.isSafeInteger(revision) ? revision : undefined;
}

/** Whether a text is a digest: 64 lower-case hex digits. Rapid OS's pattern lets one final LF pass. */
export function isDigest(text: string): boolean {
  return DIGEST.test(text);
}

// Characters that do not show, or that reorder what shows: general category Cc, Cf, and the separators of lines.
const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufe00-\ufe0f\u{e0100}-\u{e01ef}]/u;

/** Refuses, in strict reading, characters in an identifier or path that a reviewer cannot see (CS1111). */
export function checkVisible(text: string, what: string, place: JsonPlace): void {
  if (place.reading !== 'strict') return;
  const match = INVISIBLE.exec(text);
  if (match === null) return;
  const point = (match[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  throw new Refusal('CS1111', `${place.file}: ${what} holds the invisible character U+${point}.`, {
    where: place.file,
  });
}

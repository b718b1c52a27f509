import { coded, fault, integerAt, keysOrItems, objectAt, wordOf } from '../fields.ts';
import { checkVisible } from '../identifiers.ts';
import type { Integer, JsonNode, JsonObject } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import { portableTextFault, relativePathFault } from '../paths.ts';
import { sortedUnique } from '../text/order.ts';
import { trim } from '../text/trim.ts';

export const EVIDENCE_KINDS = [
  'command_result',
  'test_result',
  'file_change',
  'git_result',
  'workspace',
  'review',
  'tool_invocation',
  'delegation',
  'artifact',
] as const;
export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

export const REVIEW_TYPES = ['peer', 'security', 'migration', 'manual', 'final'] as const;
export const REVIEW_OUTCOMES = ['approved', 'changes_requested', 'rejected'] as const;
const OUTCOMES = ['success', 'failure'] as const;

export interface CommandResult {
  readonly label: string;
  readonly exit_code: Integer;
}
export interface TestResult {
  readonly suite: string;
  readonly exit_code: Integer;
  readonly passed: Integer;
  readonly failed: Integer;
  readonly skipped: Integer;
}
export interface FileChange {
  readonly paths: readonly string[];
}
export interface GitResult {
  readonly operation: 'inspect' | 'modify';
}
export interface WorkspaceUse {
  readonly mode: 'current' | 'isolated';
}
export interface Review {
  readonly review_type: (typeof REVIEW_TYPES)[number];
  readonly outcome: (typeof REVIEW_OUTCOMES)[number];
  readonly reviewer: string;
}
export interface ToolInvocation {
  readonly tool_id: string;
  readonly outcome: 'success' | 'failure';
}
export interface Delegation {
  readonly target: string;
  readonly outcome: 'success' | 'failure';
}
export interface ArtifactLabel {
  readonly label: string;
}

/** What was observed, by kind; fields in the order in which they are written. */
export type Observation =
  | { readonly kind: 'command_result'; readonly payload: CommandResult }
  | { readonly kind: 'test_result'; readonly payload: TestResult }
  | { readonly kind: 'file_change'; readonly payload: FileChange }
  | { readonly kind: 'git_result'; readonly payload: GitResult }
  | { readonly kind: 'workspace'; readonly payload: WorkspaceUse }
  | { readonly kind: 'review'; readonly payload: Review }
  | { readonly kind: 'tool_invocation'; readonly payload: ToolInvocation }
  | { readonly kind: 'delegation'; readonly payload: Delegation }
  | { readonly kind: 'artifact'; readonly payload: ArtifactLabel };

/** The fields of each kind's payload: closed, all required. */
export const PAYLOAD_FIELDS = {
  command_result: ['label', 'exit_code'],
  test_result: ['suite', 'exit_code', 'passed', 'failed', 'skipped'],
  file_change: ['paths'],
  git_result: ['operation'],
  workspace: ['mode'],
  review: ['review_type', 'outcome', 'reviewer'],
  tool_invocation: ['tool_id', 'outcome'],
  delegation: ['target', 'outcome'],
  artifact: ['label'],
} as const satisfies Record<EvidenceKind, readonly string[]>;

/** Reads kind and payload. @throws Refusal RAPID1206 */
export function readObservation(
  kindNode: JsonNode | undefined,
  payload: JsonNode | undefined,
  outer: JsonPlace,
): Observation {
  const place = coded(outer, 'RAPID1206');
  const kind = wordOf(kindNode, 'evidence kind', EVIDENCE_KINDS, place);
  const object = objectAt(payload ?? null, `the payload of a ${kind}`, place, PAYLOAD_FIELDS[kind]);
  switch (kind) {
    case 'command_result':
      return {
        kind,
        payload: { label: portableAt(object, 'label', place), exit_code: integerAt(object, 'exit_code', place) },
      };
    case 'test_result':
      return {
        kind,
        payload: {
          suite: portableAt(object, 'suite', place),
          exit_code: integerAt(object, 'exit_code', place),
          passed: tallyAt(object, 'passed', place),
          failed: tallyAt(object, 'failed', place),
          skipped: tallyAt(object, 'skipped', place),
        },
      };
    case 'file_change':
      return { kind, payload: { paths: pathsAt(object, place) } };
    case 'git_result':
      return { kind, payload: { operation: exactAt(object, 'operation', ['inspect', 'modify'], place) } };
    case 'workspace':
      return { kind, payload: { mode: exactAt(object, 'mode', ['current', 'isolated'], place) } };
    case 'review':
      return {
        kind,
        payload: {
          review_type: exactAt(object, 'review_type', REVIEW_TYPES, place),
          outcome: exactAt(object, 'outcome', REVIEW_OUTCOMES, place),
          reviewer: portableAt(object, 'reviewer', place, 'no-slash'),
        },
      };
    case 'tool_invocation':
      return {
        kind,
        payload: {
          tool_id: portableAt(object, 'tool_id', place, 'no-slash'),
          outcome: exactAt(object, 'outcome', OUTCOMES, place),
        },
      };
    case 'delegation':
      return {
        kind,
        payload: {
          target: portableAt(object, 'target', place, 'no-slash'),
          outcome: exactAt(object, 'outcome', OUTCOMES, place),
        },
      };
    case 'artifact':
      return { kind, payload: { label: portableAt(object, 'label', place) } };
  }
}

/** A field of portable text, trimmed. */
export function portableAt(
  object: JsonObject,
  key: string,
  place: JsonPlace,
  slash: 'slash' | 'no-slash' = 'slash',
): string {
  const node = object.get(key);
  const why = portableTextFault(node, slash);
  if (why !== undefined || typeof node !== 'string') throw fault(place, `'${key}' ${why ?? 'must be a text'}.`);
  // Where no slash may stand, the text names someone or something: an identifier.
  if (slash === 'no-slash') checkVisible(trim(node), `'${key}'`, place);
  return trim(node);
}

// Words of payloads are trimmed, but case counts.
function exactAt<T extends string>(object: JsonObject, key: string, words: readonly T[], place: JsonPlace): T {
  const node = object.get(key);
  return wordOf(typeof node === 'string' ? trim(node) : node, `'${key}'`, words, place, 'exact');
}

function tallyAt(object: JsonObject, key: string, place: JsonPlace): Integer {
  const value = integerAt(object, key, place);
  if (value < 0) throw fault(place, `'${key}' must not be negative.`);
  return value;
}

function pathsAt(object: JsonObject, place: JsonPlace): string[] {
  const node = keysOrItems(object, 'paths', place);
  if (!Array.isArray(node) || node.length === 0)
    throw fault(place, "'paths' must be a non-empty list of project-relative paths.");
  return sortedUnique(
    node.map((item) => {
      const why = relativePathFault(item);
      if (why !== undefined || typeof item !== 'string') throw fault(place, `'paths': ${shown(item)} ${why ?? ''}.`);
      checkVisible(item, "'paths'", place);
      return item;
    }),
  );
}

function shown(item: JsonNode): string {
  return typeof item === 'string' ? `'${item}'` : 'an item';
}

/** Whether an observation says that something went wrong, by rule set 1. */
export function isFailing(observation: Observation): boolean {
  switch (observation.kind) {
    case 'command_result':
      return !isZero(observation.payload.exit_code);
    case 'test_result':
      return !isZero(observation.payload.exit_code) || observation.payload.failed > 0;
    case 'tool_invocation':
    case 'delegation':
      return observation.payload.outcome === 'failure';
    case 'file_change':
    case 'git_result':
    case 'workspace':
    case 'review':
    case 'artifact':
      return false;
  }
}

function isZero(value: Integer): boolean {
  return BigInt(value) === 0n;
}

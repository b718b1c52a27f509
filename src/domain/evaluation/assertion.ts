import { booleanAt, fault, listAt, nonBlankAt, objectAt, wordAt } from '../fields.ts';
import { isEvidenceId, sortedById } from '../identifiers.ts';
import type { JsonNode } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';

export const ASSERTION_CATEGORIES = ['lifecycle', 'task', 'gate', 'capability'] as const;
export type AssertionCategory = (typeof ASSERTION_CATEGORIES)[number];

export const ASSERTION_STATUSES = ['pass', 'fail', 'unverified', 'waived', 'not_applicable'] as const;
export type AssertionStatus = (typeof ASSERTION_STATUSES)[number];

export const VERDICTS = ['pass', 'pass_with_waivers', 'unverified', 'fail'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** One thing that a rule set concludes about a run, and from which records. */
export interface Assertion {
  readonly id: string;
  readonly category: AssertionCategory;
  readonly subject_id: string;
  readonly required: boolean;
  readonly status: AssertionStatus;
  readonly reason: string;
  readonly evidence_ids: readonly string[];
}

/** The verdict that follows from assertions, by rule set 1. */
export function verdictOf(assertions: readonly Assertion[]): Verdict {
  const required = (status: AssertionStatus): boolean =>
    assertions.some((one) => one.required && one.status === status);
  const lifecycleFails = assertions.some((one) => one.id === 'run.lifecycle' && one.status === 'fail');
  if (lifecycleFails || required('fail')) return 'fail';
  if (required('unverified')) return 'unverified';
  return required('waived') ? 'pass_with_waivers' : 'pass';
}

/** Reads an assertion of a report. */
export function readAssertion(node: JsonNode, place: JsonPlace): Assertion {
  const keys = ['id', 'category', 'subject_id', 'required', 'status', 'reason', 'evidence_ids'];
  const object = objectAt(node, 'an assertion', place, keys);
  const ids = listAt(object, 'evidence_ids', place).map((item) => {
    if (typeof item === 'string' && isEvidenceId(item)) return item;
    throw fault(
      place,
      `'evidence_ids' holds ${typeof item === 'string' ? `the invalid id '${item}'` : 'an item that is no text'}.`,
    );
  });
  return {
    id: nonBlankAt(object, 'id', place),
    category: wordAt(object, 'category', ASSERTION_CATEGORIES, place, 'exact'),
    subject_id: nonBlankAt(object, 'subject_id', place),
    required: booleanAt(object, 'required', place),
    status: wordAt(object, 'status', ASSERTION_STATUSES, place),
    reason: nonBlankAt(object, 'reason', place),
    evidence_ids: sortedById(ids),
  };
}

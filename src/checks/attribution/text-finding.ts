import type { Severity } from '../rule.ts';
import type { AttributionRuleId } from './rules.ts';

/** Something that was found in a text, before it has a place, a remedy and its final severity. */
export interface TextFinding {
  readonly rule: AttributionRuleId;
  readonly severity: Severity;
  /** From 1. */
  readonly line: number;
  /** How many lines it takes, continuations included. */
  readonly lines: number;
  readonly subject: string;
  /** One sentence, with the line as it stands, code points shown. */
  readonly message: string;
}

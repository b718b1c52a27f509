import type { JsonNode } from '../json/node.ts';
import { fault, wordOf } from '../fields.ts';
import type { JsonPlace } from '../json/read.ts';
import { trim } from '../text/trim.ts';

/** Levels of risk, rising. */
export const RISKS = ['low', 'medium', 'high', 'critical'] as const;
export type Risk = (typeof RISKS)[number];

/** Classes of execution, rising. */
export const CLASSIFICATIONS = ['spike', 'bounded', 'architectural'] as const;
export type Classification = (typeof CLASSIFICATIONS)[number];

export const WORKSPACES = ['current_allowed', 'isolated_required'] as const;
export type Workspace = (typeof WORKSPACES)[number];

/** The higher of two levels of a rising scale. */
export function higher<T extends string>(scale: readonly T[], a: T, b: T): T {
  return scale.indexOf(a) >= scale.indexOf(b) ? a : b;
}

/** Whether `a` lies below `b` on a rising scale. */
export function isBelow<T extends string>(scale: readonly T[], a: T, b: T): boolean {
  return scale.indexOf(a) < scale.indexOf(b);
}

const RISK_BY_NUMBER: Readonly<Record<string, Risk>> = { '10': 'low', '50': 'medium', '80': 'high', '100': 'critical' };

/** A risk by name, or by the number that stands for it (10, 50, 80, 100), also as digits in a text. */
export function riskOf(node: JsonNode | undefined, what: string, place: JsonPlace): Risk {
  if (typeof node === 'number') {
    const byNumber = RISK_BY_NUMBER[String(node)];
    if (byNumber === undefined) throw fault(place, `Invalid ${what} '${node}': must be one of ${RISKS.join(', ')}.`);
    return byNumber;
  }
  const text = typeof node === 'string' ? trim(node) : '';
  return RISK_BY_NUMBER[text] ?? wordOf(node, what, RISKS, place);
}

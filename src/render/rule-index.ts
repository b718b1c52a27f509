import { ATTRIBUTION_RULES } from '../checks/attribution/rules.ts';
import { CONTROL_PLANE_RULES } from '../checks/control-plane/rules.ts';
import type { Rule } from '../checks/rule.ts';
import { SCOPE_RULES } from '../checks/scope/rules.ts';
import { SECRET_RULES } from '../checks/secrets/rules.ts';
import { compareCodePoints } from '../domain/text/order.ts';
import { LEDGER_RULES } from '../gate/append-only.ts';

/** The tables of all checks; no two hold the same id. */
export const RULE_TABLES: readonly Readonly<Record<string, Rule>>[] = [
  ATTRIBUTION_RULES,
  CONTROL_PLANE_RULES,
  LEDGER_RULES,
  SCOPE_RULES,
  SECRET_RULES,
];

/** Every rule that a finding can be of, by id, in the order of ids. */
export const RULE_INDEX: ReadonlyMap<string, Rule> = new Map(
  RULE_TABLES.flatMap((rules) => Object.entries(rules)).sort(([a], [b]) => compareCodePoints(a, b)),
);

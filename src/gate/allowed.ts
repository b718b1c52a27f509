import type { Finding } from '../checks/finding.ts';
import type { Config } from '../config/schema.ts';
import type { Facts } from './facts.ts';
import { decisionsFor } from './people.ts';

/** Checks whose findings a permitted person may allow. A rewritten ledger or a spent run stays what it is. */
const ALLOWABLE = ['attribution/', 'secrets/', 'scope/'] as const;

/** Findings that a permitted person allowed at this head by their id: they are shown, and block no more. */
export function withAllowances(facts: Facts, config: Config, findings: readonly Finding[]): Finding[] {
  // Ids are short enough to be made alike on purpose: one that two findings bear says nothing about either.
  const known = new Set<string>();
  const ambiguous = new Set<string>();
  for (const { id } of findings) (known.has(id) ? ambiguous : known).add(id);
  return findings.map((finding) => {
    if (ambiguous.has(finding.id)) return finding;
    if (finding.severity !== 'block' || !ALLOWABLE.some((check) => finding.rule.startsWith(check))) return finding;
    const allowed = decisionsFor(facts, config, 'allow', ({ subject }) => subject === finding.id).find(
      ({ standing }) => standing.counts,
    );
    if (allowed === undefined) return finding;
    const { login, reason } = allowed.decision;
    return { ...finding, severity: 'note', message: `${finding.message} Allowed by ${login}: ${reason}` };
  });
}

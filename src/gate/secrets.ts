import type { FindingDraft } from '../checks/finding.ts';
import { SECRET_RULES } from '../checks/secrets/rules.ts';
import type { SecretRuleId } from '../checks/secrets/rules.ts';
import { globMatcher } from '../config/globs.ts';
import type { Config } from '../config/schema.ts';
import { isImpossiblePath } from './canonical-facts.ts';
import type { Facts, SecretFacts } from './facts.ts';
import { utcDay } from './people.ts';

type Found = SecretFacts['findings'][number];

/** Rules that look at what a file is called or holds as a whole; `secrets.files.allow` is about them. */
const FILE_RULES: ReadonlySet<SecretRuleId> = new Set([
  'secrets/file-tracked',
  'secrets/file-tracked-ignored',
  'secrets/file-not-ignored',
]);

/**
 * Secrets that the collection found, as the base's config weighs them. How much one weighs is the rule's to say, not
 * the facts'; a config in mode `warn` blocks nothing.
 */
export function secretsFindings(facts: Facts, { secrets }: Config): FindingDraft[] {
  if (facts.secrets === undefined || facts.secrets.scanned === 'not') return [];
  return facts.secrets.findings.flatMap(secretsWeigher(secrets, utcDay(facts.now)));
}

/**
 * Weighs findings of secrets by a config: nothing comes of one that it allows, or in mode `off`.
 * @param today as `2026-12-31`, by which allowances end
 */
export function secretsWeigher(secrets: Config['secrets'], today: string): (found: Found) => FindingDraft[] {
  if (secrets.mode === 'off') return () => [];
  const isFileAllowed = globMatcher(secrets.files.allow);
  const allowances = secrets.allow
    .filter(({ until }) => until === undefined || until >= today)
    .map(({ rule, paths }) => ({ rule, matches: globMatcher(paths) }));
  const isAllowed = ({ rule, place }: Found): boolean => {
    // Git's own configuration may lie outside of the repository, where no pattern reaches.
    if (place.at !== 'file' || isImpossiblePath(place.path)) return false;
    if (FILE_RULES.has(rule) && isFileAllowed(place.path)) return true;
    return allowances.some((allowance) => allowance.rule === rule && allowance.matches(place.path));
  };
  return (found) => {
    if (isAllowed(found)) return [];
    const { rule, place, subject, message, remedy } = found;
    return [{ rule, severity: severityOf(rule, secrets.mode), place: placeOf(place), subject, message, remedy }];
  };
}

function severityOf(rule: SecretRuleId, mode: Config['secrets']['mode']): FindingDraft['severity'] {
  const { severity } = SECRET_RULES[rule];
  return mode === 'warn' && severity === 'block' ? 'warn' : severity;
}

// The schema's optional keys may be there and undefined; a place's may not.
function placeOf(place: Found['place']): FindingDraft['place'] {
  return Object.fromEntries(Object.entries(place).filter(([, value]) => value !== undefined)) as FindingDraft['place'];
}

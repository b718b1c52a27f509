import { convertedNonBlankAt, objectAt } from '../fields.ts';
import { SIGNAL_REASONS } from '../format-texts.ts';
import { checkVisible } from '../identifiers.ts';
import type { JsonNode } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import { sortedUnique } from '../text/order.ts';
import { trim } from '../text/trim.ts';
import type { Policy } from './policy.ts';
import { riskOf } from './risk.ts';
import type { Risk } from './risk.ts';
import type { SpecRevision } from './spec.ts';

/** Something in a spec or policy that raises the risk of a run. */
export interface RiskSignal {
  readonly id: string;
  readonly level: Risk;
  readonly reason: string;
  readonly source: string;
}

interface Scope {
  readonly id: keyof typeof SIGNAL_REASONS & string;
  readonly tags: readonly string[];
  readonly prefixes: readonly string[];
}

// The fixed scopes of rule set 1, in order; `scope.architecture` comes after them and takes what they leave.
const SCOPES = [
  {
    id: 'scope.database-migration',
    tags: ['migration', 'migrations', 'database-migration', 'database-schema', 'schema', 'db-migration'],
    prefixes: ['migrations/', 'alembic/', 'prisma/', 'supabase/migrations/'],
  },
  {
    id: 'scope.infrastructure',
    tags: ['infra', 'infrastructure', 'deployment', 'terraform', 'docker', 'k8s', 'kubernetes'],
    prefixes: ['infra/', 'terraform/', 'deploy/'],
  },
  {
    id: 'scope.security',
    tags: ['security', 'owasp', 'encryption', 'secrets', 'vulnerability'],
    prefixes: ['security/'],
  },
  {
    id: 'scope.authentication',
    tags: ['auth', 'authentication', 'authorization', 'oauth', 'jwt', 'rbac', 'sso'],
    prefixes: ['auth/'],
  },
  { id: 'scope.ci', tags: ['ci', 'cd', 'ci-cd', 'github-actions', 'pipeline'], prefixes: ['.github/workflows/'] },
] as const satisfies readonly Scope[];

const ARCHITECTURE_TAGS = ['architecture', 'architectural', 'core-architecture'] as const;
const FIXED_TAGS: ReadonlySet<string> = new Set([...SCOPES.flatMap((scope) => [...scope.tags]), ...ARCHITECTURE_TAGS]);
const FIXED_PREFIXES = SCOPES.flatMap((scope) => [...scope.prefixes]);
const NO_IMPACT: ReadonlySet<string> = new Set(['', 'none', 'n/a', 'no', 'nil', 'sin impacto', 'no especificado']);

/** A signal and the entry that it adds to a decision's reasons. */
export interface FoundSignal {
  readonly signal: RiskSignal;
  readonly entry: string;
}

/** The signals that a spec revision gives under a policy, in the order of rule set 1. */
export function signalsOf(spec: SpecRevision, policy: Policy): FoundSignal[] {
  const paths = spec.affected_paths.map((path) => path.toLowerCase());
  const tagged = (tags: readonly string[]): boolean => spec.tags.some((tag) => tags.includes(tag));
  const found: FoundSignal[] = [];
  const add = (id: string, level: Risk, reason: string, source: string, entry = id): void => {
    found.push({ signal: { id, level, reason, source }, entry });
  };

  for (const scope of SCOPES) {
    const byTag = tagged(scope.tags);
    const migration = scope.id === 'scope.database-migration';
    const byPath = paths.some(
      (path) => startsWithAny(path, scope.prefixes) || (migration && path.includes('/migrations/')),
    );
    if (!byTag && !byPath) continue;
    const entry = migration && !byTag ? 'path.database-migration' : scope.id;
    add(scope.id, 'high', SIGNAL_REASONS[scope.id], byTag ? 'spec.tags' : 'spec.affected_paths', entry);
  }
  const architectural = [...ARCHITECTURE_TAGS, ...policy.architectural_tags.filter((tag) => !FIXED_TAGS.has(tag))];
  const byTag = tagged(architectural);
  const byPath = paths.some(
    (path) => !startsWithAny(path, FIXED_PREFIXES) && startsWithAny(path, policy.architectural_path_prefixes),
  );
  if (byTag || byPath) {
    add(
      'scope.architecture',
      'high',
      SIGNAL_REASONS['scope.architecture'],
      byTag ? 'spec.tags' : 'spec.affected_paths',
    );
  }
  if (!NO_IMPACT.has(trim(spec.data_impact).toLowerCase())) {
    add('data.impact', 'medium', SIGNAL_REASONS['data.impact'], 'spec.data_impact');
  }
  const critical = sortedUnique(spec.tags.filter((tag) => policy.critical_risk_tags.includes(tag)));
  if (critical.length > 0) {
    add('scope.critical-impact', 'critical', SIGNAL_REASONS.criticalTags(critical.join(', ')), 'spec.tags');
  }
  const high = sortedUnique(spec.tags.filter((tag) => policy.high_risk_tags.includes(tag) && !FIXED_TAGS.has(tag)));
  if (high.length > 0) {
    add('policy.high-risk-tag', 'high', SIGNAL_REASONS.highRiskTags(high.join(', ')), 'policy.high_risk_tags');
  }
  return found;
}

function startsWithAny(path: string, prefixes: readonly string[]): boolean {
  return prefixes.some((prefix) => path.startsWith(prefix));
}

/** Reads a signal of a contract. */
export function readSignal(node: JsonNode, place: JsonPlace): RiskSignal {
  const object = objectAt(node, 'a risk signal', place, ['id', 'level', 'reason', 'source']);
  const id = convertedNonBlankAt(object, 'id', place);
  checkVisible(id, "a risk signal's 'id'", place);
  return {
    id,
    level: riskOf(object.get('level'), "'level'", place),
    reason: convertedNonBlankAt(object, 'reason', place),
    source: convertedNonBlankAt(object, 'source', place),
  };
}

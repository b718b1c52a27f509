import { fault, objectAt, versionAt, wordAt } from '../fields.ts';
import { checkVisible } from '../identifiers.ts';
import { digestOf } from '../json/canonical.ts';
import type { JsonNode, JsonObject } from '../json/node.ts';
import { isObject } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import { Refusal } from '../errors.ts';
import { fileExists, RAPID_OS, readDocument } from '../project.ts';
import type { Project } from '../project.ts';
import { sortedUnique } from '../text/order.ts';
import { trim } from '../text/trim.ts';
import { GATE_IDS, isKnownGate } from './gates.ts';
import type { GateId } from './gates.ts';
import { CLASSIFICATIONS, isBelow, RISKS, riskOf, WORKSPACES } from './risk.ts';
import type { Classification, Risk, Workspace } from './risk.ts';

export const POLICY = `${RAPID_OS}/policy.json`;

/** What a project demands of every run; fields in the order in which they are written. */
export interface Policy {
  readonly schema_version: 1;
  readonly minimum_classification: Classification;
  readonly minimum_risk: Risk;
  readonly architectural_tags: readonly string[];
  readonly architectural_path_prefixes: readonly string[];
  readonly high_risk_tags: readonly string[];
  readonly critical_risk_tags: readonly string[];
  readonly workspace_by_risk: Readonly<Record<Risk, Workspace>>;
  readonly waivable_gate_ids: readonly GateId[];
  readonly extra_required_gate_ids: readonly GateId[];
}

/** The policy where a project has none of its own; a project's policy may only be stricter. */
export const BUILTIN_POLICY: Policy = {
  schema_version: 1,
  minimum_classification: 'spike',
  minimum_risk: 'low',
  architectural_tags: [
    'architecture',
    'architectural',
    'auth',
    'authentication',
    'authorization',
    'ci',
    'database-migration',
    'database-schema',
    'deployment',
    'infra',
    'infrastructure',
    'migration',
    'migrations',
    'schema',
    'security',
  ].sort(),
  architectural_path_prefixes: [
    '.github/workflows/',
    'alembic/',
    'auth/',
    'deploy/',
    'infra/',
    'migrations/',
    'prisma/',
    'security/',
    'supabase/migrations/',
    'terraform/',
  ],
  high_risk_tags: [
    'architecture',
    'auth',
    'authentication',
    'ci',
    'database-migration',
    'database-schema',
    'deployment',
    'infra',
    'infrastructure',
    'migration',
    'migrations',
    'security',
  ],
  critical_risk_tags: [
    'auth-migration',
    'breaking-change',
    'critical',
    'destructive-migration',
    'production-auth',
    'production-migration',
    'security-critical',
  ],
  workspace_by_risk: {
    low: 'current_allowed',
    medium: 'current_allowed',
    high: 'isolated_required',
    critical: 'isolated_required',
  },
  waivable_gate_ids: ['gate.review', 'gate.tests'],
  extra_required_gate_ids: [],
};

/** A policy and where it comes from. */
export interface ActivePolicy {
  readonly source: 'default' | typeof POLICY;
  readonly digest: string;
  readonly policy: Policy;
}

/** The policy in force. @throws Refusal RAPID1005, RAPID1006 where it loosens the built-in one, RAPID1008 */
export function loadPolicy(project: Project): ActivePolicy {
  if (!fileExists(project, POLICY, 'RAPID1008')) {
    return { source: 'default', digest: digestOf(BUILTIN_POLICY), policy: BUILTIN_POLICY };
  }
  const node = readDocument(project, POLICY, { unsafe: 'RAPID1008', malformed: 'RAPID1005' });
  const policy = readPolicy(node, { code: 'RAPID1005', file: POLICY, reading: project.reading });
  return { source: POLICY, digest: digestOf(policy), policy };
}

/** Reads a policy document; keys that are not given take the built-in value. */
export function readPolicy(node: JsonNode, place: JsonPlace): Policy {
  const keys = Object.keys(BUILTIN_POLICY).filter((key) => key !== 'schema_version');
  const object = objectAt(node, 'the policy', place, ['schema_version'], keys);
  versionAt(object, place);
  const policy: Policy = {
    schema_version: 1,
    minimum_classification: object.has('minimum_classification')
      ? wordAt(object, 'minimum_classification', CLASSIFICATIONS, place)
      : BUILTIN_POLICY.minimum_classification,
    minimum_risk: object.has('minimum_risk')
      ? riskOf(object.get('minimum_risk'), "'minimum_risk'", place)
      : BUILTIN_POLICY.minimum_risk,
    architectural_tags: words(object, 'architectural_tags', place),
    architectural_path_prefixes: words(object, 'architectural_path_prefixes', place),
    high_risk_tags: words(object, 'high_risk_tags', place),
    critical_risk_tags: words(object, 'critical_risk_tags', place),
    workspace_by_risk: workspaces(object, place),
    waivable_gate_ids: gateIds(object, 'waivable_gate_ids', place),
    extra_required_gate_ids: gateIds(object, 'extra_required_gate_ids', place),
  };
  refuseLoosening(policy, place);
  return policy;
}

type WordKey = 'architectural_tags' | 'architectural_path_prefixes' | 'high_risk_tags' | 'critical_risk_tags';

function words(object: JsonObject, key: WordKey, place: JsonPlace): readonly string[] {
  if (!object.has(key)) return BUILTIN_POLICY[key];
  const list = object.get(key);
  if (!Array.isArray(list)) throw fault(place, `'${key}' must be a list of texts.`);
  return sortedUnique(
    list.map((item) => {
      const word = typeof item === 'string' ? trim(item).toLowerCase() : '';
      if (word === '') throw fault(place, `'${key}' must be a list of non-empty texts.`);
      checkVisible(word, `'${key}'`, place);
      return word;
    }),
  );
}

function gateIds(
  object: JsonObject,
  key: 'waivable_gate_ids' | 'extra_required_gate_ids',
  place: JsonPlace,
): readonly GateId[] {
  if (!object.has(key)) return BUILTIN_POLICY[key];
  const list = object.get(key);
  if (!Array.isArray(list)) throw fault(place, `'${key}' must be a list of gate ids.`);
  return sortedUnique(
    list.map((item) => {
      if (!isKnownGate(item)) {
        const shown = typeof item === 'string' ? `'${item}'` : 'a value that is no text';
        throw fault(place, `'${key}' names ${shown}; known gates are ${GATE_IDS.join(', ')}.`);
      }
      return item;
    }),
  ).filter(isKnownGate);
}

function workspaces(object: JsonObject, place: JsonPlace): Readonly<Record<Risk, Workspace>> {
  const node = object.get('workspace_by_risk');
  if (node === undefined) return BUILTIN_POLICY.workspace_by_risk;
  if (!isObject(node))
    throw fault(place, "'workspace_by_risk' must be an object with the four levels of risk as keys.");
  const levels = objectAt(node, "'workspace_by_risk'", place, RISKS);
  const at = (risk: Risk): Workspace => wordAt(levels, risk, WORKSPACES, place);
  return { low: at('low'), medium: at('medium'), high: at('high'), critical: at('critical') };
}

function refuseLoosening(policy: Policy, place: JsonPlace): void {
  const loosened = (what: string): Refusal =>
    new Refusal('RAPID1006', `${place.file} loosens the built-in policy: ${what}.`, { where: place.file });
  const lists: readonly WordKey[] = [
    'architectural_tags',
    'architectural_path_prefixes',
    'high_risk_tags',
    'critical_risk_tags',
  ];
  for (const key of lists) {
    const gone = BUILTIN_POLICY[key].find((word) => !policy[key].includes(word));
    if (gone !== undefined) throw loosened(`'${key}' lacks '${gone}'`);
  }
  for (const risk of RISKS) {
    if (isBelow(WORKSPACES, policy.workspace_by_risk[risk], BUILTIN_POLICY.workspace_by_risk[risk])) {
      throw loosened(`'workspace_by_risk' allows the current workspace at ${risk} risk`);
    }
  }
  const notWaivable = policy.waivable_gate_ids.find((id) => !BUILTIN_POLICY.waivable_gate_ids.includes(id));
  if (notWaivable !== undefined)
    throw loosened(`'waivable_gate_ids' lists '${notWaivable}', which can never be waived`);
}

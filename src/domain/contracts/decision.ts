import { Refusal } from '../errors.ts';
import { fault, listAt, objectAt, wordAt } from '../fields.ts';
import { SIGNAL_REASONS } from '../format-texts.ts';
import { canonicalJson } from '../json/canonical.ts';
import type { JsonNode } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import { trim } from '../text/trim.ts';
import { GATE_IDS, gatesOfRisk, makeGate, readGate } from './gates.ts';
import type { Gate, GateId } from './gates.ts';
import type { Policy } from './policy.ts';
import { CLASSIFICATIONS, higher, isBelow, RISKS, riskOf, WORKSPACES } from './risk.ts';
import type { Classification, Risk, Workspace } from './risk.ts';
import { readSignal, signalsOf } from './signals.ts';
import type { RiskSignal } from './signals.ts';
import type { SpecRevision } from './spec.ts';

/** What a policy makes of a spec revision: how careful a run of it has to be. */
export interface Decision {
  readonly classification: Classification;
  readonly risk: Risk;
  readonly risk_signals: readonly RiskSignal[];
  readonly workspace: Workspace;
  readonly gates: readonly Gate[];
  readonly reasons: readonly string[];
}

/** What the caller asks for on top; only more care than the policy demands is granted. */
export interface DecisionRequest {
  readonly classification?: Classification;
  readonly risk?: Risk;
}

const RISK_OF_CLASS = { spike: 'low', bounded: 'medium', architectural: 'high' } as const satisfies Record<
  Classification,
  Risk
>;

/**
 * Decides class, risk, workspace and gates of a run of a spec revision.
 * @throws Refusal RAPID1006 where less is asked for than the policy demands
 */
export function decideExecution(spec: SpecRevision, policy: Policy, request: DecisionRequest = {}): Decision {
  const reasons = [`mode.${spec.mode}`];
  const signals: RiskSignal[] = [];
  const add = (signal: RiskSignal, entry = signal.id): void => {
    signals.push(signal);
    reasons.push(entry);
  };

  if (spec.mode === 'research') signals.push(modeSignal('mode.research', 'low'));
  if (spec.mode === 'hardening') signals.push(modeSignal('mode.hardening', 'high'));
  for (const { signal, entry } of signalsOf(spec, policy)) add(signal, entry);

  const classification = decideClass(spec, policy, request, signals, reasons);
  if (classification === 'architectural') {
    add({
      id: 'classification.architectural',
      level: 'high',
      reason: SIGNAL_REASONS['classification.architectural'],
      source: 'policy.classification',
    });
  }
  const risk = decideRisk(classification, policy, request, signals, reasons);
  const workspace = policy.workspace_by_risk[risk];
  return {
    classification,
    risk,
    risk_signals: signals,
    workspace,
    gates: decideGates(risk, workspace, signals, policy),
    reasons: [...new Set(reasons)],
  };
}

function modeSignal(id: 'mode.research' | 'mode.hardening', level: Risk): RiskSignal {
  return { id, level, reason: SIGNAL_REASONS[id], source: 'spec.mode' };
}

function decideClass(
  spec: SpecRevision,
  policy: Policy,
  request: DecisionRequest,
  signals: readonly RiskSignal[],
  reasons: string[],
): Classification {
  let decided: Classification =
    spec.mode === 'research' ? 'spike' : spec.mode === 'hardening' ? 'architectural' : 'bounded';
  if (signals.some((signal) => signal.id !== 'mode.research')) decided = 'architectural';
  if (isBelow(CLASSIFICATIONS, decided, policy.minimum_classification)) {
    decided = policy.minimum_classification;
    reasons.push(`policy.minimum_classification:${decided}`);
  }
  const asked = request.classification;
  if (asked === undefined || asked === decided) return decided;
  if (isBelow(CLASSIFICATIONS, asked, decided)) {
    throw new Refusal('RAPID1006', `Classification '${asked}' lies below '${decided}', which the policy demands.`);
  }
  reasons.push(`override.classification:${asked}`);
  return asked;
}

function decideRisk(
  classification: Classification,
  policy: Policy,
  request: DecisionRequest,
  signals: RiskSignal[],
  reasons: string[],
): Risk {
  let decided: Risk = RISK_OF_CLASS[classification];
  for (const signal of signals) decided = higher(RISKS, decided, signal.level);
  if (isBelow(RISKS, decided, policy.minimum_risk)) {
    decided = policy.minimum_risk;
    signals.push({
      id: 'policy.minimum-risk',
      level: decided,
      reason: SIGNAL_REASONS.minimumRisk(decided),
      source: 'policy.minimum_risk',
    });
    reasons.push(`policy.minimum_risk:${decided}`);
  }
  const asked = request.risk;
  if (asked === undefined || asked === decided) return decided;
  if (isBelow(RISKS, asked, decided)) {
    throw new Refusal('RAPID1006', `Risk '${asked}' lies below '${decided}', which the policy demands.`);
  }
  signals.push({
    id: 'override.risk',
    level: asked,
    reason: SIGNAL_REASONS.requestedRisk(asked),
    source: 'cli.override',
  });
  reasons.push(`override.risk:${asked}`);
  return asked;
}

function decideGates(risk: Risk, workspace: Workspace, signals: readonly RiskSignal[], policy: Policy): Gate[] {
  const has = (id: string): boolean => signals.some((signal) => signal.id === id);
  const demanded = new Set<GateId>([...gatesOfRisk(risk), ...policy.extra_required_gate_ids]);
  if (workspace === 'isolated_required') demanded.add('gate.workspace-isolation');
  if (has('scope.security') || has('scope.authentication')) demanded.add('gate.security-review');
  if (has('scope.database-migration')) demanded.add('gate.migration-review');
  return GATE_IDS.filter((id) => demanded.has(id)).map((id) =>
    makeGate(id, policy.waivable_gate_ids.includes(id) && risk !== 'critical'),
  );
}

/** Reads the decision inside a contract. */
export function readDecision(node: JsonNode, place: JsonPlace): Decision {
  const keys = ['classification', 'risk', 'risk_signals', 'workspace', 'gates', 'reasons'];
  const object = objectAt(node, "'decision'", place, keys);
  const reasons = listAt(object, 'reasons', place).map((item) => {
    const text = typeof item === 'string' ? trim(item) : '';
    if (text === '') throw fault(place, "'reasons' must be a list of non-empty texts.");
    return text;
  });
  return {
    classification: wordAt(object, 'classification', CLASSIFICATIONS, place),
    risk: riskOf(object.get('risk'), "'risk'", place),
    risk_signals: listAt(object, 'risk_signals', place).map((item) => readSignal(item, place)),
    workspace: wordAt(object, 'workspace', WORKSPACES, place),
    gates: listAt(object, 'gates', place).map((item) => readGate(item, place)),
    reasons: [...new Set(reasons)],
  };
}

/** Whether two parts of documents are equal after normalisation. */
export function sameContent(a: object, b: object): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

import { booleanAt, convertedNonBlankAt, fault, objectAt, wordAt } from '../fields.ts';
import { GATE_REASONS } from '../format-texts.ts';
import { isGateId } from '../identifiers.ts';
import type { JsonNode } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import type { Risk } from './risk.ts';

export const GATE_KINDS = [
  'workspace_isolation',
  'baseline_check',
  'manual_approval',
  'implementation_tests',
  'peer_review',
  'security_review',
  'migration_review',
  'final_verification',
] as const;
export type GateKind = (typeof GATE_KINDS)[number];

export const PHASES = ['pre_execution', 'post_execution'] as const;
export type Phase = (typeof PHASES)[number];

/** Something a contract demands before or after execution. */
export interface Gate {
  readonly id: string;
  readonly kind: GateKind;
  readonly phase: Phase;
  readonly required: boolean;
  readonly waivable: boolean;
  readonly reason: string;
}

interface GateEntry {
  readonly kind: GateKind;
  readonly phase: Phase;
  /** Levels of risk that demand the gate on their own. */
  readonly risks: readonly Risk[];
}

/** The known gates in canonical order. */
export const GATES = {
  'gate.workspace-isolation': { kind: 'workspace_isolation', phase: 'pre_execution', risks: ['high', 'critical'] },
  'gate.baseline': { kind: 'baseline_check', phase: 'pre_execution', risks: ['medium', 'high', 'critical'] },
  'gate.manual-approval': { kind: 'manual_approval', phase: 'pre_execution', risks: ['critical'] },
  'gate.tests': { kind: 'implementation_tests', phase: 'post_execution', risks: ['medium', 'high', 'critical'] },
  'gate.review': { kind: 'peer_review', phase: 'post_execution', risks: ['high', 'critical'] },
  'gate.security-review': { kind: 'security_review', phase: 'post_execution', risks: [] },
  'gate.migration-review': { kind: 'migration_review', phase: 'post_execution', risks: [] },
  'gate.final-verification': {
    kind: 'final_verification',
    phase: 'post_execution',
    risks: ['low', 'medium', 'high', 'critical'],
  },
} as const satisfies Record<string, GateEntry>;

export type GateId = keyof typeof GATES;

/** The ids of the known gates in canonical order. */
export const GATE_IDS = Object.keys(GATES) as readonly GateId[];

/** Whether a text is the id of a known gate, exactly. */
export function isKnownGate(text: unknown): text is GateId {
  return typeof text === 'string' && Object.hasOwn(GATES, text);
}

/** The gates that a level of risk demands. */
export function gatesOfRisk(risk: Risk): GateId[] {
  return GATE_IDS.filter((id) => GATES[id].risks.some((level) => level === risk));
}

/** A demanded gate as it stands in a decision. */
export function makeGate(id: GateId, waivable: boolean): Gate {
  const { kind, phase } = GATES[id];
  return { id, kind, phase, required: true, waivable, reason: GATE_REASONS[id] };
}

/** Reads a gate of a contract. */
export function readGate(node: JsonNode, place: JsonPlace): Gate {
  const object = objectAt(node, 'a gate', place, ['id', 'kind', 'phase', 'required', 'waivable', 'reason']);
  const id = convertedNonBlankAt(object, 'id', place);
  if (!isGateId(id)) throw fault(place, `Invalid gate id '${id}'.`);
  return {
    id,
    kind: wordAt(object, 'kind', GATE_KINDS, place),
    phase: wordAt(object, 'phase', PHASES, place),
    required: booleanAt(object, 'required', place),
    waivable: booleanAt(object, 'waivable', place),
    reason: convertedNonBlankAt(object, 'reason', place),
  };
}

import {
  convertedAt,
  convertedNonBlankAt,
  coded,
  countAt,
  fault,
  listAt,
  objectAt,
  versionAt,
  wordAt,
} from '../fields.ts';
import { checkHarnessId, checkRunId, checkSpecId, checkVisible, isDigest, numberedId } from '../identifiers.ts';
import { digestOf, without } from '../json/canonical.ts';
import type { JsonNode, JsonObject } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import { Refusal } from '../errors.ts';
import { ownDigestAt } from '../own-digest.ts';
import { readDecision, sameContent } from './decision.ts';
import type { Decision } from './decision.ts';
import { readGate } from './gates.ts';
import type { Gate } from './gates.ts';
import { CLASSIFICATIONS, riskOf, WORKSPACES } from './risk.ts';
import type { Classification, Risk, Workspace } from './risk.ts';
import { readSignal } from './signals.ts';
import type { RiskSignal } from './signals.ts';

/** A task of a contract, from the spec's implementation tasks. */
export interface Task {
  readonly id: string;
  readonly description: string;
}

/** Where a contract's policy came from. */
export const POLICY_SOURCES = ['default', '.rapid-os/policy.json', 'injected'] as const;

/** The immutable statement of a run; fields in the order in which they are written. */
export interface Contract {
  readonly schema_version: 1;
  readonly run_id: string;
  readonly spec_id: string;
  readonly spec_revision: number;
  readonly spec_content_digest: string;
  readonly harness: string;
  readonly context_digest: string;
  readonly context_manifest_digest: string;
  readonly project_model_digest: string;
  readonly policy_source: (typeof POLICY_SOURCES)[number];
  readonly policy_digest: string;
  readonly decision: Decision;
  readonly classification: Classification;
  readonly risk: Risk;
  readonly risk_signals: readonly RiskSignal[];
  readonly workspace: Workspace;
  readonly gates: readonly Gate[];
  readonly tasks: readonly Task[];
  readonly contract_digest: string;
}

/** What a new contract is made of; the rest of its fields follow. */
export type ContractParts = Pick<
  Contract,
  | 'run_id'
  | 'spec_id'
  | 'spec_revision'
  | 'spec_content_digest'
  | 'harness'
  | 'context_digest'
  | 'context_manifest_digest'
  | 'project_model_digest'
  | 'policy_source'
  | 'policy_digest'
  | 'decision'
  | 'tasks'
>;

/** A contract with its digest, which leaves the run id out: all runs of equal inputs share it. */
export function makeContract(parts: ContractParts): Contract {
  const { decision, tasks, ...head } = parts;
  const { classification, risk, risk_signals, workspace, gates } = decision;
  const body = {
    schema_version: 1,
    ...head,
    decision,
    classification,
    risk,
    risk_signals,
    workspace,
    gates,
    tasks,
  } as const;
  return { ...body, contract_digest: contractDigest(body) };
}

function contractDigest(body: Omit<Contract, 'contract_digest'>): string {
  return digestOf(without(body, 'run_id'));
}

/** The tasks of a contract, from the texts of a spec's implementation tasks. */
export function tasksOf(descriptions: readonly string[]): Task[] {
  return descriptions.map((description, index) => ({ id: numberedId('T', index + 1), description }));
}

const CONTRACT_KEYS = [
  'schema_version',
  'run_id',
  'spec_id',
  'spec_revision',
  'spec_content_digest',
  'harness',
  'context_digest',
  'context_manifest_digest',
  'project_model_digest',
  'policy_source',
  'policy_digest',
  'decision',
  'classification',
  'risk',
  'risk_signals',
  'workspace',
  'gates',
  'tasks',
  'contract_digest',
];

/**
 * Reads a contract document by its own rules (bindings to record, spec and context are `loadContract`'s).
 * @throws Refusal RAPID1002 (`place.code`); RAPID1003 spec fields; RAPID1005 class, risk, workspace at the top
 */
export function readContract(node: JsonNode, place: JsonPlace): Contract {
  const object = objectAt(node, 'the contract', place, CONTRACT_KEYS);
  versionAt(object, place);
  const top = coded(place, 'RAPID1005');
  const spec = coded(place, 'RAPID1003');
  const head = {
    schema_version: 1,
    run_id: checkRunId(convertedAt(object, 'run_id', place), place.code),
    spec_id: checkSpecId(convertedAt(object, 'spec_id', place), 'RAPID1003'),
    spec_revision: countAt(object, 'spec_revision', 1, spec),
    spec_content_digest: digestAt(object, 'spec_content_digest', spec),
    harness: checkHarnessId(convertedAt(object, 'harness', place), place.code),
    context_digest: digestAt(object, 'context_digest', place),
    context_manifest_digest: digestAt(object, 'context_manifest_digest', place),
    project_model_digest: digestAt(object, 'project_model_digest', place),
    policy_source: policySourceAt(object, place),
    policy_digest: digestAt(object, 'policy_digest', place),
  } as const;
  const body = {
    ...head,
    decision: readDecision(object.get('decision') ?? null, place),
    classification: wordAt(object, 'classification', CLASSIFICATIONS, top),
    risk: riskOf(object.get('risk'), "'risk'", top),
    risk_signals: listAt(object, 'risk_signals', place).map((item) => readSignal(item, place)),
    workspace: wordAt(object, 'workspace', WORKSPACES, top),
    gates: listAt(object, 'gates', place).map((item) => readGate(item, place)),
    tasks: readTasks(listAt(object, 'tasks', place), place),
  } as const;
  refuseRepeatedGates(body.gates, place);
  for (const key of ['classification', 'risk', 'risk_signals', 'workspace', 'gates'] as const) {
    if (!sameContent([body[key]], [body.decision[key]]))
      throw fault(place, `'${key}' and 'decision.${key}' do not match.`);
  }
  return { ...body, contract_digest: ownDigestAt(object, 'contract_digest', contractDigest(body), place) };
}

function digestAt(object: JsonObject, key: string, place: JsonPlace): string {
  const digest = convertedAt(object, key, place);
  if (!isDigest(digest)) throw fault(place, `'${key}' must be 64 lower-case hex digits.`);
  checkVisible(digest, `'${key}'`, place); // the line end that the pattern lets pass
  return digest;
}

function policySourceAt(object: JsonObject, place: JsonPlace): Contract['policy_source'] {
  const text = convertedAt(object, 'policy_source', place);
  const source = POLICY_SOURCES.find((candidate) => candidate === text);
  if (source === undefined)
    throw fault(place, `Invalid 'policy_source' '${text}': must be one of ${POLICY_SOURCES.join(', ')}.`);
  return source;
}

function readTasks(nodes: readonly JsonNode[], place: JsonPlace): Task[] {
  return nodes.map((node, index) => {
    const object = objectAt(node, 'a task', place, ['id', 'description']);
    const id = convertedNonBlankAt(object, 'id', place);
    const expected = numberedId('T', index + 1);
    if (id !== expected)
      throw fault(place, `task ids must run without gap: '${id}' stands where '${expected}' belongs.`);
    return { id, description: convertedNonBlankAt(object, 'description', place) };
  });
}

function refuseRepeatedGates(gates: readonly Gate[], place: JsonPlace): void {
  const seen = new Set<string>();
  for (const { id } of gates) {
    if (seen.has(id)) throw fault(place, `gate '${id}' stands there twice.`);
    seen.add(id);
  }
}

/** The task of an id. @throws Refusal `code` where the contract has none */
export function taskOf(contract: Contract, id: string, code: 'RAPID1010' | 'RAPID1207'): Task {
  const task = contract.tasks.find((one) => one.id === id);
  if (task === undefined) throw new Refusal(code, `Task '${id}' is not in the contract of run '${contract.run_id}'.`);
  return task;
}

/** The gate of an id. @throws Refusal `code` where the contract has none */
export function gateOf(contract: Contract, id: string, code: 'RAPID1013' | 'RAPID1207'): Gate {
  const gate = contract.gates.find((one) => one.id === id);
  if (gate === undefined) throw new Refusal(code, `Gate '${id}' is not in the contract of run '${contract.run_id}'.`);
  return gate;
}

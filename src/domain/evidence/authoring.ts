import type { Contract } from '../contracts/contract.ts';
import type { RunState } from '../contracts/state.ts';
import { Refusal } from '../errors.ts';
import { anyObjectAt, coded, fault } from '../fields.ts';
import { isInteger, typeName } from '../json/node.ts';
import type { JsonNode, JsonObject } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import { relativePathFault } from '../paths.ts';
import { compareCodePoints } from '../text/order.ts';
import { readObservation } from './payload.ts';
import { artifactFolder, checkReferences, readBody, refuseEmptyArtifact, sealRecord } from './record.ts';
import type { Artifact, EvidenceRecord } from './record.ts';

/** What an author gives to have evidence recorded, its keys checked. */
export interface Authored {
  readonly object: JsonObject;
  /** Source artifacts as the author wrote them, unchecked. */
  readonly artifacts: readonly JsonNode[];
  readonly stateRevision: JsonNode | undefined;
}

const REQUIRED = ['kind', 'producer', 'summary', 'payload'] as const;
const OPTIONAL = ['state_revision', 'task_ids', 'gate_ids', 'capability_ids', 'artifacts'] as const;

/** Reads the keys of an authoring object. @throws Refusal RAPID1201 where an id is given, RAPID1202 */
export function readAuthoring(node: JsonNode, place: JsonPlace): Authored {
  const object = anyObjectAt(node, 'authoring input of evidence, as JSON,', place);
  if (object.has('id')) throw fault(coded(place, 'RAPID1201'), "'id' must not be given: the next number is taken.");
  const known: readonly string[] = [...REQUIRED, ...OPTIONAL];
  for (const key of object.keys())
    if (!known.includes(key)) throw fault(place, `authoring input has the unknown field '${key}'.`);
  for (const key of REQUIRED) if (!object.has(key)) throw fault(place, `authoring input lacks the field '${key}'.`);
  const artifacts = object.has('artifacts') ? (object.get('artifacts') ?? null) : [];
  if (!Array.isArray(artifacts)) throw fault(place, `'artifacts' must be a list of paths, not ${typeName(artifacts)}.`);
  return { object: withDefaults(object), artifacts, stateRevision: object.get('state_revision') };
}

function withDefaults(object: JsonObject): JsonObject {
  const filled = new Map(object);
  for (const key of ['task_ids', 'gate_ids', 'capability_ids']) if (!filled.has(key)) filled.set(key, []);
  return filled;
}

/** The state that new evidence binds to: the one asked for, else the current one. @throws Refusal RAPID1203 */
export function boundState(authored: Authored, states: readonly RunState[]): RunState {
  const asked = authored.stateRevision;
  if (asked === undefined) return lastOf(states);
  const state = isInteger(asked) && typeof asked === 'number' ? states[asked - 1] : undefined;
  if (state === undefined) {
    const shown = isInteger(asked) ? String(asked) : typeName(asked);
    throw new Refusal('RAPID1203', `'state_revision' is ${shown}: it must be an integer from 1 to ${states.length}.`);
  }
  return state;
}

function lastOf(states: readonly RunState[]): RunState {
  const state = states.at(-1);
  if (state === undefined) throw new TypeError('a run without states');
  return state;
}

/** A path of a source artifact as the author gave it. @throws Refusal RAPID1204 */
export function sourcePath(node: JsonNode): string {
  const why = relativePathFault(node);
  if (why === undefined && typeof node === 'string') return node;
  throw new Refusal(
    'RAPID1204',
    `Artifact path ${typeof node === 'string' ? `'${node}'` : typeName(node)} ${why ?? ''}.`,
  );
}

/** A source artifact that was read: its path as given, and its bytes' measure. */
export interface SourceArtifact {
  readonly given: string;
  readonly sha256: string;
  readonly size: number;
}

/**
 * The record that authored evidence becomes.
 * @throws Refusal RAPID1202, 1203, 1206, 1207
 */
export function makeRecord(
  authored: Authored,
  contract: Contract,
  state: RunState,
  id: string,
  sources: readonly SourceArtifact[],
  place: JsonPlace,
): EvidenceRecord {
  const { object } = authored;
  const folder = artifactFolder(contract.run_id, id);
  const artifacts = sources.map(({ given, sha256, size }): Artifact => ({
    path: `${folder}/${given}`,
    sha256,
    size_bytes: size,
  }));
  artifacts.sort((a, b) => compareCodePoints(a.path, b.path));
  const parts = {
    schema_version: 1,
    id,
    run_id: contract.run_id,
    contract_digest: contract.contract_digest,
    state_revision: state.revision,
    state_digest: state.content_digest,
    observation: readObservation(object.get('kind'), object.get('payload'), place),
    ...readBody(object, place),
    artifacts,
  } as const;
  refuseEmptyArtifact(parts, place);
  const record = sealRecord(parts);
  checkReferences(record, contract);
  return record;
}

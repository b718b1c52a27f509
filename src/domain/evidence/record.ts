import type { CapabilityId } from '../capabilities/catalogue.ts';
import { isCapabilityId } from '../capabilities/catalogue.ts';
import type { Contract } from '../contracts/contract.ts';
import { gateOf, taskOf } from '../contracts/contract.ts';
import { Refusal } from '../errors.ts';
import { coded, countAt, fault, integerAt, keysOrItems, objectAt, textAt, versionAt } from '../fields.ts';
import {
  checkRunId,
  checkVisible,
  isDigest,
  isEvidenceId,
  isGateId,
  isSlug,
  isTaskId,
  sortedById,
} from '../identifiers.ts';
import { digestOf } from '../json/canonical.ts';
import type { Integer, JsonNode, JsonObject } from '../json/node.ts';
import { typeName } from '../json/node.ts';
import type { JsonPlace } from '../json/read.ts';
import { ownDigestAt } from '../own-digest.ts';
import { relativePathFault } from '../paths.ts';
import { RAPID_OS } from '../project.ts';
import { compareCodePoints, sortedUnique } from '../text/order.ts';
import { toText } from '../text/python.ts';
import { hasSpace, trim } from '../text/trim.ts';
import { portableAt, readObservation } from './payload.ts';
import type { Observation } from './payload.ts';

export const EVIDENCE = `${RAPID_OS}/evidence`;

/** A file that belongs to a record, bound by the digest of its bytes. */
export interface Artifact {
  readonly path: string;
  readonly sha256: string;
  readonly size_bytes: Integer;
}

/** Fields of a record that do not depend on its kind, in the order in which they are written. */
interface RecordHead {
  readonly schema_version: 1;
  readonly id: string;
  readonly run_id: string;
  readonly contract_digest: string;
  readonly state_revision: number;
  readonly state_digest: string;
}

interface RecordBody {
  readonly producer: string;
  readonly summary: string;
  readonly task_ids: readonly string[];
  readonly gate_ids: readonly string[];
  readonly capability_ids: readonly CapabilityId[];
}

/** An append-only record of something observed. */
export type EvidenceRecord = RecordHead &
  RecordBody &
  Observation & { readonly artifacts: readonly Artifact[]; readonly content_digest: string };

/** Everything of a record but its digest. */
export interface RecordParts extends RecordHead, RecordBody {
  readonly observation: Observation;
  readonly artifacts: readonly Artifact[];
}

/** A record with its digest; fields in the order in which they are written. */
export function sealRecord(parts: RecordParts): EvidenceRecord {
  const body = writtenOrder(parts);
  return { ...body, content_digest: digestOf(body) };
}

function writtenOrder(parts: RecordParts) {
  const { observation, artifacts, schema_version, id, run_id, contract_digest, state_revision, state_digest } = parts;
  const { producer, summary, task_ids, gate_ids, capability_ids } = parts;
  const { kind, payload } = observation;
  const head = { schema_version, id, run_id, contract_digest, state_revision, state_digest, kind };
  // Kind and payload come from one Observation, so they fit each other; the spread loses that for the compiler.
  return { ...head, producer, summary, task_ids, gate_ids, capability_ids, payload, artifacts } as RecordHead &
    RecordBody &
    Observation & { readonly artifacts: readonly Artifact[] };
}

/** Folder of a run's evidence. */
export function evidenceFolder(runId: string): string {
  return `${EVIDENCE}/${runId}`;
}

/** Folder of a record's artifacts. */
export function artifactFolder(runId: string, evidenceId: string): string {
  return `${evidenceFolder(runId)}/artifacts/${evidenceId}`;
}

/** File of a record. */
export function recordPath(runId: string, evidenceId: string): string {
  return `${evidenceFolder(runId)}/records/${evidenceId}.json`;
}

const RECORD_KEYS = [
  'schema_version',
  'id',
  'run_id',
  'contract_digest',
  'state_revision',
  'state_digest',
  'kind',
  'producer',
  'summary',
  'task_ids',
  'gate_ids',
  'capability_ids',
  'payload',
  'artifacts',
  'content_digest',
];

/**
 * Reads a record by its own rules; bindings to run, contract and state are `checkBindings`'.
 * @throws Refusal RAPID1202 (`place.code`), 1201 id, 1203 state fields, 1204 and 1205 artifacts, 1206, 1207
 */
export function readRecord(node: JsonNode, place: JsonPlace): EvidenceRecord {
  const object = objectAt(node, 'the record', place, RECORD_KEYS);
  versionAt(object, place);
  const id = textAt(object, 'id', coded(place, 'RAPID1201'));
  if (!isEvidenceId(id)) throw fault(coded(place, 'RAPID1201'), `Invalid evidence id '${id}'.`);
  const run_id = checkRunId(textAt(object, 'run_id', place), 'RAPID1202');
  const parts: RecordParts = {
    schema_version: 1,
    id,
    run_id,
    contract_digest: digestField(object, 'contract_digest', place),
    state_revision: countAt(object, 'state_revision', 1, place),
    state_digest: digestField(object, 'state_digest', place),
    observation: readObservation(object.get('kind'), object.get('payload'), place),
    ...readBody(object, place),
    artifacts: readArtifacts(object, run_id, id, place),
  };
  refuseEmptyArtifact(parts, place);
  const record = sealRecord(parts);
  ownDigestAt(object, 'content_digest', record.content_digest, place);
  return record;
}

/** An `artifact` record without an artifact shows nothing. @throws Refusal RAPID1206 */
export function refuseEmptyArtifact(parts: Pick<RecordParts, 'observation' | 'artifacts'>, place: JsonPlace): void {
  if (parts.observation.kind !== 'artifact' || parts.artifacts.length > 0) return;
  throw fault(coded(place, 'RAPID1206'), 'a record of kind artifact needs at least one artifact.');
}

function digestField(object: JsonObject, key: string, place: JsonPlace): string {
  const digest = textAt(object, key, place);
  if (!isDigest(digest)) throw fault(place, `'${key}' must be 64 lower-case hex digits.`);
  return digest;
}

/** Producer, summary and references: what an author gives and a record holds alike. */
export function readBody(object: JsonObject, place: JsonPlace): RecordBody {
  return {
    producer: producerAt(object, place),
    summary: portableAt(object, 'summary', place),
    task_ids: sortedById(
      referencesAt(object, 'task_ids', place)
        .map((item) => trim(item))
        .map((id) => checkReference(id, isTaskId, 'task_ids', place)),
    ),
    gate_ids: sortedUnique(
      referencesAt(object, 'gate_ids', place).map((id) => checkReference(id, isGateId, 'gate_ids', place)),
    ),
    capability_ids: sortedUnique(
      referencesAt(object, 'capability_ids', place).map((id) =>
        checkReference(id, isCapabilityId, 'capability_ids', place),
      ),
    ).filter(isCapabilityId),
  };
}

function producerAt(object: JsonObject, place: JsonPlace): string {
  const producer = portableAt(object, 'producer', place, 'no-slash');
  if (hasSpace(producer)) throw fault(place, "'producer' must be without white space.");
  if (producer.startsWith('harness:') && !isSlug(producer.slice('harness:'.length))) {
    throw fault(place, `'producer' is '${producer}': what follows 'harness:' must be a harness id.`);
  }
  return producer;
}

function checkReference(id: string, valid: (id: string) => boolean, key: string, place: JsonPlace): string {
  if (!valid(id)) throw fault(coded(place, 'RAPID1207'), `'${key}' holds the invalid or unknown id '${id}'.`);
  return id;
}

function referencesAt(object: JsonObject, key: string, place: JsonPlace): readonly string[] {
  const node = keysOrItems(object, key, place);
  const inner = coded(place, 'RAPID1207');
  if (!Array.isArray(node)) throw fault(inner, `'${key}' must be a list of texts, not ${typeName(node)}.`);
  return node.map((item) => {
    if (typeof item !== 'string') throw fault(inner, `'${key}' must be a list of texts, and holds ${toText(item)}.`);
    return item;
  });
}

function readArtifacts(object: JsonObject, runId: string, id: string, place: JsonPlace): Artifact[] {
  const node = object.get('artifacts');
  if (!Array.isArray(node)) throw fault(place, `'artifacts' must be a list, not ${typeName(node)}.`);
  const artifacts = node.map((item) => readArtifact(item, artifactFolder(runId, id), place));
  artifacts.sort((a, b) => compareCodePoints(a.path, b.path));
  const repeated = artifacts.find((artifact, index) => artifact.path === artifacts[index - 1]?.path);
  if (repeated !== undefined) throw fault(place, `artifact '${repeated.path}' stands there twice.`);
  return artifacts;
}

function readArtifact(node: JsonNode, folder: string, place: JsonPlace): Artifact {
  const object = objectAt(node, 'an artifact', place, ['path', 'sha256', 'size_bytes']);
  const unsafe = coded(place, 'RAPID1204');
  const integrity = coded(place, 'RAPID1205');
  const path = textAt(object, 'path', unsafe);
  const why = relativePathFault(path) ?? (path.startsWith(`${folder}/`) ? undefined : `must lie below ${folder}`);
  if (why !== undefined) throw fault(unsafe, `artifact path '${path}' ${why}.`);
  checkVisible(path, "an artifact's path", place);
  const sha256 = textAt(object, 'sha256', integrity);
  if (!isDigest(sha256)) throw fault(integrity, `'sha256' of artifact '${path}' must be 64 lower-case hex digits.`);
  const size_bytes = integerAt(object, 'size_bytes', integrity);
  if (size_bytes < 0) throw fault(integrity, `'size_bytes' of artifact '${path}' must not be negative.`);
  return { path, sha256, size_bytes };
}

/**
 * Checks what a record says against the run: harness of the producer, tasks and gates.
 * @throws Refusal RAPID1203, RAPID1207
 */
export function checkReferences(
  record: Pick<EvidenceRecord, 'id' | 'producer' | 'task_ids' | 'gate_ids'>,
  contract: Contract,
): void {
  if (record.producer.startsWith('harness:') && record.producer !== `harness:${contract.harness}`) {
    throw new Refusal(
      'RAPID1203',
      `Producer '${record.producer}' of ${record.id} is not the contract's harness '${contract.harness}'.`,
    );
  }
  for (const id of record.task_ids) taskOf(contract, id, 'RAPID1207');
  for (const id of record.gate_ids) gateOf(contract, id, 'RAPID1207');
}

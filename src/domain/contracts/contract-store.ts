import type { RefusalCode } from '../codes.ts';
import { Refusal } from '../errors.ts';
import { anyObjectAt, fault, listAt, textAt, versionAt } from '../fields.ts';
import { isSlug, revisionName } from '../identifiers.ts';
import { sha256 } from '../json/canonical.ts';
import { isFloat, isInteger } from '../json/node.ts';
import type { JsonNode, JsonObject } from '../json/node.ts';
import { readJson } from '../json/read.ts';
import type { JsonPlace } from '../json/read.ts';
import { fileExists, readDocument, readText } from '../project.ts';
import type { Project } from '../project.ts';
import { readContract } from './contract.ts';
import type { Contract } from './contract.ts';
import { loadRunRecord, runFolder } from './run-record.ts';
import type { RunRecord } from './run-record.ts';
import { SPEC_MODES } from './spec-content.ts';

/** A run's record and contract, bound to each other and to the context snapshot. */
export interface BoundContract {
  readonly record: RunRecord;
  readonly contract: Contract;
}

/** The file of a run's state. */
export function statePath(runId: string, revision: number): string {
  return `${runFolder(runId)}/states/${revisionName(revision)}.json`;
}

/**
 * Loads a run's contract, checked in this order: folder, record, current state file, contract, bindings to
 * record and spec, digest, context snapshot. Spec, policy, profiles and lock are not consulted.
 * @throws Refusal RAPID1001, 1002, 1003, 1004, 1005, 1007, 1008, 1011
 */
export function loadContract(project: Project, runId: string): BoundContract {
  const record = loadRunRecord(project, runId);
  const state = statePath(runId, record.current_state_revision);
  if (!fileExists(project, state, 'RAPID1008')) {
    throw new Refusal('RAPID1011', `${state}, the current state of run '${runId}', does not exist.`, { where: state });
  }
  const path = `${runFolder(runId)}/contract.json`;
  if (!fileExists(project, path, 'RAPID1008'))
    throw new Refusal('RAPID1002', `${path} does not exist.`, { where: path });
  const node = readDocument(project, path, { unsafe: 'RAPID1008', malformed: 'RAPID1002' });
  const contract = readContract(node, { code: 'RAPID1002', file: path, reading: project.reading });
  bind(record, contract, path);
  checkContext(project, contract);
  return { record, contract };
}

function bind(record: RunRecord, contract: Contract, path: string): void {
  const differ = (code: RefusalCode, key: string, inContract: string | number, inRecord: string | number): void => {
    if (inContract === inRecord) return;
    const message = `${path}: '${key}' is '${inContract}' and does not match '${inRecord}' in the run record.`;
    throw new Refusal(code, message, { where: path });
  };
  differ('RAPID1002', 'run_id', contract.run_id, record.id);
  differ('RAPID1003', 'spec_id', contract.spec_id, record.spec_id);
  differ('RAPID1003', 'spec_revision', contract.spec_revision, record.spec_revision);
  differ('RAPID1002', 'contract_digest', contract.contract_digest, record.contract_digest);
}

function checkContext(project: Project, contract: Contract): void {
  const folder = runFolder(contract.run_id);
  contextFile(project, `${folder}/context.md`, contract.context_digest);
  const path = `${folder}/context-manifest.json`;
  const text = contextFile(project, path, contract.context_manifest_digest);
  const place: JsonPlace = { code: 'RAPID1004', file: path, reading: project.reading };
  checkManifest(readJson(text, place), place);
}

function contextFile(project: Project, path: string, digest: string): string {
  if (!fileExists(project, path, 'RAPID1008'))
    throw new Refusal('RAPID1004', `${path} does not exist.`, { where: path });
  const text = readText(project, path, 'RAPID1008', { hashed: true });
  if (sha256(text) !== digest) {
    throw new Refusal('RAPID1004', `${path} was changed: it does not match the digest in the contract.`, {
      where: path,
    });
  }
  return text;
}

/** Modes of a context: those of specs, and `general`. */
const CONTEXT_MODES: readonly string[] = [...SPEC_MODES, 'general'];

function checkManifest(node: JsonNode, place: JsonPlace): void {
  const object = anyObjectAt(node, 'the context manifest', place);
  versionAt(object, place);
  const mode = textAt(object, 'mode', place);
  if (!CONTEXT_MODES.includes(mode)) throw fault(place, `Invalid 'mode' '${mode}'.`);
  const harness = textAt(object, 'harness', place);
  if (!isSlug(harness)) throw fault(place, `Invalid 'harness' '${harness}'.`);
  if (numberAt(object, 'max_chars', place) <= 0) throw fault(place, "'max_chars' must be above 0.");
  numberAt(object, 'compiled_chars', place);
  for (const key of ['selected', 'skipped', 'conflicts']) listAt(object, key, place);
}

function numberAt(object: JsonObject, key: string, place: JsonPlace): number {
  const node = object.get(key);
  if (isInteger(node)) return Number(node);
  if (isFloat(node)) return node.float;
  throw fault(place, `'${key}' must be a number.`);
}

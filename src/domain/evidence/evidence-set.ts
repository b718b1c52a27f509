import { createHash } from 'node:crypto';
import { loadLedger } from '../contracts/ledger.ts';
import { loadContract } from '../contracts/contract-store.ts';
import type { BoundContract } from '../contracts/contract-store.ts';
import { checkRunId, isEvidenceId, numberedId } from '../identifiers.ts';
import type { Run } from '../contracts/ledger.ts';
import { isRefusal, Refusal } from '../errors.ts';
import { canonicalJson, digestOf, quote } from '../json/canonical.ts';
import { fileExists, folderExists, listFolder, readDocument } from '../project.ts';
import type { Project } from '../project.ts';
import type { Measure } from '../tree.ts';
import { artifactFolder, checkReferences, EVIDENCE, evidenceFolder, readRecord, recordPath } from './record.ts';
import type { Artifact, EvidenceRecord } from './record.ts';

/** A run with all its evidence, verified. The ledger is only there where something needed it. */
export interface VerifiedEvidence {
  readonly bound: BoundContract;
  readonly run: Run | undefined;
  readonly records: readonly EvidenceRecord[];
  /** Names of artifact folders without a record: an interrupted addition, no fault. */
  readonly orphans: readonly string[];
}

/** Digest of a run's records in order of number. */
export function evidenceSetDigest(runId: string, records: readonly EvidenceRecord[]): string {
  return digestOf({ run_id: runId, records: records.map(({ id, content_digest }) => ({ id, content_digest })) });
}

/**
 * The evidence set digests of every prefix E001…E00k (k from 0), with k. One pass over the records: the
 * canonical text of a prefix is that of the shorter one with an item more.
 */
export function prefixDigests(runId: string, records: readonly EvidenceRecord[]): ReadonlyMap<string, number> {
  const tail = `],"run_id":${quote(runId)}}`;
  const hash = createHash('sha256').update('{"records":[');
  const digests = new Map([[hash.copy().update(tail).digest('hex'), 0]]);
  for (const [index, { id, content_digest }] of records.entries()) {
    hash.update(`${index === 0 ? '' : ','}${canonicalJson({ id, content_digest })}`);
    digests.set(hash.copy().update(tail).digest('hex'), index + 1);
  }
  return digests;
}

/** Options of verifying. */
export interface VerifyOptions {
  /** A run that is loaded already. */
  readonly run?: Run;
  /** Called after each record, for progress. */
  readonly onRecord?: (done: number, total: number) => void;
}

/**
 * Loads a run's evidence and verifies every record and artifact against run, contract, states and bytes.
 * @throws Refusal those of `loadContract`; RAPID1201–1208
 */
export function verifyEvidence(project: Project, runId: string, options: VerifyOptions = {}): VerifiedEvidence {
  checkRunId(runId, 'RAPID1202');
  const bound = options.run ?? loadContract(project, runId);
  const { recordIds, artifactIds } = listEvidence(project, runId);
  const orphans = orphansOf(recordIds, artifactIds);
  if (recordIds.length === 0) {
    checkOrphans(project, runId, orphans);
    return { bound, run: options.run, records: [], orphans };
  }
  let run = options.run;
  const ledger = (): Run => (run ??= ledgerOf(project, bound));
  const records = recordIds.map((id, index) => {
    const record = loadRecord(project, runId, id);
    checkBinding(record, bound, ledger);
    checkReferences(record, bound.contract);
    checkArtifacts(project, record);
    options.onRecord?.(index + 1, recordIds.length);
    return record;
  });
  checkOrphans(project, runId, orphans);
  return { bound, run: ledger(), records, orphans };
}

// While evidence is verified, a broken ledger shows as evidence that is bound to no state.
function ledgerOf(project: Project, bound: BoundContract): Run {
  try {
    return loadLedger(project, bound);
  } catch (thrown) {
    if (!isRefusal(thrown) || thrown.code.startsWith('CS')) throw thrown;
    const message = `The evidence of run '${bound.record.id}' binds to states that do not hold: ${thrown.message}`;
    throw new Refusal('RAPID1203', message, {
      cause: thrown,
      ...(thrown.where === undefined ? {} : { where: thrown.where }),
    });
  }
}

interface Listed {
  readonly recordIds: readonly string[];
  readonly artifactIds: readonly string[];
}

function listEvidence(project: Project, runId: string): Listed {
  const folder = evidenceFolder(runId);
  if (!folderExists(project, EVIDENCE, 'RAPID1204')) return { recordIds: [], artifactIds: [] };
  for (const entry of listFolder(project, folder, 'RAPID1204')) {
    if ((entry.name !== 'records' && entry.name !== 'artifacts') || entry.kind !== 'folder') {
      throw new Refusal(
        'RAPID1202',
        `${folder}/${entry.name} does not belong there: only folders 'records' and 'artifacts' do.`,
        {
          where: `${folder}/${entry.name}`,
        },
      );
    }
  }
  const recordIds = listFolder(project, `${folder}/records`, 'RAPID1204').map((entry) => {
    const path = `${folder}/records/${entry.name}`;
    if (entry.kind !== 'file') throw new Refusal('RAPID1202', `${path} is not a regular file.`, { where: path });
    const id = entry.name.endsWith('.json') ? entry.name.slice(0, -'.json'.length) : '';
    if (!isEvidenceId(id)) throw new Refusal('RAPID1201', `${path} is not named <evidence id>.json.`, { where: path });
    return id;
  });
  const artifactIds = listFolder(project, `${folder}/artifacts`, 'RAPID1204').map((entry) => {
    const path = `${folder}/artifacts/${entry.name}`;
    if (entry.kind !== 'folder') throw new Refusal('RAPID1204', `${path} is not a folder.`, { where: path });
    if (!isEvidenceId(entry.name))
      throw new Refusal('RAPID1201', `${path} is not named for an evidence id.`, { where: path });
    return entry.name;
  });
  const sorted = recordIds.sort(byNumber);
  for (const [index, id] of sorted.entries()) {
    const expected = numberedId('E', index + 1);
    if (id !== expected) {
      throw new Refusal('RAPID1208', `Evidence of run '${runId}' has a gap: '${expected}' is missing before '${id}'.`, {
        where: recordPath(runId, expected),
      });
    }
  }
  return { recordIds: sorted, artifactIds: artifactIds.sort(byNumber) };
}

// Canonical ids have no superfluous zeros: the longer one is the greater.
function byNumber(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

function orphansOf(recordIds: readonly string[], artifactIds: readonly string[]): string[] {
  const records = new Set(recordIds);
  const orphans = artifactIds.filter((id) => !records.has(id));
  const next = numberedId('E', recordIds.length + 1);
  const bad = orphans.find((id) => id !== next);
  if (bad !== undefined)
    throw new Refusal('RAPID1208', `Artifact folder '${bad}' has no record, and is not the next number '${next}'.`);
  return orphans;
}

function checkOrphans(project: Project, runId: string, orphans: readonly string[]): void {
  for (const id of orphans) filesBelow(project, artifactFolder(runId, id));
}

function loadRecord(project: Project, runId: string, id: string): EvidenceRecord {
  const path = recordPath(runId, id);
  if (!fileExists(project, path, 'RAPID1204'))
    throw new Refusal('RAPID1208', `${path} does not exist.`, { where: path });
  const node = readDocument(project, path, { unsafe: 'RAPID1204', malformed: 'RAPID1202' });
  const record = readRecord(node, { code: 'RAPID1202', file: path, reading: project.reading });
  if (record.id !== id) throw new Refusal('RAPID1208', `${path} holds the record '${record.id}'.`, { where: path });
  if (record.run_id !== runId) {
    throw new Refusal('RAPID1203', `${path} is evidence of run '${record.run_id}', not '${runId}'.`, { where: path });
  }
  return record;
}

function checkBinding(record: EvidenceRecord, bound: BoundContract, ledger: () => Run): void {
  const path = recordPath(record.run_id, record.id);
  const unbound = (message: string): Refusal => new Refusal('RAPID1203', `${path}: ${message}.`, { where: path });
  const state = ledger().states[record.state_revision - 1];
  if (state === undefined)
    throw unbound(`'state_revision' is ${record.state_revision}, beyond the run's current state`);
  if (record.contract_digest !== bound.contract.contract_digest)
    throw unbound("'contract_digest' is not that of the run's contract");
  if (record.state_digest !== state.content_digest)
    throw unbound(`'state_digest' is not that of state ${record.state_revision}`);
}

function checkArtifacts(project: Project, record: EvidenceRecord): void {
  const folder = artifactFolder(record.run_id, record.id);
  const files = filesBelow(project, folder);
  for (const artifact of record.artifacts) checkArtifact(project, artifact);
  const known = new Set(record.artifacts.map((artifact) => artifact.path));
  const extra = files.find((path) => !known.has(path));
  if (extra !== undefined)
    throw new Refusal(
      'RAPID1205',
      `${extra} lies among the artifacts of ${record.id}, but the record does not name it.`,
      { where: extra },
    );
}

function checkArtifact(project: Project, artifact: Artifact): void {
  const { path } = artifact;
  const altered = (message: string): Refusal =>
    new Refusal('RAPID1205', `Artifact ${path} ${message}.`, { where: path });
  const entry = project.tree.look(path);
  if (entry.kind === 'absent' || entry.kind === 'not-a-folder') throw altered('does not exist');
  if (entry.kind === 'folder' || entry.kind === 'other') throw altered('is not a regular file');
  if ((entry.kind !== 'file' || entry.link) && !fileExists(project, path, 'RAPID1204')) throw altered('does not exist');
  if (entry.kind === 'file' && entry.link)
    throw new Refusal('RAPID1204', `Artifact ${path} is, or lies behind, a symlink.`, { where: path });
  const { size, sha256 } = measured(project, path);
  if (BigInt(size) !== BigInt(artifact.size_bytes))
    throw altered(`was changed: it has ${size} bytes, the record says ${artifact.size_bytes}`);
  if (sha256 !== artifact.sha256) throw altered("was changed: its SHA-256 is not the record's");
}

function measured(project: Project, path: string): Measure {
  try {
    return project.tree.measure(path);
  } catch (cause) {
    throw new Refusal('RAPID1205', `Artifact ${path} cannot be read.`, { where: path, cause });
  }
}

/** All regular files below an artifact folder; anything else but folders is refused. */
function filesBelow(project: Project, folder: string): string[] {
  return listFolder(project, folder, 'RAPID1204').flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.kind === 'folder') return filesBelow(project, path);
    if (entry.kind === 'file') return [path];
    throw new Refusal('RAPID1205', `${path} is not a regular file.`, { where: path });
  });
}

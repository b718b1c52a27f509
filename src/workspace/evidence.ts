import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { loadRun } from '../domain/contracts/ledger.ts';
import { Refusal } from '../domain/errors.ts';
import { boundState, makeRecord, readAuthoring, sourcePath } from '../domain/evidence/authoring.ts';
import { verifyEvidence } from '../domain/evidence/evidence-set.ts';
import type { VerifyOptions } from '../domain/evidence/evidence-set.ts';
import { artifactFolder, recordPath } from '../domain/evidence/record.ts';
import type { EvidenceRecord } from '../domain/evidence/record.ts';
import { numberedId } from '../domain/identifiers.ts';
import { writeJson } from '../domain/json/canonical.ts';
import type { JsonNode } from '../domain/json/node.ts';
import { readJson } from '../domain/json/read.ts';
import { universalNewlines } from '../domain/text/trim.ts';
import type { Entry } from '../domain/tree.ts';
import { applyChange } from './changes.ts';
import type { Step } from './changes.ts';
import { diskTree } from './disk-tree.ts';
import { withLock } from './lock.ts';
import { openProject } from './workspace.ts';

/** Evidence to be added: an authoring object, or a file that holds one. */
export type EvidenceSource =
  | { readonly from: 'object'; readonly node: JsonNode; readonly baseDir?: string }
  | { readonly from: 'file'; readonly file: string; readonly baseDir?: string };

/** Options of adding. */
export type AddOptions = Pick<VerifyOptions, 'onRecord'>;

/**
 * Verifies a run's evidence and adds a record with its artifacts.
 * @throws Refusal RAPID1201–1211
 */
export function addEvidence(
  root: string,
  runId: string,
  source: EvidenceSource,
  options: AddOptions = {},
): EvidenceRecord {
  return withLock(root, () => {
    const { node, name, folder } = readSource(root, source);
    const place = { code: 'RAPID1202', file: name, reading: 'compatible' } as const;
    const authored = readAuthoring(node, place);
    const project = openProject(root);
    const verified = verifyEvidence(project, runId, options);
    const [orphan] = verified.orphans;
    if (orphan !== undefined) {
      const where = artifactFolder(runId, orphan);
      throw new Refusal('RAPID1211', `Artifact folder '${orphan}' has no record: an interrupted addition left it.`, {
        where,
      });
    }
    const run = verified.run ?? loadRun(project, runId);
    const state = boundState(authored, run.states);
    const sources = readArtifacts(authored.artifacts, [folder, root]);
    const id = numberedId('E', verified.records.length + 1);
    const record = makeRecord(authored, run.contract, state, id, sources, place);
    const taken = (path: string) => (): Refusal =>
      new Refusal('RAPID1211', `${path} exists; it was not overwritten.`, { where: path });
    const artifacts = artifactFolder(runId, id);
    const path = recordPath(runId, id);
    const steps: Step[] = [{ step: 'create', path, text: writeJson(record), taken: taken(path) }];
    if (sources.length > 0) {
      const files = sources.map(({ given, bytes }) => ({ path: given, bytes }));
      steps.unshift({ step: 'place', path: artifacts, files, taken: taken(artifacts) });
    }
    applyChange(root, steps);
    return record;
  });
}

interface ReadSource {
  readonly node: JsonNode;
  readonly name: string;
  /** Real path of the folder in which artifacts are looked for first. */
  readonly folder: string;
}

function readSource(root: string, source: EvidenceSource): ReadSource {
  const base = source.baseDir === undefined ? undefined : realFolder(resolve(root, source.baseDir));
  if (source.from === 'object') return { node: source.node, name: 'the authoring input', folder: base ?? root };
  const { file } = source;
  const path = isAbsolute(file) ? file : join(root, file);
  const unreadable = (cause: unknown): Refusal =>
    new Refusal('RAPID1204', `${file} cannot be read.`, { where: file, cause });
  const stat = attempt(unreadable, () => lstatSync(path, { throwIfNoEntry: false }));
  if (stat === undefined) throw new Refusal('RAPID1202', `${file} does not exist.`, { where: file });
  if (stat.isSymbolicLink()) throw new Refusal('RAPID1204', `${file} is a symlink.`, { where: file });
  if (!stat.isFile()) throw new Refusal('RAPID1202', `${file} is not a regular file.`, { where: file });
  const node = readJson(
    decode(
      file,
      attempt(unreadable, () => readFileSync(path)),
    ),
    { code: 'RAPID1202', file, reading: 'compatible' },
  );
  return { node, name: file, folder: base ?? realFolder(dirname(path)) };
}

function attempt<T>(refuse: (cause: unknown) => Refusal, body: () => T): T {
  try {
    return body();
  } catch (cause) {
    throw refuse(cause);
  }
}

function decode(file: string, bytes: Uint8Array): string {
  try {
    return universalNewlines(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (cause) {
    throw new Refusal('RAPID1204', `${file} is not valid UTF-8.`, { where: file, cause });
  }
}

function realFolder(path: string): string {
  try {
    return realpathSync.native(path);
  } catch (cause) {
    throw new Refusal('RAPID1204', `${path} cannot be read.`, { where: path, cause });
  }
}

interface ReadArtifact {
  readonly given: string;
  readonly bytes: Uint8Array;
  readonly size: number;
  readonly sha256: string;
}

function readArtifacts(nodes: readonly JsonNode[], folders: readonly string[]): ReadArtifact[] {
  const seen = new Set<string>();
  return nodes.map((node) => {
    const given = sourcePath(node);
    const bytes = readArtifact(given, folders);
    if (seen.has(given)) throw new Refusal('RAPID1211', `Artifact '${given}' is named twice.`, { where: given });
    seen.add(given);
    // The digest is taken of the very bytes that are copied: a file that changes meanwhile cannot slip through.
    return { given, bytes, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
  });
}

function readArtifact(given: string, folders: readonly string[]): Uint8Array {
  for (const folder of folders) {
    const tree = diskTree(folder);
    const entry: Entry = tree.look(given);
    const refuse = (code: 'RAPID1204' | 'RAPID1205', message: string, cause?: unknown): Refusal =>
      new Refusal(code, `Artifact ${given} ${message}.`, { where: given, cause });
    switch (entry.kind) {
      case 'file':
        return attempt(
          (cause) => refuse('RAPID1205', 'cannot be read', cause),
          () => tree.read(given),
        );
      case 'absent':
      case 'not-a-folder':
        continue;
      case 'escapes':
        throw refuse('RAPID1204', `lies behind the link ${entry.at}, which escapes its folder`);
      case 'folder':
      case 'other':
        throw refuse('RAPID1205', 'is not a regular file');
      case 'unreadable':
        throw refuse('RAPID1205', 'cannot be read', entry.cause);
    }
  }
  throw new Refusal('RAPID1205', `Artifact ${given} does not exist.`, { where: given });
}

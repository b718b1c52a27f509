import { lstatSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readContract } from '../../src/domain/contracts/contract.ts';
import { loadLock } from '../../src/domain/capabilities/lock.ts';
import { readState } from '../../src/domain/contracts/state.ts';
import { loadPolicy } from '../../src/domain/contracts/policy.ts';
import { loadRevision } from '../../src/domain/contracts/spec-store.ts';
import { loadProfile } from '../../src/domain/capabilities/profile.ts';
import { loadReports } from '../../src/domain/evaluation/report-store.ts';
import { readReport } from '../../src/domain/evaluation/report.ts';
import { readRecord } from '../../src/domain/evidence/record.ts';
import { sha256, writeJson } from '../../src/domain/json/canonical.ts';
import type { JsonNode } from '../../src/domain/json/node.ts';
import { readJson } from '../../src/domain/json/read.ts';
import type { Reading } from '../../src/domain/json/read.ts';
import type { Project } from '../../src/domain/project.ts';
import { addEvidence } from '../../src/workspace/evidence.ts';
import { initProfile, writeLock } from '../../src/workspace/harnesses.ts';
import { initPolicy } from '../../src/workspace/policies.ts';
import { writeReport } from '../../src/workspace/reports.ts';
import { memoryTree } from './memory-tree.ts';
import type { Files } from './memory-tree.ts';
import { RUN, writeActiveSample } from './sample.ts';

/** Paths of the documents of the sample project. */
export const PATHS = {
  profile: '.rapid-os/harnesses/codex.json',
  lock: '.rapid-os/capabilities.lock',
  policy: '.rapid-os/policy.json',
  spec: '.rapid-os/specs/sample/spec.json',
  revision: '.rapid-os/specs/sample/revisions/0001/revision.json',
  tasks: '.rapid-os/specs/sample/revisions/0001/tasks.md',
  run: `.rapid-os/runs/${RUN}/run.json`,
  contract: `.rapid-os/runs/${RUN}/contract.json`,
  context: `.rapid-os/runs/${RUN}/context.md`,
  manifest: `.rapid-os/runs/${RUN}/context-manifest.json`,
  state: `.rapid-os/runs/${RUN}/states/0003.json`,
  record: `.rapid-os/evidence/${RUN}/records/E001.json`,
  artifact: `.rapid-os/evidence/${RUN}/artifacts/E001/log.txt`,
  report: `.rapid-os/evals/${RUN}/reports/0001.json`,
} as const;

/** Writes a project with a document of every kind: profile, lock, policy, spec, active run, evidence, report. */
export function writeFullSample(root: string): void {
  initProfile(root, 'codex');
  writeLock(root);
  initPolicy(root);
  writeActiveSample(root);
  writeFileSync(join(root, 'log.txt'), 'all tests passed\r\n');
  const node = readJson(
    '{"kind": "test_result", "producer": "harness:codex", "summary": "Tests passed", "gate_ids": ["gate.baseline"],' +
      '"payload": {"suite": "unit", "exit_code": 0, "passed": 3, "failed": 0, "skipped": 0}, "artifacts": ["log.txt"]}',
    { code: 'RAPID1202', file: 'evidence', reading: 'strict' },
  );
  addEvidence(root, RUN, { from: 'object', node });
  writeReport(root, RUN);
}

/** Everything below a folder, for a tree in memory. */
export function filesOf(root: string, below = ''): Map<string, Uint8Array | { readonly link: string }> {
  const files = new Map<string, Uint8Array | { readonly link: string }>();
  for (const name of readdirSync(join(root, below))) {
    const path = below === '' ? name : `${below}/${name}`;
    const stat = lstatSync(join(root, path));
    if (stat.isSymbolicLink()) files.set(path, { link: readlinkSync(join(root, path)) });
    else if (stat.isDirectory()) for (const [inner, content] of filesOf(root, path)) files.set(inner, content);
    else files.set(path, readFileSync(join(root, path)));
  }
  return files;
}

/** The documents of a tree in memory. */
export function projectOf(files: Files, reading: Reading): Project {
  return { tree: memoryTree(files), reading };
}

/** Loads one document of every kind through the public loaders. */
export function loadEverything(project: Project): void {
  loadProfile(project, 'codex');
  loadLock(project);
  loadPolicy(project);
  loadRevision(project, 'sample');
  loadReports(project, RUN);
}

/** Files that a test changes. */
export type Edited = Map<string, Uint8Array | { readonly link: string }>;

/** The text of a file. */
export function textOf(files: Files, path: string): string {
  const content = files.get(path);
  if (!(content instanceof Uint8Array)) throw new Error(`no file at ${path}`);
  return Buffer.from(content).toString('utf8');
}

/** Replaces text that must be there, once, in a file. */
export function edit(files: Edited, path: string, from: string, to: string): void {
  const text = textOf(files, path);
  const at = text.indexOf(from);
  if (at === -1) throw new Error(`${path} does not hold ${from}`);
  files.set(path, Buffer.from(text.slice(0, at) + to + text.slice(at + from.length)));
}

const SEALS = {
  contract: (node: JsonNode) => readContract(node, place('RAPID1002')),
  state: (node: JsonNode) => readState(node, place('RAPID1012')),
  record: (node: JsonNode) => readRecord(node, place('RAPID1202')),
  report: (node: JsonNode) => readReport(node, place('RAPID1221')),
} as const;

function place(code: 'RAPID1002' | 'RAPID1012' | 'RAPID1202' | 'RAPID1221') {
  return { code, file: 'sample', reading: 'compatible' } as const;
}

/** Gives an edited document the digest that fits it: what a careful forger would do. */
export function reseal(files: Edited, kind: keyof typeof SEALS): void {
  const path = PATHS[kind];
  const emptied = textOf(files, path).replace(
    /"(content|contract|report)_digest": "[0-9a-f]*"\n}/,
    '"$1_digest": ""\n}',
  );
  const sealed = SEALS[kind](readJson(emptied, place('RAPID1002')));
  files.set(path, Buffer.from(writeJson(sealed)));
  if (kind === 'contract' && 'contract_digest' in sealed) {
    const run = textOf(files, PATHS.run).replace(/[0-9a-f]{64}/, sealed.contract_digest);
    files.set(PATHS.run, Buffer.from(run));
  }
}

/** Removes evidence and reports: they are bound to contract and states by digest. */
export function dropBound(files: Edited): void {
  for (const path of [...files.keys()])
    if (path.startsWith('.rapid-os/evidence/') || path.startsWith('.rapid-os/evals/')) files.delete(path);
}

/** Empties a document's own digest, which compatible reading then does not compare. */
export function unseal(files: Edited, kind: keyof typeof SEALS): void {
  const text = textOf(files, PATHS[kind]).replace(/_digest": "[0-9a-f]{64}"\n\}\n$/, '_digest": ""\n}\n');
  files.set(PATHS[kind], Buffer.from(text));
}

/** Binds a changed context manifest to the contract by its digest. */
export function sealManifest(files: Edited): void {
  dropBound(files);
  const old = /"context_manifest_digest": "[0-9a-f]{64}"/.exec(textOf(files, PATHS.contract))?.[0] ?? '?';
  edit(files, PATHS.contract, old, `"context_manifest_digest": "${sha256(textOf(files, PATHS.manifest))}"`);
  reseal(files, 'contract');
}

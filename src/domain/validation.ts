import { activeProfiles, LOCK, loadLockIfAny, lockDifferences } from './capabilities/lock.ts';
import { HARNESSES, loadProjectProfile } from './capabilities/profile.ts';
import type { RefusalCode } from './codes.ts';
import { loadPolicy, POLICY } from './contracts/policy.ts';
import { RUNS } from './contracts/run-record.ts';
import { loadRevision, loadSpecRecord, SPECS } from './contracts/spec-store.ts';
import { isRefusal, Refusal } from './errors.ts';
import { EVALS, loadReports } from './evaluation/report-store.ts';
import { EVIDENCE } from './evidence/record.ts';
import { isSlug, revisionOf } from './identifiers.ts';
import { listFolder, RAPID_OS } from './project.ts';
import type { Project } from './project.ts';

/** One fault of a project's documents. Warnings are sound documents that someone should look at. */
export interface DocumentFault {
  readonly severity: 'error' | 'warning';
  readonly code: RefusalCode;
  readonly where: string;
  readonly message: string;
}

/** What a check of all documents found, and how many it looked at. */
export interface Validation {
  readonly checked: { readonly profiles: number; readonly specs: number; readonly runs: number };
  readonly faults: readonly DocumentFault[];
}

/**
 * Checks every document under `.rapid-os`, each on its own: one fault hides no other.
 * In strict reading also that there is no symbolic link anywhere below it.
 */
export function validateDocuments(project: Project, onUnit?: (where: string) => void): Validation {
  const faults: DocumentFault[] = [];
  const attempt = <T>(where: string, body: () => T): T | undefined => {
    onUnit?.(where);
    try {
      return body();
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      faults.push({ severity: 'error', code: thrown.code, where: thrown.where ?? where, message: thrown.message });
      return undefined;
    }
  };
  const names = (folder: string, unsafe: RefusalCode): string[] =>
    attempt(folder, () => listFolder(project, folder, unsafe, 'report').map((entry) => entry.name)) ?? [];

  if (project.reading === 'strict') attempt(RAPID_OS, () => refuseLinks(project, RAPID_OS));
  const profiles = names(HARNESSES, 'RAPID1105');
  const broken = faults.length;
  for (const name of profiles) attempt(`${HARNESSES}/${name}`, () => profileOf(project, name));
  validateLock(project, faults.length > broken, attempt, faults);
  attempt(POLICY, () => loadPolicy(project));
  const specs = names(SPECS, 'RAPID808');
  for (const id of specs) validateSpec(project, id, attempt);
  const runs = names(RUNS, 'RAPID1008');
  for (const id of runs) attempt(`${RUNS}/${id}`, () => validateRun(project, id, faults));
  for (const [folder, unsafe] of [
    [EVIDENCE, 'RAPID1204'],
    [EVALS, 'RAPID1224'],
  ] as const) {
    for (const name of names(folder, unsafe).filter((one) => !runs.includes(one))) {
      const message = `${folder}/${name} belongs to no run.`;
      faults.push({ severity: 'error', code: 'RAPID1007', where: `${folder}/${name}`, message });
    }
  }
  return { checked: { profiles: profiles.length, specs: specs.length, runs: runs.length }, faults };
}

type Attempt = <T>(where: string, body: () => T) => T | undefined;

function refuseLinks(project: Project, folder: string): void {
  for (const entry of listFolder(project, folder, 'CS1201', 'report')) {
    if (entry.kind === 'folder') refuseLinks(project, `${folder}/${entry.name}`);
  }
}

function profileOf(project: Project, name: string): void {
  const path = `${HARNESSES}/${name}`;
  if (!name.endsWith('.json'))
    throw new Refusal('RAPID1102', `${path} is not named <harness id>.json.`, { where: path });
  loadProjectProfile(project, name.slice(0, -'.json'.length));
}

function validateLock(project: Project, brokenProfile: boolean, attempt: Attempt, faults: DocumentFault[]): void {
  const lock = attempt(LOCK, () => loadLockIfAny(project));
  if (lock === undefined || brokenProfile) return;
  const live = attempt(HARNESSES, () => activeProfiles(project));
  if (live === undefined) return;
  for (const { harness, change } of lockDifferences(lock, live)) {
    const message = `The lock is stale: the profile of harness '${harness}' was ${change} since it was written.`;
    faults.push({ severity: 'warning', code: 'RAPID1112', where: LOCK, message });
  }
}

function validateSpec(project: Project, id: string, attempt: Attempt): void {
  const where = `${SPECS}/${id}`;
  const record = attempt(where, () => loadSpecRecord(project, id));
  if (record === undefined) return;
  const revisions = attempt(where, () => listFolder(project, `${where}/revisions`, 'RAPID808')) ?? [];
  const numbers = new Set([record.current_revision, ...revisions.flatMap(({ name }) => revisionOf(name) ?? [])]);
  for (const revision of [...numbers].sort((a, b) => a - b)) {
    attempt(`${where}/revisions`, () => loadRevision(project, id, revision));
  }
}

// Loading the reports loads record, contract, ledger, context, evidence and artifacts as well.
function validateRun(project: Project, id: string, faults: DocumentFault[]): void {
  const where = `${RUNS}/${id}`;
  if (!isSlug(id)) throw new Refusal('RAPID1001', `${where} is not named for a run id.`, { where });
  const { reports, orphans } = loadReports(project, id);
  for (const orphan of orphans) {
    const message = `Artifact folder '${orphan}' of run '${id}' has no record: an interrupted addition left it.`;
    faults.push({ severity: 'warning', code: 'RAPID1211', where: `${EVIDENCE}/${id}/artifacts/${orphan}`, message });
  }
  const latest = reports.at(-1);
  if (latest?.stale === true) {
    const message = `The latest report of run '${id}' is older than its latest state or evidence.`;
    faults.push({ severity: 'warning', code: 'RAPID1227', where: latest.file, message });
  }
}

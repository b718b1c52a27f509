import { renderArtifacts } from '../domain/contracts/spec-artifacts.ts';
import { loadRevision, loadSpecRecord, revisionFolder, SPEC_STATUSES, SPECS } from '../domain/contracts/spec-store.ts';
import type { SpecRecord, SpecStatus } from '../domain/contracts/spec-store.ts';
import { ARTIFACT_NAMES, normaliseSpec } from '../domain/contracts/spec-content.ts';
import { makeRevision } from '../domain/contracts/spec.ts';
import type { SpecDraft } from '../domain/contracts/spec-content.ts';
import type { SpecRevision } from '../domain/contracts/spec.ts';
import { Refusal } from '../domain/errors.ts';
import { checkSpecId } from '../domain/identifiers.ts';
import { quoteAscii, writeJson } from '../domain/json/canonical.ts';
import { folderExists } from '../domain/project.ts';
import { trim } from '../domain/text/trim.ts';
import { applyChange } from './changes.ts';
import type { Step } from './changes.ts';
import { withLock } from './lock.ts';
import { openProject } from './workspace.ts';

/** A spec as a command leaves it. */
export interface WrittenSpec {
  readonly record: SpecRecord;
  readonly revision: SpecRevision;
}

/** Writes a new spec, as a draft. @throws Refusal RAPID806 id malformed or taken, RAPID803 content */
export function createSpec(root: string, id: string, draft: SpecDraft): WrittenSpec {
  checkSpecId(id, 'RAPID806');
  const revision = makeRevision(id, 1, normaliseSpec(draft, 'RAPID803'));
  const record: SpecRecord = { schema_version: 1, id, status: 'draft', current_revision: 1 };
  const path = `${SPECS}/${id}`;
  const taken = (): Refusal => new Refusal('RAPID806', `Spec '${id}' exists; revise it instead.`, { where: path });
  return withLock(root, () => {
    if (folderExists(openProject(root), SPECS, 'RAPID808') && folderExists(openProject(root), path, 'RAPID808'))
      throw taken();
    const files = [
      { path: 'spec.json', bytes: Buffer.from(writeJson(record, quoteAscii)) },
      ...revisionFiles(revision).map((file) => ({ ...file, path: `revisions/0001/${file.path}` })),
    ];
    applyChange(root, [{ step: 'place', path, files, taken }]);
    return { record, revision };
  });
}

/** Writes the next revision of a spec; the spec is a draft again. @throws Refusal RAPID805 for an archived one */
export function reviseSpec(root: string, id: string, draft: Partial<SpecDraft>): WrittenSpec {
  return withLock(root, () => {
    const project = openProject(root);
    const before = loadSpecRecord(project, id);
    if (before.status === 'archived')
      throw new Refusal('RAPID805', `Spec '${id}' is archived and takes no further revision.`);
    const old = loadRevision(project, id);
    const number = before.current_revision + 1;
    const revision = makeRevision(id, number, normaliseSpec({ ...old, ...draft }, 'RAPID803'));
    const record: SpecRecord = { ...before, status: 'draft', current_revision: number };
    const path = revisionFolder(id, number);
    const taken = (): Refusal => new Refusal('RAPID805', `${path} exists; it was not overwritten.`, { where: path });
    applyChange(root, [{ step: 'place', path, files: revisionFiles(revision), taken }, recordStep(record)]);
    return { record, revision };
  });
}

const STATUS_TRANSITIONS = {
  draft: ['ready', 'archived'],
  ready: ['draft', 'archived'],
  archived: [],
} as const satisfies Record<SpecStatus, readonly SpecStatus[]>;

/** Sets a spec's status. Only a spec whose current revision is sound becomes ready. @throws Refusal RAPID805 */
export function setSpecStatus(root: string, id: string, statusText: string): SpecRecord {
  const word = trim(statusText).toLowerCase();
  const status = SPEC_STATUSES.find((one) => one === word);
  if (status === undefined)
    throw new Refusal('RAPID805', `Unknown spec status '${statusText}': must be one of ${SPEC_STATUSES.join(', ')}.`);
  return withLock(root, () => {
    const project = openProject(root);
    const before = loadSpecRecord(project, id);
    const targets: readonly SpecStatus[] = STATUS_TRANSITIONS[before.status];
    if (!targets.includes(status))
      throw new Refusal('RAPID805', `Spec '${id}' cannot go from '${before.status}' to '${status}'.`);
    if (status === 'ready') loadRevision(project, id);
    const record: SpecRecord = { ...before, status };
    applyChange(root, [recordStep(record)]);
    return record;
  });
}

function recordStep(record: SpecRecord): Step {
  return { step: 'replace', path: `${SPECS}/${record.id}/spec.json`, text: writeJson(record, quoteAscii) };
}

function revisionFiles(revision: SpecRevision): { readonly path: string; readonly bytes: Uint8Array }[] {
  const rendered = renderArtifacts(revision);
  return [
    { path: 'revision.json', bytes: Buffer.from(writeJson(revision, quoteAscii)) },
    ...ARTIFACT_NAMES.map((name) => ({ path: name, bytes: Buffer.from(rendered[name]) })),
  ];
}

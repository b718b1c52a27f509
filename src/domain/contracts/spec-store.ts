import { Refusal } from '../errors.ts';
import { countAt, fault, objectAt, textAt, versionAt, wordAt } from '../fields.ts';
import { checkSpecId, isSlug, revisionName } from '../identifiers.ts';
import type { JsonPlace } from '../json/read.ts';
import { fileExists, folderExists, listFolder, RAPID_OS, readDocument, readText } from '../project.ts';
import type { Project } from '../project.ts';
import { renderArtifacts } from './spec-artifacts.ts';
import { ARTIFACT_NAMES } from './spec-content.ts';
import { readRevision } from './spec.ts';
import type { SpecRevision } from './spec.ts';

export const SPECS = `${RAPID_OS}/specs`;
export const SPEC_STATUSES = ['draft', 'ready', 'archived'] as const;
export type SpecStatus = (typeof SPEC_STATUSES)[number];

/** What `spec.json` says: the one mutable document of a spec. */
export interface SpecRecord {
  readonly schema_version: 1;
  readonly id: string;
  readonly status: SpecStatus;
  readonly current_revision: number;
}

/** The ids of all specs, sorted. Entries whose name is no spec id are reported by `validate`, not here. */
export function specIds(project: Project): string[] {
  return listFolder(project, SPECS, 'RAPID808').flatMap((entry) =>
    entry.kind === 'folder' && isSlug(entry.name) ? [entry.name] : [],
  );
}

/** @throws Refusal RAPID806 malformed id, RAPID807 no such spec, RAPID801 broken record, RAPID808 unsafe path */
export function loadSpecRecord(project: Project, id: string): SpecRecord {
  checkSpecId(id, 'RAPID806');
  const folder = `${SPECS}/${id}`;
  const path = `${folder}/spec.json`;
  const exists = folderExists(project, SPECS, 'RAPID808') && folderExists(project, folder, 'RAPID808');
  if (!exists || !fileExists(project, path, 'RAPID808'))
    throw new Refusal('RAPID807', `No spec '${id}'.`, { where: path });
  const node = readDocument(project, path, { unsafe: 'RAPID808', malformed: 'RAPID801' });
  const place: JsonPlace = { code: 'RAPID801', file: path, reading: project.reading };
  const object = objectAt(node, 'the spec record', place, ['schema_version', 'id', 'status', 'current_revision']);
  versionAt(object, place);
  const inner = textAt(object, 'id', place);
  if (inner !== id) throw fault(place, `'id' is '${inner}', but the folder is named for '${id}'.`);
  return {
    schema_version: 1,
    id,
    status: wordAt(object, 'status', SPEC_STATUSES, place),
    current_revision: countAt(object, 'current_revision', 1, place),
  };
}

/** The folder of a spec revision. */
export function revisionFolder(id: string, revision: number): string {
  return `${SPECS}/${id}/revisions/${revisionName(revision)}`;
}

/**
 * Loads a revision (the current one, where none is named) and checks the artifacts on disk against it.
 * @throws Refusal RAPID802 missing, RAPID803 malformed, RAPID804 drift, and those of the record
 */
export function loadRevision(project: Project, id: string, revision?: number): SpecRevision {
  const record = loadSpecRecord(project, id);
  const wanted = revision ?? record.current_revision;
  const folder = revisionFolder(id, wanted);
  const path = `${folder}/revision.json`;
  if (!folderExists(project, folder, 'RAPID808') || !fileExists(project, path, 'RAPID808')) {
    throw new Refusal('RAPID802', `Revision ${wanted} of spec '${id}' does not exist.`, { where: folder });
  }
  const node = readDocument(project, path, { unsafe: 'RAPID808', malformed: 'RAPID803' });
  const place: JsonPlace = { code: 'RAPID803', file: path, reading: project.reading };
  const read = readRevision(node, place);
  if (read.spec_id !== id) throw fault(place, `'spec_id' is '${read.spec_id}', but the spec is '${id}'.`);
  if (read.revision !== wanted)
    throw fault(place, `'revision' is ${read.revision}, but the folder is that of ${wanted}.`);
  const rendered = renderArtifacts(read);
  for (const name of ARTIFACT_NAMES) {
    const artifact = `${folder}/${name}`;
    const there = fileExists(project, artifact, 'RAPID808');
    if (!there || readText(project, artifact, 'RAPID808', { hashed: true }) !== rendered[name]) {
      throw new Refusal(
        'RAPID804',
        `${artifact} of spec '${id}' ${there ? 'differs from its revision' : 'does not exist'}.`,
        {
          where: artifact,
        },
      );
    }
  }
  return read;
}

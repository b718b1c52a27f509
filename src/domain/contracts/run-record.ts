import { Refusal } from '../errors.ts';
import { convertedAt, countAt, fault, objectAt, versionAt } from '../fields.ts';
import { checkRunId, checkSpecId, isDigest, isSlug } from '../identifiers.ts';
import { fileExists, folderExists, listFolder, RAPID_OS, readDocument } from '../project.ts';
import type { Project } from '../project.ts';

export const RUNS = `${RAPID_OS}/runs`;

/** What `run.json` says: the one mutable document of a run. */
export interface RunRecord {
  readonly schema_version: 1;
  readonly id: string;
  readonly spec_id: string;
  readonly spec_revision: number;
  readonly contract_digest: string;
  readonly current_state_revision: number;
}

/** The folder of a run. */
export function runFolder(runId: string): string {
  return `${RUNS}/${runId}`;
}

/** The ids of all runs, sorted. Entries whose name is no run id are reported by `validate`, not here. */
export function runIds(project: Project): string[] {
  return listFolder(project, RUNS, 'RAPID1008', 'report').flatMap((entry) => (isSlug(entry.name) ? [entry.name] : []));
}

/**
 * Loads a run's record.
 * @throws Refusal RAPID1007 where there is no such run or its record is another's, RAPID1001 malformed, RAPID1008
 */
export function loadRunRecord(project: Project, runId: string): RunRecord {
  checkRunId(runId, 'RAPID1001');
  const folder = runFolder(runId);
  const path = `${folder}/run.json`;
  if (!folderExists(project, RUNS, 'RAPID1008') || !folderExists(project, folder, 'RAPID1008')) {
    throw new Refusal('RAPID1007', `No run '${runId}'.`, { where: folder });
  }
  if (!fileExists(project, path, 'RAPID1008'))
    throw new Refusal('RAPID1001', `${path} does not exist.`, { where: path });
  const node = readDocument(project, path, { unsafe: 'RAPID1008', malformed: 'RAPID1001' });
  const place = { code: 'RAPID1001', file: path, reading: project.reading } as const;
  const keys = ['schema_version', 'id', 'spec_id', 'spec_revision', 'contract_digest', 'current_state_revision'];
  const object = objectAt(node, 'the run record', place, keys);
  versionAt(object, place);
  const id = checkRunId(convertedAt(object, 'id', place), 'RAPID1001');
  const contract_digest = convertedAt(object, 'contract_digest', place);
  if (!isDigest(contract_digest)) throw fault(place, "'contract_digest' must be 64 lower-case hex digits.");
  const record: RunRecord = {
    schema_version: 1,
    id,
    spec_id: checkSpecId(convertedAt(object, 'spec_id', place), 'RAPID1001'),
    spec_revision: countAt(object, 'spec_revision', 1, place),
    contract_digest,
    current_state_revision: countAt(object, 'current_state_revision', 1, place),
  };
  if (id !== runId) {
    throw new Refusal('RAPID1007', `${path} is the record of run '${id}', but the folder is named for '${runId}'.`, {
      where: path,
    });
  }
  return record;
}

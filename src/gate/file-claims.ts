import type { VerifiedReports } from '../domain/evaluation/report-store.ts';
import { recordPath } from '../domain/evidence/record.ts';
import { changedPaths } from './changed-files.ts';
import type { Facts } from './facts.ts';
import { START_OVER } from './ledger-remedy.ts';
import type { Need } from './outcome.ts';

/** Paths of a record that a message shows. */
const SHOWN = 5;

/**
 * Records of kind file_change that name files which the pull request does not change: they contradict what is
 * seen. Records that were at the base already speak of an earlier change and are left alone.
 */
export function fileClaimNeeds(facts: Facts, loaded: VerifiedReports): Need[] {
  if (facts.subject.kind === 'working-tree') return []; // there is no list of changed files to compare with
  const changed = new Set(changedPaths(facts));
  const atBase = new Set(facts.base.entries.map((entry) => entry.path));
  const runId = loaded.run.record.id;
  return loaded.records.flatMap((record): Need[] => {
    if (record.kind !== 'file_change' || atBase.has(recordPath(runId, record.id))) return [];
    const unseen = record.payload.paths.filter((path) => !changed.has(path));
    if (unseen.length === 0) return [];
    const shown =
      unseen.slice(0, SHOWN).join(', ') + (unseen.length > SHOWN ? ` and ${unseen.length - SHOWN} more` : '');
    return [
      {
        outcome: 'failed',
        what: `Evidence ${record.id} says that files were changed which the pull request does not change: ${shown}.`,
        who: 'agent',
        how: `Commit these changes. Where the record is wrong: ${START_OVER}`,
        run: runId,
      },
    ];
  });
}

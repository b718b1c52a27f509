import type { FindingDraft } from '../checks/finding.ts';
import { currentState, loadRun } from '../domain/contracts/ledger.ts';
import { RUNS } from '../domain/contracts/run-record.ts';
import { isRefusal } from '../domain/errors.ts';
import { LEDGER_RULES } from './append-only.ts';
import type { Facts } from './facts.ts';
import { snapshotTree } from './snapshot-tree.ts';

/** Statuses after which nothing can happen in a run any more. */
const ENDED: readonly string[] = ['finished', 'failed', 'cancelled'];

/**
 * A finding where a run had ended at the base already. A run at the base that cannot be read is no obstacle:
 * its documents in the head are judged on their own.
 */
export function spentFinding(facts: Facts, runId: string): FindingDraft[] {
  if (facts.subject.kind === 'working-tree') return []; // base and head are the same documents there
  if (!facts.base.entries.some((entry) => entry.path === `${RUNS}/${runId}/run.json`)) return [];
  const status = statusAtBase(facts, runId);
  if (status !== undefined && !ENDED.includes(status)) return [];
  return [
    {
      rule: 'ledger/spent',
      severity: 'block',
      place: { at: 'run', runId },
      subject: runId,
      message:
        status === undefined
          ? `Run '${runId}' is at the base already and cannot be read there.`
          : `Run '${runId}' was ${status} at the base already.`,
      remedy: LEDGER_RULES['ledger/spent'].remedy,
    },
  ];
}

function statusAtBase(facts: Facts, runId: string): string | undefined {
  try {
    return currentState(loadRun({ tree: snapshotTree(facts.base), reading: 'compatible' }, runId)).status;
  } catch (thrown) {
    if (isRefusal(thrown)) return undefined;
    throw thrown;
  }
}

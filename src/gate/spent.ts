import type { FindingDraft } from '../checks/finding.ts';
import { currentState, loadRun } from '../domain/contracts/ledger.ts';
import { runFolder } from '../domain/contracts/run-record.ts';
import { isRefusal } from '../domain/errors.ts';
import { isSlug } from '../domain/identifiers.ts';
import { fileExists } from '../domain/project.ts';
import type { Project } from '../domain/project.ts';
import { LEDGER_RULES } from './append-only.ts';
import type { Facts } from './facts.ts';

/** Statuses after which nothing can happen in a run any more. */
const ENDED: readonly string[] = ['finished', 'failed', 'cancelled'];

/**
 * A finding where a run had ended at the base already, or cannot be read there.
 * @throws Refusal RAPID1008, CS1107 where it cannot be told whether the base has the run
 */
export function spentFinding(facts: Facts, base: Project, runId: string): FindingDraft[] {
  if (facts.subject.kind === 'working-tree' || !isSlug(runId)) return []; // base and head are the same documents there
  if (!fileExists(base, `${runFolder(runId)}/run.json`, 'RAPID1008')) return [];
  const status = statusAtBase(base, runId);
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

function statusAtBase({ tree }: Project, runId: string): string | undefined {
  try {
    return currentState(loadRun({ tree, reading: 'compatible' }, runId)).status;
  } catch (thrown) {
    if (isRefusal(thrown)) return undefined;
    throw thrown;
  }
}

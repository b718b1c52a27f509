import { checkExtraCapabilities } from '../domain/capabilities/catalogue.ts';
import { evaluateRun, loadReports, nextReportRevision, reportPath } from '../domain/evaluation/report-store.ts';
import type { Report } from '../domain/evaluation/report.ts';
import { Refusal } from '../domain/errors.ts';
import { writeJson } from '../domain/json/canonical.ts';
import { applyChange } from './changes.ts';
import { withLock } from './lock.ts';
import { openProject } from './workspace.ts';

/** A report that was written. */
export interface WrittenReport {
  readonly revision: number;
  readonly path: string;
  readonly report: Report;
}

/**
 * Verifies all reports of a run, evaluates it and appends the report.
 * @param insisted a revision that the caller insists on
 * @throws Refusal those of run, evidence and reports; RAPID1229 where it exists, RAPID1207 for an unknown extra id
 */
export function writeReport(
  root: string,
  runId: string,
  extra: readonly string[] = [],
  insisted?: string | number | bigint,
): WrittenReport {
  return withLock(root, () => {
    checkExtraCapabilities(extra, 'RAPID1207');
    const verified = loadReports(openProject(root), runId);
    const revision = nextReportRevision(verified, insisted);
    const report = evaluateRun(verified, extra);
    const path = reportPath(runId, revision);
    const taken = (): Refusal => new Refusal('RAPID1229', `${path} exists; it was not overwritten.`, { where: path });
    applyChange(root, [{ step: 'create', path, text: writeJson(report), taken }]);
    return { revision, path, report };
  });
}

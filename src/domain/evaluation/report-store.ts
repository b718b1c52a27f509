import { checkExtraCapabilities } from '../capabilities/catalogue.ts';
import { currentState, loadLedger, loadRun } from '../contracts/ledger.ts';
import type { Run } from '../contracts/ledger.ts';
import { isRefusal, Refusal } from '../errors.ts';
import { evidenceSetDigest, prefixDigests, verifyEvidence } from '../evidence/evidence-set.ts';
import type { VerifyOptions } from '../evidence/evidence-set.ts';
import type { EvidenceRecord } from '../evidence/record.ts';
import { RULESET_DIGEST } from '../format-texts.ts';
import { checkRunId, revisionName, revisionOf } from '../identifiers.ts';
import { canonicalJson } from '../json/canonical.ts';
import { folderExists, listFolder, RAPID_OS, readDocument } from '../project.ts';
import type { Project } from '../project.ts';
import { trim } from '../text/trim.ts';
import { evaluate, readReport } from './report.ts';
import type { Report } from './report.ts';

export const EVALS = `${RAPID_OS}/evals`;

/** A run, its evidence and its reports, all verified. */
export interface EvaluatedRun {
  readonly run: Run;
  readonly records: readonly EvidenceRecord[];
  readonly orphans: readonly string[];
}

/** Loads a run with its whole ledger and verified evidence: what an evaluation rests on. */
export function loadEvaluated(
  project: Project,
  runId: string,
  options: Pick<VerifyOptions, 'onRecord'> = {},
): EvaluatedRun {
  checkRunId(runId, 'RAPID1221');
  const run = loadRun(project, runId);
  const { records, orphans } = verifyEvidence(project, runId, { ...options, run });
  return { run, records, orphans };
}

/** Evaluates the current state of a run with all its evidence. @throws Refusal RAPID1207 for an unknown extra id */
export function evaluateRun(evaluated: EvaluatedRun, extra: readonly string[] = []): Report {
  const { run, records } = evaluated;
  return evaluate(run.contract, currentState(run), records, checkExtraCapabilities(extra, 'RAPID1207'));
}

/** The folder of a run's reports. */
export function reportsFolder(runId: string): string {
  return `${EVALS}/${runId}/reports`;
}

/** The file of a run's report. */
export function reportPath(runId: string, revision: number): string {
  return `${reportsFolder(runId)}/${revisionName(revision)}.json`;
}

/** A written report; `stale` where state or evidence have moved on since. */
export interface StoredReport {
  readonly revision: number;
  /** Path from the root. */
  readonly file: string;
  readonly report: Report;
  readonly stale: boolean;
}

/** Reports of a run and what they were verified against. */
export interface VerifiedReports extends EvaluatedRun {
  readonly reports: readonly StoredReport[];
}

/**
 * Loads every report of a run, bound and replayed: each must follow from its state and a prefix of the evidence.
 * @throws Refusal those of run and evidence; RAPID1221–1224
 */
export function loadReports(project: Project, runId: string): VerifiedReports {
  checkRunId(runId, 'RAPID1221');
  const evidence = verifyEvidence(project, runId);
  const files = listReports(project, runId);
  const run = evidence.run ?? replayLedger(project, evidence.bound, files.length > 0);
  const evaluated = { run, records: evidence.records, orphans: evidence.orphans };
  const prefixes = files.length === 0 ? new Map<string, number>() : prefixDigests(runId, evidence.records);
  const current = { state: currentState(run).content_digest, set: evidenceSetDigest(runId, evidence.records) };
  const reports = files.map((file, index): StoredReport => {
    const path = `${reportsFolder(runId)}/${file}`;
    const node = readDocument(project, path, { unsafe: 'RAPID1224', malformed: 'RAPID1221' });
    const report = readReport(node, { code: 'RAPID1221', file: path, reading: project.reading });
    replayReport(report, evaluated, prefixes, path);
    const stale = report.state_digest !== current.state || report.evidence_set_digest !== current.set;
    return { revision: index + 1, file: path, report, stale };
  });
  return { ...evaluated, reports };
}

// Reports are replayed on states: once there is one, a broken ledger shows as a report that cannot be replayed.
function replayLedger(project: Project, bound: Parameters<typeof loadLedger>[1], reported: boolean): Run {
  try {
    return loadLedger(project, bound);
  } catch (thrown) {
    if (!reported || !isRefusal(thrown) || thrown.code.startsWith('CS')) throw thrown;
    throw new Refusal(
      'RAPID1223',
      `The reports of run '${bound.record.id}' rest on states that do not hold: ${thrown.message}`,
      { cause: thrown },
    );
  }
}

function listReports(project: Project, runId: string): string[] {
  const folder = `${EVALS}/${runId}`;
  if (!folderExists(project, EVALS, 'RAPID1224')) return [];
  for (const entry of listFolder(project, folder, 'RAPID1224')) {
    if (entry.name === 'reports' && entry.kind === 'folder') continue;
    throw new Refusal('RAPID1221', `${folder}/${entry.name} does not belong there: only a folder 'reports' does.`, {
      where: `${folder}/${entry.name}`,
    });
  }
  const revisions = listFolder(project, reportsFolder(runId), 'RAPID1224').map((entry) => {
    const path = `${reportsFolder(runId)}/${entry.name}`;
    const revision = revisionOf(entry.name.endsWith('.json') ? entry.name.slice(0, -'.json'.length) : '');
    if (entry.kind !== 'file') throw new Refusal('RAPID1221', `${path} is not a regular file.`, { where: path });
    if (revision === undefined)
      throw new Refusal('RAPID1221', `${path} has no canonical report name.`, { where: path });
    return revision;
  });
  revisions.sort((a, b) => a - b);
  return revisions.map((revision, index) => {
    const expected = `${revisionName(index + 1)}.json`;
    if (revision !== index + 1)
      throw new Refusal('RAPID1221', `Reports of run '${runId}' have a gap: ${expected} is missing.`);
    return expected;
  });
}

/** Checks that a report follows from the run. @throws Refusal RAPID1223 */
function replayReport(
  report: Report,
  evaluated: EvaluatedRun,
  prefixes: ReadonlyMap<string, number>,
  path: string,
): void {
  const { run, records } = evaluated;
  const refuse = (message: string): Refusal => new Refusal('RAPID1223', `${path}: ${message}.`, { where: path });
  if (report.run_id !== run.record.id)
    throw refuse(`'run_id' is '${report.run_id}', but the run is '${run.record.id}'`);
  if (report.contract_digest !== run.contract.contract_digest)
    throw refuse("'contract_digest' is not that of the run's contract");
  const state = run.states[report.state_revision - 1];
  if (state === undefined) throw refuse(`'state_revision' is ${report.state_revision}, beyond the run's current state`);
  if (report.state_digest !== state.content_digest)
    throw refuse(`'state_digest' is not that of state ${report.state_revision}`);
  if (report.ruleset_digest !== RULESET_DIGEST) throw refuse("'ruleset_digest' is not that of rule set 1");
  const length = prefixes.get(report.evidence_set_digest);
  if (length === undefined) throw refuse("'evidence_set_digest' is that of no prefix of the run's evidence");
  const prefix = records.slice(0, length);
  const later = prefix.find((record) => record.state_revision > report.state_revision);
  if (later !== undefined) throw refuse(`evidence '${later.id}' belongs to a later state than the report`);
  const known = new Set(prefix.map((record) => record.id));
  const foreign = report.assertions.flatMap((one) => one.evidence_ids).find((id) => !known.has(id));
  if (foreign !== undefined) throw refuse(`evidence '${foreign}' is not in the evidence set of run '${run.record.id}'`);
  const replayed = evaluate(run.contract, state, prefix, report.extra_capability_ids);
  if (canonicalJson(replayed) !== canonicalJson(report))
    throw refuse(`the report is not what an evaluation of run '${run.record.id}' gives`);
}

/**
 * Picks a report.
 * @param wanted a number, its digits or a file name; undefined for the latest
 * @throws Refusal RAPID1228 where there is none, RAPID1221 for a malformed revision
 */
export function pickReport(verified: VerifiedReports, wanted?: string | number | bigint): StoredReport {
  const runId = verified.run.record.id;
  if (wanted === undefined) {
    const latest = verified.reports.at(-1);
    if (latest === undefined) throw new Refusal('RAPID1228', `Run '${runId}' has no report.`);
    return latest;
  }
  const revision = reportRevision(wanted);
  const found = verified.reports[revision - 1];
  if (found === undefined) throw new Refusal('RAPID1228', `Run '${runId}' has no report ${revision}.`);
  return found;
}

/** A revision as a caller gives it. @throws Refusal RAPID1221 */
export function reportRevision(wanted: string | number | bigint): number {
  const text = trim(String(wanted));
  const named = text.endsWith('.json') ? revisionOf(text.slice(0, -'.json'.length)) : undefined;
  const counted = /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;
  const revision = named ?? counted;
  if (revision === undefined || revision < 1) {
    throw new Refusal(
      'RAPID1221',
      `Invalid report revision '${text}': give a number from 1 or a file name such as 0001.json.`,
    );
  }
  return revision;
}

/** The revision that the next report takes. @throws Refusal RAPID1229, RAPID1221 for another number insisted on */
export function nextReportRevision(verified: VerifiedReports, insisted?: string | number | bigint): number {
  const next = verified.reports.length + 1;
  if (insisted === undefined) return next;
  const revision = reportRevision(insisted);
  if (revision < next) {
    throw new Refusal('RAPID1229', `Report ${revisionName(revision)}.json of run '${verified.run.record.id}' exists.`);
  }
  if (revision > next) throw new Refusal('RAPID1221', `Report ${revision} would leave a gap: the next one is ${next}.`);
  return next;
}

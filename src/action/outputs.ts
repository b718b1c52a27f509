import type { GateReport } from '../gate/report.ts';
import type { ReportFiles } from './report-files.ts';

/** The outputs of `action.yml`, as texts. */
export interface Outputs {
  readonly verdict: string;
  readonly outcome: string;
  readonly compatibility: string;
  readonly evaluation: string;
  readonly 'run-ids': string;
  readonly 'report-path': string;
  readonly 'sarif-path': string;
  readonly 'report-digest': string;
}

/** Each from the best to the worst. */
const COMPATIBILITY = ['compatible', 'unresolved', 'incompatible'] as const;
const EVALUATION = ['pass', 'pass_with_waivers', 'unverified', 'fail'] as const;

/** The outputs of a verdict. */
export function outputsOf(report: GateReport, files: ReportFiles): Outputs {
  return {
    verdict: report.word ?? '',
    outcome: report.outcome,
    compatibility: worstWord(
      COMPATIBILITY,
      report.runs.map(({ resolution }) => resolution?.['status']),
    ),
    evaluation: worstWord(
      EVALUATION,
      report.runs.map((run) => run.report?.['verdict']),
    ),
    'run-ids': JSON.stringify(report.runs.map((run) => run.run_id)),
    'report-path': files.report,
    'sarif-path': files.sarif,
    'report-digest': report.report_digest,
  };
}

/** The outputs where there is no verdict. */
export function noOutputs(outcome: '' | 'incomplete'): Outputs {
  return {
    verdict: outcome === '' ? '' : 'UNVERIFIED',
    outcome,
    ...{ compatibility: '', evaluation: '', 'run-ids': '[]', 'report-path': '', 'sarif-path': '', 'report-digest': '' },
  };
}

// Of a run without one nothing is known, which is neither the best nor the worst.
function worstWord(order: readonly string[], words: readonly unknown[]): string {
  const unknown = order.findIndex((word) => word === 'unresolved' || word === 'unverified');
  const ranks = words.map((word) => (typeof word === 'string' ? order.indexOf(word) : unknown));
  return order[Math.max(...ranks, -1)] ?? '';
}

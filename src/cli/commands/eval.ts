import type { Command } from 'commander';
import type { AssertionStatus, Verdict } from '../../domain/evaluation/assertion.ts';
import { evaluateRun, loadEvaluated, loadReports, pickReport } from '../../domain/evaluation/report-store.ts';
import type { Report } from '../../domain/evaluation/report.ts';
import { writeReport } from '../../workspace/reports.ts';
import { openProject } from '../../workspace/workspace.ts';
import { answer, collect, group, leaf, rootOf } from '../session.ts';
import type { CommonOptions, Session } from '../session.ts';
import { progressLine, styled, table } from '../terminal.ts';
import type { Style, Terminal } from '../terminal.ts';

const VERDICT_STYLE = {
  pass: 'green',
  pass_with_waivers: 'yellow',
  unverified: 'yellow',
  fail: 'red',
} as const satisfies Record<Verdict, Style>;
const STATUS_STYLE = {
  pass: 'green',
  fail: 'red',
  unverified: 'yellow',
  waived: 'yellow',
  not_applicable: 'dim',
} as const satisfies Record<AssertionStatus, Style>;

interface RunOptions extends CommonOptions {
  readonly require?: readonly string[];
  readonly write?: boolean;
  readonly revision?: string;
  readonly requirePass?: boolean;
}

/** `eval run|list|show` */
export function addEvalCommands(program: Command, session: Session): void {
  const evaluation = group(program, 'eval', "evaluations: what may be concluded from a run's evidence, by rule set 1");
  leaf(evaluation, 'run <run>', 'evaluate a run over its files alone', [
    'eval run login-fix-r1-run-001',
    'eval run login-fix-r1-run-001 --write --require-pass',
  ])
    .option('--require <capability>', 'require a capability on top (repeatable)', collect)
    .option('--write', 'append the report to the run')
    .option('--revision <number>', 'with --write: refuse unless the report takes this number')
    .option('--require-pass', 'exit 1 unless it passes: RAPID1225 unverified, RAPID1226 fail')
    .action((runId: string, options: RunOptions) => {
      const root = rootOf(session, options);
      const written = options.write === true ? writeReport(root, runId, options.require, options.revision) : undefined;
      const report = written?.report ?? evaluated(session, root, runId, options.require);
      answer(session, options, report, () => {
        const where = written === undefined ? '' : `Written to ${written.path}\n`;
        return `${reportText(session.terminal, report)}${where}`;
      });
      if (options.requirePass === true) requirePass(session, report);
    });

  leaf(evaluation, 'list <run>', 'verify and list the reports of a run', ['eval list login-fix-r1-run-001']).action(
    (runId: string, options: CommonOptions) => {
      const { reports } = loadReports(openProject(rootOf(session, options)), runId);
      const data = reports.map(({ revision, file, report, stale }) => ({
        revision,
        file,
        report_digest: report.report_digest,
        verdict: report.verdict,
        stale,
      }));
      answer(session, options, data, () => {
        const rows = data.map(({ revision, verdict, stale, report_digest }) => [
          String(revision),
          { text: verdict, style: VERDICT_STYLE[verdict] },
          stale ? 'stale' : 'current',
          report_digest.slice(0, 12),
        ]);
        return table(session.terminal, ['report', 'verdict', 'state', 'digest'], rows) || 'No reports yet.\n';
      });
    },
  );

  leaf(evaluation, 'show <run> [revision]', 'print a report of a run (default: the latest)', [
    'eval show login-fix-r1-run-001',
    'eval show login-fix-r1-run-001 1',
  ]).action((runId: string, revision: string | undefined, options: CommonOptions) => {
    const stored = pickReport(loadReports(openProject(rootOf(session, options)), runId), revision);
    answer(session, options, stored.report, () => reportText(session.terminal, stored.report));
    if (stored.stale)
      session.terminal.err(`RAPID1227 ${stored.file} is older than the latest state or evidence of the run.\n`);
  });
}

function evaluated(session: Session, root: string, runId: string, extra: readonly string[] | undefined): Report {
  const progress = progressLine(session.terminal, 'Verifying evidence');
  const run = loadEvaluated(openProject(root), runId, { onRecord: progress.step });
  progress.end();
  return evaluateRun(run, extra);
}

function requirePass(session: Session, report: Report): void {
  if (report.verdict !== 'unverified' && report.verdict !== 'fail') return;
  const code = report.verdict === 'fail' ? 'RAPID1226' : 'RAPID1225';
  session.terminal.err(`${code} Run '${report.run_id}' must pass and is: ${report.verdict}.\n`);
  session.exit = 1;
}

/** A report as text. */
export function reportText(terminal: Terminal, report: Report): string {
  const rows = report.assertions.map((one) => [
    one.subject_id,
    { text: one.status, style: STATUS_STYLE[one.status] },
    one.required ? 'required' : '',
    one.reason,
  ]);
  const head = `${styled(terminal, VERDICT_STYLE[report.verdict], report.verdict)}: run '${report.run_id}', state ${report.state_revision}, rule set ${report.ruleset_version}`;
  return `${head}\n\n${table(terminal, ['subject', 'status', '', 'reason'], rows)}\nreport ${report.report_digest}\n`;
}

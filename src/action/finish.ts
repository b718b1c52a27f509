import { codeEntry } from '../domain/codes.ts';
import { isRefusal } from '../domain/errors.ts';
import type { Annotation } from '../render/annotations.ts';
import { line, visibleLines } from '../render/visible.ts';
import { jobAnnotations } from './annotations.ts';
import { jobExit } from './exit.ts';
import type { Judged } from '../judge/judged.ts';
import { worstOf } from '../judge/worst.ts';
import { noOutputs, outputsOf } from './outputs.ts';
import type { Outputs } from './outputs.ts';
import { writeReportFiles } from './report-files.ts';
import type { Runner } from './runner.ts';
import type { Remark } from './session.ts';
import { summaryText } from './summary.ts';
import * as toolkit from './toolkit.ts';

// The end of a run: what the job shows. Workflow commands and files of the runner are the toolkit's business alone.

/** Exit codes that are no verdict's. */
const EXIT = { refused: 1, incomplete: 4, defect: 70 } as const;

/** Shows verdicts. @returns the exit code: of the worst, or 1 where it could not be published */
export async function finish(
  runner: Runner,
  judged: readonly Judged[],
  remarks: readonly Remark[],
  published: boolean,
): Promise<number> {
  const worst = worstOf(judged);
  if (worst === undefined) return finishWithout(remarks);
  const ordered = [worst, ...judged.filter((one) => one !== worst)];
  const files = writeReportFiles(worst, runner.temp, runner.writesFacts);
  setOutputs(outputsOf(worst.report, files));
  annotate(jobAnnotations(ordered, remarks));
  await writeSummary(
    summaryText(
      ordered,
      remarks.map(({ text }) => text),
    ),
  );
  for (const { report } of ordered) toolkit.info(logLine(report.headline));
  return jobExit(judged) || (published ? 0 : EXIT.refused);
}

/** Ends a run that had nothing to judge. */
export async function finishWithout(remarks: readonly Remark[]): Promise<number> {
  setOutputs(noOutputs(''));
  annotate(jobAnnotations([], remarks));
  await writeSummary(
    summaryText(
      [],
      remarks.map(({ text }) => text),
    ),
  );
  return 0;
}

/** Codes that speak of the workflow rather than of what could be looked at. */
const OF_THE_WORKFLOW: ReadonlySet<string> = new Set(['CS1701', 'CS1702', 'CS1703']);

/** Ends a run that came to no verdict. @returns the exit code */
export async function finishFailed(thrown: unknown, remarks: readonly Remark[]): Promise<number> {
  setOutputs(noOutputs('incomplete'));
  if (!isRefusal(thrown)) {
    const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    annotate([{ level: 'error', title: 'Countersign: internal error', message: visibleLines(detail) }]);
    return EXIT.defect;
  }
  const { code, message } = thrown;
  const { title, remedy } = codeEntry(code);
  const text = `${message}\n${thrown.remedy ?? remedy}`;
  annotate([
    { level: 'error', title: `${code} ${title}`, message: visibleLines(text) },
    ...jobAnnotations([], remarks),
  ]);
  await writeSummary(summaryText([], [`UNVERIFIED: ${code} ${title}. ${message} ${thrown.remedy ?? remedy}`]));
  return OF_THE_WORKFLOW.has(code) ? EXIT.refused : EXIT.incomplete;
}

function setOutputs(outputs: Outputs): void {
  for (const [name, value] of Object.entries(outputs)) toolkit.setOutput(name, value);
}

function annotate(annotations: readonly Annotation[]): void {
  for (const { level, title, message, file, line: row, column } of annotations) {
    toolkit[level](message, {
      title,
      ...(file === undefined ? {} : { file }),
      ...(row === undefined ? {} : { startLine: row }),
      ...(column === undefined ? {} : { startColumn: column }),
    });
  }
}

// Servers from before job summaries have no file for them.
async function writeSummary(text: string): Promise<void> {
  if (text === '' || (process.env['GITHUB_STEP_SUMMARY'] ?? '') === '') return;
  await toolkit.summary.addRaw(text).write();
}

/**
 * One line for the log. The runner takes `::` at the beginning of a line and `##[` anywhere in one for commands, and
 * what is shown may hold words of others.
 */
export function logLine(text: string): string {
  return `Countersign: ${line(text, 500).replaceAll('##[', '## [')}`;
}

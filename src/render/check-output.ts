import type { GateReport } from '../gate/report.ts';
import { checkConclusion, modeText } from './consequence.ts';
import { CHECK_TEXT_LIMIT, CHECK_TITLE_LIMIT, STATUS_DESCRIPTION_LIMIT } from './limits.ts';
import { detailsMarkdown, fitting, summaryMarkdown } from './markdown.ts';
import { viewOf } from './missing.ts';
import { line } from './visible.ts';

export { checkConclusion, exitCode, modeText } from './consequence.ts';
export type { CheckConclusion } from './consequence.ts';

/** Texts of a check run: the title is plain, the others are Markdown. */
export interface CheckOutput {
  readonly title: string;
  readonly summary: string;
  readonly text: string;
}

/** What a check run shows, each text within its limit. */
export function checkOutput(report: GateReport): CheckOutput {
  const view = viewOf(report);
  return {
    title: oneLine(report, CHECK_TITLE_LIMIT),
    summary: fitting((detail) => summaryMarkdown(view, detail), CHECK_TEXT_LIMIT),
    text: fitting((detail) => detailsMarkdown(view, detail), CHECK_TEXT_LIMIT),
  };
}

/** A commit status as the API takes it; `error` is never said: what could not be looked at fails. */
export interface CommitStatus {
  readonly state: 'success' | 'failure' | 'pending';
  readonly description: string;
}

/** The commit status by outcome and mode; a status can wait for a person, which a check run calls action_required. */
export function commitStatus(report: GateReport): CommitStatus {
  const { conclusion } = checkConclusion(report);
  const state = conclusion === 'success' || conclusion === 'failure' ? conclusion : 'pending';
  return { state, description: oneLine(report, STATUS_DESCRIPTION_LIMIT) };
}

// The mode first: a green check must say so even where the line is cut.
function oneLine(report: GateReport, limit: number): string {
  const mode = modeText(report) === undefined ? '' : `[mode ${report.mode}, not enforced] `;
  return line(`${mode}${report.headline}`, limit);
}

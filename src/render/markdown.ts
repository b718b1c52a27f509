import type { GateFinding, GateReport } from '../gate/report.ts';
import { codeSpan, link, markdownText } from './escape.ts';
import { bytesOf, COMMENT_LIMIT, JOB_SUMMARY_LIMIT, NAME_LIMIT, SENTENCE_LIMIT } from './limits.ts';
import {
  foldedRun,
  isPlainSuccess,
  missingBlock,
  remedy,
  runBlock,
  shortened,
  verdictBlock,
} from './markdown-parts.ts';
import type { Detail } from './markdown-parts.ts';
import { viewOf } from './missing.ts';
import type { FindingGroup, View } from './missing.ts';
import { counted, findingPlace, SEVERITY_WORDS } from './words.ts';

/** The last line of the comment, by which its publisher finds it again among its own. Nothing is read from it. */
export const COMMENT_MARKER = '<!-- countersign:verdict v1 -->';

/** How much to show, falling: the first that fits is taken. Folded parts go first, then lists, then sentences. */
const DETAILS: readonly [Detail, ...Detail[]] = [
  { folded: true, items: 20, sentence: SENTENCE_LIMIT },
  { folded: false, items: 20, sentence: SENTENCE_LIMIT },
  { folded: false, items: 8, sentence: SENTENCE_LIMIT },
  { folded: false, items: 3, sentence: SENTENCE_LIMIT },
  { folded: false, items: 1, sentence: 160 },
  { folded: false, items: 1, sentence: 60 },
];

/** The first text that keeps a limit in UTF-8 bytes. */
export function fitting(write: (detail: Detail) => string, limit: number): string {
  for (const detail of DETAILS) {
    const text = write(detail);
    if (bytesOf(text) <= limit) return text;
  }
  // A field without a bound would be the only way here.
  throw new TypeError(`the shortest text is longer than ${limit} bytes`);
}

/** What the caller knows and the report does not. */
export interface MarkdownOptions {
  /** Where the whole report can be read. */
  readonly detailsUrl?: URL;
}

/** The comment on a pull request, at most {@link COMMENT_LIMIT} bytes, its marker last. */
export function commentMarkdown(report: GateReport, options: MarkdownOptions = {}): string {
  const end = `\n\n${COMMENT_MARKER}\n`;
  const view = viewOf(report);
  return fitting((detail) => reportMarkdown(view, detail, options), COMMENT_LIMIT - bytesOf(end)) + end;
}

/** The summary of an Action's job, at most {@link JOB_SUMMARY_LIMIT} bytes. */
export function jobSummaryMarkdown(report: GateReport): string {
  const view = viewOf(report);
  return `${fitting((detail) => reportMarkdown(view, detail, {}), JOB_SUMMARY_LIMIT - 1)}\n`;
}

function reportMarkdown(view: View, detail: Detail, { detailsUrl }: MarkdownOptions): string {
  const more = detailsUrl === undefined ? '' : link('The whole report', detailsUrl);
  return blocks([summaryMarkdown(view, detail), detailsMarkdown(view, detail), more]);
}

/** The verdict line, what is missing, and nothing else: what has to be read. */
export function summaryMarkdown(view: View, detail: Detail): string {
  return blocks([verdictBlock(view.report, detail), missingBlock(view, detail) || calm(view.report)]);
}

function calm({ outcome, findings }: GateReport): string {
  if (outcome === 'verified') return 'Nothing is missing.';
  const found = findings.length === 0 ? 'No check found anything.' : 'No check found anything that blocks.';
  return `No run governs this change, and none is demanded. ${found}`;
}

/** What the verdict rests on: runs, findings, control plane, and folded details. */
export function detailsMarkdown(view: View, detail: Detail): string {
  const { report } = view;
  const fold = report.runs.length > 1 && detail.folded;
  const runs = shortened(
    report.runs,
    detail.items,
    (run) => (fold && isPlainSuccess(run) ? foldedRun(run, detail) : runBlock(run, detail)),
    (text) => `… ${text} runs`,
  );
  const shownFindings = blocks([findingsOf(view, 'block', detail), findingsOf(view, 'warn', detail)]);
  return blocks([
    shownFindings === '' ? '' : `### Findings\n\n${shownFindings}`,
    ...runs,
    controlPlane(report, detail),
    detail.folded ? notes(view, detail) : '',
    detail.folded ? details(report) : '',
  ]);
}

function findingsOf({ findings }: View, severity: GateFinding['severity'], detail: Detail): string {
  const groups = findings[severity];
  if (groups.length === 0) return '';
  const { title, picture } = SEVERITY_WORDS[severity];
  const count = groups.reduce((sum, group) => sum + group.findings.length, 0);
  const lists = shortened(
    groups,
    detail.items,
    (group) => findingGroup(group, detail),
    (text) => `- … ${text}`,
  );
  return `${picture} **${title}: ${count}**\n\n${lists.join('\n')}`;
}

function findingGroup({ rule, remedy: how, findings }: FindingGroup, detail: Detail): string {
  const action = remedy(how, '  ', detail);
  const [only] = findings;
  if (findings.length === 1 && only !== undefined)
    return `- ${findingText(only, detail)} (${codeSpan(rule)})\n${action}`;
  const lines = shortened(
    findings,
    detail.items,
    (one) => `  - ${findingText(one, detail)}`,
    (text) => `  - … ${text}`,
  );
  return `- ${codeSpan(rule)}: ${findings.length}\n${lines.join('\n')}\n\n${action}`;
}

// The id of what blocks is what a command takes.
function findingText(finding: GateFinding, detail: Detail): string {
  const { message, severity, id } = finding;
  const place = findingPlace(finding);
  const where = place === undefined ? '' : `${codeSpan(place, Math.min(detail.sentence, NAME_LIMIT))} `;
  return `${where}${markdownText(message, detail.sentence)}${severity === 'block' ? ` (id ${codeSpan(id)})` : ''}`;
}

function controlPlane({ control_plane: { situation, approved_by: by } }: GateReport, detail: Detail): string {
  if (situation === 'untouched') return '';
  const approved =
    by.length === 0
      ? '⏳ not approved at this head yet'
      : `✅ approved by ${shortened(
          by,
          detail.items,
          (login) => codeSpan(login, Math.min(detail.sentence, NAME_LIMIT)),
          (text) => text,
        ).join(', ')}`;
  switch (situation) {
    case 'governed':
      return `**Control plane:** files that govern the gate are changed, ${approved}. The rules of the base decided.`;
    case 'bootstrap':
      return `**Control plane:** this change brings the gate in, ${approved}.`;
    case 'ungoverned':
      return '**Control plane:** files that could govern a gate are changed; the base has none.';
  }
}

function notes(view: View, detail: Detail): string {
  const { report } = view;
  const found = findingsOf(view, 'note', detail);
  const remarks = shortened(
    report.notes,
    detail.items,
    (one) => `- ${markdownText(one, detail.sentence)}`,
    (text) => `- … ${text}`,
  );
  const count = report.notes.length + report.findings.filter((one) => one.severity === 'note').length;
  return count === 0 ? '' : folded(counted(count, 'note'), blocks([found, remarks.join('\n')]));
}

// The time is left out: a comment that says the same must not change.
function details(report: GateReport): string {
  const { subject } = report;
  const commit = (ref: string, sha: string | null): string =>
    `${codeSpan(ref)}${sha === null ? '' : ` at ${codeSpan(sha)}`}`;
  const lines = [
    `Head ${commit(subject.head_ref, subject.head_sha)}`,
    `Base ${commit(subject.base_ref, subject.base_sha)}`,
    ...(subject.merge_base === null ? [] : [`Merge base ${codeSpan(subject.merge_base)}`]),
    `Trust profile ${codeSpan(report.profile)}, mode ${codeSpan(report.mode)}, engine ${codeSpan(report.engine)}`,
    ...report.runs
      .slice(0, 20)
      .flatMap((run) => [
        ...(run.contract_digest === null
          ? []
          : [`Contract of ${codeSpan(run.run_id)}: ${codeSpan(run.contract_digest)}`]),
        ...ruleSet(run),
      ]),
    `Config ${codeSpan(report.config_digest)}`,
    `Report ${codeSpan(report.report_digest)}`,
  ];
  return folded('Details', lines.map((one) => `- ${one}`).join('\n'));
}

function ruleSet({ run_id: id, report }: GateReport['runs'][number]): string[] {
  const verdict = report?.['verdict'];
  return typeof verdict === 'string'
    ? [`Rule set 1 over the files of ${codeSpan(id)} alone: ${codeSpan(verdict)}`]
    : [];
}

/** A folded part; its summary is our own text. */
function folded(summary: string, body: string): string {
  return `<details><summary>${summary}</summary>\n\n${body}\n\n</details>`;
}

function blocks(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n\n');
}

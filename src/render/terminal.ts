import type { GateFinding, GateReport } from '../gate/report.ts';
import { modeText } from './consequence.ts';
import { NAME_LIMIT, REMEDY_LIMIT, REMEDY_LINES, SENTENCE_LIMIT } from './limits.ts';
import { findingGroups, missingGroups, shownAssertions } from './missing.ts';
import { styled, table, wrap } from './table.ts';
import type { Canvas, Cell } from './table.ts';
import { bounded, line } from './visible.ts';
import {
  ACTOR_WORDS,
  CATEGORY_WORDS,
  COMPATIBILITY_SIGNS,
  counted,
  findingPlace,
  OUTCOME_SIGNS,
  SEVERITY_WORDS,
  short,
  STANDING_SIGNS,
  namedByText,
} from './words.ts';

type Run = GateReport['runs'][number];

/** Entries of a list that a terminal shows before "and N more". */
const ITEMS = 50;

/** The report for a terminal, verdict line first; plain text where colour is off. Ends with a line feed. */
export function terminalText(report: GateReport, canvas: Canvas): string {
  const parts = [
    verdict(report, canvas),
    missing(report, canvas),
    ...(['block', 'warn', 'note'] as const).map((severity) => findings(report, severity, canvas)),
    ...cut(
      report.runs,
      (run) => runText(run, canvas),
      (more) => `${more}\n`,
    ),
    footer(report, canvas),
  ];
  return parts.filter((part) => part !== '').join('\n');
}

function verdict(report: GateReport, canvas: Canvas): string {
  const { sign, style } = OUTCOME_SIGNS[report.outcome];
  const lines = wrap(`${sign} ${line(report.headline, SENTENCE_LIMIT)}`, canvas.columns);
  const shown = lines.map((one) => `${styled(canvas, 'bold', styled(canvas, style, one))}\n`).join('');
  const mode = modeText(report);
  return mode === undefined ? shown : shown + paragraph(mode, '', canvas);
}

function missing(report: GateReport, canvas: Canvas): string {
  const groups = missingGroups(report);
  if (groups.length === 0) return '';
  const parts = groups.map(({ who, items, findings: found }) => {
    const entries = cut(
      items,
      ({ outcome, whats, how }) =>
        cut(
          whats,
          (what) => entry(`${OUTCOME_SIGNS[outcome].sign} ${outcome}: ${line(what, SENTENCE_LIMIT)}`, canvas),
          (more) => entry(more, canvas),
        ).join('') + action(how, canvas),
      (more) => entry(more, canvas),
    );
    const blocking =
      found === 0
        ? ''
        : entry(`${OUTCOME_SIGNS.failed.sign} failed: ${counted(found, 'blocking finding')}, see below`, canvas);
    return `  ${styled(canvas, 'cyan', ACTOR_WORDS[who])}\n${entries.join('')}${blocking}`;
  });
  return `${styled(canvas, 'bold', 'What is missing')}\n${parts.join('')}`;
}

function findings(report: GateReport, severity: GateFinding['severity'], canvas: Canvas): string {
  const groups = findingGroups(report, severity);
  if (groups.length === 0) return '';
  const { title, sign } = SEVERITY_WORDS[severity];
  const count = groups.reduce((sum, group) => sum + group.findings.length, 0);
  const parts = cut(
    groups,
    (group) => {
      const lines = cut(
        group.findings,
        (one) =>
          entry(`${sign} ${where(one)}${line(one.message, SENTENCE_LIMIT)} (${line(one.id, NAME_LIMIT)})`, canvas),
        (more) => entry(more, canvas),
      );
      return `  ${styled(canvas, 'cyan', line(group.rule, NAME_LIMIT))}\n${lines.join('')}${action(group.remedy, canvas)}`;
    },
    (more) => entry(more, canvas),
  );
  return `${styled(canvas, 'bold', `${title}: ${count}`)}\n${parts.join('')}`;
}

function where(finding: GateFinding): string {
  const place = findingPlace(finding);
  return place === undefined ? '' : `${line(place, NAME_LIMIT)}: `;
}

function runText(run: Run, canvas: Canvas): string {
  const facts = [
    run.harness === null ? [] : [`harness ${run.harness}`],
    run.classification === null ? [] : [run.classification],
    run.risk === null ? [] : [`risk ${run.risk}`],
    run.named_by.length === 0 ? [] : [namedByText(run.named_by)],
  ].flat();
  const rows = shownAssertions(run, ITEMS);
  const cells = rows.slice(0, ITEMS).map((one): Cell[] => {
    const { sign, style } = STANDING_SIGNS[one.standing];
    const subject = line(one.subject, NAME_LIMIT) + (one.required ? '' : ' (optional)');
    const evidence = one.evidence.length === 0 ? one.reason : one.evidence.join(', ');
    return [
      `${CATEGORY_WORDS[one.category]} ${subject}`,
      { text: `${sign} ${one.standing}`, style },
      one.trust,
      bounded(evidence, NAME_LIMIT),
    ];
  });
  const excuses = run.excuses
    .slice(0, ITEMS)
    .map(({ kind, subject, reason, confirmed_by: by }): Cell[] => [
      `${kind} of ${bounded(subject, NAME_LIMIT)}`,
      by === null
        ? { text: '… not confirmed', style: 'yellow' }
        : { text: `✓ confirmed by ${bounded(by, NAME_LIMIT)}`, style: 'green' },
      bounded(reason, SENTENCE_LIMIT),
    ]);
  const left = [rows.length - cells.length, run.excuses.length - excuses.length].filter((count) => count > 0);
  return [
    `${styled(canvas, 'bold', `Run ${line(run.run_id, NAME_LIMIT)}`)}\n`,
    facts.length === 0 ? '' : paragraph(facts.join(' · '), '  ', canvas),
    compatibility(run, canvas),
    table(canvas, ['Did it?', 'Outcome', 'Trust', 'Evidence'], cells),
    table(canvas, ['Excuse', 'Confirmed', 'Reason'], excuses),
    ...left.map((count) => entry(`and ${count} more`, canvas)),
  ].join('');
}

function compatibility({ resolution }: Run, canvas: Canvas): string {
  const status = resolution?.['status'];
  if (typeof status !== 'string') return '';
  const reasons = resolution?.['reasons'];
  const texts = Array.isArray(reasons) ? reasons.filter((one) => typeof one === 'string') : [];
  const sign = COMPATIBILITY_SIGNS[status]?.sign ?? '';
  return paragraph(
    `Could it? ${sign} ${status}: ${cut(
      texts,
      (one) => one,
      (more) => more,
    ).join('; ')}`,
    '  ',
    canvas,
  );
}

function footer(report: GateReport, canvas: Canvas): string {
  const { situation, approved_by: by } = report.control_plane;
  const approval = by.length === 0 ? 'not approved at this head' : `approved by ${by.join(', ')}`;
  const control =
    situation === 'untouched'
      ? []
      : [`Control plane: ${situation}${situation === 'ungoverned' ? '' : `, ${approval}`}`];
  const sha = (ref: string, commit: string | null): string => (commit === null ? ref : `${ref} ${short(commit)}`);
  const { subject } = report;
  const lines = [
    ...control,
    ...cut(
      report.notes,
      (note) => `Note: ${note}`,
      (more) => more,
    ),
    `${sha(subject.base_ref, subject.base_sha)} → ${sha(subject.head_ref, subject.head_sha)} · profile ${report.profile} · mode ${report.mode} · ${report.engine} · report ${short(report.report_digest)}`,
  ];
  return lines.map((one) => paragraph(one, '', canvas, 'dim')).join('');
}

/** What to do, its commands on lines of their own that are never wrapped, so that they can be pasted. */
function action(how: string, canvas: Canvas): string {
  const lines = bounded(how, REMEDY_LIMIT).split('\n').slice(0, REMEDY_LINES);
  return lines
    .map((one, index) =>
      one.startsWith('    ')
        ? `    ${line(one, REMEDY_LIMIT)}\n`
        : paragraph(`${index === 0 ? '→ ' : ''}${one}`, '      ', canvas),
    )
    .join('');
}

function entry(text: string, canvas: Canvas): string {
  return paragraph(text, '    ', canvas);
}

function paragraph(text: string, indent: string, canvas: Canvas, style?: 'dim'): string {
  return wrap(line(text, REMEDY_LIMIT), Math.max(1, canvas.columns - indent.length))
    .map((one) => `${indent}${style === undefined ? one : styled(canvas, style, one)}\n`)
    .join('');
}

function cut<T>(items: readonly T[], write: (item: T) => string, rest: (text: string) => string): string[] {
  const lines = items.slice(0, ITEMS).map(write);
  return items.length > ITEMS ? [...lines, rest(`and ${items.length - ITEMS} more`)] : lines;
}

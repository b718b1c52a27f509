import type { ScanReport } from '../gate/scan-report.ts';
import { NAME_LIMIT, PATH_LIMIT, REMEDY_LIMIT, SENTENCE_LIMIT } from './limits.ts';
import { RULE_INDEX } from './rule-index.ts';
import { styled, wrap } from './table.ts';
import type { Canvas } from './table.ts';
import { bounded, line } from './visible.ts';
import { counted, placeText, SEVERITY_WORDS } from './words.ts';

type Finding = ScanReport['findings'][number];

/** Findings of one rule that are shown; the JSON form has more of them. */
const SHOWN = 100;
const SHOWN_UNREAD = 50;

/** The answer of a scan for a terminal: what, where, why and how to mend it, rule by rule; the sum comes last. */
export function scanText(report: ScanReport, canvas: Canvas): string {
  const { unread, notes } = report;
  const rest = unread.length - SHOWN_UNREAD;
  return [
    ...groups(report.findings).map((group) => groupText(group, canvas)),
    ...unread
      .slice(0, SHOWN_UNREAD)
      .map(({ what, why }) =>
        paragraph(
          `${styled(canvas, 'red', 'Not looked at:')} ${line(what, NAME_LIMIT)}: ${line(why, SENTENCE_LIMIT)}`,
          '',
          canvas,
        ),
      ),
    rest > 0 ? paragraph(`and ${rest} more that could not be looked at`, '', canvas) : '',
    ...notes.map((note) => paragraph(`Note: ${line(note, SENTENCE_LIMIT)}`, '', canvas)),
    summary(report, canvas),
  ].join('');
}

// Findings of one rule that are mended alike stand together, so that what to do is said once.
function groups(findings: readonly Finding[]): Finding[][] {
  const byKey = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.severity}\0${finding.rule}\0${sharedRemedy(finding)}`;
    const group = byKey.get(key);
    if (group === undefined) byKey.set(key, [finding]);
    else group.push(finding);
  }
  return [...byKey.values()];
}

// Commands that name a file are that file's own; the advice before them is the rule's.
function sharedRemedy({ remedy, place }: Finding): string {
  return place.at === 'file' ? (remedy.split('\n    ', 1)[0] ?? '') : remedy;
}

function groupText(group: readonly Finding[], canvas: Canvas): string {
  const [first] = group;
  if (first === undefined) return '';
  const { sign, style } = SEVERITY_WORDS[first.severity];
  const rule = RULE_INDEX.get(first.rule);
  const places = group
    .slice(0, SHOWN)
    .map(({ place, message, id }) =>
      [
        paragraph(`${line(placeText(place), PATH_LIMIT)}  ${styled(canvas, 'dim', `(${id})`)}`, '  ', canvas),
        paragraph(line(message, SENTENCE_LIMIT), '      ', canvas),
      ].join(''),
    );
  const more = group.length - SHOWN;
  return [
    `${styled(canvas, style, `${sign} ${line(first.rule, NAME_LIMIT)}`)}: ${rule?.title ?? ''}\n`,
    ...places,
    more > 0 ? paragraph(`and ${more} more`, '  ', canvas) : '',
    rule === undefined ? '' : paragraph(`Why: ${rule.why}`, '  ', canvas),
    remedyText(group, canvas),
    '\n',
  ].join('');
}

// Lines with four leading blanks are commands: they are never wrapped, so that they can be pasted.
function remedyText(group: readonly Finding[], canvas: Canvas): string {
  const [first] = group;
  const shared = first === undefined ? '' : sharedRemedy(first);
  const own = group.slice(0, SHOWN).map(({ remedy }) => bounded(remedy, REMEDY_LIMIT).slice(shared.length));
  return [shared, ...new Set(own)]
    .flatMap((text) => text.split('\n'))
    .filter((text) => text !== '')
    .map((text, index) =>
      text.startsWith('    ')
        ? `    ${line(text, REMEDY_LIMIT)}\n`
        : paragraph(`${index === 0 ? '→ ' : ''}${line(text, REMEDY_LIMIT)}`, '  ', canvas),
    )
    .join('');
}

const WORDS = {
  clean: { text: 'Nothing found', style: 'green' },
  found: { text: 'Nothing that blocks', style: 'yellow' },
  blocked: { text: 'Blocked', style: 'red' },
  incomplete: { text: 'Incomplete', style: 'red' },
} as const satisfies Record<ScanReport['outcome'], object>;

function summary(
  { outcome, check, target, counts, looked_at: looked, left_out: leftOut }: ScanReport,
  canvas: Canvas,
): string {
  const { text, style } = WORDS[outcome];
  const parts = [
    ...(counts.block > 0 ? [`${counts.block} blocking`] : []),
    ...(counts.warn > 0 ? [counted(counts.warn, 'warning')] : []),
    ...(counts.note > 0 ? [counted(counts.note, 'note')] : []),
    ...(leftOut > 0 ? [`${leftOut} of them not listed`] : []),
  ];
  const seen = [
    ...(looked.commits > 0 ? [counted(looked.commits, 'commit')] : []),
    ...(looked.files > 0 || looked.commits === 0 ? [counted(looked.files, 'file')] : []),
  ];
  const sum = parts.length === 0 ? '' : `: ${parts.join(', ')}`;
  return `${styled(canvas, style, text)}${sum}. ${check} of ${line(target.text, NAME_LIMIT)}; ${seen.join(', ')}.\n`;
}

function paragraph(text: string, indent: string, canvas: Canvas): string {
  return wrap(text, Math.max(1, canvas.columns - indent.length))
    .map((one) => `${indent}${one}\n`)
    .join('');
}

import type { GateFinding, GateReport } from '../gate/report.ts';
import {
  ANNOTATION_MESSAGE_LIMIT,
  ANNOTATION_TITLE_LIMIT,
  CHECK_ANNOTATIONS,
  PATH_LIMIT,
  STEP_ANNOTATIONS_PER_LEVEL,
} from './limits.ts';
import { needsBesideFindings } from './missing.ts';
import { bounded, line, visibleLines } from './visible.ts';
import { counted, placeText } from './words.ts';

export const ANNOTATION_LEVELS = ['error', 'warning', 'notice'] as const;
export type AnnotationLevel = (typeof ANNOTATION_LEVELS)[number];

/** An annotation as plain data; the face prints it through its toolkit, which escapes it for its channel. */
export interface Annotation {
  readonly level: AnnotationLevel;
  readonly title: string;
  readonly message: string;
  /** A path in the repository, as git has it. */
  readonly file?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1, in UTF-16 units; only with a line. */
  readonly column?: number;
}

/**
 * Annotations of a step, at most as many of each level as GitHub shows; the last says how many are left out.
 * @param first what goes before the report's own, and counts with them
 */
export function stepAnnotations(report: GateReport, first: readonly Annotation[] = []): Annotation[] {
  const all = [...first, ...allAnnotations(report)];
  return ANNOTATION_LEVELS.flatMap((level) =>
    capped(
      all.filter((one) => one.level === level),
      STEP_ANNOTATIONS_PER_LEVEL,
    ),
  ).map(safe);
}

/** Annotations of one check-run request: those that stand at a file, which the API demands; the worst first. */
export function checkAnnotations(report: GateReport): (Annotation & { readonly file: string })[] {
  const all = allAnnotations(report).flatMap((one) => (one.file === undefined ? [] : [{ ...one, file: one.file }]));
  const ordered = ANNOTATION_LEVELS.flatMap((level) => all.filter((one) => one.level === level));
  if (ordered.length <= CHECK_ANNOTATIONS) return ordered.map(safe);
  const shown = CHECK_ANNOTATIONS - 1;
  return ordered
    .slice(0, CHECK_ANNOTATIONS)
    .map((one, index) => (index < shown ? one : { ...leftOut(one.level, ordered.length - shown), file: one.file }))
    .map(safe);
}

function capped(annotations: readonly Annotation[], limit: number): Annotation[] {
  const [first] = annotations;
  if (first === undefined || annotations.length <= limit) return [...annotations];
  return [...annotations.slice(0, limit - 1), leftOut(first.level, annotations.length - limit + 1)];
}

function leftOut(level: AnnotationLevel, count: number): Annotation {
  return {
    level,
    title: 'Countersign: more',
    message: `${counted(count, 'more annotation')} left out; the report holds all.`,
  };
}

// Errors only where the check fails: a mode that lets everything pass warns.
function allAnnotations(report: GateReport): Annotation[] {
  const worst: AnnotationLevel = report.mode === 'enforce' ? 'error' : 'warning';
  const levels = { block: worst, warn: 'warning', note: 'notice' } as const;
  return [
    ...needsBesideFindings(report).map(({ outcome, what, how }) =>
      annotation(outcome === 'pending' ? 'warning' : worst, `Countersign: ${outcome}`, `${what}\n${how}`, {}),
    ),
    ...report.findings.map((one) =>
      annotation(levels[one.severity], `Countersign: ${one.rule}`, findingMessage(one), location(one)),
    ),
  ];
}

function findingMessage({ place, message, remedy, id }: GateFinding): string {
  const where = place.at === 'file' ? '' : `${placeText(place)}: `;
  return `${where}${message}\n${remedy}\n(${id})`;
}

function location({ place }: GateFinding): Pick<Annotation, 'file' | 'line' | 'column'> {
  if (place.at !== 'file') return {};
  return {
    file: place.path,
    ...(place.line === undefined ? {} : { line: place.line }),
    ...(place.line === undefined || place.column === undefined ? {} : { column: place.column }),
  };
}

function annotation(
  level: AnnotationLevel,
  title: string,
  message: string,
  { file, ...position }: Pick<Annotation, 'file' | 'line' | 'column'>,
): Annotation {
  return {
    level,
    title,
    message,
    ...(file === undefined ? {} : { file, ...position }),
  };
}

// Last, for only those that are shown: most of ten thousand are not.
function safe<T extends Annotation>(annotation: T): T {
  return {
    ...annotation,
    title: line(annotation.title, ANNOTATION_TITLE_LIMIT),
    message: bounded(visibleLines(bounded(annotation.message, ANNOTATION_MESSAGE_LIMIT)), ANNOTATION_MESSAGE_LIMIT),
    // A path with characters that do not show is shown, and then leads nowhere: better than into another line.
    ...(annotation.file === undefined ? {} : { file: line(annotation.file, PATH_LIMIT) }),
  };
}

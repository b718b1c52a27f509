import { stepAnnotations } from '../render/annotations.ts';
import type { Annotation } from '../render/annotations.ts';
import { ANNOTATION_MESSAGE_LIMIT } from '../render/limits.ts';
import { bounded, line } from '../render/visible.ts';
import { CONSEQUENCES } from '../gate/outcome.ts';
import type { Judged } from '../judge/judged.ts';
import type { Remark } from './session.ts';

/**
 * The annotations of a job: what sums up first, since GitHub shows ten of a level; then what the worst verdict says.
 * @param judged the one that counts first
 */
export function jobAnnotations(judged: readonly Judged[], remarks: readonly Remark[]): Annotation[] {
  const [worst] = judged;
  const sums = [...judged.map(sumOf), ...remarks.map(remarkOf)];
  return worst === undefined ? sums : stepAnnotations(worst.report, sums);
}

function sumOf({ report: { headline, mode, outcome, subject } }: Judged): Annotation {
  const good = CONSEQUENCES[outcome].check === 'success';
  const waits = outcome === 'pending';
  return {
    level: good ? 'notice' : mode !== 'enforce' || waits ? 'warning' : 'error',
    title: subject.number === null ? 'Countersign' : `Countersign: pull request ${subject.number}`,
    message: headline,
  };
}

function remarkOf({ level, text }: Remark): Annotation {
  return {
    level,
    title: 'Countersign',
    message: bounded(line(text, ANNOTATION_MESSAGE_LIMIT), ANNOTATION_MESSAGE_LIMIT),
  };
}

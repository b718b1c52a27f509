import { CONSEQUENCES } from '../gate/outcome.ts';
import type { GateReport } from '../gate/report.ts';

type Judged = Pick<GateReport, 'mode' | 'outcome' | 'needs'>;

/** What a check run says: GitHub's `status` and `conclusion`; never neutral or skipped, which GitHub lets pass. */
export type CheckConclusion =
  | { readonly status: 'in_progress'; readonly conclusion: null }
  | { readonly status: 'completed'; readonly conclusion: 'success' | 'failure' | 'action_required' };

/** The check's conclusion by outcome and mode: modes warn and observe let everything pass, and say so. */
export function checkConclusion(report: Judged): CheckConclusion {
  return report.mode === 'enforce' ? enforcedConclusion(report) : { status: 'completed', conclusion: 'success' };
}

/** What the conclusion is, or would be, in mode enforce. */
export function enforcedConclusion({ outcome, needs }: Judged): CheckConclusion {
  const { check } = CONSEQUENCES[outcome];
  if (check !== 'awaiting') return { status: 'completed', conclusion: check };
  const awaitsPerson = needs.some(
    (need) => need.outcome === 'pending' && (need.who === 'person' || need.who === 'maintainer'),
  );
  return awaitsPerson
    ? { status: 'completed', conclusion: 'action_required' }
    : { status: 'in_progress', conclusion: null };
}

/** The exit code of a shell or an Action's step: 0, 1, 4 or 5 by outcome; 0 in modes warn and observe. */
export function exitCode({ mode, outcome }: Pick<GateReport, 'mode' | 'outcome'>): 0 | 1 | 4 | 5 {
  return mode === 'enforce' ? CONSEQUENCES[outcome].exit : 0;
}

/** What a mode that lets everything pass changed, as a sentence; undefined where it changed nothing. */
export function modeText(report: Judged): string | undefined {
  if (report.mode === 'enforce') return undefined;
  const would = enforcedConclusion(report);
  if (would.conclusion === 'success') return undefined;
  const word = would.conclusion === null ? 'stay in progress' : `conclude ${would.conclusion}`;
  return `Mode ${report.mode}: the check passes. In mode enforce it would ${word} (exit ${CONSEQUENCES[report.outcome].exit}).`;
}

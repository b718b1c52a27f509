import type { Outcome } from '../gate/outcome.ts';
import type { GateReport } from '../gate/report.ts';
import { checkAnnotations } from './annotations.ts';
import type { Annotation } from './annotations.ts';
import { checkConclusion } from './consequence.ts';
import type { CheckConclusion } from './consequence.ts';
import type { CheckOutput } from './check-output.ts';
import { CHECK_TEXT_LIMIT, CHECK_TITLE_LIMIT } from './limits.ts';
import { detailsMarkdown, fitting } from './markdown.ts';
import { missingBlock, verdictBlock } from './markdown-parts.ts';
import { viewOf } from './missing.ts';
import { line } from './visible.ts';
import { counted } from './words.ts';

/** The App's check run of the verdict: the one that a branch is to require. */
export const VERDICT_CHECK = 'Countersign';

/** Checks that have a check run of their own beside the verdict's. */
export const PART_CHECKS = ['attribution', 'secrets'] as const;
export type PartCheck = (typeof PART_CHECKS)[number];

/** The name of a check run beside the verdict's. */
export function partCheckName(check: PartCheck): string {
  return `${VERDICT_CHECK} / ${check}`;
}

/** What a check run of one check shows and says. */
export interface PartCheckRun {
  readonly conclusion: CheckConclusion;
  readonly output: CheckOutput;
  readonly annotations: readonly (Annotation & { readonly file: string })[];
}

const CLEAN = {
  attribution: {
    title: 'No model attribution',
    text: 'Looked at: author, committer and message of every commit, title and body of the pull request, and the message that a squash would make of them.',
  },
  secrets: {
    title: 'No secrets',
    text: 'Looked at: the lines that every commit adds, commit messages, title and body, files that hold secrets by their name, and ignore rules that no longer cover such files.',
  },
} as const satisfies Record<PartCheck, { readonly title: string; readonly text: string }>;

/** The part of a report that is about one check: its findings, and what could not be looked at. */
export function partCheckRun(report: GateReport, check: PartCheck): PartCheckRun {
  const part = partReport(report, check);
  const view = viewOf(part);
  const clean = part.outcome === 'verified';
  return {
    conclusion: checkConclusion(part),
    output: {
      title: line(part.headline, CHECK_TITLE_LIMIT),
      summary: fitting(
        (detail) => `${verdictBlock(part, detail)}\n\n${clean ? CLEAN[check].text : missingBlock(view, detail)}`,
        CHECK_TEXT_LIMIT,
      ),
      text: fitting((detail) => detailsMarkdown(view, detail), CHECK_TEXT_LIMIT),
    },
    annotations: checkAnnotations(part),
  };
}

function partReport(report: GateReport, check: PartCheck): GateReport {
  const findings = report.findings.filter(({ rule }) => rule.startsWith(`${check}/`));
  const blocking = findings.filter(({ severity }) => severity === 'block');
  // A need of a finding repeats its words; what could not be looked at may have hidden findings of any check.
  const needs = report.needs.filter(
    ({ outcome, what, how }) =>
      outcome === 'incomplete' || blocking.some(({ message, remedy }) => message === what && remedy === how),
  );
  const outcome: Outcome = needs.some((need) => need.outcome === 'incomplete')
    ? 'incomplete'
    : blocking.length > 0
      ? 'failed'
      : 'verified';
  const first = outcome === 'incomplete' ? needs.find((need) => need.outcome === outcome)?.what : blocking[0]?.message;
  const others =
    findings.length === 0
      ? ''
      : ` (${counted(findings.length, 'finding that does not block', 'findings that do not block')})`;
  const headline =
    outcome === 'verified'
      ? `${CLEAN[check].title}${others}`
      : outcome === 'incomplete'
        ? `Not everything could be looked at: ${first ?? ''}`
        : `${counted(blocking.length, 'blocking finding')}: ${first ?? ''}`;
  return {
    ...report,
    ...{ findings, needs, outcome, headline, runs: [], notes: [] },
    word: outcome === 'verified' ? null : 'UNVERIFIED',
    control_plane: { situation: 'untouched', approved_by: [] },
  };
}

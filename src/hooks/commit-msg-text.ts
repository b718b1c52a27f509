import { ATTRIBUTION_RULES } from '../checks/attribution/rules.ts';
import type { FindingDraft } from '../checks/finding.ts';
import { visible, visibleLines } from '../render/visible.ts';
import type { CommitMsgVerdict } from './commit-msg.ts';
import { OFF_SWITCHES } from './switches.ts';

/** Findings that are shown one by one; of more only the number is told. */
const MAX_SHOWN = 20;

/** What the commit-msg hook says, for people and agents: nothing where there is nothing to say. */
export function commitMsgText(verdict: CommitMsgVerdict): string {
  if (verdict.state === 'off') return `countersign: the commit-msg check is off (${OFF_SWITCHES.attribution}=true).\n`;
  const notes = verdict.notes.map((note) => `countersign: ${visible(note)}\n`).join('');
  const { findings } = verdict;
  if (findings.length === 0) return notes;
  const head = verdict.passes
    ? 'countersign: this commit passes, with remarks.'
    : 'countersign: this commit is refused. It credits or hides what the repository does not allow.';
  const shown = findings.slice(0, MAX_SHOWN);
  const more = findings.length - shown.length;
  return [
    `${notes}${head}`,
    ...groups(shown).map(textOf),
    ...(more > 0 ? [`  and ${more} more`] : []),
    `  Rules: ${visible(verdict.source)}.\n`,
  ].join('\n\n');
}

// What to do is the same for all findings of a rule: it is said once.
function groups(findings: readonly FindingDraft[]): FindingDraft[][] {
  const byKey = new Map<string, FindingDraft[]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.rule, finding.remedy, finding.severity]);
    byKey.set(key, [...(byKey.get(key) ?? []), finding]);
  }
  return [...byKey.values()];
}

function textOf(findings: readonly FindingDraft[]): string {
  const first = findings[0];
  if (first === undefined) return '';
  const rule = Object.entries(ATTRIBUTION_RULES).find(([id]) => id === first.rule)?.[1];
  return [
    `  ${first.severity} ${first.rule}`,
    ...findings.map(({ place, message }) => `    ${where(place)}: ${visible(message)}`),
    ...(rule === undefined ? [] : [`    Why: ${rule.why}`]),
    ...visibleLines(first.remedy)
      .split('\n')
      .map((line) => `    ${line}`),
  ].join('\n');
}

function where(place: FindingDraft['place']): string {
  return place.at === 'file' ? `${visible(place.path)}:${place.line ?? 1}` : 'the commit';
}

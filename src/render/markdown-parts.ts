import type { AssertionStanding } from '../gate/assertions.ts';
import type { GateReport } from '../gate/report.ts';
import { modeText } from './consequence.ts';
import { codeBlock, codeSpan, htmlText, markdownText, tableCell, cellCode } from './escape.ts';
import { NAME_LIMIT, REMEDY_LIMIT, REMEDY_LINES, SENTENCE_LIMIT } from './limits.ts';
import { shownAssertions } from './missing.ts';
import type { MissingItem, View } from './missing.ts';
import { bounded } from './visible.ts';
import {
  ACTOR_WORDS,
  CATEGORY_WORDS,
  COMPATIBILITY_SIGNS,
  counted,
  OUTCOME_SIGNS,
  STANDING_SIGNS,
  namedByText,
} from './words.ts';

type Run = GateReport['runs'][number];

/** How much is shown: a text that is too long is written again with less. */
export interface Detail {
  /** Whether folded parts are there at all. */
  readonly folded: boolean;
  /** Items of a list or rows of a table before "and N more". */
  readonly items: number;
  /** Characters of a sentence; names and remedies in proportion. */
  readonly sentence: number;
}

/** Items as list entries or rows, the rest counted. */
export function shortened<T>(
  items: readonly T[],
  limit: number,
  write: (item: T) => string,
  rest: (text: string) => string,
): string[] {
  const lines = items.slice(0, limit).map(write);
  return items.length > limit ? [...lines, rest(`and ${items.length - limit} more`)] : lines;
}

/** The verdict line and, where the mode changes what follows from it, how. */
export function verdictBlock(report: GateReport, detail: Detail): string {
  const heading = `## ${OUTCOME_SIGNS[report.outcome].picture} ${markdownText(report.headline, detail.sentence)}`;
  const mode = modeText(report);
  return mode === undefined ? heading : `${heading}\n\n**${markdownText(mode)}**`;
}

/** What is missing, by who can act; empty where nothing is. */
export function missingBlock({ missing: groups }: View, detail: Detail): string {
  if (groups.length === 0) return '';
  const parts = groups.map(({ who, items, findings }) => {
    const entries = shortened(
      items,
      detail.items,
      (item) => missingEntry(item, detail),
      (text) => `- … ${text}`,
    );
    const found =
      findings === 0 ? [] : [`- ❌ **failed** ${counted(findings, 'blocking finding')}, listed below with what to do`];
    return `**${ACTOR_WORDS[who]}**\n\n${[...entries, ...found].join('\n')}`;
  });
  return ['### What is missing', ...parts].join('\n\n');
}

/** What an action mends is listed whole up to this many things. */
const WHATS = 5;

function missingEntry({ outcome, whats, how }: MissingItem, detail: Detail): string {
  const sign = `${OUTCOME_SIGNS[outcome].picture} **${outcome}**`;
  const action = remedy(how, '  ', detail);
  const [only] = whats;
  if (whats.length === 1 && only !== undefined) return `- ${sign} ${markdownText(only, detail.sentence)}\n${action}`;
  const list = shortened(
    whats,
    Math.min(WHATS, detail.items),
    (what) => `  - ${markdownText(what, detail.sentence)}`,
    (text) => `  - … ${text}`,
  );
  return `- ${sign} ${whats.length} things:\n${list.join('\n')}\n\n${action}`;
}

/** What to do: sentences, and commands to paste as a block of code, all within a list entry. */
export function remedy(text: string, indent: string, detail: Detail): string {
  const limit = Math.min(REMEDY_LIMIT, detail.sentence * 4);
  const lines = bounded(text, limit).split('\n').slice(0, REMEDY_LINES);
  const blocks: string[] = [];
  let code: string[] = [];
  const close = (): void => {
    if (code.length > 0) blocks.push(`\n${codeBlock(code, indent, limit)}`);
    code = [];
  };
  for (const one of lines) {
    if (one.startsWith('    ')) code.push(one.slice(4));
    else {
      close();
      const sentence = markdownText(one, limit);
      if (sentence !== '') blocks.push(`${indent}${blocks.length === 0 ? '→ ' : ''}${sentence}`);
    }
  }
  close();
  return blocks.join('\n');
}

/** A run: what it is, whether its harness could, what was shown of it, and its excuses. */
export function runBlock(run: Run, detail: Detail): string {
  const name = detail.sentence < NAME_LIMIT ? detail.sentence : NAME_LIMIT;
  const facts = [
    run.harness === null ? [] : [`Harness ${codeSpan(run.harness, name)}`],
    run.classification === null ? [] : [markdownText(run.classification, name)],
    run.risk === null ? [] : [`risk ${markdownText(run.risk, name)}`],
    run.named_by.length === 0 ? [] : [markdownText(namedByText(run.named_by), name)],
  ].flat();
  const parts = [
    `### Run ${codeSpan(run.run_id, name)}`,
    facts.join(' · '),
    compatibility(run, detail),
    assertionTable(run, detail),
    excuses(run, detail),
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

/** Whether every assertion of a run holds and nothing of it was excused: its table can be folded. */
export function isPlainSuccess(run: Run): boolean {
  const holds = (standing: AssertionStanding): boolean => standing === 'satisfied' || standing === 'not-applicable';
  return (
    run.assertions.length > 0 &&
    run.excuses.length === 0 &&
    run.assertions.every((one) => !one.required || holds(one.standing))
  );
}

/** A run that holds, folded. */
export function foldedRun(run: Run, detail: Detail): string {
  return `<details><summary>✅ Run ${htmlText(run.run_id, NAME_LIMIT)}: everything required holds</summary>\n\n${runBlock(run, detail)}\n\n</details>`;
}

function compatibility({ resolution }: Run, detail: Detail): string {
  const status = resolution?.['status'];
  if (typeof status !== 'string') return '';
  const reasons = resolution?.['reasons'];
  const texts = Array.isArray(reasons) ? reasons.filter((one) => typeof one === 'string') : [];
  const sign = COMPATIBILITY_SIGNS[status];
  const word = `${sign === undefined ? '' : `${sign.picture} `}${markdownText(status, NAME_LIMIT)}`;
  const shown = shortened(
    texts,
    Math.min(WHATS, detail.items),
    (one) => markdownText(one, detail.sentence),
    (one) => one,
  );
  return `Could it? ${word}${shown.length === 0 ? '' : `: ${shown.join('; ')}`}`;
}

/** Evidence ids that a row names. */
const EVIDENCE = 3;

function assertionTable(run: Run, detail: Detail): string {
  const rows = shownAssertions(run, detail.items);
  if (rows.length === 0) return '';
  const sentence = Math.min(detail.sentence, NAME_LIMIT);
  const lines = shortened(
    rows,
    detail.items,
    (one) => {
      const { picture } = STANDING_SIGNS[one.standing];
      const subject = `${CATEGORY_WORDS[one.category]} ${cellCode(one.subject, sentence)}${one.required ? '' : ' (optional)'}`;
      const ids = shortened(
        one.evidence,
        EVIDENCE,
        (id) => cellCode(id, sentence),
        (text) => text,
      ).join(', ');
      // What the ledger's records show is theirs to say; what was observed, or is not there, takes a sentence.
      const said = one.trust === 'declared' && one.standing === 'satisfied' && ids !== '';
      const evidence = [said ? '' : tableCell(one.reason, sentence), ids].filter((part) => part !== '').join(' ');
      return `| ${subject} | ${picture} ${one.standing} | ${one.trust} | ${evidence} |`;
    },
    (text) => `| … ${text} | | | |`,
  );
  return ['| Did it? | Outcome | Trust | Evidence |', '| --- | --- | --- | --- |', ...lines].join('\n');
}

function excuses(run: Run, detail: Detail): string {
  if (run.excuses.length === 0) return '';
  const lines = shortened(
    run.excuses,
    detail.items,
    ({ kind, subject, reason, confirmed_by: by }) => {
      const who = by === null ? '⏳ **not confirmed yet**' : `✅ confirmed by ${codeSpan(by)}`;
      return `- ${kind} of ${codeSpan(subject, Math.min(detail.sentence, NAME_LIMIT))}: ${who}. ${markdownText(reason, Math.min(detail.sentence, SENTENCE_LIMIT))}`;
    },
    (text) => `- … ${text}`,
  );
  return `**Excuses**\n\n${lines.join('\n')}`;
}

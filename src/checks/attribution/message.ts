import { grammarOf } from './grammar.ts';
import type { Grammar } from './grammar.ts';
import type { AttributionOptions } from './input.ts';
import { DEFAULT_DISCLOSURE_TRAILER } from './input.ts';
import { readLines } from './lines.ts';
import type { Line, TextKind } from './lines.ts';
import { mentions } from './mention.ts';
import { credits, proseOf } from './prose.ts';
import type { TextFinding } from './text-finding.ts';
import { judgeTrailer } from './trailer-credit.ts';
import type { TrailerVerdict } from './trailer-credit.ts';
import { gitTrailers } from './trailers.ts';
import { fold, hiddenSigns, show } from './unicode.ts';

/**
 * What a text holds that the options forbid. `message` is text that git stores: its trailers are those that git
 * sees; `markdown` is a pull request's description or title. Linear in the text.
 */
export function findInText(text: string, kind: TextKind, options: AttributionOptions): TextFinding[] {
  switch (options.mode) {
    case 'off':
      return [];
    case 'forbid':
      return [...hidden(text), ...creditsIn(text, kind, grammarOf(options))];
    case 'forbid-mention': {
      const found = creditsIn(text, kind, grammarOf(options));
      const lines = new Set(found.filter(({ severity }) => severity === 'block').map(({ line }) => line));
      const mentioned = mentions(readLines(text, kind)).filter(({ line }) => !lines.has(line));
      return [...hidden(text), ...found, ...mentioned];
    }
    case 'require-disclosure':
      return hidden(text);
  }
}

/** Whether the trailer that `require-disclosure` asks for is there, with a value, as git reads trailers. */
export function hasDisclosure(message: string, options: AttributionOptions): boolean {
  const key = disclosureTrailer(options).toLowerCase();
  return gitTrailers(message).some((trailer) => trailer.key.toLowerCase() === key && trailer.value !== '');
}

/** The key that `require-disclosure` asks for. */
export function disclosureTrailer(options: AttributionOptions): string {
  return options.disclosureTrailer ?? DEFAULT_DISCLOSURE_TRAILER;
}

function hidden(text: string): TextFinding[] {
  const lines = text.split('\n');
  return hiddenSigns(text).map(({ kind, line, codePoint }) => {
    const mark = kind === 'bidi-mark';
    const what =
      kind === 'hidden-text' ? 'hides text' : mark ? 'is an invisible mark of direction' : 'turns the reading order';
    return {
      rule: kind === 'hidden-text' ? 'attribution/hidden-text' : 'attribution/bidi-control',
      severity: mark ? 'note' : 'block',
      line,
      lines: 1,
      subject: codePoint,
      message: `${codePoint} ${what}: “${show(lines[line - 1] ?? '')}”.`,
    };
  });
}

function creditsIn(text: string, kind: TextKind, grammar: Grammar): TextFinding[] {
  // Most texts hold nothing of the table: then no line need be taken apart.
  if (!mayHold(grammar, text)) return [];
  const lines = readLines(text, kind);
  const allowed = new Set(
    grammar.allowText.length === 0
      ? []
      : lines
          .filter(({ whole }) => grammar.allowText.some((phrase) => whole.toLowerCase().includes(phrase)))
          .map(({ number }) => number),
  );
  const hinted = new Set(
    lines.filter(({ whole }) => grammar.hint.test(whole.toLowerCase())).map(({ number }) => number),
  );
  const trailers = trailerFindings(text, kind, lines, hinted, grammar);
  const taken = new Set(trailers.flatMap(({ span }) => span));
  const found = [
    ...trailers.flatMap(({ finding }) => (finding === undefined ? [] : [finding])),
    ...markFindings(
      lines.filter(({ own, number }) => own && hinted.has(number) && !taken.has(number)),
      grammar,
    ),
    ...proseFindings(lines, taken, hinted, grammar),
  ];
  return withoutRepetition(found.filter(({ line }) => !allowed.has(line)).sort((a, b) => a.line - b.line));
}

// Signs that fold takes away or changes: with them a word may be disguised.
const DISGUISE = /[^\x20-\x7e\t\n\r]/;

function mayHold(grammar: Grammar, text: string): boolean {
  if (grammar.hint.test(text.toLowerCase())) return true;
  if (!DISGUISE.test(text)) return false;
  return text.split('\n').some((line) => DISGUISE.test(line) && grammar.hint.test(fold(line).toLowerCase()));
}

interface JudgedTrailer {
  readonly span: readonly number[];
  readonly finding: TextFinding | undefined;
}

// Before a key may stand what opens a list, a comment, an emphasis, a bracket or an HTML element.
const LEAD = '^ ?(?:(?:[#*_~+•;!%@$^&|:/([–—-]{1,3}|\\d{1,3}[.)]|<[a-z][a-z0-9]{0,10}(?: [^<>@]{0,100})?>) ?){0,3}';
const KEY = new RegExp(`${LEAD}([a-z0-9][a-z0-9_-]{0,63})[*_]{0,2} ?[:=](?!//)[*_]{0,2}(.*)$`, 'i');
/** The usual key without its colon: a credit all the same where an address follows and nothing else. */
const KEY_ALONE = new RegExp(`${LEAD}(co-?authored-by) (?:[–—-] ?)?(.{0,200}<[^<>]{1,200}>)$`, 'i');
const CONTINUES = /^[ \t]+\S/;
const EMPHASIS_END = /[ *_~`]{1,8}$/;

function trailerFindings(
  text: string,
  kind: TextKind,
  lines: readonly Line[],
  hinted: ReadonlySet<number>,
  grammar: Grammar,
): JudgedTrailer[] {
  // What git reads as a trailer counts wherever it stands: git knows no fences.
  const asks = kind === 'message' && lines.some(({ own, number }) => !own && hinted.has(number));
  const ofGit = new Set(asks ? gitTrailers(text).map(({ line }) => line) : []);
  const judged: JudgedTrailer[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined || !(line.own || ofGit.has(line.number))) continue;
    let end = index + 1;
    while (CONTINUES.test(lines[end]?.raw ?? '')) end += 1;
    const span = lines.slice(index, end);
    index = end - 1;
    if (!span.some(({ number }) => hinted.has(number))) continue;
    const whole = judgeSpan(span, grammar);
    if (whole !== undefined) judged.push(whole);
    // What looks continued may be prose, with a trailer of its own below it.
    else judged.push(...span.slice(1).flatMap((each) => (each.own ? (judgeSpan([each], grammar) ?? []) : [])));
  }
  return judged;
}

function judgeSpan(span: readonly Line[], grammar: Grammar): JudgedTrailer | undefined {
  const first = span[0]?.folded ?? '';
  const match = KEY.exec(first) ?? KEY_ALONE.exec(first);
  if (match === null) return undefined;
  const key = (match[1] ?? '').toLowerCase().replaceAll('_', '-').replace(/^x-/, '');
  const value = [match[2] ?? '', ...span.slice(1).map(({ folded }) => folded)].join(' ');
  const verdict = judgeTrailer(grammar, key, value.replace(/ +/g, ' ').replace(EMPHASIS_END, '').trim());
  return verdict === undefined ? undefined : judge(verdict, key, span);
}

function judge(verdict: TrailerVerdict, key: string, lines: readonly Line[]): JudgedTrailer {
  const span = lines.map(({ number }) => number);
  if (verdict.kind === 'allowed') return { span, finding: undefined };
  const shown = show(lines.map(({ raw }) => raw.trim()).join(' '));
  return {
    span,
    finding: {
      rule: verdict.kind === 'credit' ? 'attribution/co-author' : 'attribution/agent-trailer',
      severity: 'block',
      line: span[0] ?? 1,
      lines: span.length,
      subject: `${key} ${verdict.tool}`,
      message: `The trailer credits ${verdict.tool} (by ${verdict.by}): “${shown}”.`,
    },
  };
}

function markFindings(lines: readonly Line[], grammar: Grammar): TextFinding[] {
  return lines.flatMap(({ number, raw, whole }) => {
    const lower = whole.trimStart().toLowerCase();
    const found =
      grammar.marks.find(({ tool, mark }) => !grammar.allowTools.has(tool) && mark.test(lower)) ??
      grammar.phrases.find(({ tool, phrase }) => !grammar.allowTools.has(tool) && lower.includes(phrase));
    if (found === undefined) return [];
    return [
      {
        rule: 'attribution/link' as const,
        severity: 'block' as const,
        line: number,
        lines: 1,
        subject: found.tool,
        message: `The line carries a link or marker of ${found.tool}: “${show(raw)}”.`,
      },
    ];
  });
}

const STARTS_ANEW = /^ ?(?:[-*+•#>|]|\d{1,3}[.)] |<)/;

function proseFindings(
  lines: readonly Line[],
  taken: ReadonlySet<number>,
  hinted: ReadonlySet<number>,
  grammar: Grammar,
): TextFinding[] {
  const found: TextFinding[] = [];
  let paragraph: { line: Line; text: string; at: number }[] = [];
  let length = 0;
  const finish = (): void => {
    if (paragraph.some(({ line }) => hinted.has(line.number))) {
      const joined = paragraph.map(({ text }) => text).join(' ');
      const starts = paragraph.map(({ at }) => at);
      for (const credit of credits(grammar, joined, starts)) {
        const place = paragraph.findLast(({ at }) => at <= credit.at);
        if (place === undefined) continue;
        found.push({
          rule: 'attribution/prose',
          severity: credit.certain ? 'block' : 'warn',
          line: place.line.number,
          lines: 1,
          subject: credit.tool,
          message: `${credit.certain ? 'Credits' : 'May credit'} ${credit.tool}: “${show(place.line.raw)}”.`,
        });
      }
    }
    paragraph = [];
    length = 0;
  };
  for (const line of lines) {
    const text = line.own && !taken.has(line.number) ? proseOf(line.folded).trim() : '';
    if (text === '' || STARTS_ANEW.test(line.folded)) finish();
    if (text === '') continue;
    paragraph.push({ line, text, at: length });
    length += text.length + 1;
  }
  finish();
  return found;
}

// One line, one tool, one finding: the one that says more comes first. Given in the order of lines, so that only
// neighbours can repeat each other.
function withoutRepetition(found: readonly TextFinding[]): TextFinding[] {
  const kept: TextFinding[] = [];
  let from = 0; // where the kept ones of the same line begin
  for (const finding of found) {
    if (kept[from]?.line !== finding.line) from = kept.length;
    let repeats = false;
    for (let at = from; at < kept.length && !repeats; at += 1) {
      const other = kept[at];
      repeats = other !== undefined && (other.rule === finding.rule || toolOf(other) === toolOf(finding));
    }
    if (!repeats) kept.push(finding);
  }
  return kept;
}

function toolOf({ subject }: TextFinding): string {
  return subject.slice(subject.lastIndexOf(' ') + 1);
}

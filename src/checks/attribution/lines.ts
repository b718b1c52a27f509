import { fold } from './unicode.ts';

/** A line of a message or description, prepared for matching. */
export interface Line {
  /** That of git's line, from 1: only a line feed ends one there. */
  readonly number: number;
  /** As it stands in the text; the part of git's line up to a sign that shows as a line's end. */
  readonly raw: string;
  /** The copy that is matched; in Markdown without its HTML comments. */
  readonly folded: string;
  /** The copy with its HTML comments. */
  readonly whole: string;
  /** Whether it is the writer's own text: not quoted, not indented as code, not fenced. */
  readonly own: boolean;
}

/** How the text is read: a commit message, or Markdown with its HTML comments. */
export type TextKind = 'message' | 'markdown';

// Line ends to whoever reads the text, though not to git (Unicode UAX #14, mandatory breaks).
const OTHER_LINE_ENDS = /[\r\v\f\u0085\u2028\u2029]/;

/** Takes a text apart into lines. Linear. */
export function readLines(text: string, kind: TextKind): Line[] {
  const numbers: number[] = [];
  const raws: string[] = [];
  text.split('\n').forEach((line, index) => {
    const content = line.endsWith('\r') ? line.slice(0, -1) : line;
    for (const raw of OTHER_LINE_ENDS.test(content) ? content.split(OTHER_LINE_ENDS) : [content]) {
      numbers.push(index + 1);
      raws.push(raw);
    }
  });
  const visible = kind === 'markdown' ? withoutComments(raws.join('\n')).split('\n') : raws;
  const own = ownLines(raws);
  return raws.map((raw, index) => {
    const shown = visible[index] ?? '';
    const whole = fold(raw);
    return {
      number: numbers[index] ?? 1,
      raw,
      folded: shown === raw ? whole : fold(shown),
      whole,
      own: own[index] === true,
    };
  });
}

// HTML comments as blanks; one that is never closed stays.
function withoutComments(text: string): string {
  if (!text.includes('<!--')) return text;
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const start = text.indexOf('<!--', at);
    const end = start === -1 ? -1 : text.indexOf('-->', start + 4);
    if (end === -1) break;
    parts.push(text.slice(at, start), text.slice(start, end + 3).replace(/[^\n]/g, ''));
    at = end + 3;
  }
  return parts.join('') + text.slice(at);
}

const FENCE = /^ {0,3}(`{3,}|~{3,})([^\n]*)$/;
const QUOTE = /^ {0,3}>/;
const BLOCKQUOTE_END = /<\/blockquote>/i;
const INDENTED = /^(?: {4}| {0,3}\t)/;

function ownLines(lines: readonly string[]): boolean[] {
  const own = lines.map((line) => !QUOTE.test(line) && !INDENTED.test(line));
  if (lines.some((line) => FENCE.test(line))) hideFences(lines, own);
  if (lines.some((line) => BLOCKQUOTE_END.test(line))) hideBlockQuotes(lines, own);
  return own;
}

interface Fence {
  readonly sign: string;
  readonly length: number;
  /** Text after the signs: then it can open but not close. */
  readonly info: boolean;
}

function fenceOf(line: string): Fence | undefined {
  const match = FENCE.exec(line);
  if (match === null) return undefined;
  const signs = match[1] ?? '';
  const rest = match[2] ?? '';
  const sign = signs.charAt(0);
  // CommonMark: backticks after backticks make a code span, not a fence.
  if (sign === '`' && rest.includes('`')) return undefined;
  return { sign, length: signs.length, info: rest.trim() !== '' };
}

// A fence that is never closed hides nothing: else one line would hide the whole rest.
function hideFences(lines: readonly string[], own: boolean[]): void {
  const fences = lines.map(fenceOf);
  // For each line, the longest fence further down that could close one, so that no search runs in vain.
  const closers = new Map<string, number[]>(['`', '~'].map((sign) => [sign, []]));
  for (const [sign, longest] of closers) {
    let best = 0;
    for (let index = lines.length - 1; index >= 0; index -= 1) {
      longest[index] = best;
      const fence = fences[index];
      if (fence?.sign === sign && !fence.info) best = Math.max(best, fence.length);
    }
  }
  let open: Fence | undefined;
  fences.forEach((fence, index) => {
    if (open !== undefined) {
      own[index] = false;
      if (fence?.sign === open.sign && !fence.info && fence.length >= open.length) open = undefined;
    } else if (fence !== undefined && (closers.get(fence.sign)?.[index] ?? 0) >= fence.length) {
      own[index] = false;
      open = fence;
    }
  });
}

// Dependency bots quote release notes in HTML.
function hideBlockQuotes(lines: readonly string[], own: boolean[]): void {
  const last = lines.findLastIndex((line) => BLOCKQUOTE_END.test(line));
  let depth = 0;
  for (let index = 0; index <= last; index += 1) {
    const line = lines[index] ?? '';
    const opened = line.match(/<blockquote\b/gi)?.length ?? 0;
    const closed = line.match(/<\/blockquote>/gi)?.length ?? 0;
    if (depth > 0 || opened > 0) own[index] = false;
    depth = Math.max(0, depth + opened - closed);
  }
}

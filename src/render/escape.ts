import { NAME_LIMIT, SENTENCE_LIMIT } from './limits.ts';
import { line } from './visible.ts';

// Escaping for GitHub Flavored Markdown, one function a context. Two layers read what we write: the Markdown
// parser, which character references keep from seeing structure (CommonMark 0.31, 2.5: they "cannot be used in
// place of symbols indicating structure"), and GitHub's filters over the result, which see characters again and
// look for mentions, references and addresses. Those are broken by a zero-width space, which both layers keep.
const BREAK = '&#8203;';

/** Nothing but these signs can begin a Markdown construct within a line, or HTML, or end a table cell. */
const STRUCTURE = /[&<>"[\]\\`*~|$]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])/g;

/** What makes a block where it begins one: headings, lists, quotes, fences, rules, numbers of lists. */
const BLOCK_START = /^[-+=#]|^(?=\d{1,9}[.)])/;

/** What GitHub's filters turn into links, pictures or notifications; each alternative is of bounded length. */
const FILTERED = /[@#]|:(?=\/\/)|:(?=[a-z0-9_+-]{1,40}:)|(?<=\bgh)-(?=\d)|(?<=\bwww)\./gi;

// A word that could name a commit, alone or within `owner/repository@…`, and text that is marked as code.
const CODE = /`([^`]+)`|(?<![0-9a-z])[0-9a-f]{7,64}(?![0-9a-z])/gi;

function plain(text: string): string {
  // The zero-width space is put in as the character, which nothing in the text is any more: `line` shows it as \u{200b}.
  return text
    .replace(FILTERED, broken)
    .replace(STRUCTURE, (sign) => (sign === '$' ? '&#36;\u200b' : `&#${sign.charCodeAt(0)};`))
    .replaceAll('\u200b', BREAK);
}

function broken(sign: string): string {
  return sign === '.' ? '\u200b.' : `${sign}\u200b`;
}

function prose(text: string, limit: number, code: (text: string) => string): string {
  const shown = line(text, limit);
  let out = '';
  let from = 0;
  for (const match of shown.matchAll(CODE)) {
    out += plain(shown.slice(from, match.index));
    // Two code spans that touch would be read as one.
    out += (/[`>]$/.test(out) ? BREAK : '') + code(match[1] ?? match[0]);
    from = match.index + match[0].length;
  }
  const escaped = (out + plain(shown.slice(from))).trim();
  return escaped.replace(BLOCK_START, (sign) => (sign === '' ? BREAK : `&#${sign.charCodeAt(0)};`));
}

/**
 * One line of plain text for a paragraph, list item or heading. Text between backticks and words that could
 * name a commit become code, in which GitHub links nothing.
 */
export function markdownText(text: string, limit: number = SENTENCE_LIMIT): string {
  return prose(text, limit, (code) => codeSpan(code, limit));
}

/** The same for a cell of a table: never empty, so that the row keeps its columns. */
export function tableCell(text: string, limit: number = SENTENCE_LIMIT): string {
  return prose(text, limit, (code) => cellCode(code, limit)) || '–';
}

/** The same as text within HTML such as `<summary>`, where Markdown is not read; good for a quoted attribute too. */
export function htmlText(text: string, limit: number = SENTENCE_LIMIT): string {
  return line(text, limit)
    .replace(FILTERED, broken)
    .replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`)
    .replaceAll('\u200b', BREAK);
}

/** A name as a code span, in a fence that is longer than any run of backticks in it (CommonMark 0.31, 6.1). */
export function codeSpan(text: string, limit: number = NAME_LIMIT): string {
  const shown = line(text, limit);
  if (shown.trim() === '') return '–';
  const fence = '`'.repeat(longestRun(shown) + 1);
  const pad = /^[ `]|[ `]$/.test(shown) ? ' ' : '';
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** A name as code in a cell of a table, where a code span would not keep a bar from ending the cell. */
export function cellCode(text: string, limit: number = NAME_LIMIT): string {
  const shown = line(text, limit);
  if (!/[|\\`]/.test(shown)) return codeSpan(shown, limit);
  return `<code>${plain(shown)}</code>`;
}

/** A link: its text can hold no other link or picture, its address nothing that ends it. Only web addresses. */
export function link(text: string, url: URL): string {
  const label = markdownText(text, NAME_LIMIT);
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return label;
  const address = url.href.replace(/[\s<>\\|]/g, encodeURIComponent).replaceAll('&', '&amp;');
  return `[${label}](<${address}>)`;
}

/**
 * Lines as a fenced block of code, each indented; the fence is longer than any run of backticks in them.
 * @param indent what every line begins with: the block's place in a list
 */
export function codeBlock(lines: readonly string[], indent: string, limit: number = SENTENCE_LIMIT): string {
  const shown = lines.map((one) => line(one, limit));
  const fence = '`'.repeat(Math.max(3, ...shown.map((one) => longestRun(one) + 1)));
  return [fence, ...shown, fence].map((one) => indent + one).join('\n');
}

function longestRun(text: string): number {
  return Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
}

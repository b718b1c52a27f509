/** A line that starts with the command's word. */
export interface CommandLine {
  /** From 1. */
  readonly line: number;
  readonly text: string;
  /** Why it cannot be told whether it is text; undefined where it is. */
  readonly unclear: string | undefined;
}

const COMMAND = /^ {0,3}\/countersign(?:\s|$)/i;
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/s;
const QUOTE = /^ {0,3}>/;
const COMMENT = /^ {0,3}<!--/;
// What starts a tag, a declaration or an instruction; `<https://…>` and `<a@b>` are links.
const TAG = /^ {0,3}<(?:[a-z][a-z0-9-]*(?=[\s/>]|$)|[/!?])/i;
// List items and footnotes: what hangs below them is indented, and may be code that ends with them.
const MARKER = String.raw`(?:[-*+]|\d{1,9}[.)]|\[\^[^\]]{1,200}\]:)(?=\s|$)`;
const CONTAINER = new RegExp(String.raw`^\s*${MARKER}`);
const MARKERS = new RegExp(String.raw`^(?:\s*${MARKER}){0,20}\s*`);
// What may reach over from one line of a paragraph to the next: code, tags, links, formulas, struck text.
const INLINE = /[`<[$~]/;

interface Fence {
  readonly char: string;
  readonly length: number;
}

type State = { readonly in: 'text' } | { readonly in: 'fence'; readonly fence: Fence } | { readonly in: 'comment' };

const AFTER_UNCLEAR =
  'it stands below HTML, or code within a list, of which it is not clear where it ends: give it in a comment of its own';
const IN_PARAGRAPH = 'it stands in the paragraph of a quote, code, a link or HTML: leave an empty line above it';

/**
 * The lines of a comment that start with `/countersign` and that GitHub shows as text of their own: not in code, in a
 * quote or in an HTML comment. Blocks are told apart as CommonMark 0.31.2 does (sections 4.4 to 4.6, 5.1) where that takes
 * no more than lines; from where it would take a whole renderer (HTML blocks, code within lists) every line is unclear,
 * and so is one in a paragraph that something may reach over from the lines above. It errs towards "no command": at
 * worst a person has to write it again, and is told so.
 */
export function commandLines(body: string): CommandLine[] {
  const found: CommandLine[] = [];
  let state: State = { in: 'text' };
  let lists = false;
  let lost = false;
  /** Why a command in the paragraph that stands open would be unclear. */
  let paragraph: string | undefined;
  for (const [index, text] of body.split(/\r\n|\n|\r/).entries()) {
    if (state.in === 'fence') {
      if (closes(text, state.fence)) state = { in: 'text' };
      continue;
    }
    if (state.in === 'comment') {
      if (text.includes('-->')) state = { in: 'text' };
      continue;
    }
    if (text.trim() === '') {
      paragraph = undefined;
      continue;
    }
    if (COMMAND.test(text)) {
      found.push({ line: index + 1, text: text.trim(), unclear: lost ? AFTER_UNCLEAR : paragraph });
      // What is in its reason may reach over to the next line as well.
      if (INLINE.test(text)) paragraph ??= IN_PARAGRAPH;
      lost ||= hidesMore(text);
      continue;
    }
    if (CONTAINER.test(text)) lists = true;
    const opened = opens(text, lists);
    lost ||= opened === 'unclear';
    if (opened === 'quote') paragraph = IN_PARAGRAPH;
    else if (typeof opened === 'object') {
      state = opened;
      paragraph = undefined;
    } else if (INLINE.test(text)) paragraph ??= IN_PARAGRAPH;
  }
  return found;
}

/** What a line of text begins: a block, a quote, none, or something of which its lines alone do not tell. */
function opens(text: string, lists: boolean): State | 'quote' | 'unclear' | undefined {
  // Below a list item it depends on the indentation of all lines which of them are in it.
  const inner = lists ? text.replace(MARKERS, '') : text;
  if (QUOTE.test(inner)) return 'quote';
  const inList = inner !== text && (CONTAINER.test(text) || /^(?: {2}|\s*\t)/.test(text));
  const fence = fenceOf(inner);
  if (fence !== undefined) return inList ? 'unclear' : { in: 'fence', fence };
  if (COMMENT.test(inner)) return inList ? 'unclear' : { in: inner.includes('-->') ? 'text' : 'comment' };
  return TAG.test(inner) || hidesMore(text) ? 'unclear' : undefined;
}

/** An HTML comment that starts within a line and does not end there. */
function hidesMore(text: string): boolean {
  const start = text.lastIndexOf('<!--');
  return start >= 0 && !text.includes('-->', start);
}

function fenceOf(text: string): Fence | undefined {
  const [, mark, info] = FENCE.exec(text) ?? [];
  const char = mark?.[0];
  // Between backticks on one line it is code within a line (section 4.5).
  if (mark === undefined || char === undefined || (char === '`' && info?.includes('`') === true)) return undefined;
  return { char, length: mark.length };
}

function closes(text: string, { char, length }: Fence): boolean {
  const [, mark, info] = FENCE.exec(text) ?? [];
  return mark !== undefined && mark[0] === char && mark.length >= length && info?.trim() === '';
}

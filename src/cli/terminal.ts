import { visible } from '../render/visible.ts';

/** Where a command writes and what it may assume of the other end. */
export interface Terminal {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Columns of the output; wide where it is no terminal, so that nothing is cut for a pipe. */
  readonly columns: number;
  readonly colour: boolean;
  /** Whether stderr is a terminal, which is where progress is shown. */
  readonly progress: boolean;
}

/** Columns for an output that has no width of its own. */
const UNBOUNDED = 10_000;

/** The terminal of this process. Colour only on a terminal; NO_COLOR and FORCE_COLOR as usual (no-color.org). */
export function processTerminal(): Terminal {
  const { stdout, stderr, env } = process;
  const forced = env['FORCE_COLOR'] !== undefined && env['FORCE_COLOR'] !== '' && env['FORCE_COLOR'] !== '0';
  const plain = (env['NO_COLOR'] !== undefined && env['NO_COLOR'] !== '') || env['TERM'] === 'dumb';
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    columns: stdout.isTTY ? Math.max(40, stdout.columns || 80) : UNBOUNDED,
    colour: !plain && (stdout.isTTY || forced),
    progress: stderr.isTTY,
  };
}

const STYLES = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;
export type Style = keyof typeof STYLES;

/** Text in a style, where the terminal takes colour. */
export function styled(terminal: Pick<Terminal, 'colour'>, style: Style, text: string): string {
  if (!terminal.colour) return text;
  const [on, off] = STYLES[style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/** A cell of a table: text that others wrote is made visible, then styled. */
export type Cell = string | { readonly text: string; readonly style: Style };

const GAP = '  ';
const NARROWEST = 12;

/**
 * Rows as aligned columns that fit the terminal's width: the widest column gives way first, by wrapping.
 * @returns lines, each ended by a line feed; nothing where there are no rows
 */
export function table(terminal: Terminal, head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? { text: visible(cell) } : { ...cell, text: visible(cell.text) })),
  );
  const widths = head.map((title, column) =>
    Math.max(title.length, ...cells.map((row) => width(row[column]?.text ?? ''))),
  );
  const spare = (): number => widths.reduce((sum, one) => sum + one, GAP.length * (head.length - 1)) - terminal.columns;
  while (spare() > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const narrowed = Math.max(NARROWEST, (widths[widest] ?? 0) - spare());
    if (narrowed >= (widths[widest] ?? 0)) break;
    widths[widest] = narrowed;
  }
  const line = (parts: readonly string[]): string => `${parts.join(GAP).trimEnd()}\n`;
  const header = line(head.map((title, column) => styled(terminal, 'dim', pad(title, widths[column] ?? 0))));
  return header + cells.map((row) => tallRow(terminal, row, widths, line)).join('');
}

function tallRow(
  terminal: Terminal,
  row: readonly { readonly text: string; readonly style?: Style }[],
  widths: readonly number[],
  line: (parts: readonly string[]) => string,
): string {
  const wrapped = widths.map((limit, column) => wrap(row[column]?.text ?? '', limit));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    line(
      widths.map((limit, column) => {
        const text = pad(wrapped[column]?.[index] ?? '', limit);
        const style = row[column]?.style;
        return style === undefined ? text : styled(terminal, style, text);
      }),
    ),
  ).join('');
}

/** Text broken into lines of at most `limit` columns, at spaces where there are some. */
export function wrap(text: string, limit: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const joined = line === '' ? word : `${line} ${word}`;
    if (width(joined) <= limit) {
      line = joined;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (width(line) > limit) {
      const points = [...line];
      lines.push(points.slice(0, limit).join(''));
      line = points.slice(limit).join('');
    }
  }
  return [...lines, line];
}

function width(text: string): number {
  return [...text].length;
}

function pad(text: string, to: number): string {
  return text + ' '.repeat(Math.max(0, to - width(text)));
}

/** Milliseconds of work before progress is shown, and between two updates. */
const QUIET = 1000;
const UPDATE = 200;

/** Shows progress on stderr once work takes over a second. */
export function progressLine(
  terminal: Terminal,
  label: string,
): { readonly step: (done: number, total: number) => void; readonly end: () => void } {
  const started = Date.now();
  let shown = 0;
  return {
    step: (done, total) => {
      const now = Date.now();
      if (!terminal.progress || now - started < QUIET || now - shown < UPDATE) return;
      shown = now;
      terminal.err(`\r\u001b[2K${label} ${done} of ${total}`);
    },
    end: () => {
      if (shown > 0) terminal.err('\r\u001b[2K');
    },
  };
}

import { visible } from './visible.ts';

/** What text is laid out for: the width of a line and whether it may be coloured. */
export interface Canvas {
  readonly columns: number;
  readonly colour: boolean;
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

/** Text in a style, where colour is wanted (SGR codes of ECMA-48). */
export function styled({ colour }: Pick<Canvas, 'colour'>, style: Style, text: string): string {
  if (!colour) return text;
  const [on, off] = STYLES[style];
  return `\u001b[${on}m${text}\u001b[${off}m`;
}

/** A cell of a table: text that others wrote is made visible, then styled. */
export type Cell = string | { readonly text: string; readonly style: Style };

const GAP = '  ';
const NARROWEST = 12;

/**
 * Rows as aligned columns that fit the width: the widest column gives way first, by wrapping.
 * @returns lines, each ended by a line feed; nothing where there are no rows
 */
export function table(canvas: Canvas, head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  if (rows.length === 0) return '';
  const cells = rows.map((row) =>
    row.map((cell) => (typeof cell === 'string' ? { text: visible(cell) } : { ...cell, text: visible(cell.text) })),
  );
  // Not Math.max(...): as many arguments as rows may be more than a call takes.
  const widths = head.map((title, column) =>
    cells.reduce((widest, row) => Math.max(widest, width(row[column]?.text ?? '')), width(title)),
  );
  const spare = (): number => widths.reduce((sum, one) => sum + one, GAP.length * (head.length - 1)) - canvas.columns;
  const share = Math.floor((canvas.columns - GAP.length * (head.length - 1)) / head.length);
  const narrowest = Math.max(1, Math.min(NARROWEST, share));
  while (spare() > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const narrowed = Math.max(narrowest, (widths[widest] ?? 0) - spare());
    if (narrowed >= (widths[widest] ?? 0)) break;
    widths[widest] = narrowed;
  }
  const line = (parts: readonly string[]): string => `${parts.join(GAP).trimEnd()}\n`;
  const header = line(
    head.map((title, column) => padded(title, widths[column] ?? 0, (text) => styled(canvas, 'dim', text))),
  );
  return header + cells.map((row) => tallRow(canvas, row, widths, line)).join('');
}

function tallRow(
  canvas: Canvas,
  row: readonly { readonly text: string; readonly style?: Style }[],
  widths: readonly number[],
  line: (parts: readonly string[]) => string,
): string {
  const wrapped = widths.map((limit, column) => wrap(row[column]?.text ?? '', limit));
  const height = Math.max(...wrapped.map((lines) => lines.length));
  return Array.from({ length: height }, (_, index) =>
    line(
      widths.map((limit, column) => {
        const style = row[column]?.style;
        return padded(wrapped[column]?.[index] ?? '', limit, (text) =>
          style === undefined || text === '' ? text : styled(canvas, style, text),
        );
      }),
    ),
  ).join('');
}

/** Text broken into lines of at most `limit` columns, at spaces where there are some. */
export function wrap(text: string, limit: number): string[] {
  const lines: string[] = [];
  let line = '';
  let used = 0;
  const close = (): void => {
    lines.push(line);
    line = '';
    used = 0;
  };
  for (const word of text.split(' ')) {
    const wide = width(word);
    if (line !== '' && used + 1 + wide > limit) close();
    if (wide <= limit) {
      line = line === '' ? word : `${line} ${word}`;
      used = used === 0 ? wide : used + 1 + wide;
      continue;
    }
    for (const char of word) {
      const columns = width(char);
      if (line !== '' && used + columns > limit) close();
      line += char;
      used += columns;
    }
  }
  return [...lines, line];
}

// Marks take no column of their own; East Asian wide characters and pictures take two (Unicode TR 11, the common blocks).
const MARK = /\p{M}/gu;
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/gu;
const ASCII = /^[ -~]*$/;

/** Columns that a text takes on a terminal. */
export function width(text: string): number {
  if (ASCII.test(text)) return text.length;
  const bare = text.replace(MARK, '');
  return [...bare].length + (bare.match(WIDE)?.length ?? 0);
}

// Styled before it is padded: spaces at the end of a line are none then.
function padded(text: string, to: number, style: (text: string) => string): string {
  return style(text) + ' '.repeat(Math.max(0, to - width(text)));
}

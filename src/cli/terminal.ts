import type { Canvas } from '../render/table.ts';

export { styled, table, wrap } from '../render/table.ts';
export type { Cell, Style } from '../render/table.ts';

/** Where a command writes and what it may assume of the other end. */
export interface Terminal extends Canvas {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  /** Whether stderr is a terminal, which is where progress is shown. */
  readonly progress: boolean;
}

/** Columns for an output that has no width of its own: nothing is wrapped for a pipe. */
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

/** Milliseconds of work before progress is shown, and between two updates. */
const QUIET = 1000;
const UPDATE = 200;

/** Shows progress on stderr once work takes over a second. */
export function progressLine(
  terminal: Terminal,
  label: string,
): { readonly step: (done: number, total?: number) => void; readonly end: () => void } {
  const started = Date.now();
  let shown = 0;
  return {
    step: (done, total) => {
      const now = Date.now();
      if (!terminal.progress || now - started < QUIET || now - shown < UPDATE) return;
      shown = now;
      terminal.err(`\r\u001b[2K${label} ${done}${total === undefined ? '' : ` of ${total}`}`);
    },
    end: () => {
      if (shown > 0) terminal.err('\r\u001b[2K');
    },
  };
}

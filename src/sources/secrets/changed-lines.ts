import { linesInRow } from '../../checks/secrets/patch.ts';
import type { NewSide } from '../../checks/secrets/patch.ts';

/** Lines around a new one that are looked at with it, as in the patches that git is asked for. */
const CONTEXT = 3;

/**
 * The new side of a change, as a patch would show it: lines that the text before does not have anywhere, and what
 * stands around them; a blank line stands between two hunks. A line that only moves is not new.
 * @param before undefined: nothing stood there
 */
export function changedLines(before: string | undefined, after: string): NewSide & { readonly size: number } {
  const known = new Set(before === undefined ? [] : before.split('\n'));
  const rows = after.split('\n');
  if (rows[rows.length - 1] === '') rows.pop();
  const shown = new Uint8Array(rows.length);
  for (const [at, row] of rows.entries()) {
    if (known.has(row)) continue;
    shown.fill(1, Math.max(0, at - CONTEXT), at + CONTEXT + 1);
  }
  const text: string[] = [];
  const lines: { number: number; isAdded: boolean }[] = [];
  let size = 0;
  for (const [at, row] of rows.entries()) {
    if (shown[at] !== 1) continue;
    if (lines.length > 0 && shown[at - 1] !== 1) {
      text.push('');
      lines.push({ number: at + 1, isAdded: false });
    }
    text.push(row);
    size += Buffer.byteLength(row) + 1;
    const isAdded = !known.has(row);
    for (let left = linesInRow(row); left > 0; left -= 1) lines.push({ number: at + 1, isAdded });
  }
  return { text: text.join('\n'), lines, size };
}

/** Share of a file's bytes, by whole lines, that another text has too: 0 to 1. */
export function likeness(before: string, after: string): number {
  const known = new Set(before.split('\n'));
  let common = 0;
  for (const row of after.split('\n')) if (known.has(row)) common += row.length + 1;
  return common / Math.max(before.length + 1, after.length + 1);
}

/** The new side of a file's patch: what the file reads there, and which of it is new. */
export interface NewSide {
  /** Context and added lines of all hunks; a blank line stands between two hunks. */
  readonly text: string;
  /** For each line of `text`: its number in the new file, and whether the patch adds it. */
  readonly lines: readonly { readonly number: number; readonly isAdded: boolean }[];
}

const HUNK = /^@@ -\d+(?:,\d+)? \+(\d+)(?:,\d+)? @@/;

/**
 * Reads a unified diff of one file, as git and GitHub's API give it (with or without the lines before the first
 * hunk). Removed lines are left out: they introduce nothing. A text without any hunk header is read as one hunk that
 * starts at line 1.
 */
export function newSideOf(patch: string): NewSide {
  const text: string[] = [];
  const lines: { number: number; isAdded: boolean }[] = [];
  const rows = patch.split('\n');
  const hasHunks = rows.some((row) => HUNK.test(row));
  let number = hasHunks ? 0 : 1;
  for (const row of rows) {
    const hunk = HUNK.exec(row)?.[1];
    if (hunk !== undefined) {
      if (lines.length > 0) {
        text.push('');
        lines.push({ number, isAdded: false });
      }
      number = Number(hunk);
    } else if (number > 0 && (row.startsWith('+') || row.startsWith(' '))) {
      text.push(row.slice(1));
      for (let left = linesInRow(row); left > 0; left -= 1) lines.push({ number, isAdded: row.startsWith('+') });
      number += 1;
    }
  }
  return { text: text.join('\n'), lines };
}

/**
 * How many lines of the text a line of the file makes: to git only LF ends one, here CR does too, and a file must not
 * hide its lines by that. The CR of CR LF ends none by itself.
 */
export function linesInRow(row: string): number {
  let count = 1;
  for (let at = row.indexOf('\r'); at !== -1 && at < row.length - 1; at = row.indexOf('\r', at + 1)) count += 1;
  return count;
}

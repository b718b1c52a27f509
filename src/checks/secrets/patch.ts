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
      lines.push({ number, isAdded: row.startsWith('+') });
      number += 1;
    }
  }
  return { text: text.join('\n'), lines };
}

/** How git cleans a message up before it records it: `git commit --cleanup`, `commit.cleanup`. */
export type Cleanup = 'strip' | 'whitespace' | 'verbatim' | 'scissors';

/** What the scissors line holds behind the comment sign (git, `wt-status.c`). */
const SCISSORS = ' ------------------------ >8 ------------------------';

/**
 * The message as git will record it. By default git strips comments only if an editor was open; a hook tells by
 * `GIT_EDITOR=:`, with which git runs it where none is. `comment` is `core.commentChar` or `core.commentString`.
 * `verbose` is `git commit -v`: then what stands below the scissors line goes whatever the mode. Git,
 * `builtin/commit.c` (`prepare_to_commit`) and `strbuf_stripspace`.
 */
export function cleanMessage(text: string, cleanup: Cleanup, comment = '#', verbose = false): string {
  const cut = cleanup === 'scissors' || verbose ? beforeScissors(text, comment) : text;
  switch (cleanup) {
    case 'verbatim':
      return cut;
    case 'whitespace':
    case 'scissors':
      return stripSpace(cut, undefined);
    case 'strip':
      return stripSpace(cut, comment);
  }
}

function beforeScissors(text: string, comment: string): string {
  const line = `${comment}${SCISSORS}\n`;
  if (text.startsWith(line)) return '';
  const at = text.indexOf(`\n${line}`);
  return at === -1 ? text : text.slice(0, at + 1);
}

// No blank lines at the ends, at most one between paragraphs, no blanks at the ends of lines.
function stripSpace(text: string, comment: string | undefined): string {
  const lines: string[] = [];
  let blank = false;
  for (const line of text.split('\n')) {
    if (comment !== undefined && line.startsWith(comment)) continue;
    const kept = trimEnd(line);
    if (kept === '') {
      blank = true;
      continue;
    }
    if (blank && lines.length > 0) lines.push('');
    blank = false;
    lines.push(kept);
  }
  return lines.length === 0 ? '' : `${lines.join('\n')}\n`;
}

function trimEnd(line: string): string {
  let end = line.length;
  while (end > 0 && /[ \t\r\n]/.test(line.charAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

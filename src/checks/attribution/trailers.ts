/** A trailer as git reads it. */
export interface Trailer {
  /** As written, without the blanks around it. */
  readonly key: string;
  /** Unfolded: continuation lines joined by one space. */
  readonly value: string;
  /** The line on which it starts, from 1. */
  readonly line: number;
  /** How many lines it takes, continuations included. */
  readonly lines: number;
}

const GIT_PREFIXES = ['Signed-off-by: ', '(cherry picked from commit '];
const CUT_LINE = '# ------------------------ >8 ------------------------';

/**
 * The trailers of a commit message, exactly as `git interpret-trailers --parse --no-divider` reports them with
 * git's standard configuration: the last paragraph that is no title, if all its lines are trailers, or a quarter
 * of them with one that git itself writes. Follows git 2.39, `trailer.c` (`find_trailer_start`,
 * `trailer_info_get`) and `commit.c` (`ignore_non_trailer`). CRLF counts as LF. Linear.
 */
export function gitTrailers(message: string): Trailer[] {
  const lines = message.replaceAll('\r\n', '\n').split('\n');
  // A text that ends with a newline has no line after it.
  const complete = lines.at(-1) === '';
  if (complete) lines.pop();
  const end = trailerEnd(lines, complete ? lines.length : lines.length - 1);
  const start = trailerStart(lines, end);
  const found: { key: string; raw: string; line: number; lines: number }[] = [];
  let open = false;
  for (let index = start; index < end; index += 1) {
    const line = lines[index] ?? '';
    const last = found.at(-1);
    // Git splits off blank lines as empty strings that start with their newline: they continue, too.
    if (open && last !== undefined && (line === '' || isSpace(line[0]))) {
      last.raw += `\n${line}`;
      last.lines += 1;
      continue;
    }
    const separator = separatorAt(line);
    open = separator >= 1;
    if (open && !line.startsWith('#')) {
      found.push({ key: trim(line.slice(0, separator)), raw: line.slice(separator + 1), line: index + 1, lines: 1 });
    }
  }
  return found.map(({ key, raw, line, lines: count }) => ({ key, value: unfold(trim(raw)), line, lines: count }));
}

// Lines from this one on are comments, blank, an old list of conflicts or below the cut line. The cut line and the head
// of the list count only with the newline behind them: `complete` is the number of lines that have theirs.
function trailerEnd(lines: readonly string[], complete: number): number {
  const cut = lines.indexOf(CUT_LINE);
  const cutoff = cut === -1 || cut >= complete ? lines.length : cut;
  let end: number | undefined;
  let inConflicts = false;
  for (let index = 0; index < cutoff; index += 1) {
    const line = lines[index] ?? '';
    if (line.startsWith('#') || line === '') end ??= index === 0 ? undefined : index;
    else if (line === 'Conflicts:' && index < complete) {
      inConflicts = true;
      end ??= index === 0 ? undefined : index;
    } else if (!(inConflicts && line.startsWith('\t')) && end !== undefined) {
      end = undefined;
      inConflicts = false;
    }
  }
  return end ?? cutoff;
}

function trailerStart(lines: readonly string[], end: number): number {
  let title = 0;
  while (title < end && (lines[title]?.startsWith('#') || !isBlank(lines[title] ?? ''))) title += 1;
  let onlySpaces = true;
  let recognised = false;
  let trailers = 0;
  let others = 0;
  let continuations = 0;
  for (let index = end - 1; index >= title; index -= 1) {
    const line = lines[index] ?? '';
    if (line.startsWith('#')) {
      others += continuations;
      continuations = 0;
    } else if (isBlank(line)) {
      if (onlySpaces) continue;
      others += continuations;
      const block = recognised ? trailers * 3 >= others : trailers > 0 && others === 0;
      return block ? index + 1 : end;
    } else {
      onlySpaces = false;
      if (GIT_PREFIXES.some((prefix) => line.startsWith(prefix))) {
        trailers += 1;
        continuations = 0;
        recognised = true;
      } else if (separatorAt(line) >= 1) {
        trailers += 1;
        continuations = 0;
      } else if (isSpace(line[0])) continuations += 1;
      else {
        others += 1 + continuations;
        continuations = 0;
      }
    }
  }
  return end;
}

/** Where the colon of a trailer stands: after letters, digits and hyphens, then blanks; -1 where none is. */
function separatorAt(line: string): number {
  const match = /^[A-Za-z0-9-]+[ \t]*:/.exec(line);
  return match === null ? (line.startsWith(':') ? 0 : -1) : match[0].length - 1;
}

// White space of git's own ctype: no form feed, no vertical tab.
function isSpace(char: string | undefined): boolean {
  return char === ' ' || char === '\t' || char === '\n' || char === '\r';
}

function isBlank(line: string): boolean {
  return trim(line) === '';
}

function trim(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start])) start += 1;
  while (end > start && isSpace(text[end - 1])) end -= 1;
  return text.slice(start, end);
}

function unfold(value: string): string {
  return trim(
    value
      .split('\n')
      .reduce((joined: string[], line, index) => {
        const rest = index === 0 ? line : trimStart(line);
        // Blank lines vanish: git skips all white space after a newline at once.
        if (index === 0 || rest !== '') joined.push(rest);
        return joined;
      }, [])
      .join(' '),
  );
}

function trimStart(text: string): string {
  let start = 0;
  while (start < text.length && isSpace(text[start])) start += 1;
  return text.slice(start);
}

// Control characters, format characters (bidirectional ones and tags among them), line separators, surrogate
// halves, everything that Unicode lets a font leave out (variation selectors, fillers), the empty Braille cell.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Text that others wrote, safe for one line of a terminal or log: what does not show, or would move the
 * cursor, is shown by its code point.
 */
export function visible(text: string): string {
  return text.replace(HIDDEN, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same for text of several lines: line feeds stay. */
export function visibleLines(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

/** Text of at most `limit` UTF-16 units, with an ellipsis where it was cut; a character is never halved. */
export function bounded(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const end = limit - 1;
  const halves = /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
  return `${text.slice(0, halves)}…`;
}

/** One line of at most `limit` UTF-16 units in which nothing is hidden. */
export function line(text: string, limit: number): string {
  // Cut first too: making a megabyte visible to show a hundred characters of it is wasted.
  return bounded(visible(bounded(text, limit + 1)), limit);
}

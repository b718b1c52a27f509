// Control characters, format characters (bidirectional ones among them), line separators, surrogate halves.
const HIDDEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0]/gu;

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

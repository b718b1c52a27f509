// White space as the formats define it: not JavaScript's set (U+0085 and U+001C–U+001F belong to it, U+FEFF does not).
const SPACE = '\\u0009-\\u000d\\u001c-\\u0020\\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING = new RegExp(`^[${SPACE}]+`);
const ANY_SPACE = new RegExp(`[${SPACE}]`);
const IS_SPACE = new RegExp(`^[${SPACE}]$`);

/** The text without white space at its ends. Linear: the end is scanned by hand, not by a backtracking pattern. */
export function trim(text: string): string {
  if (isInk(text.charCodeAt(0)) && isInk(text.charCodeAt(text.length - 1))) return text;
  let end = text.length;
  while (end > 0 && IS_SPACE.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end).replace(LEADING, '');
}

// Printable ASCII: by far the most frequent ends of a text.
function isInk(unit: number): boolean {
  return unit > 0x20 && unit < 0x7f;
}

/** Whether nothing but white space is there. */
export function isBlank(text: string): boolean {
  return trim(text) === '';
}

/** Whether white space stands anywhere in the text. */
export function hasSpace(text: string): boolean {
  return ANY_SPACE.test(text);
}

/** CRLF and lone CR as LF, as Rapid OS reads every text file. */
export function universalNewlines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

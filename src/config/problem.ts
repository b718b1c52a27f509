/** Something wrong with a configuration file, or worth saying about it. */
export interface ConfigProblem {
  /** The file. */
  readonly path: string;
  /** Both count from 1; columns in UTF-16 units. */
  readonly line: number;
  readonly column: number;
  /** The key concerned, such as `runs.exempt.people[0]`; empty for the file as a whole. */
  readonly key: string;
  /** One sentence of plain text. May quote the file, shortened. */
  readonly message: string;
  /** The word that was probably meant. */
  readonly suggestion?: string;
}

/** A problem before it is known where it stands: an offset into the text, in UTF-16 units. */
export interface PlacedFault {
  readonly offset: number;
  readonly key: string;
  readonly message: string;
  readonly suggestion?: string;
}

/** Most problems of one file that are told at once. */
export const MAX_PROBLEMS = 100;

export type Segment = string | number;

/** A key's path as people write it. */
export function keyName(segments: readonly Segment[]): string {
  return segments.reduce<string>((name, segment) => {
    if (typeof segment === 'number') return `${name}[${segment}]`;
    return name === '' ? shown(segment) : `${name}.${shown(segment)}`;
  }, '');
}

function shown(segment: string): string {
  return /^[\w.-]{1,64}$/.test(segment) ? segment : quoted(segment);
}

const LONGEST_QUOTE = 60;

/** A value of the file inside a message: as JSON, shortened. */
export function quoted(value: unknown): string {
  const text = typeof value === 'string' && value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value;
  const json = JSON.stringify(text) ?? 'nothing';
  return json.length > 2 * LONGEST_QUOTE ? `${json.slice(0, LONGEST_QUOTE)}…` : json;
}

/** Turns offsets into lines and columns. */
export function placer(text: string): (offset: number) => { readonly line: number; readonly column: number } {
  const starts = [0];
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  return (offset) => {
    const at = Math.max(0, Math.min(offset, text.length));
    let low = 0;
    let high = starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    return { line: low + 1, column: at - (starts[low] ?? 0) + 1 };
  };
}

/** `file:line:column: message`, with what was probably meant. */
export function problemText({ path, line, column, message, suggestion }: ConfigProblem): string {
  return `${path}:${line}:${column}: ${message}${suggestion === undefined ? '' : ` Did you mean \`${suggestion}\`?`}`;
}

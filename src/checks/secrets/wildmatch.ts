/**
 * One step of a pattern. Texts are sequences of bytes, as git compares them: `?` is one byte of a name in UTF-8.
 * `dirs` is `**` followed by a slash: nothing, or anything up to a slash.
 */
type Step =
  | { readonly kind: 'byte'; readonly byte: number }
  | { readonly kind: 'set'; readonly table: Uint8Array }
  | { readonly kind: 'star' }
  | { readonly kind: 'anything' }
  | { readonly kind: 'dirs' };

const SLASH = 0x2f;
const STAR = 0x2a;
const BACKSLASH = 0x5c;

/**
 * Compiles a pattern of git's ignore files (gitignore(5), "PATTERN FORMAT") to a test of whole texts. The test keeps
 * a set of reached steps, so its time is at most the product of both lengths, whatever the pattern.
 * @param pattern bytes of the pattern, one a character (`bytesOf`)
 * @param slashes `apart`: `*`, `?` and sets match no slash and `**` is special; `alike`: a slash is like any other
 *   byte (used on names, which have none)
 */
export function compileWildmatch(
  pattern: string,
  slashes: 'apart' | 'alike',
  ignoreCase = false,
): (bytes: string) => boolean {
  const steps = parse(pattern, slashes === 'apart', ignoreCase);
  if (steps === undefined) return () => false;
  return (bytes) => run(steps, bytes, slashes === 'apart', ignoreCase);
}

/** The UTF-8 bytes of a text, one a character from U+0000 to U+00FF. */
export function bytesOf(text: string): string {
  return /^[\x00-\x7f]*$/.test(text) ? text : Buffer.from(text, 'utf8').toString('latin1');
}

function run(steps: readonly Step[], bytes: string, isApart: boolean, ignoreCase: boolean): boolean {
  const size = steps.length + 1;
  let reached = new Uint8Array(size);
  let next = new Uint8Array(size);
  enter(steps, reached, 0);
  for (let i = 0; i < bytes.length; i += 1) {
    const code = bytes.charCodeAt(i);
    const byte = ignoreCase ? lower(code) : code;
    next.fill(0);
    let isAlive = false;
    for (let at = 0; at < steps.length; at += 1) {
      const step = steps[at];
      if (reached[at] === 0 || step === undefined) continue;
      const goes = advance(step, byte, code === SLASH, isApart);
      if (goes === 'no') continue;
      isAlive = true;
      if (goes === 'on') enter(steps, next, at + 1);
      else if (goes === 'again') enter(steps, next, at);
      else {
        next[at] = 1;
        if (code === SLASH) enter(steps, next, at + 1);
      }
    }
    if (!isAlive) return false;
    [reached, next] = [next, reached];
  }
  return reached[steps.length] === 1;
}

/** `on`: to the next step; `again`: this one may take more or end; `inside`: it ends only with a slash. */
function advance(step: Step, byte: number, isSlash: boolean, isApart: boolean): 'on' | 'again' | 'inside' | 'no' {
  switch (step.kind) {
    case 'byte':
      return step.byte === byte ? 'on' : 'no';
    case 'set':
      return step.table[byte] === 1 && !(isApart && isSlash) ? 'on' : 'no';
    case 'star':
      return isSlash ? 'no' : 'again';
    case 'anything':
      return 'again';
    case 'dirs':
      return 'inside';
  }
}

// Steps that may match nothing are passed at once.
function enter(steps: readonly Step[], reached: Uint8Array, from: number): void {
  for (let at = from; reached[at] === 0; at += 1) {
    reached[at] = 1;
    const kind = steps[at]?.kind;
    if (kind !== 'star' && kind !== 'anything' && kind !== 'dirs') return;
  }
}

/** undefined: a pattern that matches nothing (a set without an end, an unknown class, a backslash at the end). */
function parse(pattern: string, isApart: boolean, ignoreCase: boolean): Step[] | undefined {
  const steps: Step[] = [];
  let at = 0;
  while (at < pattern.length) {
    const code = pattern.charCodeAt(at);
    if (code === BACKSLASH) {
      if (at + 1 >= pattern.length) return undefined;
      steps.push({ kind: 'byte', byte: folded(pattern.charCodeAt(at + 1), ignoreCase) });
      at += 2;
    } else if (code === STAR) {
      let end = at + 1;
      while (pattern.charCodeAt(end) === STAR) end += 1;
      at = pushStars(steps, pattern, at, end, isApart);
    } else if (pattern[at] === '?') {
      steps.push({ kind: 'set', table: new Uint8Array(256).fill(1) });
      at += 1;
    } else if (pattern[at] === '[') {
      const set = parseSet(pattern, at, ignoreCase);
      if (set === undefined) return undefined;
      steps.push({ kind: 'set', table: set.table });
      at = set.end;
    } else {
      steps.push({ kind: 'byte', byte: folded(code, ignoreCase) });
      at += 1;
    }
  }
  return steps;
}

// Two stars or more are special between slashes or ends only; `\/` counts as a slash after them.
function pushStars(steps: Step[], pattern: string, start: number, end: number, isApart: boolean): number {
  const isSpecial =
    end - start >= 2 &&
    (start === 0 || pattern[start - 1] === '/') &&
    (end === pattern.length || pattern[end] === '/' || pattern.startsWith('\\/', end));
  if (!isApart || (isSpecial && pattern[end] !== '/')) {
    steps.push({ kind: 'anything' });
    return end;
  }
  if (!isSpecial) {
    steps.push({ kind: 'star' });
    return end;
  }
  steps.push({ kind: 'dirs' });
  return end + 1;
}

interface ParsedSet {
  readonly table: Uint8Array;
  readonly end: number;
}

function parseSet(pattern: string, open: number, ignoreCase: boolean): ParsedSet | undefined {
  const table = new Uint8Array(256);
  let at = open + 1;
  const isNegated = pattern[at] === '!' || pattern[at] === '^';
  if (isNegated) at += 1;
  let previous = -1;
  for (let isFirst = true; isFirst || pattern[at] !== ']'; isFirst = false) {
    if (at >= pattern.length) return undefined;
    if (pattern.startsWith('[:', at)) {
      const close = pattern.indexOf(']', at + 2);
      if (close === -1) return undefined;
      if (pattern[close - 1] === ':' && close - 1 >= at + 2) {
        const isMember = CLASSES.get(pattern.slice(at + 2, close - 1));
        if (isMember === undefined) return undefined;
        for (let byte = 0; byte < 256; byte += 1) if (isMember(byte)) table[byte] = 1;
        if (ignoreCase && pattern.slice(at + 2, close - 1) === 'upper') fill(table, 97, 122);
        previous = -1;
        at = close + 1;
        continue;
      }
    }
    const isRange = pattern[at] === '-' && previous > 0 && at + 1 < pattern.length && pattern[at + 1] !== ']';
    if (isRange) at += 1;
    if (pattern.charCodeAt(at) === BACKSLASH) at += 1;
    if (at >= pattern.length) return undefined;
    const byte = pattern.charCodeAt(at);
    if (isRange) fill(table, previous, byte);
    else table[byte] = 1;
    previous = isRange ? -1 : byte;
    at += 1;
  }
  if (ignoreCase) for (let byte = 65; byte <= 90; byte += 1) if (table[byte] === 1) table[byte + 32] = 1;
  if (isNegated) for (let byte = 0; byte < 256; byte += 1) table[byte] = table[byte] === 1 ? 0 : 1;
  return { table, end: at + 1 };
}

function fill(table: Uint8Array, from: number, to: number): void {
  if (from <= to) table.fill(1, from, to + 1);
}

function lower(code: number): number {
  return code >= 65 && code <= 90 ? code + 32 : code;
}

function folded(code: number, ignoreCase: boolean): number {
  return ignoreCase ? lower(code) : code;
}

const between = (from: number, to: number) => (byte: number) => byte >= from && byte <= to;
const isUpper = between(65, 90);
const isLower = between(97, 122);
const isDigit = between(48, 57);
const isGraph = between(33, 126);
const isAlnum = (byte: number) => isUpper(byte) || isLower(byte) || isDigit(byte);

/** Of ASCII only, as git has them; git does not know `[:word:]`. */
const CLASSES: ReadonlyMap<string, (byte: number) => boolean> = new Map([
  ['alnum', isAlnum],
  ['alpha', (byte: number) => isUpper(byte) || isLower(byte)],
  ['blank', (byte: number) => byte === 32 || byte === 9],
  ['cntrl', (byte: number) => byte < 32 || byte === 127],
  ['digit', isDigit],
  ['graph', isGraph],
  ['lower', isLower],
  ['print', between(32, 126)],
  ['punct', (byte: number) => isGraph(byte) && !isAlnum(byte)],
  ['space', (byte: number) => byte === 32 || between(9, 13)(byte)],
  ['upper', isUpper],
  ['xdigit', (byte: number) => isDigit(byte) || between(65, 70)(byte) || between(97, 102)(byte)],
]);

/** One occurrence of a keyword, found without regard to the case of ASCII letters. */
export interface KeywordHit {
  /** Index into the list of keywords that the search was built from. */
  readonly keyword: number;
  /** Where the keyword starts in the text, in UTF-16 units. */
  readonly start: number;
}

/** Every keyword has at least this many characters: then one of two neighbouring pairs lies at an even place. */
const SHORTEST = 3;
const STARTS_HERE = 1;
const STARTED_BEFORE = 2;
/** Texts up to this length share one buffer. */
const SHARED_BUFFER = 65_536;
const TRIPLES = 65_536;

/**
 * Builds a search for many keywords at once: every occurrence of any of them, in the order of the text, in one
 * pass. Pairs of characters are looked up at every second place only; a regular expression with as many
 * alternatives takes about eight times as long (docs/how-to/secrets.md has the numbers).
 * @param keywords ASCII texts of at least three characters
 */
export function keywordSearch(keywords: readonly string[]): (text: string) => KeywordHit[] {
  const folded = keywords.map((keyword) => keyword.toLowerCase());
  const pairs = new Uint8Array(256 * 256);
  // A sieve between the table of pairs and the comparison: most pairs are common, most triples are not.
  const triples = new Uint8Array(TRIPLES);
  const byTriple = new Map<number, number[]>();
  folded.forEach((keyword, index) => {
    if (keyword.length < SHORTEST) throw new RangeError(`keyword ${index} is shorter than ${SHORTEST} characters`);
    for (const first of bothCases(keyword, 0)) {
      for (const second of bothCases(keyword, 1)) {
        mark(pairs, first * 256 + second, STARTS_HERE);
        for (const third of bothCases(keyword, 2)) {
          mark(pairs, second * 256 + third, STARTED_BEFORE);
          const triple = tripleOf(first, second, third);
          triples[triple] = 1;
          byTriple.set(triple, [...(byTriple.get(triple) ?? []), index]);
        }
      }
    }
  });
  const shared = Buffer.allocUnsafe(SHARED_BUFFER);

  return (text) => {
    const hits: KeywordHit[] = [];
    // The low byte of each unit is enough to sort out: the comparison looks at the text itself.
    const bytes = text.length > SHARED_BUFFER ? Buffer.from(text, 'latin1') : shared;
    if (bytes === shared) shared.write(text, 'latin1');
    const look = (start: number) => {
      const triple = tripleOf(bytes[start] ?? 0, bytes[start + 1] ?? 0, bytes[start + 2] ?? 0);
      if (triples[triple] === 0) return;
      for (const keyword of byTriple.get(triple) ?? []) {
        if (startsAt(text, start, folded[keyword] ?? '')) hits.push({ keyword, start });
      }
    };
    const last = text.length - 1;
    for (let at = 0; at < last; at += 2) {
      const marks = pairs[(bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0)] ?? 0;
      if (marks === 0) continue;
      if ((marks & STARTED_BEFORE) !== 0 && at > 0) look(at - 1);
      if ((marks & STARTS_HERE) !== 0) look(at);
    }
    return hits;
  };
}

function mark(table: Uint8Array, at: number, bit: number): void {
  table[at] = (table[at] ?? 0) | bit;
}

function tripleOf(first: number, second: number, third: number): number {
  return ((first * 961 + second * 31 + third) * 40_503) & (TRIPLES - 1);
}

function bothCases(keyword: string, at: number): readonly number[] {
  const lower = keyword.charCodeAt(at);
  const upper = keyword.charAt(at).toUpperCase().charCodeAt(0);
  return lower === upper ? [lower] : [lower, upper];
}

function startsAt(text: string, start: number, keyword: string): boolean {
  if (start + keyword.length > text.length) return false;
  for (let i = 0; i < keyword.length; i += 1) {
    const code = text.charCodeAt(start + i);
    const folded = code >= 65 && code <= 90 ? code + 32 : code;
    if (folded !== keyword.charCodeAt(i)) return false;
  }
  return true;
}

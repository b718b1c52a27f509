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
/**
 * Bytes are told apart only as far as keywords do: every character of a keyword has a number of its own, all others
 * have 0. The tables then fit into the processor's nearest cache, on which the speed depends.
 */
const CLASS_BITS = 6;
const TRIPLE_BITS = 14;
/** Letters from the most frequent in English texts to the least; what is no letter counts as rarer than most. */
const BY_FREQUENCY = 'etaoinsrhldcumfpgwybvkxjqz';
const NO_LETTER = 20;

/**
 * Builds a search for many keywords at once: every occurrence of any of them, in the order of the text, in one
 * pass. Pairs of characters are looked up at every second place only; a regular expression with as many
 * alternatives takes several times as long.
 * @param keywords ASCII texts of at least three characters, with at most 63 different ones (letters count once)
 */
export function keywordSearch(keywords: readonly string[]): (text: string) => KeywordHit[] {
  const folded = keywords.map((keyword) => keyword.toLowerCase());
  const classes = classesOf(folded);
  const pairs = new Uint8Array(1 << (2 * CLASS_BITS));
  // A sieve between the table of pairs and the comparison: most pairs are common, most triples are not.
  const triples = new Uint8Array(1 << TRIPLE_BITS);
  const byTriple: (readonly Anchor[] | undefined)[] = new Array<undefined>(1 << TRIPLE_BITS).fill(undefined);
  folded.forEach((keyword, index) => {
    if (keyword.length < SHORTEST) throw new RangeError(`keyword ${index} is shorter than ${SHORTEST} characters`);
    const offset = rarestWindow(keyword);
    const [first = 0, second = 0, third = 0] = [0, 1, 2].map((at) => classes[keyword.charCodeAt(offset + at)] ?? 0);
    mark(pairs, pairOf(first, second), STARTS_HERE);
    mark(pairs, pairOf(second, third), STARTED_BEFORE);
    const triple = tripleOf(first, second, third);
    triples[triple] = 1;
    byTriple[triple] = [...(byTriple[triple] ?? []), { index, offset }];
  });
  const shared = Buffer.allocUnsafe(SHARED_BUFFER);

  return (text) => {
    const hits: KeywordHit[] = [];
    // The low byte of each unit is enough to sort out: the comparison looks at the text itself.
    const bytes = text.length > SHARED_BUFFER ? Buffer.from(text, 'latin1') : shared;
    if (bytes === shared) shared.write(text, 'latin1');
    const compare = (at: number, triple: number): void => {
      for (const { index, offset } of byTriple[triple] ?? []) {
        const start = at - offset;
        if (start >= 0 && startsAt(text, start, folded[index] ?? '')) hits.push({ keyword: index, start });
      }
    };
    const last = text.length - 1;
    for (let at = 0; at < last; at += 2) {
      const first = classes[bytes[at] ?? 0] ?? 0;
      const second = classes[bytes[at + 1] ?? 0] ?? 0;
      const marks = pairs[pairOf(first, second)] ?? 0;
      if (marks === 0) continue;
      if ((marks & STARTED_BEFORE) !== 0 && at > 0) {
        const triple = tripleOf(classes[bytes[at - 1] ?? 0] ?? 0, first, second);
        if (triples[triple] === 1) compare(at - 1, triple);
      }
      if ((marks & STARTS_HERE) !== 0) {
        const triple = tripleOf(first, second, classes[bytes[at + 2] ?? 0] ?? 0);
        if (triples[triple] === 1) compare(at, triple);
      }
    }
    return hits.sort((a, b) => a.start - b.start || a.keyword - b.keyword);
  };
}

/** A keyword, and the place in it of the three characters by which it is found. */
interface Anchor {
  readonly index: number;
  readonly offset: number;
}

// Most of the time goes into pairs that are frequent in any text, so a keyword is found by its rarest three characters.
function rarestWindow(keyword: string): number {
  const rarity = (at: number) => {
    const rank = BY_FREQUENCY.indexOf(keyword.charAt(at));
    return rank === -1 ? NO_LETTER : rank;
  };
  const pairRarity = (at: number) => rarity(at) + rarity(at + 1);
  let best = 0;
  let bestRarity = -1;
  for (let at = 0; at + SHORTEST <= keyword.length; at += 1) {
    const least = Math.min(pairRarity(at), pairRarity(at + 1));
    if (least > bestRarity) [best, bestRarity] = [at, least];
  }
  return best;
}

function classesOf(keywords: readonly string[]): Uint8Array {
  const characters = [...new Set(keywords.join(''))];
  if (characters.length >= 1 << CLASS_BITS) throw new RangeError('the keywords have too many different characters');
  const classes = new Uint8Array(256);
  characters.forEach((character, index) => {
    classes[character.charCodeAt(0)] = index + 1;
    classes[character.toUpperCase().charCodeAt(0)] = index + 1;
  });
  return classes;
}

function mark(table: Uint8Array, at: number, bit: number): void {
  table[at] = (table[at] ?? 0) | bit;
}

function pairOf(first: number, second: number): number {
  return (first << CLASS_BITS) | second;
}

function tripleOf(first: number, second: number, third: number): number {
  return ((first * 1021) ^ (second * 127) ^ (third * 7)) & ((1 << TRIPLE_BITS) - 1);
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

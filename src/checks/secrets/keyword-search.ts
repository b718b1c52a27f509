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
/** A hit is `start * KEYWORDS + keyword`. */
const KEYWORDS = 1024;
/**
 * Bytes are told apart only as far as keywords do: every character of a keyword has a number of its own, all others
 * have 0. Of the table over pairs of bytes a text uses little, so that it stays in the processor's nearest cache.
 */
const CLASS_BITS = 6;
const TRIPLE_BITS = 14;
/** Pairs of characters from the most frequent in sources and documents to the least; all others are rarer. */
const FREQUENT_PAIRS = (
  're in on st er or -- th de en te es co ti ar at et pe is se le al io nt ns he ct od ec ex pa ro me ng ty ur tr ra to ' +
  'ri ch an ma it as rt ed li ta nd yp hi ss va rn ne nc un no em tu ue ul // pr ef ce op ca ge po am ea if sc rs fi xp ' +
  'na rr id ac ke si la lo ts om ve ut ll fo so su el il pt lu ou be ha ia di ep us of nu ad zo ot fu ig ru ag ni tt oc ' +
  'ai um fa lt cl ck ic da ol im ow xt ob ls mp ab ap mi qu sa ie ey pu bl eq gi do sh mo'
).split(' ');

/**
 * Builds a search for many keywords at once: every occurrence of any of them, in the order of the text, in one
 * pass. Pairs of characters are looked up at every second place only; a regular expression with as many
 * alternatives takes several times as long.
 * @param keywords at most 1,024 ASCII texts of at least three characters, with at most 63 different ones (letters count
 *   once)
 * @returns hits as numbers, each of which `hitOf` takes apart: a text may have as many as it has characters
 */
export function keywordSearch(keywords: readonly string[]): (text: string) => number[] {
  const folded = keywords.map((keyword) => keyword.toLowerCase());
  if (keywords.length > KEYWORDS) throw new RangeError(`there are more than ${KEYWORDS} keywords`);
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
  const words = pairsOfBytes(classes, pairs);
  const shared = Buffer.from(new ArrayBuffer(SHARED_BUFFER));

  return (text) => {
    const hits: number[] = [];
    // The low byte of each unit is enough to sort out: the comparison looks at the text itself.
    const length = text.length + (text.length % 2);
    const bytes = length > SHARED_BUFFER ? Buffer.from(new ArrayBuffer(length)) : shared;
    bytes.write(text, 'latin1');
    if (length > text.length) bytes[text.length] = 0;
    const units = new Uint16Array(bytes.buffer, 0, length / 2);
    const compare = (at: number, triple: number): void => {
      for (const { index, offset } of byTriple[triple] ?? []) {
        const start = at - offset;
        if (start >= 0 && startsAt(text, start, folded[index] ?? '')) insert(hits, start * KEYWORDS + index);
      }
    };
    const look = (unit: number, marks: number): void => {
      const at = 2 * unit;
      const first = classes[bytes[at] ?? 0] ?? 0;
      const second = classes[bytes[at + 1] ?? 0] ?? 0;
      if ((marks & STARTED_BEFORE) !== 0 && at > 0) {
        const triple = tripleOf(classes[bytes[at - 1] ?? 0] ?? 0, first, second);
        if (triples[triple] === 1) compare(at - 1, triple);
      }
      if ((marks & STARTS_HERE) !== 0 && at + 2 < length) {
        const triple = tripleOf(first, second, classes[bytes[at + 2] ?? 0] ?? 0);
        if (triples[triple] === 1) compare(at, triple);
      }
    };
    // Two pairs at a time: in most of them there is nothing.
    const last = units.length - 1;
    for (let unit = 0; unit < last; unit += 2) {
      const here = words[units[unit] ?? 0] ?? 0;
      const next = words[units[unit + 1] ?? 0] ?? 0;
      if ((here | next) === 0) continue;
      if (here !== 0) look(unit, here);
      if (next !== 0) look(unit + 1, next);
    }
    if (units.length % 2 === 1) look(last, words[units[last] ?? 0] ?? 0);
    return hits;
  };
}

/** The hit that a number of the search stands for. */
export function hitOf(packed: number): KeywordHit {
  return { keyword: packed % KEYWORDS, start: Math.floor(packed / KEYWORDS) };
}

// Keywords are found by a part of them, so that a hit may come a few characters late: it goes to its place among the
// last ones.
function insert(hits: number[], hit: number): void {
  let at = hits.length;
  while (at > 0 && (hits[at - 1] ?? 0) > hit) at -= 1;
  if (at === hits.length) hits.push(hit);
  else hits.splice(at, 0, hit);
}

/** The marks of two neighbouring bytes, by both as one number in the order of this machine. */
function pairsOfBytes(classes: Uint8Array, pairs: Uint8Array): Uint8Array {
  const both = new Uint8Array(2);
  const number = new Uint16Array(both.buffer);
  const words = new Uint8Array(1 << 16);
  for (let first = 0; first < 256; first += 1) {
    for (let second = 0; second < 256; second += 1) {
      both[0] = first;
      both[1] = second;
      words[number[0] ?? 0] = pairs[pairOf(classes[first] ?? 0, classes[second] ?? 0)] ?? 0;
    }
  }
  return words;
}

/** A keyword, and the place in it of the three characters by which it is found. */
interface Anchor {
  readonly index: number;
  readonly offset: number;
}

// Most of the time goes into pairs that are frequent in any text, so a keyword is found by its rarest three characters.
function rarestWindow(keyword: string): number {
  const frequency = (at: number): number => {
    const rank = FREQUENT_PAIRS.indexOf(keyword.slice(at, at + 2));
    return rank === -1 ? 1 / FREQUENT_PAIRS.length : 1 / (rank + 8);
  };
  let best = 0;
  let least = Infinity;
  for (let at = 0; at + SHORTEST <= keyword.length; at += 1) {
    const cost = frequency(at) + frequency(at + 1);
    if (cost < least) [best, least] = [at, cost];
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

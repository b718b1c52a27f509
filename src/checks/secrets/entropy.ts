/** A generated value of a token has at least this many characters. */
const SHORTEST = 16;
/** Bits a character of Shannon entropy: English words stay below, random base 62 of 16 characters lies above. */
const MIXED_FLOOR = 3.3;
const HEX_FLOOR = 3;
const HEX_SHORTEST = 32;

/** Shannon entropy of a text's characters, in bits a character; 0 for the empty text. */
export function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / text.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}

/** Of so many neighbours in a counting text one may be out of step: hands that type it slip. */
const STEPS_A_SLIP = 36;

/**
 * Whether a value counts, as what is typed in place of a key does: each letter or digit is the next one, or begins
 * anew at 0, 1 or a.
 */
export function isCounting(value: string): boolean {
  if (value.length < SHORTEST || !/^[\da-z]+$/i.test(value)) return false;
  const text = value.toLowerCase();
  let slips = 0;
  for (let at = 1; at < text.length; at += 1) {
    const [before, next] = [text.charAt(at - 1), text.charAt(at)];
    const isNext = text.charCodeAt(at) === text.charCodeAt(at - 1) + 1;
    const turns = (before === '9' && next === 'a') || next === '0' || next === '1';
    if (!isNext && !turns && !(before === '0' && next === 'a')) slips += 1;
  }
  return slips <= text.length / STEPS_A_SLIP;
}

/** Whether a value looks generated: long, of letters and digits, without the regularity of words. */
export function looksGenerated(value: string): boolean {
  if (value.length < SHORTEST || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  if (isCounting(value)) return false;
  if (/^[\dA-Fa-f-]+$/.test(value)) return value.length >= HEX_SHORTEST && entropy(value) >= HEX_FLOOR;
  if (!/^[\w+/=.~:!@#%^&*-]+$/.test(value)) return false;
  // `some-name-v2`, `path/to/file1`, `a.b.c1`, `camelCaseName2`: words with a few digits.
  const pieces = value.split(/[-_./:]|(?<=[a-z\d])(?=[A-Z])/);
  const words = pieces.filter(
    (piece) => /^[A-Za-z]{0,20}\d{0,4}$/.test(piece) && /^(?:[A-Z]?[a-z]*|[A-Z]+)\d*$/.test(piece),
  );
  if (words.length === pieces.length && pieces.length <= value.length / 4) return false;
  return entropy(value) >= MIXED_FLOOR;
}

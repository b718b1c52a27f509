const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** Tokens of the form `prefix_` + 30 characters + 6 characters of checksum. */
const RANDOM_PART = 30;
const CHECKSUM_PART = 6;

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let crc = index;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? 0xedb88320 ^ (crc >>> 1) : crc >>> 1;
  return crc >>> 0;
});

/**
 * Whether the last six characters of a GitHub or npm token are the CRC-32 of the thirty before them, in base 62
 * with leading zeros. A right checksum proves that the text is no word and no dummy; a wrong one proves nothing,
 * since the form may change. Source: "Behind GitHub's new authentication token formats", GitHub blog, 5 April 2021.
 */
export function hasTokenChecksum(token: string): boolean {
  const body = token.slice(token.indexOf('_') + 1);
  if (body.length !== RANDOM_PART + CHECKSUM_PART) return false;
  return tokenChecksum(body.slice(0, RANDOM_PART)) === body.slice(RANDOM_PART);
}

/** The six characters of checksum that belong to the random part of a token. ASCII only. */
export function tokenChecksum(random: string): string {
  let crc = 0xffffffff;
  for (let i = 0; i < random.length; i += 1) {
    crc = (CRC_TABLE[(crc ^ random.charCodeAt(i)) & 0xff] ?? 0) ^ (crc >>> 8);
  }
  let rest = (crc ^ 0xffffffff) >>> 0;
  let digits = '';
  while (rest > 0) {
    digits = BASE62.charAt(rest % 62) + digits;
    rest = Math.floor(rest / 62);
  }
  return digits.padStart(CHECKSUM_PART, '0');
}

/** A text as it was read from bytes, or why it was not. */
export type Decoded =
  /** `line ends` and all else as they are; a byte order mark is left out. */
  | { readonly kind: 'text'; readonly text: string; readonly encoding: 'utf-8' | 'utf-16le' | 'utf-16be' }
  /** One character a byte: credentials in a provider's own form are found in it, names and lines mean nothing. */
  | { readonly kind: 'binary'; readonly text: string }
  | { readonly kind: 'too-large'; readonly size: number; readonly limit: number };

/** Larger files are not scanned, and said so. Ours: a lock file of a large project has some 2 MB. */
export const MAX_SCANNED_BYTES = 8 * 1024 * 1024;
/** How much git looks at to tell a binary file (`buffer_is_binary` of its xdiff interface). */
const BINARY_PROBE = 8000;

/**
 * Reads bytes as text: UTF-8, and UTF-16 with a byte order mark or with the look of it (every second byte of the
 * first 8,000 is zero). Bytes that are no UTF-8 become U+FFFD, which hides no credential: all are ASCII.
 * @param limit in bytes
 */
export function decodeText(bytes: Uint8Array, limit = MAX_SCANNED_BYTES): Decoded {
  if (bytes.length > limit) return { kind: 'too-large', size: bytes.length, limit };
  const [first, second, third] = bytes;
  if (first === 0xff && second === 0xfe) return { kind: 'text', text: utf16(bytes, 2, 'le'), encoding: 'utf-16le' };
  if (first === 0xfe && second === 0xff) return { kind: 'text', text: utf16(bytes, 2, 'be'), encoding: 'utf-16be' };
  const zeros = zerosIn(bytes.subarray(0, BINARY_PROBE));
  if (zeros.even + zeros.odd === 0) {
    const mark = first === 0xef && second === 0xbb && third === 0xbf ? 3 : 0;
    return { kind: 'text', text: Buffer.from(bytes.subarray(mark)).toString('utf8'), encoding: 'utf-8' };
  }
  const half = Math.min(bytes.length, BINARY_PROBE) / 2;
  if (bytes.length % 2 === 0 && zeros.odd > half * 0.7 && zeros.even < half * 0.1)
    return { kind: 'text', text: utf16(bytes, 0, 'le'), encoding: 'utf-16le' };
  if (bytes.length % 2 === 0 && zeros.even > half * 0.7 && zeros.odd < half * 0.1)
    return { kind: 'text', text: utf16(bytes, 0, 'be'), encoding: 'utf-16be' };
  return { kind: 'binary', text: Buffer.from(bytes).toString('latin1') };
}

function zerosIn(bytes: Uint8Array): { even: number; odd: number } {
  const count = { even: 0, odd: 0 };
  bytes.forEach((byte, index) => {
    if (byte === 0) count[index % 2 === 0 ? 'even' : 'odd'] += 1;
  });
  return count;
}

function utf16(bytes: Uint8Array, from: number, order: 'le' | 'be'): string {
  const even = Buffer.from(bytes.subarray(from, bytes.length - ((bytes.length - from) % 2)));
  return (order === 'be' ? even.swap16() : even).toString('utf16le');
}

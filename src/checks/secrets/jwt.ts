import type { Confidence } from './match.ts';

/** Parts of a token that are longer than this are not looked at as one. */
const LONGEST_PART = 20_000;

const BASE64URL = new Uint8Array(128);
for (const character of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
  BASE64URL[character.charCodeAt(0)] = 1;
}

/** Whether a character may stand in a base64url text (RFC 4648, section 5). */
export function isBase64Url(code: number): boolean {
  return code < 128 && BASE64URL[code] === 1;
}

export interface Jwt {
  readonly end: number;
  readonly confidence: Confidence;
}

/**
 * The JSON Web Token (RFC 7519) that starts at `start`, where the text reads `eyJ`, or undefined. `likely` if its
 * header decodes to a JOSE header and it is signed; `possible` if only the shape fits, or if it is the sample that
 * every tutorial shows. Linear: each part is walked once.
 */
export function jwtAt(text: string, start: number): Jwt | undefined {
  // Inside a longer run of the alphabet this is not the start: one run is looked at once, whatever it contains.
  if (start > 0 && isBase64Url(text.charCodeAt(start - 1)) && !followsEscape(text, start)) return undefined;
  const headerEnd = partEnd(text, start);
  if (headerEnd === undefined || headerEnd - start < 8 || text[headerEnd] !== '.') return undefined;
  const payloadStart = headerEnd + 1;
  const payloadEnd = partEnd(text, payloadStart);
  if (payloadEnd === undefined || payloadEnd - payloadStart < 8 || text[payloadEnd] !== '.') return undefined;
  const end = partEnd(text, payloadEnd + 1);
  if (end === undefined || end - payloadEnd - 1 < 10) return undefined;
  const header = json(text.slice(start, headerEnd));
  // Encrypted tokens have five parts and an opaque second one (RFC 7516).
  const isEncrypted = typeof header?.['enc'] === 'string';
  if (!isEncrypted && !text.startsWith('eyJ', payloadStart)) return undefined;
  if (typeof header?.['alg'] !== 'string') return { end, confidence: 'possible' };
  const payload = isEncrypted ? {} : json(text.slice(payloadStart, payloadEnd));
  if (payload === undefined || payload['sub'] === '1234567890') return { end, confidence: 'possible' };
  return { end, confidence: 'likely' };
}

/** Whether the character before `start` belongs to an escape such as `\n` or `%3D`, and so to no word. */
export function followsEscape(text: string, start: number): boolean {
  if (text[start - 2] === '\\' && 'nrtbfv0'.includes(text.charAt(start - 1))) return true;
  return text[start - 3] === '%' && /^[\dA-Fa-f]{2}$/.test(text.slice(start - 2, start));
}

function partEnd(text: string, start: number): number | undefined {
  let at = start;
  while (at < text.length && isBase64Url(text.charCodeAt(at))) {
    if (at - start > LONGEST_PART) return undefined;
    at += 1;
  }
  return at;
}

function json(part: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(atob(part.replaceAll('-', '+').replaceAll('_', '/')));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

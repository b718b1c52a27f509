import type { SecretMatch } from './match.ts';

/** What is looked at after a header: a key of 16,384 bits takes about 13 KB. */
const LONGEST_BLOCK = 32_768;
/** Key material that stands on a line with other text has at least this many characters. */
const SHORTEST_BODY = 40;

const HEADER = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/y;
const FOOTER = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/;
/** What may lead a line of a block in a comment, a quotation, a diff or an indented document. */
const LEAD = /^[\s#*>|+;"'`/-]{0,40}$/;
const KEY_LEAD = /[:=][\s|>"'`-]{0,10}$/;
/** Line ends as they are, and as they are written inside a string. */
const BREAK = /^[ \t]{0,8}(?:\\n|\\r|\r|\n|$)/;
/** Something that says that the key material was left out. */
const ELIDED =
  /\.\.\.|…|<[^<>\n]{1,60}>|\[[^[\]\n]{1,60}\]|\{[^{}\n]{1,60}\}|\$\w|\*{3}|x{6}|redacted|elided|snip|example|your/i;
/** No line of a block, quoted, commented or written inside a string, holds one of these. */
const NEVER_IN_A_BLOCK = /[^A-Za-z0-9+/=\s\\"'`#*>|,:;-]|[,;][ \t]{0,8}[A-Za-z]/;
const BASE64_RUN = /[A-Za-z0-9+/=]+/g;

/**
 * Private keys in PEM (RFC 7468, also those of OpenSSH and OpenPGP) and of PuTTY that start where a text reads
 * `-----BEGIN` or `PuTTY-User-Key-File`. A header on a line of its own counts by itself, unless what follows shows
 * that the key was left out; one inside a sentence or an expression needs key material after it.
 */
export function privateKeyAt(text: string, start: number): SecretMatch | undefined {
  if (text.startsWith('PuTTY-User-Key-File-', start)) return puttyKeyAt(text, start);
  HEADER.lastIndex = start;
  const header = HEADER.exec(text)?.[0];
  if (header === undefined) return undefined;
  const bodyStart = start + header.length;
  const ahead = text.slice(bodyStart, bodyStart + LONGEST_BLOCK);
  const nextBlock = ahead.indexOf('-----BEGIN');
  // Nothing is read beyond the next header: many headers in a row take no longer than one.
  const rest = nextBlock === -1 ? ahead : ahead.slice(0, nextBlock);
  const footer = FOOTER.exec(rest);
  const body = footer === null ? withoutText(rest) : rest.slice(0, footer.index);
  const found = (confidence: SecretMatch['confidence']): SecretMatch => ({
    rule: 'secrets/private-key',
    provider: 'private key',
    confidence,
    start,
    end: bodyStart + (footer === null ? materialEnd(body) : footer.index + footer[0].length),
  });

  const material = materialLength(body);
  if (material >= SHORTEST_BODY) return found('certain');
  // Only the last characters before it are looked at: a minified line may be long.
  const before = text.slice(Math.max(0, start - 60), start);
  const lead = before.slice(before.lastIndexOf('\n') + 1);
  if (!BREAK.test(rest) || !(LEAD.test(lead) || KEY_LEAD.test(lead))) return undefined;
  const isWholeLine = /^[ \t]{0,8}(?:\r?\n|\r|$)/.test(rest);
  if (!isWholeLine) return material >= 16 && !ELIDED.test(body) ? found('likely') : undefined;
  if (ELIDED.test(body.slice(0, 2000).split('\n', 4).join('\n')) || ELIDED.test(firstLine(rest))) return undefined;
  // Header and footer with nothing between them: there is no key.
  if (footer !== null && material === 0) return undefined;
  return found('likely');
}

// The first line below the header that is not blank: where there is no key, what is said instead stands there.
function firstLine(rest: string): string {
  return /\S[^\r\n]{0,200}/.exec(rest.slice(0, 400))?.[0] ?? '';
}

// Without a footer the block ends where something stands that is in none: the rest of a program or document may hold
// long words of its own.
function withoutText(rest: string): string {
  const end = rest.search(NEVER_IN_A_BLOCK);
  return end === -1 ? rest : rest.slice(0, end);
}

// Characters of key material: runs of base64 that are no words. Lines of a block are 64 or 70 characters, the last
// one shorter. Headers of the block itself (`Proc-Type: 4,ENCRYPTED`) have short runs.
function materialLength(body: string): number {
  let length = 0;
  for (const [run] of body.replaceAll(/\\[nr]/g, '\n').matchAll(BASE64_RUN)) {
    if (run.length >= 24 || (length > 0 && run.length >= 4)) length += run.length;
    else if (run.length >= 16 && /\d/.test(run)) length += run.length;
  }
  return length;
}

// Without a footer the match ends with the last line that can be key material.
function materialEnd(body: string): number {
  const lines = /^(?:[ \t]{0,8}\r?\n[ \t#*>|+-]{0,20}[A-Za-z0-9+/=,: -]{1,100}){0,400}/.exec(body);
  return lines?.[0].length ?? 0;
}

function puttyKeyAt(text: string, start: number): SecretMatch | undefined {
  const rest = text.slice(start, start + LONGEST_BLOCK);
  if (!/^PuTTY-User-Key-File-\d: ?[\w-]{2,40}\r?\n/.test(rest) || !rest.includes('\nPrivate-Lines:')) return undefined;
  const end = /\nPrivate-MAC: ?[0-9a-f]{0,128}/.exec(rest);
  return {
    rule: 'secrets/private-key',
    provider: 'PuTTY private key',
    confidence: 'certain',
    start,
    end: start + (end === null ? rest.length : end.index + end[0].length),
  };
}

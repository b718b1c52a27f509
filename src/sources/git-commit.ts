/** Who wrote or committed, as the commit says: free to set, so it proves nothing. */
export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
}

/** A commit as its object says, without any cache, graft or replacement in between. */
export interface ParsedCommit {
  readonly parents: readonly string[];
  readonly author: CommitIdentity;
  readonly committer: CommitIdentity;
  /** Empty where `unreadEncoding` is set. */
  readonly message: string;
  /** An encoding that the commit names and whose bytes do not show the text: then nothing of the message is known. */
  readonly unreadEncoding?: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Takes a commit object apart. The message is all that stands below the first empty line, also beyond a NUL
 * at which git's own output would end. It is read as UTF-8, else as the `encoding` header says, else byte by byte.
 * Format: Documentation/technical, "commit object"; lines that start with a space go on with the header above.
 */
export function parseCommit(bytes: Uint8Array): ParsedCommit {
  const raw = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const blank = raw.indexOf('\n\n');
  const head = blank === -1 ? raw : raw.subarray(0, blank);
  const body = blank === -1 ? raw.subarray(raw.length) : raw.subarray(blank + 2);
  const headers: { key: string; value: Buffer }[] = [];
  for (let at = 0; at < head.length;) {
    const lf = head.indexOf(0x0a, at);
    const line = head.subarray(at, lf === -1 ? undefined : lf);
    at = lf === -1 ? head.length : lf + 1;
    const space = line.indexOf(0x20);
    if (space > 0) headers.push({ key: line.toString('latin1', 0, space), value: line.subarray(space + 1) });
  }
  const first = (key: string): Buffer => headers.find((one) => one.key === key)?.value ?? Buffer.alloc(0);
  const encoding = first('encoding').toString('latin1');
  // Readers differ in which of several they take: git the first one, others the last.
  const unread = headers
    .filter(({ key }) => key === 'encoding')
    .map(({ value }) => value.toString('latin1'))
    .find((name) => !showsAscii(name));
  return {
    parents: headers.filter((one) => one.key === 'parent').map((one) => one.value.toString('latin1')),
    author: identity(decode(first('author'), encoding)),
    committer: identity(decode(first('committer'), encoding)),
    message: unread === undefined ? decode(body, encoding) : '',
    ...(unread === undefined ? {} : { unreadEncoding: unread }),
  };
}

/**
 * Text in the encoding of a commit: as UTF-8 if it is that, else as named, else byte by byte. Undefined for an
 * encoding whose bytes do not show the text.
 * @param encoding as a commit's header or `i18n.commitEncoding` names it; '' for none
 */
export function readCommitText(bytes: Uint8Array, encoding: string): string | undefined {
  if (!showsAscii(encoding)) return undefined;
  return decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding);
}

/** Names beside those of the Encoding Standard under which iconv knows encodings that extend ASCII. */
const ASCII_BASED =
  /^(?:iso-?8859-?\d{1,2}|l(?:atin-?)?\d{1,2}|(?:cp|win(?:dows)?-?)(?:12|13)\d{1,2}|(?:cp|ibm)-?(?:437|737|775|85\d|86\d|874|932|936|949|950)|gb-?(?:2312|k|18030)|euc-?(?:jp|kr|cn|tw)|big5(?:-?hkscs)?|koi8-?[a-z]{1,2}|mac-?roman|tis-?620|viscii|ansi_x3\.4-19\d\d|utf-?8(?:-?mac|mb4)?)$/i;

/**
 * Whether each ASCII character of a text stands as its own byte in an encoding. In UTF-7, UTF-16, UTF-32, EBCDIC or
 * ISO 2022 a text can be written of which the bytes show nothing, or something else. Encodings that nobody knows here
 * count among them: iconv knows hundreds, and readers may show what it makes of the bytes.
 */
function showsAscii(encoding: string): boolean {
  const name = encoding.trim();
  if (name === '' || ASCII_BASED.test(name)) return true;
  try {
    return !/^(?:utf-16|iso-2022|replacement)/.test(new TextDecoder(name).encoding);
  } catch {
    return false;
  }
}

// Name up to the first '<', address up to the next '>', as git takes it apart (ident.c, split_ident_line).
function identity(line: string): CommitIdentity {
  const open = line.indexOf('<');
  if (open === -1) return { name: line.trim(), email: '' };
  const close = line.indexOf('>', open);
  return { name: line.slice(0, open).trim(), email: line.slice(open + 1, close === -1 ? undefined : close).trim() };
}

function decode(bytes: Buffer, encoding: string): string {
  try {
    return utf8.decode(bytes);
  } catch {
    // not UTF-8: whatever it is, nothing may be lost
  }
  try {
    return new TextDecoder(encoding === '' ? 'latin1' : encoding, { ignoreBOM: true }).decode(bytes);
  } catch {
    return bytes.toString('latin1'); // an encoding that nobody knows
  }
}

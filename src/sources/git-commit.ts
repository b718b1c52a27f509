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
  readonly message: string;
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
  return {
    parents: headers.filter((one) => one.key === 'parent').map((one) => one.value.toString('latin1')),
    author: identity(decode(first('author'), encoding)),
    committer: identity(decode(first('committer'), encoding)),
    message: decode(body, encoding),
  };
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

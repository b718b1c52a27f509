/** An entry of a tree object. */
export interface TreeItem {
  /** The name's bytes as text, or undefined where they are no UTF-8. */
  readonly name: string | undefined;
  readonly shown: string;
  readonly kind: 'folder' | 'file' | 'executable' | 'link' | 'submodule' | 'unknown';
  readonly oid: string;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Takes a tree object apart: "<mode> <name>\0<id>" again and again.
 * @param idLength bytes of an object id: 20 or 32
 * @returns undefined where the bytes are no tree
 */
export function parseTree(bytes: Buffer, idLength: 20 | 32): TreeItem[] | undefined {
  const items: TreeItem[] = [];
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const nul = space === -1 ? -1 : bytes.indexOf(0, space);
    if (space === -1 || nul === -1 || nul + 1 + idLength > bytes.length || space - at > 7) return undefined;
    const mode = Number.parseInt(bytes.toString('latin1', at, space), 8);
    const name = bytes.subarray(space + 1, nul);
    items.push({
      name: textOfBytes(name),
      shown: showBytes(name),
      kind: kindOf(mode),
      oid: bytes.toString('hex', nul + 1, nul + 1 + idLength),
    });
    at = nul + 1 + idLength;
  }
  return items;
}

// Git itself reads any regular mode by its owner's execute bit (cache.h, canon_mode).
function kindOf(mode: number): TreeItem['kind'] {
  switch (mode & 0o170000) {
    case 0o040000:
      return 'folder';
    case 0o100000:
      return (mode & 0o100) === 0 ? 'file' : 'executable';
    case 0o120000:
      return 'link';
    case 0o160000:
      return 'submodule';
    default:
      return 'unknown';
  }
}

/** Bytes as text, or undefined where they are no valid UTF-8. */
export function textOfBytes(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Bytes of a path in a form that can be shown: what is no printable ASCII as `\xff`, at most 200 bytes of it. */
export function showBytes(bytes: Uint8Array): string {
  const shown = [...bytes.subarray(0, 200)].map((byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, '0')}`,
  );
  return shown.join('') + (bytes.length > 200 ? '…' : '');
}

import { closeSync, constants, fstatSync, lstatSync, openSync, readSync, statSync } from 'node:fs';
import { decodeText, MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import type { Decoded } from '../../checks/secrets/decode.ts';
import { isErrno } from '../../workspace/disk-tree.ts';

/** What stands at a path on disk. Nothing is followed, and nothing is opened that could block or act. */
export type DiskItem =
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly decoded: Exclude<Decoded, { kind: 'too-large' }> }
  | { readonly kind: 'too-large'; readonly size: number }
  | { readonly kind: 'link' | 'dangling-link' | 'folder' | 'other' | 'absent' }
  | { readonly kind: 'unreadable'; readonly why: string };

/** Reads a file of at most 8 MiB; a file that grows while it is read is read as far as it was. */
export function readDiskItem(path: string): DiskItem {
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) return { kind: 'absent' };
    if (stat.isSymbolicLink()) return { kind: leadsSomewhere(path) ? 'link' : 'dangling-link' };
    if (stat.isDirectory()) return { kind: 'folder' };
    if (!stat.isFile()) return { kind: 'other' };
    if (stat.size > MAX_SCANNED_BYTES) return { kind: 'too-large', size: stat.size };
    const bytes = contentOf(path);
    if (bytes === undefined) return { kind: 'other' };
    const decoded = decodeText(bytes);
    return decoded.kind === 'too-large' ? { kind: 'too-large', size: decoded.size } : { kind: 'file', bytes, decoded };
  } catch (thrown) {
    if (isErrno(thrown, 'ENOENT') || isErrno(thrown, 'ENOTDIR')) return { kind: 'absent' };
    const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : 'unknown error';
    return { kind: 'unreadable', why: `it cannot be read (${code})` };
  }
}

function leadsSomewhere(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // a loop of links
  }
}

// What was a file may be another thing when it is opened: a link is refused, a pipe would not block.
function contentOf(path: string): Buffer | undefined {
  const handle = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(handle);
    if (!stat.isFile()) return undefined;
    const bytes = Buffer.allocUnsafe(Math.min(stat.size, MAX_SCANNED_BYTES + 1));
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(handle, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(handle);
  }
}

import { createHash } from 'node:crypto';
import { constants, lstatSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { lstat, open, readdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Refusal } from '../../domain/errors.ts';
import { compareCodePoints } from '../../domain/text/order.ts';
import { isErrno } from '../../workspace/disk-tree.ts';
import { showBytes, textOfBytes } from '../git-tree.ts';
import { below, isImpossibleName, MAX_LISTED, MAX_PATH, stepsOf } from './snapshot.ts';
import type { Listing, SnapshotContent, SnapshotItem, SnapshotMode, SourceSnapshot, Unread } from './snapshot.ts';

/** Bytes that are read at once of a file. */
const CHUNK = 256 * 1024;

/**
 * The files of a folder on disk, ignored and untracked ones too, without the folder `.git` at its top; a folder
 * with a `.git` of its own is a submodule. The bytes are those on disk: where git converts line ends at checkout,
 * they differ from the commit's. The state is as fixed as the folder is left alone.
 * @param root absolute path, links resolved
 */
export function workingTreeSnapshot(root: string): SourceSnapshot {
  const onDisk = (path: string): string => join(root, ...stepsOf(path));

  // What stands at a path, or at the first step to it that is no folder.
  const find = async (path: string): Promise<Found | undefined> => {
    let at = '';
    let stat: Stats | undefined = await statAt(root, '');
    for (const step of stepsOf(path)) {
      if (stat === undefined || kindOf(stat, onDisk(at), at) !== 'folder') break;
      if (isImpossibleName(step) || (sep !== '/' && step.includes(sep))) return undefined;
      at = below(at, step);
      stat = await statAt(onDisk(at), at);
    }
    return stat === undefined ? undefined : { at, stat, kind: kindOf(stat, onDisk(at), at) };
  };

  const listFolder = async (listing: Draft, folder: string): Promise<void> => {
    let names;
    try {
      names = await readdir(onDisk(folder), { encoding: 'buffer' });
    } catch (cause) {
      throw unreadable(folder, cause);
    }
    for (const bytes of names) {
      const name = textOfBytes(bytes);
      const path = below(folder, name ?? showBytes(bytes));
      if (folder === '' && name?.toLowerCase() === '.git') continue;
      if (name === undefined) {
        listing.unread.push({ what: path, why: 'its name is not valid UTF-8' });
        continue;
      }
      if (Buffer.byteLength(path) > MAX_PATH) {
        listing.unread.push({ what: path.slice(0, 200), why: `its path is longer than ${MAX_PATH} bytes` });
        continue;
      }
      if (listing.full) return;
      const stat = await statAt(onDisk(path), path);
      if (stat === undefined) continue; // gone since the folder was read
      const kind = kindOf(stat, onDisk(path), path);
      if (kind === 'folder') await listFolder(listing, path);
      else if (kind === 'other') listing.unread.push({ what: path, why: 'it is neither a file, a folder nor a link' });
      else if (listing.items.length >= listing.limit) listing.full = true;
      else listing.items.push({ path, mode: kind });
    }
  };

  return {
    list: async (path, limit = MAX_LISTED): Promise<Listing> => {
      const found = await find(path);
      if (found === undefined) return { items: [], unread: [] };
      const { at, kind } = found;
      if (kind === 'other')
        return { items: [], unread: [{ what: at, why: 'it is neither a file, a folder nor a link' }] };
      if (kind !== 'folder') return { items: [{ path: at, mode: kind }], unread: [] };
      const listing: Draft = { items: [], unread: [], limit, full: false };
      await listFolder(listing, at);
      if (listing.full) listing.unread.push({ what: at, why: `more than ${limit} files stand there` });
      return { items: listing.items.sort((a, b) => compareCodePoints(a.path, b.path)), unread: listing.unread };
    },
    look: async (path) => {
      const found = await find(path);
      if (found === undefined || found.at !== path || found.kind === 'folder' || found.kind === 'other')
        return undefined;
      return { mode: found.kind, size: found.kind === '160000' ? undefined : found.stat.size };
    },
    read: async (path, hold) => {
      const found = await find(path);
      if (found?.at !== path || (found.kind !== '100644' && found.kind !== '100755')) return undefined;
      try {
        return await readFile(onDisk(path), hold);
      } catch (cause) {
        throw unreadable(path, cause);
      }
    },
  };
}

interface Draft {
  readonly items: SnapshotItem[];
  readonly unread: Unread[];
  readonly limit: number;
  full: boolean;
}

interface Found {
  readonly at: string;
  readonly stat: Stats;
  readonly kind: SnapshotMode | 'folder' | 'other';
}

async function statAt(real: string, path: string): Promise<Stats | undefined> {
  try {
    return await lstat(real);
  } catch (cause) {
    if (isErrno(cause, 'ENOENT', 'ENOTDIR', 'EINVAL', 'ERR_INVALID_ARG_VALUE')) return undefined;
    throw unreadable(path, cause);
  }
}

function kindOf(stat: Stats, real: string, path: string): Found['kind'] {
  if (stat.isSymbolicLink()) return '120000';
  if (stat.isDirectory()) {
    const nested = path !== '' && lstatSync(join(real, '.git'), { throwIfNoEntry: false }) !== undefined;
    return nested ? '160000' : 'folder';
  }
  if (!stat.isFile()) return 'other';
  return process.platform !== 'win32' && (stat.mode & 0o100) !== 0 ? '100755' : '100644';
}

async function readFile(real: string, hold: number): Promise<SnapshotContent | undefined> {
  // No link that took the file's place meanwhile, and no waiting for a pipe's other end.
  const file = await open(real, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = await file.stat();
    if (!stat.isFile()) return undefined;
    const digest = createHash('sha256');
    const chunks: Buffer[] = [];
    let size = 0;
    for (;;) {
      const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(Math.min(CHUNK, stat.size + 1)), 0);
      if (bytesRead === 0) break;
      const chunk = buffer.subarray(0, bytesRead);
      digest.update(chunk);
      size += bytesRead;
      if (size <= hold) chunks.push(chunk);
      else chunks.length = 0;
    }
    return { size, sha256: digest.digest('hex'), bytes: size <= hold ? Buffer.concat(chunks) : undefined };
  } finally {
    await file.close();
  }
}

function unreadable(path: string, cause: unknown): Refusal {
  if (cause instanceof Refusal) return cause;
  return new Refusal('CS1201', `${path === '' ? 'The folder' : path} cannot be read.`, { where: path, cause });
}

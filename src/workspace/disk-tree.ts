import { createHash, hash } from 'node:crypto';
import {
  closeSync,
  openSync,
  readSync,
  lstatSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import type { Dirent } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { compareCodePoints } from '../domain/text/order.ts';
import type { Entry, ListedEntry, Measure, Tree } from '../domain/tree.ts';

// A link can lead to a link; the system itself gives up after 40 (Linux, path_resolution(7)).
const MAX_LINKS = 40;

/**
 * A project's folder on disk as a Tree. What is found is kept for the life of the tree: make a
 * new one for each operation.
 * @param root absolute path of the project's folder, links resolved
 */
export function diskTree(root: string): Tree {
  const known = new Map<string, Resolved>([['', { kind: 'at', real: root, link: false }]]);

  const resolvePath = (path: string): Resolved => {
    const before = known.get(path);
    if (before !== undefined) return before;
    const cut = path.lastIndexOf('/');
    const parentPath = cut === -1 ? '' : path.slice(0, cut);
    const parent = resolvePath(parentPath);
    if (parent.kind !== 'at') return parent;
    const resolved = step(parent, parentPath, path, path.slice(cut + 1));
    if (resolved.kind === 'at' && resolved.folder === true) known.set(path, resolved);
    return resolved;
  };

  const realOf = (path: string): string => {
    const resolved = resolvePath(path);
    if (resolved.kind !== 'at') throw new Error(`nothing to read at ${path}`);
    return resolved.real;
  };

  return {
    look: (path) => entryOf(resolvePath(path)),
    list: (path) => {
      const folder = resolvePath(path);
      const entries = readdirSync(realOf(path), { withFileTypes: true });
      return entries
        .map((entry): ListedEntry => {
          const kind = kindOf(entry);
          // What the listing says need not be asked again: a run with many records is mostly such questions.
          if (folder.kind === 'at' && (kind === 'file' || kind === 'folder')) {
            const real = folder.real + sep + entry.name;
            const isFile = kind === 'file';
            known.set(`${path}/${entry.name}`, { kind: 'at', real, link: folder.link, folder: !isFile, file: isFile });
          }
          return { name: entry.name, kind };
        })
        .sort((a, b) => compareCodePoints(a.name, b.name));
    },
    read: (path) => readFileSync(realOf(path)),
    measure: (path) => measureFile(realOf(path)),
  };
}

function kindOf(entry: Dirent): ListedEntry['kind'] {
  return entry.isSymbolicLink() ? 'link' : entry.isFile() ? 'file' : entry.isDirectory() ? 'folder' : 'other';
}

/** Bytes that are read at a time; most artifacts are logs that fit. */
const CHUNK = 64 * 1024;
const chunk = Buffer.allocUnsafe(CHUNK);

// Artifacts are only measured: reading them through one buffer keeps a run with many of them small and quick.
function measureFile(path: string): Measure {
  const file = openSync(path, 'r');
  try {
    let size = readSync(file, chunk, 0, CHUNK, null);
    if (size < CHUNK) {
      const more = readSync(file, chunk, size, CHUNK - size, null);
      if (more === 0) return { size, sha256: hash('sha256', chunk.subarray(0, size), 'hex') };
      size += more;
    }
    const digest = createHash('sha256').update(chunk.subarray(0, size));
    for (let read = readSync(file, chunk, 0, CHUNK, null); read > 0; read = readSync(file, chunk, 0, CHUNK, null)) {
      digest.update(chunk.subarray(0, read));
      size += read;
    }
    return { size, sha256: digest.digest('hex') };
  } finally {
    closeSync(file);
  }
}

type Resolved =
  | {
      readonly kind: 'at';
      readonly real: string;
      readonly link: boolean;
      readonly folder?: boolean;
      readonly file?: boolean;
    }
  | Exclude<Entry, { readonly kind: 'file' | 'folder' | 'other' }>;

function entryOf(resolved: Resolved): Entry {
  if (resolved.kind !== 'at') return resolved;
  const { link } = resolved;
  if (resolved.file === true) return { kind: 'file', link };
  return resolved.folder === false ? { kind: 'other', link } : { kind: 'folder', link };
}

function step(parent: Resolved & { kind: 'at' }, parentPath: string, path: string, name: string): Resolved {
  if (parent.folder === false || parent.file === true) return { kind: 'not-a-folder', at: parentPath };
  const at = join(parent.real, name);
  try {
    const stat = lstatSync(at, { throwIfNoEntry: false });
    if (stat === undefined) return { kind: 'absent', link: parent.link };
    if (!stat.isSymbolicLink())
      return { kind: 'at', real: at, link: parent.link, folder: stat.isDirectory(), file: stat.isFile() };
    const target = linkTarget(at);
    if (target !== undefined && !isBelow(target, parent.real)) return { kind: 'escapes', at: path };
    const behind = target === undefined ? undefined : statSync(target, { throwIfNoEntry: false });
    if (target === undefined || behind === undefined) return { kind: 'absent', link: true };
    return { kind: 'at', real: target, link: true, folder: behind.isDirectory(), file: behind.isFile() };
  } catch (cause) {
    if (isErrno(cause, 'ENOENT')) return { kind: 'absent', link: parent.link };
    return { kind: 'unreadable', cause };
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep) && path !== folder;
}

// Where a link leads, also where nothing is there: a dangling link is judged by its target's place.
function linkTarget(at: string): string | undefined {
  try {
    return realpathSync.native(at);
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT')) throw cause;
  }
  let target = at;
  for (let hops = 0; hops < MAX_LINKS; hops += 1) {
    const stat = lstatSync(target, { throwIfNoEntry: false });
    if (stat === undefined || !stat.isSymbolicLink()) return stat === undefined ? realParent(target) : target;
    target = resolve(dirname(target), readlinkSync(target));
  }
  return undefined;
}

function realParent(path: string): string {
  const parent = dirname(path);
  if (parent === path) return path;
  try {
    return join(realpathSync.native(parent), path.slice(parent.length));
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT')) throw cause;
    return join(realParent(parent), path.slice(parent.length));
  }
}

/** Whether a thrown value is a system error of a given code. */
export function isErrno(thrown: unknown, ...codes: readonly string[]): boolean {
  // Not `instanceof Error`: an error of Node's own modules is none in another realm, such as a test's.
  return (
    typeof thrown === 'object' &&
    thrown !== null &&
    'code' in thrown &&
    typeof thrown.code === 'string' &&
    codes.includes(thrown.code)
  );
}

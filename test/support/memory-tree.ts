import { createHash } from 'node:crypto';
import { compareCodePoints } from '../../src/domain/text/order.ts';
import type { Entry, ListedEntry, Tree } from '../../src/domain/tree.ts';

/** Files of a tree by path: their bytes, or where a link leads. */
export type Files = ReadonlyMap<string, Uint8Array | { readonly link: string }>;

/** A tree in memory. Links to absolute paths, or to above the root, count as leaving their folder. */
export function memoryTree(files: Files): Tree {
  const folders = new Set(['']);
  for (const path of files.keys()) {
    for (let cut = path.lastIndexOf('/'); cut > 0; cut = path.lastIndexOf('/', cut - 1))
      folders.add(path.slice(0, cut));
  }
  const at = (path: string): string => {
    const found = resolve(path, 0);
    if (found.kind !== 'at') throw new Error(`nothing to read at ${path}`);
    return found.path;
  };

  function resolve(path: string, hops: number): Found {
    if (path === '') return { kind: 'at', path, link: false };
    const cut = path.lastIndexOf('/');
    const parent = resolve(path.slice(0, Math.max(cut, 0)), hops);
    if (parent.kind !== 'at') return parent;
    if (!folders.has(parent.path)) {
      return files.has(parent.path)
        ? { kind: 'not-a-folder', at: path.slice(0, Math.max(cut, 0)) }
        : { kind: 'absent', link: parent.link };
    }
    const own = parent.path === '' ? path.slice(cut + 1) : `${parent.path}/${path.slice(cut + 1)}`;
    const content = files.get(own);
    if (content === undefined || content instanceof Uint8Array) return { kind: 'at', path: own, link: parent.link };
    if (hops > 40) return { kind: 'unreadable', cause: new Error('a loop of links') };
    const target = joined(parent.path, content.link);
    if (target === undefined) return { kind: 'escapes', at: path };
    const behind = resolve(target, hops + 1);
    if (behind.kind !== 'at') return behind;
    const inside = parent.path === '' ? behind.path !== '' : behind.path.startsWith(`${parent.path}/`);
    return inside ? { ...behind, link: true } : { kind: 'escapes', at: path };
  }

  return {
    look: (path): Entry => {
      const found = resolve(path, 0);
      if (found.kind !== 'at') return found;
      const { link } = found;
      if (folders.has(found.path)) return { kind: 'folder', link };
      return files.has(found.path) ? { kind: 'file', link } : { kind: 'absent', link };
    },
    list: (path) => {
      const folder = at(path);
      const start = folder === '' ? '' : `${folder}/`;
      const names = new Map<string, ListedEntry['kind']>();
      for (const [file, content] of files) {
        if (!file.startsWith(start)) continue;
        const [name = '', below] = file.slice(start.length).split('/');
        names.set(name, below !== undefined ? 'folder' : content instanceof Uint8Array ? 'file' : 'link');
      }
      return [...names].map(([name, kind]) => ({ name, kind })).sort((a, b) => compareCodePoints(a.name, b.name));
    },
    read: (path) => bytesOf(files, at(path)),
    measure: (path) => {
      const bytes = bytesOf(files, at(path));
      return { size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
    },
  };
}

type Found =
  | { readonly kind: 'at'; readonly path: string; readonly link: boolean }
  | Exclude<Entry, { readonly kind: 'file' | 'folder' | 'other' }>;

function bytesOf(files: Files, path: string): Uint8Array {
  const content = files.get(path);
  if (content instanceof Uint8Array) return content;
  throw new Error(`no file at ${path}`);
}

function joined(folder: string, target: string): string | undefined {
  if (target.startsWith('/')) return undefined;
  const parts = folder === '' ? [] : folder.split('/');
  for (const part of target.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join('/');
}

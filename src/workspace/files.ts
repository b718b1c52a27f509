import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, writeSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import { Refusal } from '../domain/errors.ts';

/**
 * Runs `body`; what the system refuses becomes an orderly refusal.
 * @param where the path concerned, as a person should read it
 * @throws Refusal CS1201
 */
export function orRefuse<T>(where: string, what: 'read' | 'written', body: () => T): T {
  try {
    return body();
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal('CS1201', `${where} cannot be ${what}.`, { where, cause });
  }
}

/** What stands at a path itself, links not followed; undefined where nothing does. */
export function statOf(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

/** Makes a folder and those above it that lack, durably. */
export function makeFolder(path: string): void {
  const first = mkdirSync(path, { recursive: true });
  if (first === undefined) return;
  const top = dirname(first);
  for (let folder = path; folder !== top && folder !== dirname(folder); folder = dirname(folder)) {
    syncFolder(folder);
  }
  syncFolder(top);
}

/** Writes a file anew; its content, not yet its name, is on the disk when this returns. */
export function writeSynced(path: string, content: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  const file = openSync(path, 'wx', 0o644);
  try {
    const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a folder durable; Windows cannot open folders and needs no such step. */
export function syncFolder(path: string): void {
  if (process.platform === 'win32') return;
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

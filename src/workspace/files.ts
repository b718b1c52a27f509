import { closeSync, fsyncSync, lstatSync, mkdirSync, openSync, statSync, writeSync } from 'node:fs';
import type { Stats } from 'node:fs';
import { dirname } from 'node:path';
import { Refusal } from '../domain/errors.ts';
import { isErrno } from './disk-tree.ts';

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

/**
 * Makes a folder and those above it that lack, durably. Step by step, since Node's own recursion says ENOENT where the
 * file system is read-only, and does not end where one (such as /proc) answers ENOENT for every new folder.
 */
export function makeFolder(path: string, tries = TRIES): void {
  if (isFolder(path)) return;
  try {
    mkdirSync(path);
  } catch (cause) {
    const parent = dirname(path);
    const gone = isErrno(cause, 'ENOENT') && parent !== path && !isFolder(parent);
    if (gone) makeFolder(parent);
    // Another writer was faster, or its folder went again between two of our steps.
    else if (!isErrno(cause, 'EEXIST') || (lstatSync(path, { throwIfNoEntry: false }) !== undefined && !isFolder(path)))
      throw cause;
    if (tries === 0) throw cause;
    makeFolder(path, tries - 1);
    return;
  }
  syncFolder(path);
  syncFolder(dirname(path));
}

/** How often a folder that others make and remove is tried again. */
const TRIES = 20;

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Writes a file anew; its content, not yet its name, is on the disk when this returns. */
export function writeSynced(path: string, content: string | Uint8Array): void {
  makeFolder(dirname(path));
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

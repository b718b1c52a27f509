import { closeSync, constants, fstatSync, linkSync, openSync, readFileSync, renameSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { isRefusal, Refusal } from '../domain/errors.ts';
import { factsSchema } from '../gate/facts.ts';
import type { Facts } from '../gate/facts.ts';
import { isErrno } from '../workspace/disk-tree.ts';
import { orRefuse, syncFolder, writeSynced } from '../workspace/files.ts';
import { textOfBytes } from './git-tree.ts';

/** Bytes of a file of facts. */
export const MAX_FACTS_FILE = 64 * 1024 * 1024;

/** Problems that a refusal names. */
const SHOWN_PROBLEMS = 5;

/**
 * Reads recorded facts.
 * @throws Refusal CS1510 unreadable, too large, not JSON, or not of the form of facts, with the places of the first
 * problems
 */
export function readFacts(path: string): Facts {
  const text = textOfBytes(bytesOf(path));
  if (text === undefined) throw refuse(path, 'is not valid UTF-8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refuse(path, 'is no JSON', cause);
  }
  const parsed = factsSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const shown = issues.slice(0, SHOWN_PROBLEMS).map((issue) => `${placeOf(issue.path)}: ${issue.message}`);
  const more = issues.length > shown.length ? `; and ${issues.length - shown.length} more` : '';
  throw refuse(path, `holds no facts: ${shown.join('; ').slice(0, 1000)}${more}`);
}

/** What is to be judged cannot be had, whatever the reason: that has a code, and so an exit code, of its own. */
function bytesOf(path: string): Buffer {
  try {
    return orRefuse(path, 'read', () => readBounded(path));
  } catch (thrown) {
    if (!isRefusal(thrown) || thrown.code === 'CS1510') throw thrown;
    throw refuse(path, 'cannot be read', thrown);
  }
}

function readBounded(path: string): Buffer {
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) throw refuse(path, 'is no regular file');
    if (stat.size > MAX_FACTS_FILE) throw refuse(path, `is larger than ${MAX_FACTS_FILE / 1024 / 1024} MiB`);
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}

/** How facts are written down: two-space JSON and a final line feed. */
export function factsText(facts: Facts): string {
  return `${JSON.stringify(facts, undefined, 2)}\n`;
}

/**
 * Records facts: the whole file or nothing.
 * @param existing what to do with a file of that name
 * @throws Refusal CS1204 where a file of that name exists and is to be kept; CS1510 larger than can be read again; CS1201
 */
export function writeFacts(path: string, facts: Facts, existing: 'keep' | 'replace' = 'keep'): void {
  const bytes = Buffer.from(factsText(facts), 'utf8');
  if (bytes.length > MAX_FACTS_FILE) throw refuse(path, `would be larger than ${MAX_FACTS_FILE / 1024 / 1024} MiB`);
  const part = join(dirname(path), `.${basename(path)}.${randomUUID()}.part`);
  orRefuse(path, 'written', () => {
    try {
      writeSynced(part, bytes);
      if (existing === 'replace') renameSync(part, path);
      else linkSync(part, path); // other than a rename, it never takes the place of a file
      syncFolder(dirname(path));
    } catch (cause) {
      if (!isErrno(cause, 'EEXIST')) throw cause;
      throw new Refusal('CS1204', `${path} exists.`, { where: path, cause });
    } finally {
      remove(part);
    }
  });
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (cause) {
    if (!isErrno(cause, 'ENOENT')) throw cause;
  }
}

function placeOf(path: readonly PropertyKey[]): string {
  return path.length === 0 ? 'the whole' : path.map(String).join('.');
}

function refuse(path: string, why: string, cause?: unknown): Refusal {
  return new Refusal('CS1510', `${path} ${why}.`, { where: path, cause });
}

import type { RefusalCode } from './codes.ts';
import { Refusal } from './errors.ts';
import type { JsonNode } from './json/node.ts';
import { MAX_DOCUMENT_SIZE, readJson } from './json/read.ts';
import type { Reading } from './json/read.ts';
import { universalNewlines } from './text/trim.ts';
import type { ListedEntry, Tree } from './tree.ts';

/** A project's documents and how they are to be read. */
export interface Project {
  readonly tree: Tree;
  readonly reading: Reading;
}

/** The folder that holds all documents of these formats. */
export const RAPID_OS = '.rapid-os';

// The quick decoder writes U+FFFD for what is no UTF-8; only a text that has one needs the strict decoder's word.
function decode(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text.includes('\ufffd') ? utf8.decode(bytes) : text;
}

/** How a document's faults are coded: by area, as the formats say. */
export interface Area {
  /** Unsafe, unreadable or not UTF-8. */
  readonly unsafe: RefusalCode;
  /** Not JSON, or not of the document's form. */
  readonly malformed: RefusalCode;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Whether a regular file stands at a path.
 * @throws Refusal `unsafe` for anything else that stands there; CS1107 for a link in strict reading
 */
export function fileExists(project: Project, path: string, unsafe: RefusalCode): boolean {
  return exists(project, path, unsafe, 'file');
}

/** The same for a folder. */
export function folderExists(project: Project, path: string, unsafe: RefusalCode): boolean {
  return exists(project, path, unsafe, 'folder');
}

function exists(project: Project, path: string, unsafe: RefusalCode, wanted: 'file' | 'folder'): boolean {
  const entry = project.tree.look(path);
  const refuse = (message: string, cause?: unknown): Refusal => new Refusal(unsafe, message, { where: path, cause });
  switch (entry.kind) {
    case 'escapes':
      refuseLink(project, entry.at);
      throw refuse(`${entry.at} is a link that escapes its folder.`);
    case 'not-a-folder':
      throw refuse(`${entry.at} is not a directory.`);
    case 'unreadable':
      throw refuse(`${path} cannot be read.`, entry.cause);
    case 'file':
    case 'folder':
    case 'other':
    case 'absent':
      if (entry.link) refuseLink(project, path);
      if (entry.kind === 'absent') return false;
      if (entry.kind === wanted) return true;
      throw refuse(`${path} is not a ${wanted === 'file' ? 'regular file' : 'directory'}.`);
  }
}

function refuseLink(project: Project, path: string): void {
  if (project.reading !== 'strict') return;
  throw new Refusal('CS1107', `${path} is, or lies behind, a symbolic link.`, { where: path });
}

/**
 * The entries of a folder, empty where it does not exist.
 * @throws Refusal `unsafe` where it is no folder, and for an entry that is a link where `links` is "refuse"
 */
export function listFolder(
  project: Project,
  path: string,
  unsafe: RefusalCode,
  links: 'refuse' | 'report' = 'refuse',
): readonly ListedEntry[] {
  if (!folderExists(project, path, unsafe)) return [];
  const entries = attempt(path, unsafe, () => project.tree.list(path));
  const link = entries.find((entry) => entry.kind === 'link');
  if (link !== undefined && project.reading === 'strict') refuseLink(project, `${path}/${link.name}`);
  if (link !== undefined && links === 'refuse') {
    throw new Refusal(unsafe, `${path}/${link.name} is a symlink.`, { where: `${path}/${link.name}` });
  }
  return entries;
}

/** Options of reading a text file. */
export interface TextOptions {
  /** A digest covers the text, so strict reading refuses other line ends than LF. */
  readonly hashed?: boolean;
}

/**
 * The text of a file that exists: strict UTF-8, line ends as LF.
 * @throws Refusal `unsafe` for unreadable bytes; CS1108 and CS1110 in strict reading
 */
export function readText(project: Project, path: string, unsafe: RefusalCode, options: TextOptions = {}): string {
  const bytes = attempt(path, unsafe, () => project.tree.read(path));
  if (project.reading === 'strict' && bytes.length > MAX_DOCUMENT_SIZE) {
    throw new Refusal('CS1108', `${path} is larger than 8 MiB.`, { where: path });
  }
  let text: string;
  try {
    text = decode(bytes);
  } catch (cause) {
    throw new Refusal(unsafe, `${path} is not valid UTF-8.`, { where: path, cause });
  }
  if (project.reading === 'strict' && options.hashed === true && text.includes('\r')) {
    throw new Refusal('CS1110', `${path} has CR line ends, and a digest covers it.`, { where: path });
  }
  return universalNewlines(text);
}

/** Reads a file that exists as JSON. */
export function readDocument(project: Project, path: string, area: Area): JsonNode {
  const text = readText(project, path, area.unsafe);
  return readJson(text, { code: area.malformed, file: path, reading: project.reading });
}

function attempt<T>(path: string, unsafe: RefusalCode, body: () => T): T {
  try {
    return body();
  } catch (cause) {
    if (cause instanceof Refusal) throw cause;
    throw new Refusal(unsafe, `${path} cannot be read.`, { where: path, cause });
  }
}

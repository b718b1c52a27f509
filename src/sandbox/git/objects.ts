import { startGit } from './run.ts';

export interface GitObject {
  readonly sha: string;
  readonly type: 'blob' | 'tree' | 'commit' | 'tag';
  readonly bytes: Buffer;
}

interface Reader {
  readonly read: (name: string) => Promise<GitObject | undefined>;
  readonly close: () => void;
}

const readers = new Map<string, Reader>();

/** Reads an object by a name that git can resolve, through one long-lived process a repository. */
export function readObject(folder: string, name: string): Promise<GitObject | undefined> {
  if (/[\n\0]/.test(name)) return Promise.resolve(undefined);
  const reader = readers.get(folder) ?? startReader(folder);
  readers.set(folder, reader);
  return reader.read(name);
}

/** Ends the processes of all repositories in a folder. */
export function closeReaders(parent: string): void {
  for (const [folder, reader] of readers) {
    if (!folder.startsWith(parent)) continue;
    reader.close();
    readers.delete(folder);
  }
}

function startReader(folder: string): Reader {
  const child = startGit(folder, ['cat-file', '--batch']);
  const waiting: ((found: GitObject | undefined) => void)[] = [];
  let held: Buffer[] = [];
  let size = 0;
  let needed = 0;
  const take = (): void => {
    // Chunks are joined only once enough has come: else a big object would be copied with each chunk.
    if (size < needed) return;
    let all = Buffer.concat(held);
    for (;;) {
      const end = all.indexOf(10);
      if (end < 0) break;
      const [sha = '', type = '', length = ''] = all.subarray(0, end).toString('utf8').split(' ');
      if (!/^\d+$/.test(length)) {
        all = all.subarray(end + 1);
        waiting.shift()?.(undefined); // "<name> missing" or "ambiguous"
        continue;
      }
      needed = end + 1 + Number(length) + 1;
      if (all.length < needed) break;
      const bytes = Buffer.from(all.subarray(end + 1, needed - 1));
      all = all.subarray(needed);
      needed = 0;
      waiting.shift()?.({ sha, type: type as GitObject['type'], bytes });
    }
    held = [all];
    size = all.length;
  };
  child.stdout.on('data', (chunk: Buffer) => {
    held.push(chunk);
    size += chunk.length;
    take();
  });
  child.stdin.on('error', () => undefined);
  child.on('close', () => waiting.splice(0).forEach((one) => one(undefined)));
  return {
    read: (name) =>
      new Promise((resolve) => {
        waiting.push(resolve);
        child.stdin.write(`${name}\n`);
      }),
    close: () => child.stdin.end(),
  };
}

export interface Person {
  readonly name: string;
  readonly email: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export interface Commit {
  readonly sha: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Person;
  readonly committer: Person;
  readonly message: string;
}

/** A commit by its id; undefined where there is none. */
export async function readCommit(folder: string, name: string): Promise<Commit | undefined> {
  const found = await readObject(folder, `${name}^{commit}`);
  if (found?.type !== 'commit') return undefined;
  const text = found.bytes.toString('utf8');
  const end = text.indexOf('\n\n');
  const head = end < 0 ? text : text.slice(0, end);
  let tree = '';
  const parents: string[] = [];
  let author: Person | undefined;
  let committer: Person | undefined;
  for (const line of head.split('\n')) {
    const space = line.indexOf(' ');
    const value = line.slice(space + 1);
    if (line.startsWith('tree ')) tree = value;
    else if (line.startsWith('parent ')) parents.push(value);
    else if (line.startsWith('author ')) author = readPerson(value);
    else if (line.startsWith('committer ')) committer = readPerson(value);
  }
  const nobody = { name: '', email: '', at: 0 };
  // GitHub gives messages without the line feeds at their end.
  const message = end < 0 ? '' : withoutEnd(text.slice(end + 2));
  return { sha: found.sha, tree, parents, author: author ?? nobody, committer: committer ?? nobody, message };
}

function withoutEnd(text: string): string {
  let length = text.length;
  while (text.charAt(length - 1) === '\n') length -= 1;
  return text.slice(0, length);
}

function readPerson(text: string): Person {
  const open = text.lastIndexOf(' <');
  const close = text.lastIndexOf('> ');
  const seconds = Number(text.slice(close + 2).split(' ')[0]);
  return { name: text.slice(0, open), email: text.slice(open + 2, close), at: seconds * 1000 };
}

export interface TreeEntry {
  /** The name's bytes, which need not be UTF-8. */
  readonly raw: Buffer;
  readonly mode: string;
  readonly type: 'blob' | 'tree' | 'commit';
  readonly name: string;
  readonly sha: string;
}

/** The entries of a tree (or of a commit's tree); undefined where there is none. */
export async function readTree(folder: string, name: string): Promise<readonly TreeEntry[] | undefined> {
  const found = await readObject(folder, `${name}^{tree}`);
  if (found?.type !== 'tree') return undefined;
  const entries: TreeEntry[] = [];
  for (let at = 0; at < found.bytes.length;) {
    const space = found.bytes.indexOf(32, at);
    const zero = found.bytes.indexOf(0, space);
    const mode = found.bytes.subarray(at, space).toString('utf8').padStart(6, '0');
    const type = mode === '040000' ? 'tree' : mode === '160000' ? 'commit' : 'blob';
    const sha = found.bytes.subarray(zero + 1, zero + 21).toString('hex');
    const raw = found.bytes.subarray(space + 1, zero);
    entries.push({ raw, mode, type, name: raw.toString('utf8'), sha });
    at = zero + 21;
  }
  return entries;
}

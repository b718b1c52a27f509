import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { readRef } from './refs.ts';
import { git, tryGit } from './run.ts';
import type { Person } from './objects.ts';

/** A file's new content; null deletes it. A text is a plain file of mode 100644. */
export type FileChange =
  | string
  | null
  | { readonly mode: '100644' | '100755' | '120000'; readonly content: string | Uint8Array }
  | { readonly mode: '160000'; readonly sha: string };

export interface NewCommit {
  readonly message: string;
  readonly author: Person;
  readonly committer: Person;
  readonly files: Readonly<Record<string, FileChange>>;
  /** Further parents: a merge. */
  readonly merges?: readonly string[];
}

export async function initRepository(folder: string, defaultBranch: string): Promise<void> {
  await git(folder, ['init', '--quiet', '--bare', `--initial-branch=${defaultBranch}`, folder]);
}

/** A bare copy that shares the objects, as forks do. */
export async function forkRepository(from: string, folder: string): Promise<void> {
  await git(from, ['clone', '--quiet', '--bare', '--shared', from, folder]);
}

/**
 * Makes commits on top of each other by `git fast-import`, and gives the last one's id. No branch moves.
 * @param parent the commit they stand on; null for a root commit
 */
export async function makeCommits(
  folder: string,
  parent: string | null,
  commits: readonly NewCommit[],
): Promise<string> {
  const ref = `refs/sandbox/${randomUUID()}`;
  const parts: (string | Uint8Array)[] = [];
  commits.forEach((commit, index) => {
    parts.push(`commit ${ref}\n`, signature('author', commit.author), signature('committer', commit.committer));
    pushData(parts, commit.message);
    if (index === 0 && parent !== null) parts.push(`from ${parent}\n`);
    for (const merged of commit.merges ?? []) parts.push(`merge ${merged}\n`);
    for (const [path, change] of Object.entries(commit.files)) pushFile(parts, path, change);
    parts.push('\n');
  });
  const input = Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : part)));
  await git(folder, ['fast-import', '--quiet'], { input });
  const sha = await readRef(folder, ref);
  await git(folder, ['update-ref', '-d', ref]);
  if (sha === undefined) throw new Error('git fast-import made no commit.');
  return sha;
}

const signature = (role: string, { name, email, at }: Person): string =>
  `${role} ${name} <${email}> ${Math.floor(at / 1000)} +0000\n`;

function pushData(parts: (string | Uint8Array)[], content: string | Uint8Array): void {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  parts.push(`data ${bytes.length}\n`, bytes, '\n');
}

function pushFile(parts: (string | Uint8Array)[], path: string, change: FileChange): void {
  // Paths in C form: a quote, a backslash or a line feed in them would end the command.
  const quoted = `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`;
  if (change === null) parts.push(`D ${quoted}\n`);
  else if (typeof change === 'string') pushContent(parts, '100644', quoted, change);
  else if (change.mode === '160000') parts.push(`M 160000 ${change.sha} ${quoted}\n`);
  else pushContent(parts, change.mode, quoted, change.content);
}

function pushContent(parts: (string | Uint8Array)[], mode: string, path: string, content: string | Uint8Array): void {
  parts.push(`M ${mode} inline ${path}\n`);
  pushData(parts, content);
}

/** Stores an object and gives its id. @throws Error for one that is malformed */
export async function writeObject(
  folder: string,
  type: 'blob' | 'commit',
  content: string | Uint8Array,
): Promise<string> {
  return (await git(folder, ['hash-object', '-w', '-t', type, '--stdin'], { input: content })).trim();
}

export interface NewTreeEntry {
  readonly path: string;
  readonly mode: string;
  /** Null removes it. */
  readonly sha: string | null;
}

/** Stores a tree: a base's with changes at any depth. @throws Error where git refuses it */
export async function writeTree(
  folder: string,
  base: string | null,
  entries: readonly NewTreeEntry[],
): Promise<string> {
  const index = join(folder, `sandbox-index-${randomUUID()}`);
  const environment = { GIT_INDEX_FILE: index };
  try {
    await git(folder, base === null ? ['read-tree', '--empty'] : ['read-tree', base], { environment });
    const lines = entries.map(({ path, mode, sha }) =>
      sha === null ? `0 ${'0'.repeat(40)}\t${path}\0` : `${mode} ${sha}\t${path}\0`,
    );
    await git(folder, ['update-index', '-z', '--index-info'], { environment, input: lines.join('') });
    return (await git(folder, ['write-tree'], { environment })).trim();
  } finally {
    rmSync(index, { force: true });
  }
}

/** The tree of a merge of two commits; undefined where they conflict. */
export async function mergeTrees(folder: string, ours: string, theirs: string): Promise<string | undefined> {
  const args = ['merge-tree', '--write-tree', '--no-messages', '--allow-unrelated-histories', ours, theirs];
  const { code, stdout } = await tryGit(folder, args);
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

/** A commit of a given tree. */
export function commitTree(
  folder: string,
  tree: string,
  parents: readonly string[],
  author: Person,
  committer: Person,
  message: string,
): Promise<string> {
  const lines = [`tree ${tree}`, ...parents.map((one) => `parent ${one}`)].map((line) => `${line}\n`).join('');
  const text = `${lines}${signature('author', author)}${signature('committer', committer)}\n${message}`;
  return writeObject(folder, 'commit', text);
}

/** Brings a commit from another repository and keeps it under a ref. */
export async function fetchCommit(folder: string, from: string, sha: string, ref: string): Promise<void> {
  await git(folder, ['fetch', '--quiet', '--no-tags', from, `+${sha}:${ref}`], {
    environment: {
      GIT_CONFIG_COUNT: '1',
      GIT_CONFIG_KEY_0: 'uploadpack.allowAnySHA1InWant',
      GIT_CONFIG_VALUE_0: 'true',
    },
  });
}

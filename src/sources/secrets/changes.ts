import { join } from 'node:path';
import { MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import { collectStderr, ended, gitFailure, startGit } from '../git.ts';
import type { GitRepository } from '../git.ts';
import type { ObjectReader } from '../git-objects.ts';
import { RENAMES } from '../pull-request/files.ts';
import { changeCollector } from './change-collector.ts';
import type { Changes } from './change-collector.ts';
import { mergeChanges } from './merges.ts';
import { patchStream } from './patch-stream.ts';
import type { PatchedFile } from './patch-stream.ts';

/** Bytes of changed text that are looked at; beyond them the scan is given up, and the verdict is incomplete. */
export const MAX_TEXT = 256 * 1024 * 1024;

export interface ScannedCommit {
  readonly sha: string;
  readonly parents: readonly string[];
  /** The clone ends here: what the commit changes cannot be told from what was there. */
  readonly cut: boolean;
}

/**
 * Looks through what each commit adds, by two git processes. Lines come from patches, which stay small where large
 * files change often; where git shows no lines (binary files, UTF-16, an attribute that says so) and in merges, whole
 * blobs are compared with what stood there before.
 * @param baseText what the base has at a path, for exceptions that stood there
 * @param limit bytes of text that are looked at in all
 * @throws Refusal CS1508; CS1502, also where there is more text than is looked at
 */
export async function scanChanges(
  repository: GitRepository,
  objects: ObjectReader,
  commits: readonly ScannedCommit[],
  baseText: (path: string) => Promise<string | undefined>,
  limit = MAX_TEXT,
): Promise<Changes> {
  const collector = changeCollector(objects, baseText, limit);
  const whole = commits.filter(({ cut }) => !cut);
  const plain = whole.filter(({ parents }) => parents.length < 2).map(({ sha }) => sha);
  const merges = whole.filter(({ parents }) => parents.length > 1).map(({ sha }) => sha);
  await eachPatch(repository, plain, (file) => collector.patched(file));
  for (const change of await mergeChanges(repository, merges)) await collector.blob(change);
  return collector.changes(commits.map(({ sha }) => sha));
}

// No configuration, attribute or driver may hide a line, or run a program that shows others.
const PATCH = [
  '-z',
  '--raw',
  '-p',
  '-U3',
  '--inter-hunk-context=0',
  '--full-index',
  `-M${RENAMES.similarity}`,
  `-l${RENAMES.limit}`,
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--no-relative',
  '--src-prefix=a/',
  '--dst-prefix=b/',
  '--diff-algorithm=myers',
  '--submodule=short',
] as const;

async function eachPatch(
  repository: GitRepository,
  commits: readonly string[],
  body: (file: PatchedFile) => Promise<void>,
): Promise<void> {
  if (commits.length === 0) return;
  // By its index git would take a file on disk for the blob that it was checked out from; the objects alone count.
  const environment = { ...repository.environment, GIT_INDEX_FILE: join(repository.commonFolder, 'no-index') };
  const input = commits.map((sha) => `${sha}\n`).join('');
  await streamPatches({ ...repository, environment }, ['diff-tree', '--stdin', '--root', '-r', ...PATCH], input, body);
}

/**
 * What the index holds against a tree, file by file, as if it were a commit without a name. Files in conflict are left
 * out: nothing of them can be committed.
 * @throws Refusal CS1502
 */
export async function eachStagedPatch(
  repository: GitRepository,
  tree: string,
  body: (file: PatchedFile) => Promise<void>,
): Promise<void> {
  const args = ['diff-index', '--cached', '--diff-filter=ACMRT', ...PATCH, tree, '--'];
  await streamPatches(repository, args, '', (file) => body({ ...file, commit: '' }), `${'0'.repeat(40)}\0`);
}

/** @param head what the stream is to read before git's own output, where there is any */
async function streamPatches(
  repository: GitRepository,
  args: readonly string[],
  input: string,
  body: (file: PatchedFile) => Promise<void>,
  head = '',
): Promise<void> {
  const child = startGit(repository, args);
  const complaints = collectStderr(child);
  const end = ended(child);
  end.catch(() => undefined); // told below, once what came before was read
  child.stdin.on('error', () => undefined); // git ended early; its exit code tells
  child.stdin.end(input);
  const stream = patchStream(MAX_SCANNED_BYTES);
  let pending = head;
  try {
    for await (const chunk of child.stdout) {
      if (pending !== '') stream.push(Buffer.from(pending, 'latin1'));
      pending = '';
      for (const file of stream.push(chunk as Buffer)) await body(file);
    }
    const code = await end;
    if (code !== 0) throw gitFailure(repository, args[0] ?? '', { code, stderr: complaints() });
    for (const file of stream.end()) await body(file);
  } finally {
    child.kill('SIGKILL');
  }
}

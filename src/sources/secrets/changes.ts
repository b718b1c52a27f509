import { join } from 'node:path';
import type { FindingDraft } from '../../checks/finding.ts';
import { standingOnBase } from '../../checks/secrets/allow.ts';
import { MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import { notScanned } from '../../checks/secrets/file-source.ts';
import type { TextSource } from '../../checks/secrets/findings.ts';
import { scanText } from '../../checks/secrets/scan.ts';
import { kindByContent, secretFileKind } from '../../checks/secrets/secret-files.ts';
import { Refusal } from '../../domain/errors.ts';
import { collectStderr, ended, gitFailure, startGit } from '../git.ts';
import type { GitRepository } from '../git.ts';
import type { ObjectReader } from '../git-objects.ts';
import { RENAMES } from '../pull-request/files.ts';
import { blobSource } from './blob-source.ts';
import type { BlobChange } from './blob-source.ts';
import { mergeChanges } from './merges.ts';
import { patchStream } from './patch-stream.ts';
import type { PatchedFile } from './patch-stream.ts';

/** Bytes of changed text that are looked at; beyond them the scan is given up, and the verdict is incomplete. */
export const MAX_TEXT = 256 * 1024 * 1024;

const ALLOW = 'countersign:allow';

/** A file that a commit leaves behind. */
export interface Sighting {
  readonly commit: string;
  readonly path: string;
  readonly mode: string;
  readonly oid: string;
}

/** What the commits of a branch add. */
export interface Changes {
  /** Only texts in which something was found or excepted, commits in order. */
  readonly sources: readonly TextSource[];
  readonly findings: readonly FindingDraft[];
  /** The latest of each path whose name or content is that of a secret-bearing file. */
  readonly secretFiles: ReadonlyMap<string, Sighting>;
}

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
  const order = new Map(commits.map(({ sha }, at) => [sha, at]));
  const found: { readonly source: TextSource; readonly at: number }[] = [];
  const tooLarge = new Map<string, FindingDraft>();
  const secretFiles = new Map<string, Sighting>();
  let left = limit;
  const spend = (size: number): void => {
    left -= size;
    if (left < 0)
      throw new Refusal('CS1502', `The commits change more than ${limit / 1024 / 1024} MiB of text in all.`);
  };
  const see = ({ commit, path, mode, oid }: Sighting, text: string): void => {
    if (secretFileKind(path) !== undefined || kindByContent(text) !== undefined)
      secretFiles.set(path, { commit, path, mode, oid });
  };
  const keep = async (source: TextSource, path: string): Promise<void> => {
    const hasAllowance = source.isBinary !== true && source.text.includes(ALLOW);
    if (!hasAllowance && (await scanText(source.text)).length === 0) return;
    const base = hasAllowance ? await baseText(path) : undefined;
    const standing = base === undefined ? {} : { standing: standingOnBase(source.text, base) };
    found.push({ source: { ...source, ...standing }, at: order.get(source.commit ?? '') ?? 0 });
  };
  const blob = async (change: BlobChange): Promise<void> => {
    const { source, finding, size } = await blobSource(objects, change);
    spend(size);
    see(change, source?.text ?? '');
    if (finding !== undefined && !tooLarge.has(change.path)) tooLarge.set(change.path, finding);
    if (source !== undefined) await keep(source, change.path);
  };
  const patched = async (file: PatchedFile): Promise<void> => {
    const { commit, path, mode, oid, oldOid, content } = file;
    if (mode === '000000' || mode === '160000') return;
    switch (content.kind) {
      case 'hidden':
        return blob({ commit, path, mode, oid, oldOids: [oldOid] });
      case 'too-large':
        spend(content.size);
        see(file, '');
        if (!tooLarge.has(path)) tooLarge.set(path, notScanned(path, content.size, MAX_SCANNED_BYTES));
        return;
      case 'lines':
        spend(content.size);
        see(file, content.text);
        return keep({ place: { at: 'file', path }, text: content.text, lines: content.lines, commit }, path);
    }
  };

  const whole = commits.filter(({ cut }) => !cut);
  const plain = whole.filter(({ parents }) => parents.length < 2).map(({ sha }) => sha);
  const merges = whole.filter(({ parents }) => parents.length > 1).map(({ sha }) => sha);
  await eachPatch(repository, plain, patched);
  for (const change of await mergeChanges(repository, merges)) await blob(change);
  const sources = found.sort((a, b) => a.at - b.at).map(({ source }) => source);
  return { sources, findings: [...tooLarge.values()], secretFiles };
}

// No configuration, attribute or driver may hide a line, or run a program that shows others.
const PATCH = [
  'diff-tree',
  '--stdin',
  '--root',
  '-r',
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
  const child = startGit({ ...repository, environment }, PATCH);
  const complaints = collectStderr(child);
  const end = ended(child);
  end.catch(() => undefined); // told below, once what came before was read
  child.stdin.on('error', () => undefined); // git ended early; its exit code tells
  child.stdin.end(commits.map((sha) => `${sha}\n`).join(''));
  const stream = patchStream(MAX_SCANNED_BYTES);
  try {
    for await (const chunk of child.stdout) for (const file of stream.push(chunk as Buffer)) await body(file);
    const code = await end;
    if (code !== 0) throw gitFailure(repository, 'diff-tree', { code, stderr: complaints() });
    for (const file of stream.end()) await body(file);
  } finally {
    child.kill('SIGKILL');
  }
}

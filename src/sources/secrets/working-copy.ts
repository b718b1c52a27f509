import { lstatSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { FindingDraft } from '../../checks/finding.ts';
import { decodeText, MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import { secretFileFindings } from '../../checks/secrets/files.ts';
import type { FileFacts } from '../../checks/secrets/files.ts';
import { gitConfigFindings } from '../../checks/secrets/git-config.ts';
import { secretFileKind } from '../../checks/secrets/secret-files.ts';
import { isRefusal } from '../../domain/errors.ts';
import { isErrno } from '../../workspace/disk-tree.ts';
import { gitFailure, runGit, workingCopy } from '../git.ts';
import { readGitConfigs } from '../git-config.ts';
import { askIgnored, askTracked, askUntracked } from '../ignore.ts';
import type { Unread } from '../snapshot/snapshot.ts';
import { secretFacts } from './branch.ts';
import type { SecretScan } from './branch.ts';

const NOT_SCANNED: SecretScan = { secrets: { scanned: 'not', findings: [] }, unread: [] };

/**
 * Secret-bearing files in a working copy by their names, tracked or about to be, and credentials in git's own
 * configuration. Other files are not opened, so that it stays quick. Outside of git nothing is looked at. What fails
 * is named as unread. The configuration is read as files: a credential in it is one even if git makes nothing of it.
 * @param root absolute path of a folder of the working copy
 */
export async function workingCopySecrets(
  root: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<SecretScan> {
  const files = await attempt('secrets in the working copy', () => secretFiles(root, environment));
  const configs = await attempt("git's configuration", () => configCredentials(root, environment));
  const parts = [files, configs].filter((part) => part !== undefined);
  if (parts.length === 0) return NOT_SCANNED;
  const unread = parts.flatMap((part) => part.unread);
  const drafts = parts.flatMap((part) => part.drafts ?? []);
  // What one part found is shown even if the other failed: `unread` keeps the verdict from concluding anything.
  const failed = parts.some((part) => part.drafts === undefined);
  return failed && drafts.length === 0 ? { ...NOT_SCANNED, unread } : secretFacts(drafts, unread);
}

/** What one part of the scan found; `drafts` is absent where it failed. */
interface Part {
  readonly drafts?: readonly FindingDraft[];
  readonly unread: readonly Unread[];
}

async function attempt(
  what: string,
  body: () => Promise<Part | undefined> | Part | undefined,
): Promise<Part | undefined> {
  try {
    return await body();
  } catch (thrown) {
    const why = isRefusal(thrown) ? thrown.message : `the scan failed (${thrown instanceof Error ? thrown.name : ''})`;
    return { unread: [{ what, why }] };
  }
}

async function secretFiles(root: string, environment: NodeJS.ProcessEnv): Promise<Part | undefined> {
  if (!(await isWorkingCopy(root, environment))) return undefined;
  const [tracked, untracked] = await Promise.all([askTracked(root, environment), askUntracked(root, environment)]);
  const paths = [...new Set([...tracked, ...untracked])].filter((path) => secretFileKind(path) !== undefined).sort();
  const ignored = await askIgnored(root, paths, environment);
  const unread: Unread[] = [];
  const files = paths.flatMap((path): FileFacts[] => {
    const shown = shapeOf(join(root, path));
    if (shown === undefined) return []; // tracked, and deleted on disk
    if (shown.why !== undefined) unread.push({ what: path, why: shown.why });
    const { kind, text } = shown;
    const isIgnored = ignored.get(path)?.isIgnored ?? false;
    return [{ path, kind, isTracked: tracked.has(path), isIgnored, ...(text === undefined ? {} : { text }) }];
  });
  return { drafts: secretFileFindings(files, 'working-copy'), unread };
}

function configCredentials(root: string, environment: NodeJS.ProcessEnv): Part | undefined {
  const { files, unread } = readGitConfigs(root, homeOf(environment), true);
  if (files.length === 0 && unread.length === 0) return undefined;
  return {
    drafts: files.flatMap(({ path, text }) => gitConfigFindings(path, text)),
    unread: unread.map((path) => ({ what: path, why: "git's configuration was not read" })),
  };
}

// Where git itself looks for `~` (git-config(1), "pathname").
function homeOf(environment: NodeJS.ProcessEnv): string {
  return environment['HOME'] ?? homedir();
}

/**
 * Whether git takes the folder for a part of a working copy. Where it finds a repository and does not take it
 * (a broken configuration, another owner), nobody knows what it would commit.
 * @throws Refusal CS1502
 */
async function isWorkingCopy(root: string, environment: NodeJS.ProcessEnv): Promise<boolean> {
  try {
    const asked = ['rev-parse', '--is-inside-work-tree'];
    const copy = workingCopy(root, environment);
    const answer = await runGit(copy, asked, { fails: 'allowed' });
    if (answer.code !== 0 && !/not a git repository/i.test(answer.stderr)) throw gitFailure(copy, 'rev-parse', answer);
    return answer.code === 0 && answer.stdout.toString('utf8').trim() === 'true';
  } catch (thrown) {
    if (isRefusal(thrown) && thrown.code === 'CS1503') return false;
    throw thrown;
  }
}

interface Shape extends Pick<FileFacts, 'kind' | 'text'> {
  readonly why?: string;
}

function shapeOf(path: string): Shape | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (stat.isSymbolicLink()) {
    return { kind: statSync(path, { throwIfNoEntry: false }) === undefined ? 'dangling-link' : 'link' };
  }
  if (stat.isDirectory()) return { kind: 'submodule' };
  if (!stat.isFile() || stat.size > MAX_SCANNED_BYTES) return { kind: 'file' };
  try {
    const decoded = decodeText(readFileSync(path));
    return decoded.kind === 'too-large' ? { kind: 'file' } : { kind: 'file', text: decoded.text };
  } catch (thrown) {
    if (!isErrno(thrown, 'EACCES') && !isErrno(thrown, 'EPERM')) throw thrown;
    return { kind: 'file', why: 'it cannot be read' };
  }
}

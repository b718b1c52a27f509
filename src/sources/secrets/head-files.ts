import type { FindingDraft } from '../../checks/finding.ts';
import { decodeText, MAX_SCANNED_BYTES } from '../../checks/secrets/decode.ts';
import { secretFileFindings } from '../../checks/secrets/files.ts';
import type { FileFacts } from '../../checks/secrets/files.ts';
import { ignoreChangeFindings } from '../../checks/secrets/ignore-changes.ts';
import { ignoreMatcher } from '../../checks/secrets/ignore-rules.ts';
import type { IgnoreFile } from '../../checks/secrets/ignore-rules.ts';
import { secretFileKind } from '../../checks/secrets/secret-files.ts';
import type { FileChange } from '../../gate/facts.ts';
import { runGit } from '../git.ts';
import type { GitRepository } from '../git.ts';
import type { ObjectReader } from '../git-objects.ts';
import type { SourceSnapshot } from '../snapshot/snapshot.ts';
import type { Sighting } from './change-collector.ts';

const IGNORE = '.gitignore';

/** Whether a path is a file of ignore rules. */
export function isIgnoreFile(path: string): boolean {
  return path === IGNORE || path.endsWith(`/${IGNORE}`);
}

/**
 * Secret-bearing files among what a branch changes: those that stand at the head, and those that one of its commits
 * brought and a later one took away, which the history keeps.
 */
export async function branchSecretFiles(
  files: readonly FileChange[],
  seen: ReadonlyMap<string, Sighting>,
  head: SourceSnapshot,
  base: SourceSnapshot,
  objects: ObjectReader,
): Promise<FindingDraft[]> {
  const changed = files.filter(({ mode }) => mode !== '000000');
  const suspects = changed.filter(({ path }) => secretFileKind(path) !== undefined || seen.has(path));
  const ignored = await headRules(
    suspects.map(({ path }) => path),
    head,
  );
  const facts: FileFacts[] = [];
  for (const { path, mode } of suspects) {
    const bytes = (await head.read(path, MAX_SCANNED_BYTES))?.bytes;
    facts.push({ path, isTracked: true, isIgnored: ignored(path), ...shape(mode, bytes) });
  }
  const standing = new Set(changed.map(({ path }) => path));
  const drafts = secretFileFindings(facts, 'snapshot');
  for (const [path, { commit, mode, oid }] of seen) {
    if (standing.has(path) || secretFileKind(path) === undefined) continue;
    // What stood on the base before is no news of this branch.
    if ((await head.look(path)) !== undefined || (await base.look(path)) !== undefined) continue;
    const bytes = (await objects.read(oid, MAX_SCANNED_BYTES))?.bytes;
    const past = secretFileFindings([{ path, isTracked: true, isIgnored: false, ...shape(mode, bytes) }], 'snapshot');
    drafts.push(...past.map((draft) => inHistory(draft, commit)));
  }
  return drafts;
}

function shape(mode: string, bytes: Uint8Array | undefined): Pick<FileFacts, 'kind' | 'text'> {
  if (mode === '120000') return { kind: 'link' };
  if (mode === '160000') return { kind: 'submodule' };
  const decoded = bytes === undefined ? undefined : decodeText(bytes);
  return decoded === undefined || decoded.kind === 'too-large'
    ? { kind: 'file' }
    : { kind: 'file', text: decoded.text };
}

function inHistory(draft: FindingDraft, commit: string): FindingDraft {
  return {
    ...draft,
    subject: `${draft.subject}|history`,
    message: `${draft.message} Commit ${commit.slice(0, 12)} has it; a later one takes it away, and the history keeps it.`,
    remedy: `Take the file out of commit ${commit.slice(0, 12)} (git rebase -i), and revoke what it held if it held anything.`,
  };
}

/** By the rules of the folders that some paths lie in; others cannot matter to them. */
async function headRules(paths: readonly string[], head: SourceSnapshot): Promise<(path: string) => boolean> {
  const folders = new Set(
    paths.flatMap((path) => {
      const steps = path.split('/').slice(0, -1);
      return ['', ...steps.map((_, at) => steps.slice(0, at + 1).join('/'))];
    }),
  );
  const files = await ignoreFiles(
    [...folders].map((folder) => (folder === '' ? IGNORE : `${folder}/${IGNORE}`)),
    head,
  );
  const matcher = ignoreMatcher(files);
  return (path) => matcher(path).isIgnored;
}

async function ignoreFiles(paths: readonly string[], snapshot: SourceSnapshot): Promise<IgnoreFile[]> {
  const read = await Promise.all(paths.map(async (path) => ({ path, content: await snapshot.read(path, MAX_RULES) })));
  return read.flatMap(({ path, content }) =>
    content?.bytes === undefined
      ? []
      : [{ path, folder: path.slice(0, -IGNORE.length - 1), text: Buffer.from(content.bytes).toString('utf8') }],
  );
}

/** Bytes of a file of ignore rules; git itself reads no larger one (dir.c, PATTERN_MAX_FILE_SIZE: 100 MB). */
const MAX_RULES = MAX_SCANNED_BYTES;

/** A state whose ignore rules are compared. */
export interface IgnoreState {
  /** All its paths for which {@link isTelling} holds. */
  paths(): Promise<readonly string[]>;
  readonly snapshot: SourceSnapshot;
}

/** Whether a path is one of a file of ignore rules, or of a secret-bearing file. */
export function isTelling(path: string): boolean {
  return isIgnoreFile(path) || secretFileKind(path) !== undefined;
}

/**
 * Ignore rules that covered secret-bearing files before the branch and do not at its head, by git's own lists of both
 * trees.
 * @param from where the branch begins
 */
export function ignoreChanges(
  repository: GitRepository,
  files: readonly FileChange[],
  from: { readonly commit: string; readonly snapshot: SourceSnapshot },
  head: { readonly commit: string; readonly snapshot: SourceSnapshot },
): Promise<FindingDraft[]> {
  const state = ({ commit, snapshot }: typeof from): IgnoreState => ({
    paths: () => pathsOf(repository, commit),
    snapshot,
  });
  return ignoreChangesOf(files, state(from), state(head));
}

/** The same, wherever the states lie. They are listed only where a branch changes rules. */
export async function ignoreChangesOf(
  files: readonly FileChange[],
  from: IgnoreState,
  head: IgnoreState,
): Promise<FindingDraft[]> {
  if (!files.some(({ path, old_path }) => isIgnoreFile(path) || (old_path !== undefined && isIgnoreFile(old_path))))
    return [];
  const [before, after] = await Promise.all([from.paths(), head.paths()]);
  const rules = (paths: readonly string[], { snapshot }: IgnoreState): Promise<IgnoreFile[]> =>
    ignoreFiles(paths.filter(isIgnoreFile), snapshot);
  const known = [...before, ...after].filter((path) => secretFileKind(path) !== undefined);
  return ignoreChangeFindings(await rules(before, from), await rules(after, head), known);
}

/** The paths of a commit, by git, for which {@link isTelling} holds. */
export async function pathsOf(repository: GitRepository, commit: string): Promise<string[]> {
  const { stdout } = await runGit(repository, ['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit]);
  return stdout.toString('utf8').split('\0').filter(isTelling);
}

import { tryGit } from './run.ts';

export interface FileDiff {
  readonly status: 'added' | 'removed' | 'modified' | 'renamed' | 'changed';
  readonly path: string;
  readonly oldPath: string | undefined;
  /** The blob after the change; of a removed file the one before it. */
  readonly sha: string;
  readonly additions: number;
  readonly deletions: number;
  /** Hunks without the header; absent for binary files, pure renames and those over the limits. */
  readonly patch: string | undefined;
}

/** Bytes and lines of one file's diff above which GitHub gives no `patch` (docs, "Limits for viewing content and diffs"). */
export const MAX_PATCH_BYTES = 500 * 1024;
export const MAX_PATCH_LINES = 20_000;

// Commits never change, so neither does how two of them differ; each page of a list asks for it again.
const known = new Map<string, Promise<readonly FileDiff[]>>();
const MAX_KNOWN = 50;

/** How two commits differ, renames found, as GitHub lists it. Null as the first: against nothing. */
export function diffFiles(folder: string, from: string | null, to: string): Promise<readonly FileDiff[]> {
  const key = `${folder} ${from} ${to}`;
  const found = known.get(key) ?? readDiff(folder, from, to);
  known.delete(key);
  known.set(key, found);
  const oldest = known.size > MAX_KNOWN ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
  return found;
}

async function readDiff(folder: string, from: string | null, to: string): Promise<readonly FileDiff[]> {
  const range = from === null ? ['--root', to] : [from, to];
  const args = ['diff-tree', '-r', '-M', '-l0', '--no-commit-id', '--abbrev=40', '--no-ext-diff', '--no-textconv'];
  const [raw, numbers, patches] = await Promise.all([
    tryGit(folder, [...args, '-z', '--raw', ...range]),
    tryGit(folder, [...args, '-z', '--numstat', ...range]),
    tryGit(folder, [...args, '-p', ...range]),
  ]);
  if (raw.code !== 0) throw new Error(`git diff-tree ended with ${raw.code}: ${raw.stderr}`);
  const entries = readRaw(raw.stdout.toString('utf8'));
  const counts = readNumbers(numbers.stdout.toString('utf8'));
  const texts = splitPatches(patches.stdout.toString('utf8'));
  let at = 0;
  return entries.map((entry, index) => {
    // A change of type is two diffs: one that removes and one that adds.
    const text = texts.slice(at, (at += entry.status === 'changed' ? 2 : 1)).join('\n');
    const [additions, deletions] = counts[index] ?? [0, 0];
    const fits = text !== '' && text.length <= MAX_PATCH_BYTES && text.split('\n').length <= MAX_PATCH_LINES;
    return { ...entry, additions, deletions, patch: fits ? text : undefined };
  });
}

function readRaw(text: string): Pick<FileDiff, 'status' | 'path' | 'oldPath' | 'sha'>[] {
  const fields = text.split('\0');
  const entries: Pick<FileDiff, 'status' | 'path' | 'oldPath' | 'sha'>[] = [];
  for (let at = 0; at + 1 < fields.length;) {
    const [, , before = '', after = '', letter = ''] = (fields[at] ?? '').split(' ');
    const path = fields[at + 1] ?? '';
    if (letter.startsWith('R')) {
      entries.push({ status: 'renamed', path: fields[at + 2] ?? '', oldPath: path, sha: after });
      at += 3;
      continue;
    }
    const status = letter === 'A' ? 'added' : letter === 'D' ? 'removed' : letter === 'T' ? 'changed' : 'modified';
    entries.push({ status, path, oldPath: undefined, sha: letter === 'D' ? before : after });
    at += 2;
  }
  return entries;
}

function readNumbers(text: string): (readonly [number, number])[] {
  const fields = text.split('\0');
  const counts: (readonly [number, number])[] = [];
  for (let at = 0; at < fields.length; at += 1) {
    const parts = (fields[at] ?? '').split('\t');
    if (parts.length < 3) continue;
    counts.push([Number(parts[0]) || 0, Number(parts[1]) || 0]); // "-" for binary files
    if (parts[2] === '') at += 2; // a rename: both names follow
  }
  return counts;
}

/** The hunks of each file of a patch. Lines of hunks start with a sign, so no content looks like a header. */
function splitPatches(text: string): readonly string[] {
  return `\n${text.replace(/\n$/, '')}`
    .split('\ndiff --git ')
    .slice(1)
    .map((one) => {
      const start = one.indexOf('\n@@');
      return start < 0 ? '' : one.slice(start + 1);
    });
}

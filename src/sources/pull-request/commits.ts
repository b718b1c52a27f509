import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { MAX_DOCUMENT_SIZE } from '../../domain/json/read.ts';
import { Refusal } from '../../domain/errors.ts';
import { isErrno } from '../../workspace/disk-tree.ts';
import { runGit } from '../git.ts';
import type { GitRepository } from '../git.ts';
import { parseCommit } from '../git-commit.ts';
import type { ParsedCommit } from '../git-commit.ts';
import type { ObjectReader } from '../git-objects.ts';
import type { Unread } from '../snapshot/snapshot.ts';

/** Commits of a branch that are looked at; of more only the number is told, and the verdict is incomplete. */
export const MAX_COMMITS = 20_000;

export interface BranchCommit extends ParsedCommit {
  readonly sha: string;
  /** The clone ends here: its parents are named, and not there. */
  readonly cut: boolean;
}

export interface BranchCommits {
  /** Parents before children. */
  readonly commits: readonly BranchCommit[];
  /** How many there are, looked at or not. */
  readonly count: number;
  readonly unread: readonly Unread[];
}

/**
 * The best common ancestor of two commits; where there are several (criss-cross merges) the first that git names,
 * as `git diff base...head` does.
 * @throws Refusal CS1506 where there is none; CS1507 where a shallow clone may hide it
 */
export async function mergeBase(repository: GitRepository, base: string, head: string): Promise<string> {
  const answer = await runGit(repository, ['merge-base', '--end-of-options', base, head], { fails: 'allowed' });
  const found = answer.stdout.toString('latin1').trim();
  if (answer.code === 0 && found !== '') return found;
  if (answer.code !== 1) throw new Refusal('CS1502', `git merge-base failed: ${answer.stderr.trim()}`);
  if (repository.shallow) {
    const message = 'Base and head have no commit in common in this shallow clone.';
    throw new Refusal('CS1507', message, { where: repository.root });
  }
  throw new Refusal('CS1506', 'Base and head have no commit in common.', { where: repository.root });
}

/** The commits of base..head, or without a base all that head has, each as its own object says. */
export async function branchCommits(
  repository: GitRepository,
  objects: ObjectReader,
  base: string | undefined,
  head: string,
): Promise<BranchCommits> {
  const without = base === undefined ? [] : [`^${base}`];
  const args = ['rev-list', '--topo-order', '--reverse', '--end-of-options', head, ...without];
  const [list, cuts] = await Promise.all([runGit(repository, args), shallowCommits(repository)]);
  const ids = list.stdout
    .toString('latin1')
    .split('\n')
    .filter((line) => line !== '');
  const unread: Unread[] = [];
  const commits: BranchCommit[] = [];
  for (let at = 0; at < Math.min(ids.length, MAX_COMMITS); at += BATCH) {
    const some = ids.slice(at, Math.min(at + BATCH, MAX_COMMITS));
    const read = await Promise.all(some.map((id) => objects.read(id, MAX_DOCUMENT_SIZE)));
    for (const [index, object] of read.entries()) {
      const sha = some[index] ?? '';
      if (object?.type !== 'commit')
        throw new Refusal('CS1508', `Commit ${sha} is missing.`, { where: repository.root });
      if (object.bytes === undefined) unread.push({ what: `commit ${sha}`, why: 'it is larger than 8 MiB' });
      const cut = cuts.has(sha);
      if (cut) unread.push({ what: `history below commit ${sha}`, why: 'the clone is shallow and ends there' });
      const parsed = parseCommit(object.bytes ?? Buffer.alloc(0));
      if (parsed.unreadEncoding !== undefined) {
        const why = `the commit is in the encoding ${parsed.unreadEncoding.slice(0, 40)}, which is not read`;
        unread.push({ what: `message of commit ${sha}`, why });
      }
      commits.push({ sha, cut, ...parsed });
    }
  }
  return { commits, count: ids.length, unread };
}

/** Commits that are read at once; more would only wait. */
const BATCH = 256;

// One id a line (gitformat: Documentation/technical/shallow). Git hides the parents of these.
async function shallowCommits(repository: GitRepository): Promise<ReadonlySet<string>> {
  if (!repository.shallow) return new Set();
  try {
    const text = await readFile(join(repository.commonFolder, 'shallow'), 'latin1');
    return new Set(text.split('\n').map((line) => line.trim()));
  } catch (cause) {
    if (isErrno(cause, 'ENOENT')) return new Set();
    throw new Refusal('CS1201', "The repository's list of shallow commits cannot be read.", { cause });
  }
}

import { Refusal } from '../../domain/errors.ts';
import type { ScanSink } from '../../gate/scan-report.ts';
import { headBranch, runGit } from '../git.ts';
import type { GitRepository } from '../git.ts';
import { resolveCommit } from '../git-names.ts';
import type { ObjectReader } from '../git-objects.ts';
import { branchCommits } from '../pull-request/commits.ts';
import type { BranchCommit } from '../pull-request/commits.ts';

/** Commits to look at. */
export interface ScanRange {
  /** What is left out, with all that it has; undefined for a whole history. */
  readonly from: string | undefined;
  readonly to: string;
  /** Parents before children. */
  readonly commits: readonly BranchCommit[];
}

/** A range as it is written: `A..B` (one of them may be left out and is HEAD then), or `B` for all that B has. */
export interface RangeText {
  readonly from: string | undefined;
  readonly to: string;
}

/** @throws Refusal CS1301 for what is no range */
export function parseRange(text: string): RangeText {
  const parts = text.split('..');
  if (text === '' || text.includes('...') || parts.length > 2)
    throw new Refusal('CS1301', `A range is written as A..B, or as B for all that B has, not '${text.slice(0, 200)}'.`);
  // What two empty variables leave: git takes it for HEAD..HEAD, which would pass with nothing looked at.
  if (text === '..') throw new Refusal('CS1301', "A range needs a name on one side of its dots at least, not '..'.");
  const [first = '', second] = parts;
  if (second === undefined) return { from: undefined, to: first };
  return { from: first === '' ? 'HEAD' : first, to: second === '' ? 'HEAD' : second };
}

/**
 * The commits of a range. What cannot be looked at of them is named in `sink`.
 * @throws Refusal CS1505 unknown name, CS1508, CS1502
 */
export async function rangeCommits(
  repository: GitRepository,
  objects: ObjectReader,
  range: RangeText,
  sink: ScanSink,
): Promise<ScanRange> {
  const from = range.from === undefined ? undefined : await resolveCommit(repository, objects, range.from);
  const to = await resolveCommit(repository, objects, range.to);
  const { commits, count, unread } = await branchCommits(repository, objects, from, to);
  for (const { what, why } of unread) sink.miss(what, why);
  if (count > commits.length)
    sink.miss(`${count - commits.length} commits`, `only the first ${commits.length} of the range are looked at`);
  sink.saw({ commits: commits.length });
  return { from, to, commits };
}

/**
 * The commits of this branch that its base does not have: by the remote's default branch, else a local `main` or
 * `master`, else the branch that it follows.
 * @throws Refusal CS1301 where there is none of these
 */
export async function branchRange(repository: GitRepository, objects: ObjectReader): Promise<RangeText> {
  const current = await headBranch(repository);
  const isDefault = current === 'refs/heads/main' || current === 'refs/heads/master';
  const candidates = [
    'refs/remotes/origin/HEAD',
    'refs/remotes/origin/main',
    'refs/remotes/origin/master',
    ...(isDefault ? [] : ['refs/heads/main', 'refs/heads/master']),
    ...(await upstreamOf(repository, current)),
  ];
  for (const name of candidates) {
    const found = await objects.info(`${name}^{commit}`);
    if (found?.type === 'commit') return { from: name, to: 'HEAD' };
  }
  throw new Refusal('CS1301', 'It cannot be told where this branch begins: there is no remote, main or master.', {
    where: repository.root,
    remedy: 'Name the commits with --range A..B; --range HEAD takes the whole history.',
  });
}

async function upstreamOf(repository: GitRepository, branch: string | undefined): Promise<string[]> {
  if (branch === undefined) return [];
  const { stdout } = await runGit(repository, ['for-each-ref', '--format=%(upstream)', branch]);
  return stdout
    .toString('utf8')
    .split('\n')
    .filter((name) => name.startsWith('refs/'))
    .slice(0, 1);
}

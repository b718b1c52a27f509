import { Refusal } from '../domain/errors.ts';
import type { CommitFacts } from '../gate/facts.ts';
import type { OpenPull } from './pulls.ts';

/** What a merge queue is about to make of some pull requests (webhook `merge_group`). */
export interface MergeGroup {
  /** Such as `refs/heads/gh-readonly-queue/main/pr-7-<base sha>`. */
  readonly headRef: string;
  readonly headSha: string;
  readonly baseRef: string;
  readonly baseSha: string;
}

/** The number in the branch of a group, which only GitHub can make: `gh-readonly-queue/main/pr-7-<base sha>`. */
const OF_BRANCH = /\/pr-(\d{1,10})-[0-9a-f]{40,64}$/;

/**
 * Numbers in a message that GitHub writes: the end of a squash's first line, or the beginning of a merge's. Titles are
 * others' text, so a number only says which open pull request to look at, never that it is queued unseen.
 */
const OF_SQUASH = /\(#(\d{1,10})\)$/;
const OF_MERGE = /^Merge pull request #(\d{1,10}) from /;

/** What a merge group is made of. */
export interface Queued {
  /** By number. */
  readonly pulls: readonly OpenPull[];
  /** Commits that say nothing of the pull request they come from: a rebase makes such, with author and message kept. */
  readonly rebased: readonly CommitFacts[];
}

/**
 * The open pull requests that a merge group is made of. Each commit on the way from the group's base to its
 * head has to come from one of them: a merge whose second parent is its head, a squash that names it, or, where only
 * one is queued, whatever the queue made of it.
 * @param commits the group's, in any order
 * @param open all open pull requests into the group's base
 * @throws Refusal CS1704 where none is found, or a commit comes from none
 */
export function queuedPulls(group: MergeGroup, commits: readonly CommitFacts[], open: readonly OpenPull[]): Queued {
  const byNumber = new Map(open.map((pull) => [pull.number, pull]));
  const last = Number(OF_BRANCH.exec(group.headRef)?.[1] ?? NaN);
  const named = byNumber.get(last);
  if (named === undefined) {
    throw new Refusal('CS1704', `The merge group ${group.headRef} is not of an open pull request into its base.`);
  }
  const steps = mainline(group, commits);
  const found = new Map<number, OpenPull>([[named.number, named]]);
  const unexplained: CommitFacts[] = [];
  for (const step of steps) {
    const pull = pullOf(step, open, byNumber);
    if (pull === undefined) unexplained.push(step);
    else found.set(pull.number, pull);
  }
  // A queue that rebases leaves commits that say nothing of their pull request: with only one there is no doubt.
  // A merge does say: of a head that is no pull request's any more.
  const first = unexplained.find(({ parents }) => found.size > 1 || parents.length > 1);
  if (first !== undefined) {
    throw new Refusal('CS1704', `Commit ${first.sha.slice(0, 12)} of the merge group is of no queued pull request.`);
  }
  return { pulls: [...found.values()].sort((a, b) => a.number - b.number), rebased: unexplained };
}

function pullOf(
  { parents, message }: CommitFacts,
  open: readonly OpenPull[],
  byNumber: ReadonlyMap<number, OpenPull>,
): OpenPull | undefined {
  const merged = open.find(({ headSha }) => parents.slice(1).includes(headSha));
  if (merged !== undefined) return merged;
  const [subject = ''] = message.split('\n', 1);
  // A merge of something that is no open pull request's head is not explained by what it says.
  if (parents.length > 1) return undefined;
  const number = OF_SQUASH.exec(subject.trimEnd())?.[1] ?? OF_MERGE.exec(subject)?.[1];
  return number === undefined ? undefined : byNumber.get(Number(number));
}

/** The first parents from the group's head back to its base. @throws Refusal CS1704 where they do not lead there */
function mainline({ baseSha, headSha }: MergeGroup, commits: readonly CommitFacts[]): CommitFacts[] {
  const bySha = new Map(commits.map((commit) => [commit.sha, commit]));
  const steps: CommitFacts[] = [];
  for (let sha = headSha; sha !== baseSha;) {
    const commit = bySha.get(sha);
    const parent = commit?.parents[0];
    if (commit === undefined || parent === undefined || steps.length > commits.length) {
      throw new Refusal('CS1704', `The merge group does not stand on its base ${baseSha.slice(0, 12)}.`);
    }
    steps.push(commit);
    sha = parent;
  }
  return steps;
}

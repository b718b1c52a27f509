import * as z from 'zod';
import type { Identity } from '../../../gate/facts.ts';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { isRefusal } from '../../../domain/errors.ts';
import { shaped } from '../../../github/graphql.ts';
import { listed } from '../../../github/pages.ts';
import { identityOfUser, userShape } from './identity.ts';

/** Pushes of a branch that are looked back through. */
export const MAX_PUSHES = 1000;

const ACTIVITY = 'GET /repos/{owner}/{repo}/activity';

/** A change of the head branch, as the repository's activity tells it. */
export interface Push {
  readonly at: string;
  /** All zeros where the branch was made, or is gone. */
  readonly before: string;
  readonly after: string;
  /** GitHub's word: `push`, `force_push`, `branch_creation`, `branch_deletion`, `pr_merge`, `merge_queue_merge`. */
  readonly type: string;
  /** Absent where the account is gone. */
  readonly by: Identity | undefined;
}

/** Who moved the head branch, as far as it is known. */
export interface Pushes {
  /** Newest first; empty where nothing is known. */
  readonly pushes: readonly Push[];
  /** Whether they go back to where the branch was made. */
  readonly complete: boolean;
  /** Who moved the branch to the head. Absent where that is not known: then nobody's approval counts. */
  readonly last_pusher: Identity | undefined;
  /** Why nothing is known, in words for a person. */
  readonly why: string | undefined;
}

const activityShape = z.array(
  z.object({
    before: z.string(),
    after: z.string(),
    timestamp: z.iso.datetime({ offset: true }),
    activity_type: z.string(),
    actor: userShape,
  }),
);

/**
 * Reads who pushed the head branch, where it is: of a fork, at the fork. That it cannot be seen there is an answer
 * (`why`), any other failure is not.
 * @param head as `readPull` gives it
 * @throws Refusal CS16xx but CS1603 and CS1604
 */
export async function readPushes(
  api: GitHubApi,
  head: { readonly repository: RepositoryName | undefined; readonly ref: string; readonly sha: string },
): Promise<Pushes> {
  const { repository, ref, sha } = head;
  if (repository === undefined) return unknown('the repository of the head branch is gone');
  try {
    const asked = { ...repository, ref: `refs/heads/${ref}` };
    const { items, truncated } = await listed(api, ACTIVITY, asked, {
      max: MAX_PUSHES,
      items: (data) => shaped(activityShape, data, ACTIVITY),
    });
    const pushes = items.map(({ before, after, timestamp: at, activity_type: type, actor }): Push => {
      return { at, before, after, type, by: identityOfUser(actor) };
    });
    const [last] = pushes;
    // The activity may lag behind, or be ahead of what was read of the pull request.
    const why = last?.after === sha ? undefined : 'the activity of the branch does not end at the head';
    const whole = !truncated && pushes.at(-1)?.type === 'branch_creation';
    return { pushes, complete: whole, last_pusher: why === undefined ? last?.by : undefined, why };
  } catch (thrown) {
    if (!isRefusal(thrown) || !UNSEEN.includes(thrown.code)) throw thrown;
    return unknown(`the activity of ${repository.owner}/${repository.repo} cannot be seen`);
  }
}

/** Not there or not to be seen, and not allowed. */
const UNSEEN: readonly string[] = ['CS1603', 'CS1604'];

function unknown(why: string): Pushes {
  return { pushes: [], complete: false, last_pusher: undefined, why };
}

/**
 * The commit that the head branch stood at when something was said: after the last push before it. Null where that is
 * not known: before the oldest push known, in the second of a push (times have whole seconds, and who was first
 * is not told), or while the branch was gone.
 * @param time ISO 8601
 */
export function headAt(pushes: readonly Push[], time: string): string | null {
  const second = seconds(time);
  if (pushes.some(({ at }) => seconds(at) === second)) return null;
  const before = pushes.find(({ at }) => seconds(at) < second);
  return before === undefined || ZERO.test(before.after) ? null : before.after;
}

const ZERO = /^0+$/;

function seconds(time: string): number {
  return Math.floor(Date.parse(time) / 1000);
}

/**
 * Who pushed each commit first, where that is known: a push brings what its end has and its start has not. What lies
 * before the oldest push known has no pusher here.
 * @param commits of the pull request, with their parents
 */
export function pushersOf(
  { pushes, complete }: Pushes,
  commits: readonly { readonly sha: string; readonly parents: readonly string[] }[],
): ReadonlyMap<string, Identity> {
  const parents = new Map(commits.map((commit) => [commit.sha, commit.parents]));
  const pushers = new Map<string, Identity>();
  const seen = new Set<string>();
  for (const { before, after, by } of pushes.toReversed()) {
    const known = complete || parents.has(before);
    const old = known && !complete ? ancestors(parents, before, new Set()) : new Set<string>();
    for (const sha of ancestors(parents, after, new Set([...seen, ...old]))) {
      seen.add(sha);
      if (known && by !== undefined) pushers.set(sha, by);
    }
    for (const sha of old) seen.add(sha);
  }
  return pushers;
}

/** A commit of the pull request and those of it that lead to it, without some and what leads to them. */
function ancestors(
  parents: ReadonlyMap<string, readonly string[]>,
  tip: string,
  without: ReadonlySet<string>,
): Set<string> {
  const found = new Set<string>();
  const open = [tip];
  for (let sha = open.pop(); sha !== undefined; sha = open.pop()) {
    const above = parents.get(sha);
    if (above === undefined || found.has(sha) || without.has(sha)) continue;
    found.add(sha);
    open.push(...above);
  }
  return found;
}

/** How often the history of the head branch was rewritten, as far back as the pushes go. */
export function forcePushes({ pushes }: Pushes): readonly Push[] {
  return pushes.filter(({ type }) => type === 'force_push');
}

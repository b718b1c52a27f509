import { Refusal } from '../domain/errors.ts';
import { version } from '../domain/version.ts';
import { decide } from '../gate/decide.ts';
import type { Facts } from '../gate/facts.ts';
import { absentOr } from '../github/errors.ts';
import { collectRange } from '../sources/pull-request/github.ts';
import { callerOf } from './caller.ts';
import type { Target } from './events.ts';
import type { Judged } from '../judge/judged.ts';
import type { MergeGroup } from '../judge/queue.ts';
import type { Session } from './session.ts';

export interface Range {
  /** A branch's name or a commit's id. */
  readonly base: string;
  readonly head: string;
  readonly ref: string;
}

/** What a merge group brings, from its base to its head. @throws Refusal CS16xx */
export function collectGroup(session: Session, { headSha, headRef, baseSha }: MergeGroup): Promise<Facts> {
  const { api, repository, now } = session;
  return collectRange({
    ...{ api, repository, base: baseSha, head: headSha, ref: headRef },
    ...{ now, engine: version(), caller: callerOf(session) },
  });
}

/** Judges commits that no pull request brings: their messages, and what they add. @throws Refusal CS16xx */
export async function judgeRange(session: Session, range: Range): Promise<Judged> {
  const { api, repository, now } = session;
  const collected = await collectRange({
    api,
    repository,
    ...range,
    now,
    engine: version(),
    caller: callerOf(session),
  });
  const facts: Facts = { ...collected, subject: { ...collected.subject, kind: 'range' } };
  return { facts, report: decide(facts) };
}

/**
 * What a push brought: of a branch that went forward what is new on it; of a new or rewritten branch or a tag all that
 * the default branch does not have, which is more, and never too little.
 * @returns a sentence where there is nothing that could be compared
 * @throws Refusal CS1704 where the default branch was rewritten and GitHub does not have any more what it was; CS16xx
 */
export async function pushedRange(
  session: Session,
  { ref, before, after, forced }: Extract<Target, { readonly kind: 'push' }>,
): Promise<Range | string> {
  const onDefault = ref === `refs/heads/${session.defaultBranch ?? ''}`;
  if (before !== undefined && ref.startsWith('refs/heads/') && (!forced || onDefault)) {
    if (!forced || (await isThere(session, before))) return { base: before, head: after, ref };
    throw new Refusal('CS1704', `${ref} was rewritten, and what it was (${before.slice(0, 12)}) is gone.`);
  }
  if (session.defaultBranch === undefined) throw new Refusal('CS1702', 'The event names no default branch.');
  if (onDefault) return `${ref} is new and has nothing before it.`;
  return { base: session.defaultBranch, head: after, ref };
}

async function isThere({ api, repository }: Session, sha: string): Promise<boolean> {
  const found = await absentOr(
    api.request('GET /repos/{owner}/{repo}/git/commits/{commit_sha}', { ...repository, commit_sha: sha }),
  );
  return found !== undefined;
}

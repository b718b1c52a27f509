import { version } from '../domain/version.ts';
import { decide } from '../gate/decide.ts';
import type { GitHubApi, RepositoryName } from '../github/api.ts';
import { blobMemory } from '../sources/github/content/blob-memory.ts';
import { readOtherPulls } from '../sources/github/platform/others.ts';
import { collectPullRequest } from '../sources/pull-request/github.ts';
import type { Judged } from './judged.ts';

/** Pull requests with one head that are judged for what stands on it; each costs as much as the first. */
const MAX_OTHERS = 10;

/** Files that are remembered: a pull request is judged several times, and mostly by the same documents. */
const REMEMBERED = blobMemory(16 * 1024 * 1024);

/** Collects what GitHub shows of a pull request, and decides. @throws Refusal CS16xx where it cannot be read */
export async function judgePull(api: GitHubApi, repository: RepositoryName, number: number): Promise<Judged> {
  const facts = await collectPullRequest({
    ...{ api, repository, number, now: new Date().toISOString(), engine: version() },
    ...{ organisation: repository.owner, memory: REMEMBERED },
  });
  return { facts, report: decide(facts) };
}

/**
 * Judges the other open pull requests with the same head: a check run stands on the commit, so that it has to hold for
 * each of them. Where they are too many, or not all could be seen, the first verdict becomes incomplete instead.
 * @throws Refusal CS16xx
 */
export async function judgeOthers(
  api: GitHubApi,
  repository: RepositoryName,
  { facts }: Judged,
): Promise<readonly Judged[]> {
  const { head, number } = facts.subject;
  if (head.sha === null || number === undefined) return [];
  const { others, unread } = await readOtherPulls(api, repository, head.sha, number);
  const judged: Judged[] = [];
  for (const other of others.slice(0, MAX_OTHERS)) judged.push(await judgePull(api, repository, other.number));
  const why = `its head is open in ${others.length + 1} pull requests, and ${MAX_OTHERS} are judged`;
  const unseen = others.length > MAX_OTHERS ? [{ what: 'every pull request with this head', why }] : unread;
  if (unseen.length === 0) return judged;
  const partial = { ...facts, unread: [...facts.unread, ...unseen] };
  return [...judged, { facts: partial, report: decide(partial) }];
}

import { isRefusal, Refusal } from '../domain/errors.ts';
import { absentOr, isUncertain } from '../github/errors.ts';
import { bytesOf, COMMENT_LIMIT } from '../render/limits.ts';
import { COMMENT_MARKER } from '../render/markdown.ts';
import type { CommentWish } from './comment-policy.ts';
import { isOwnComment, issueComment, ownAmong, searchOwn } from './comment-search.ts';
import type { CommentAuthor, IssueComment } from './comment-search.ts';
import { settle } from './context.ts';
import type { PublishContext } from './context.ts';
import { logged } from './log.ts';
import type { PublicationMemory } from './log.ts';
import type { Published, Unpublished } from './result.ts';

export interface CommentToPublish extends PublishContext {
  readonly number: number;
  /** As `commentMarkdown` renders it: within the limit, with its marker. */
  readonly body: string;
  readonly author: CommentAuthor;
  /** By default there shall be one. */
  readonly wish?: CommentWish;
  /** All comments of the pull request, where they were just read; saves the search. */
  readonly comments?: readonly IssueComment[];
}

/** A comment that stands, and how many duplicates of it were deleted. */
export interface PublishedComment extends Published {
  readonly folded: number;
}

/** Calls that create something are made so often at most, and only after a look in between. */
const TRIES = 2;

/**
 * Keeps one comment on a pull request up to date: the oldest of ours. Later ones, which runs side by side may have
 * left, are deleted: that takes no other permission than writing does. A text that stands already is not written again.
 * @throws Refusal CS1603 where the token may not, CS1608 where there are too many comments, CS16xx of the API
 */
export async function publishComment(given: CommentToPublish): Promise<PublishedComment | Unpublished> {
  const { number, body, wish = 'write', log } = given;
  if (bytesOf(body) > COMMENT_LIMIT) throw new TypeError(`a comment of more than ${COMMENT_LIMIT} bytes`);
  if (!body.split('\n').includes(COMMENT_MARKER)) throw new TypeError('a comment without its marker');
  if (wish === 'none') return { published: false, why: 'policy' };
  return logged<PublishedComment | Unpublished>(
    log,
    { surface: 'comment', target: `#${number}`, text: body },
    async (memory) => {
      const first = await look(given, memory);
      return (await write(given, first)) ?? (await write(given, await search(given))) ?? gone(number);
    },
  );
}

function gone(number: number): never {
  throw new Refusal('CS1604', `The verdict on pull request ${number} is listed among its comments and yet not there.`);
}

/** Own comments, the oldest first, by the cheapest way that can be trusted. */
async function look(
  given: CommentToPublish,
  memory: Exclude<PublicationMemory, { readonly state: 'lost' }>,
): Promise<readonly IssueComment[]> {
  const { api, repository, comments, author } = given;
  if (memory.state === 'finished') {
    const call = api.request('GET /repos/{owner}/{repo}/issues/comments/{comment_id}', {
      ...{ ...repository, comment_id: memory.id },
    });
    const found = await absentOr(call);
    const known = found === undefined ? undefined : issueComment(found.data);
    if (known !== undefined && isOwnComment(known, author)) return [known];
  }
  return comments === undefined || memory.state === 'begun' ? search(given) : ownAmong(comments, author);
}

const search = (given: CommentToPublish): Promise<IssueComment[]> => searchOwn(given, given.number, given.author);

/** Creates or updates, and folds. Undefined where the comment was deleted since it was read. */
async function write(
  given: CommentToPublish,
  [oldest, ...duplicates]: readonly IssueComment[],
): Promise<PublishedComment | Unpublished | undefined> {
  if (oldest === undefined) {
    if (given.wish === 'update') return { published: false, why: 'policy' };
    return create(given);
  }
  const what = await update(given, oldest);
  if (what === undefined) return undefined;
  return { ...what, folded: await fold(given, duplicates) };
}

async function create(given: CommentToPublish): Promise<PublishedComment | undefined> {
  const { api, repository, number, body } = given;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { data } = await api.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...{ ...repository, issue_number: number, body },
      });
      return await settled(given, issueComment(data));
    } catch (thrown) {
      if (!isUncertain(thrown)) throw thrown;
      await settle(given);
      const [oldest, ...duplicates] = await search(given);
      if (oldest !== undefined) {
        const what = await update(given, oldest);
        if (what === undefined) return undefined;
        const change = what.change === 'unchanged' ? 'created' : what.change;
        return { ...what, change, folded: await fold(given, duplicates) };
      }
      if (attempt === TRIES) throw thrown;
    }
  }
}

/**
 * A new comment that stands. Where its author is not the one that was given (another token than was thought), those
 * that this author wrote before were not found: the oldest of them stays, and the new one goes.
 */
async function settled(given: CommentToPublish, made: IssueComment): Promise<PublishedComment | undefined> {
  const { id, html_url: url, user, performed_via_github_app: app } = made;
  const created = { published: true, change: 'created', id, url, folded: 0 } as const;
  if (user === null || isOwnComment(made, given.author)) return created;
  const author = { id: user.id, appId: app?.id ?? null };
  const [oldest, ...duplicates] = await searchOwn(given, given.number, author);
  if (oldest === undefined || oldest.id === id) return created;
  const what = await update(given, oldest);
  return what === undefined ? created : { ...what, folded: await fold(given, duplicates) };
}

async function update(
  { api, repository, body }: CommentToPublish,
  { id, html_url: url, body: stands = '' }: IssueComment,
): Promise<Published | undefined> {
  if (sameText(stands, body)) return { published: true, change: 'unchanged', id, url };
  const call = api.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
    ...{ ...repository, comment_id: id, body },
  });
  return (await absentOr(call)) === undefined ? undefined : { published: true, change: 'updated', id, url };
}

// An edit in a browser leaves CRLF.
const sameText = (one: string, other: string): boolean =>
  one.replaceAll('\r\n', '\n').trimEnd() === other.replaceAll('\r\n', '\n').trimEnd();

/** Deletes duplicates, one after the other; one that is gone counts, one that stays does no harm. */
async function fold({ api, repository }: CommentToPublish, duplicates: readonly IssueComment[]): Promise<number> {
  let folded = 0;
  for (const { id } of duplicates) {
    const call = api.request('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', {
      ...{ ...repository, comment_id: id },
    });
    try {
      await absentOr(call);
      folded += 1;
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
    }
  }
  return folded;
}

import { Refusal } from '../domain/errors.ts';
import { COMMENT_MARKER } from '../render/markdown.ts';
import type { PublishContext } from './context.ts';

/**
 * Who Countersign comments as. What is given must match; a login or an id must be.
 * A bot's login ends with `[bot]`, which no person's can.
 */
export interface CommentAuthor {
  readonly login?: string;
  readonly id?: number;
  /** The app that comments; null: none, a person's token. */
  readonly appId?: number | null;
}

/** Who the `GITHUB_TOKEN` of a workflow comments as, on github.com. Other servers have other ids. */
export const GITHUB_ACTIONS_AUTHOR = {
  login: 'github-actions[bot]',
  id: 41_898_282,
  appId: 15_368,
} as const satisfies CommentAuthor;

/** A comment as the REST API gives it, so far as it is read here. */
export interface IssueComment {
  readonly id: number;
  readonly html_url: string;
  readonly body?: string | undefined;
  readonly user: { readonly id: number; readonly login: string } | null;
  readonly performed_via_github_app?: { readonly id: number } | null | undefined;
}

/** A comment as the client's types have it: ids may be more than a number there, and never are. */
interface ReceivedComment {
  readonly id: number | bigint;
  readonly html_url: string;
  readonly body?: string | undefined;
  readonly user: { readonly id: number | bigint; readonly login: string } | null;
  readonly performed_via_github_app?: { readonly id: number | bigint } | null | undefined;
}

export function issueComment(received: ReceivedComment): IssueComment {
  const { id, html_url, body, user, performed_via_github_app: app } = received;
  return {
    ...{ id: Number(id), html_url, body },
    user: user === null ? null : { id: Number(user.id), login: user.login },
    performed_via_github_app: app === null || app === undefined ? null : { id: Number(app.id) },
  };
}

/** Comments of a page (GitHub REST, "Using pagination"). */
const PER_PAGE = 100;

/** Pages that are looked through; GitHub itself locks conversations that grow much shorter than this. */
const MAX_PAGES = 50;

/** Two runs that comment at the same time do so close together: so near the end of a page, the next is read too. */
const NEAR_THE_END = 20;

/**
 * Whether a comment is Countersign's verdict: written by itself, through its app, with the whole marker on a line of
 * its own. A marker alone says nothing: anybody can write it.
 */
export function isOwnComment({ body = '', user, performed_via_github_app: app }: IssueComment, author: CommentAuthor) {
  if (author.login === undefined && author.id === undefined) throw new TypeError('no login and no id of the author');
  return (
    user !== null &&
    (author.login === undefined || user.login === author.login) &&
    (author.id === undefined || user.id === author.id) &&
    (author.appId === undefined || (app?.id ?? null) === author.appId) &&
    body.split(/\r?\n/).includes(COMMENT_MARKER)
  );
}

/** Own comments among those that are known, the oldest first. */
export function ownAmong(comments: readonly IssueComment[], author: CommentAuthor): IssueComment[] {
  return comments.filter((one) => isOwnComment(one, author)).toSorted((a, b) => a.id - b.id);
}

/**
 * Own comments of a pull request, the oldest first: page after page until one is found. Its duplicates are found on
 * the pages read until then.
 * @throws Refusal CS1608 where there are more pages than are looked through; CS16xx of the API
 */
export async function searchOwn(
  { api, repository: { owner, repo } }: PublishContext,
  number: number,
  author: CommentAuthor,
): Promise<IssueComment[]> {
  let known: readonly IssueComment[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data } = await api.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...{ owner, repo, issue_number: number, per_page: PER_PAGE, page },
    });
    known = [...known, ...data.map(issueComment)];
    const own = ownAmong(known, author);
    const last = own.at(-1);
    const nearTheEnd = last !== undefined && known.slice(-NEAR_THE_END).includes(last);
    if (data.length < PER_PAGE || (own.length > 0 && !nearTheEnd)) return own;
  }
  const own = ownAmong(known, author);
  if (own.length > 0) return own;
  throw new Refusal(
    'CS1608',
    `Pull request ${number} has more than ${MAX_PAGES * PER_PAGE} comments, none of them ours.`,
  );
}

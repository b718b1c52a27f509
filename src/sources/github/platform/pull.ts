import type { CommitFacts, Facts, Identity, ReviewFacts } from '../../../gate/facts.ts';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { query } from '../../../github/graphql.ts';
import type { Unread } from '../../snapshot/snapshot.ts';
import { identityOfActor } from './identity.ts';
import { wholeList } from './pull-pages.ts';
import { COMMENTS, COMMITS, NEEDS, PULL_QUERY, pullAnswer, REVIEWS } from './pull-query.ts';
import type { CommentNode, CommitNode, PullAnswer } from './pull-query.ts';
import { reviewsOf } from './reviews.ts';

/** A commit of a pull request, without what its tree says. */
export type PullCommit = Omit<CommitFacts, 'ledger_changes' | 'pusher'> & { readonly tree: string };

/** A comment in the conversation of a pull request. */
export interface PullComment {
  readonly id: number;
  /** Absent where the account is gone. A `bot` here is the account that an app writes as. */
  readonly author: Identity | undefined;
  readonly body: string;
  /** ISO 8601 in UTC, whole seconds. */
  readonly created_at: string;
  readonly edited: boolean;
}

/** A branch and the commit that it stands at; null where it is gone. */
export interface BranchTip {
  readonly ref: string;
  readonly sha: string | null;
}

/** What GitHub says of a pull request and of the repository that it is opened in, in one query. */
export interface PullRequestFacts {
  readonly number: number;
  /** `owner/name` as GitHub spells it now, and the repository's id. */
  readonly repository: { readonly name: string; readonly id: number | undefined; readonly private: boolean };
  readonly owner: { readonly login: string; readonly organisation: boolean };
  readonly title: string;
  readonly body: string;
  readonly state: 'open' | 'closed' | 'merged';
  readonly draft: boolean;
  readonly created_at: string;
  /** When it was last given another base; absent where it never was. */
  readonly base_changed_at: string | undefined;
  /** Absent where the account is gone: then nobody's standing is known. */
  readonly author: Identity | undefined;
  /** The base branch as it stands now, not as it stood when the pull request was last changed. */
  readonly base: BranchTip;
  readonly head: {
    readonly ref: string;
    readonly sha: string;
    /** Where the branch is; absent once the fork is gone. */
    readonly repository: RepositoryName | undefined;
    readonly fork: boolean;
  };
  readonly default_branch: BranchTip | undefined;
  readonly squash: Facts['subject']['squash'];
  readonly merge_message: Facts['subject']['merge_message'];
  readonly commit_count: number;
  readonly file_count: number;
  /** Oldest first. */
  readonly commits: readonly PullCommit[];
  readonly reviews: readonly ReviewFacts[];
  readonly comments: readonly PullComment[];
  readonly unread: readonly Unread[];
}

/**
 * Reads a pull request by one GraphQL query, and one more for every further hundred commits, reviews or comments: there
 * is no limit of 250 commits here. What GitHub counts and does not give is told in `unread`. Messages come as GitHub
 * decodes them: bytes that are no text in the commit's encoding come as U+FFFD, which no rule takes for anything else.
 * Accounts behind commits are the platform's guess from the address, and only people have one here.
 * @throws Refusal CS1607 where there is no such pull request; CS16xx
 */
export async function readPull(api: GitHubApi, name: RepositoryName, number: number): Promise<PullRequestFacts> {
  const variables = { owner: name.owner, name: name.repo, number };
  const { repository } = await query(api, PULL_QUERY, variables, pullAnswer, { needs: NEEDS });
  const { pullRequest: pull } = repository;
  const head = pull.headRefOid;
  const [commits, reviews, comments] = await Promise.all([
    wholeList(api, name, number, head, COMMITS, pull.commits),
    wholeList(api, name, number, head, REVIEWS, pull.reviews),
    wholeList(api, name, number, head, COMMENTS, pull.comments),
  ]);
  const read = distinct(commits.nodes.map(commitOf));
  return {
    number,
    ...repositoryFacts(repository),
    ...pullFacts(pull),
    commit_count: commits.total,
    commits: read.map(({ commit }) => commit),
    reviews: reviewsOf(reviews.nodes),
    comments: comments.nodes.flatMap(commentOf),
    unread: [
      ...shortfall('commits', read.length, commits.total),
      ...shortfall('reviews', reviews.nodes.length, reviews.total),
      ...shortfall('comments', comments.nodes.length, comments.total),
      ...(commits.moved ? [{ what: 'commits of the pull request', why: 'its head moved while they were read' }] : []),
      ...(read.length > 0 && !read.some(({ commit }) => commit.sha === head)
        ? [{ what: 'commits of the pull request', why: `its head ${head.slice(0, 12)} is not among them` }]
        : []),
      ...read.flatMap(({ commit: { sha, parents }, parentCount, authors }) => [
        ...(parents.length === parentCount
          ? []
          : [{ what: `parents of commit ${sha}`, why: `${parents.length} of ${parentCount} seen` }]),
        ...shortfall(`authors of commit ${sha}`, authors.seen, authors.total),
      ]),
    ],
  };
}

function repositoryFacts(repository: PullAnswer['repository']) {
  const { squashMergeCommitTitle: title, squashMergeCommitMessage: message, mergeCommitMessage: merge } = repository;
  const { databaseId, nameWithOwner, isPrivate, owner, defaultBranchRef: main } = repository;
  return {
    repository: { name: nameWithOwner, id: databaseId ?? undefined, private: isPrivate },
    owner: { login: owner.login, organisation: owner.__typename === 'Organization' },
    default_branch: main === null ? undefined : { ref: main.name, sha: main.target?.oid ?? null },
    squash: isGiven(title) && isGiven(message) ? { title, message } : undefined,
    merge_message: merge ?? undefined,
  };
}

// Enterprise Servers before 3.8 have no such settings.
const isGiven = <T>(value: T | null | undefined): value is T => value !== null && value !== undefined;

const PULL_STATES = { OPEN: 'open', CLOSED: 'closed', MERGED: 'merged' } as const;

function pullFacts(pull: PullAnswer['repository']['pullRequest']) {
  const from = pull.headRepository;
  return {
    title: pull.title,
    body: pull.body,
    state: PULL_STATES[pull.state],
    draft: pull.isDraft,
    created_at: pull.createdAt,
    base_changed_at: pull.baseChanges.nodes.at(-1)?.createdAt,
    author: identityOfActor(pull.author),
    base: { ref: pull.baseRefName, sha: pull.baseRef?.target?.oid ?? null },
    head: {
      ref: pull.headRefName,
      sha: pull.headRefOid,
      repository: from === null ? undefined : { owner: from.owner.login, repo: from.name },
      fork: pull.isCrossRepository,
    },
    file_count: pull.changedFiles,
  };
}

interface ReadCommit {
  readonly commit: PullCommit;
  readonly parentCount: number;
  readonly authors: { readonly seen: number; readonly total: number };
}

function commitOf({ commit }: CommitNode): ReadCommit {
  const parents = (commit.parents.nodes ?? []).flatMap((parent) => (parent === null ? [] : [parent.oid]));
  const { totalCount: total, nodes } = commit.authors;
  // The first one is the commit's own.
  const coAuthors = (nodes ?? []).slice(1).map(gitIdentity);
  return {
    commit: {
      sha: commit.oid,
      tree: commit.tree.oid,
      parents,
      author: gitIdentity(commit.author),
      committer: gitIdentity(commit.committer),
      ...(coAuthors.length === 0 ? {} : { co_authors: coAuthors }),
      message: commit.message,
      verified: commit.signature?.isValid === true,
    },
    parentCount: commit.parents.totalCount,
    authors: { seen: nodes?.length ?? 0, total },
  };
}

function gitIdentity(actor: CommitNode['commit']['author']): Identity {
  const user = actor?.user ?? null;
  return {
    name: actor?.name ?? '',
    email: actor?.email ?? '',
    ...(user === null ? {} : { login: user.login }),
    ...(typeof user?.databaseId === 'number' ? { id: user.databaseId } : {}),
    type: user === null ? 'unknown' : 'user',
  };
}

// Pages that shift while they are read show an entry twice.
function distinct<T extends { readonly commit: { readonly sha: string } }>(list: readonly T[]): T[] {
  return [...new Map(list.map((one) => [one.commit.sha, one])).values()];
}

function commentOf({ fullDatabaseId: id, body, author, createdAt, ...edits }: CommentNode): PullComment[] {
  if (id === null) return [];
  const edited = edits.lastEditedAt !== null || edits.includesCreatedEdit;
  return [{ id, author: identityOfActor(author), body, created_at: createdAt, edited }];
}

function shortfall(what: string, seen: number, total: number): Unread[] {
  return seen >= total ? [] : [{ what: `${what} of the pull request`, why: `${seen} of ${total} ${what} seen` }];
}

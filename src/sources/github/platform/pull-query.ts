import * as z from 'zod';
import { ACTOR_FIELDS, actorShape } from './identity.ts';

// Names and nullability are those of GitHub's public schema:
// https://docs.github.com/en/graphql/reference/objects#pullrequest

/** What the queries need of a token. */
export const NEEDS = ['contents: read', 'pull-requests: read'] as const;

/** Parents of a commit that are asked for. An octopus merge with more is told as unread. */
export const MAX_PARENTS = 20;

/** Authors of a commit that are asked for, its own and those of `Co-authored-by:`. More are told as unread. */
export const MAX_AUTHORS = 100;

const oid = z.string().regex(/^[0-9a-f]{40,64}$/);
const pageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });
// Ids have outgrown GraphQL's 32-bit `Int`; `fullDatabaseId` is a `BigInt`, which comes as text.
const fullId = z
  .union([z.string().regex(/^\d{1,16}$/), z.int().nonnegative()])
  .transform(Number)
  .refine(Number.isSafeInteger);

/** One page of a connection. Nodes that GitHub could not give are null. */
const connection = <T extends z.ZodType>(node: T) =>
  z.object({
    totalCount: z.int().nonnegative().optional(),
    pageInfo,
    nodes: z
      .array(node.nullable())
      .nullable()
      .transform((nodes) => nodes ?? []),
  });

const gitActor = z
  .object({
    name: z.string().nullable(),
    email: z.string().nullable(),
    user: z.object({ databaseId: z.int().nonnegative().nullish(), login: z.string() }).nullable(),
  })
  .nullable();

export const commitNode = z.object({
  commit: z.object({
    oid,
    message: z.string(),
    tree: z.object({ oid }),
    parents: z.object({ totalCount: z.int().nonnegative(), nodes: z.array(z.object({ oid }).nullable()).nullable() }),
    author: gitActor,
    committer: gitActor,
    authors: z.object({ totalCount: z.int().nonnegative(), nodes: z.array(gitActor).nullable() }),
    signature: z.object({ isValid: z.boolean() }).nullish(),
  }),
});

export const reviewNode = z.object({
  fullDatabaseId: fullId.nullable(),
  state: z.string(),
  author: actorShape,
  submittedAt: z.string().nullable(),
  commit: z.object({ oid }).nullable(),
});

export const commentNode = z.object({
  fullDatabaseId: fullId.nullable(),
  body: z.string(),
  author: actorShape,
  createdAt: z.string(),
  lastEditedAt: z.string().nullable(),
  includesCreatedEdit: z.boolean(),
});

export type CommitNode = z.infer<typeof commitNode>;
export type ReviewNode = z.infer<typeof reviewNode>;
export type CommentNode = z.infer<typeof commentNode>;

const GIT_ACTOR = 'name email user { databaseId login }';

/** A page of one of a pull request's lists. */
export interface ListPage<T> {
  readonly totalCount?: number | undefined;
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
  readonly nodes: readonly (T | null)[];
}

/** A list of a pull request: what is asked of each entry, and the shape of a page. */
export interface PullList<T> {
  readonly name: 'commits' | 'reviews' | 'comments';
  readonly fields: string;
  readonly shape: z.ZodType<ListPage<T> | null>;
}

export const COMMITS: PullList<CommitNode> = {
  name: 'commits',
  fields: `commit { oid message tree { oid } parents(first: ${MAX_PARENTS}) { totalCount nodes { oid } }
    author { ${GIT_ACTOR} } committer { ${GIT_ACTOR} }
    authors(first: ${MAX_AUTHORS}) { totalCount nodes { ${GIT_ACTOR} } } signature { isValid } }`,
  shape: connection(commitNode),
};
export const REVIEWS: PullList<ReviewNode> = {
  name: 'reviews',
  fields: `fullDatabaseId state author { ${ACTOR_FIELDS} } submittedAt commit { oid }`,
  shape: connection(reviewNode).nullable(),
};
export const COMMENTS: PullList<CommentNode> = {
  name: 'comments',
  fields: `fullDatabaseId body author { ${ACTOR_FIELDS} } createdAt lastEditedAt includesCreatedEdit`,
  shape: connection(commentNode),
};

const asked = ({ name, fields }: PullList<unknown>): string =>
  `${name}(first: 100, after: $${name}) { totalCount pageInfo { hasNextPage endCursor } nodes { ${fields} } }`;

const ref = z.object({ name: z.string(), target: z.object({ oid }).nullable() }).nullable();
const repositoryName = z.object({ name: z.string(), owner: z.object({ login: z.string() }) });

// Its own edits of the base, and the one that GitHub makes where the base is merged and deleted.
const BASE_CHANGES = `baseChanges: timelineItems(last: 1, itemTypes: [BASE_REF_CHANGED_EVENT AUTOMATIC_BASE_CHANGE_SUCCEEDED_EVENT]) {
        nodes { ... on BaseRefChangedEvent { createdAt } ... on AutomaticBaseChangeSucceededEvent { createdAt } }
      }`;

/** The whole pull request, with the first page of each list. */
export const PULL_QUERY = `query Pull($owner: String!, $name: String!, $number: Int!, $commits: String, $reviews: String, $comments: String) {
  repository(owner: $owner, name: $name) {
    databaseId nameWithOwner isPrivate owner { __typename login }
    squashMergeCommitTitle squashMergeCommitMessage mergeCommitMessage
    defaultBranchRef { name target { oid } }
    pullRequest(number: $number) {
      title body state isDraft createdAt author { ${ACTOR_FIELDS} }
      baseRefName baseRef { name target { oid } } ${BASE_CHANGES}
      headRefName headRefOid isCrossRepository headRepository { name owner { login } }
      changedFiles ${asked(COMMITS)} ${asked(REVIEWS)} ${asked(COMMENTS)}
    }
  }
}`;

export const pullAnswer = z.object({
  repository: z.object({
    databaseId: z.int().nonnegative().nullish(),
    nameWithOwner: z.string(),
    isPrivate: z.boolean(),
    owner: z.object({ __typename: z.string(), login: z.string() }),
    squashMergeCommitTitle: z.enum(['PR_TITLE', 'COMMIT_OR_PR_TITLE']).nullish(),
    squashMergeCommitMessage: z.enum(['PR_BODY', 'COMMIT_MESSAGES', 'BLANK']).nullish(),
    mergeCommitMessage: z.enum(['PR_BODY', 'PR_TITLE', 'BLANK']).nullish(),
    defaultBranchRef: ref,
    pullRequest: z.object({
      title: z.string(),
      body: z.string(),
      state: z.enum(['OPEN', 'CLOSED', 'MERGED']),
      isDraft: z.boolean(),
      createdAt: z.string(),
      author: actorShape,
      baseRefName: z.string(),
      baseRef: ref,
      // By the schema these may be null, where GitHub cannot give them: then nothing is known, least of all "never".
      baseChanges: z.object({ nodes: z.array(z.object({ createdAt: z.string() })) }),
      headRefName: z.string(),
      headRefOid: oid,
      isCrossRepository: z.boolean(),
      headRepository: repositoryName.nullable(),
      changedFiles: z.int().nonnegative(),
      commits: COMMITS.shape,
      reviews: REVIEWS.shape,
      comments: COMMENTS.shape,
    }),
  }),
});

export type PullAnswer = z.infer<typeof pullAnswer>;

/** One further page of a list. It asks for the head too: pages of two heads do not belong together. */
export const pageQuery = (list: PullList<unknown>): string =>
  `query Page($owner: String!, $name: String!, $number: Int!, $${list.name}: String) {
  repository(owner: $owner, name: $name) { pullRequest(number: $number) { headRefOid ${asked(list)} } }
}`;

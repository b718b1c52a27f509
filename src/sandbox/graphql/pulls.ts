import { diffFiles } from '../git/diff.ts';
import { listCommits, mergeBase, readRef } from '../git/refs.ts';
import { iso, isoOrNull } from '../json.ts';
import type { Json } from '../json.ts';
import { nodeId } from '../show/account.ts';
import { accountOf } from '../state.ts';
import type { Account, Comment, MergeSettings, PullRequest, Repository, Review } from '../state.ts';
import { connection, connectionType, nodeOf, nodes, scalar } from './fields.ts';
import type { Context, FieldType, Fields, Resolved } from './fields.ts';
import { gitObject } from './git-object.ts';
import type { InRepository } from './git-object.ts';

// Pull requests with what is said at them, by the names and the nullability of GitHub's public schema.

interface Ref {
  readonly repository: Repository;
  readonly name: string;
}

/** An account as `Actor`, by its own type: `User`, `Bot` or `Organization`. */
function actor(sandbox: Context['sandbox'], id: number): Resolved {
  const account = accountOf(sandbox.state, id);
  return nodeOf(account.type, account);
}

const actorOf = (read: (value: never) => number): FieldType => ({
  resolve: (value, _args, { sandbox }) => actor(sandbox, read(value as never)),
});

/** A branch, or null where it is gone. */
async function ref(repository: Repository | undefined, name: string): Promise<Resolved> {
  const sha = repository === undefined ? undefined : await readRef(repository.folder, `refs/heads/${name}`);
  return nodeOf('Ref', sha === undefined ? null : ({ repository: repository as Repository, name } satisfies Ref));
}

const headRepository = ({ head }: PullRequest, { sandbox }: Context): Repository | undefined =>
  head.repositoryId === null ? undefined : sandbox.state.repositories.get(head.repositoryId);

function pull(field: (pull: PullRequest, repository: Repository, context: Context) => Json): FieldType {
  return scalar<InRepository<PullRequest>>(({ value, repository }, context) => field(value, repository, context));
}

const setting = (key: keyof MergeSettings): FieldType => scalar<Repository>(({ mergeSettings }) => mergeSettings[key]);

/** What a repository says of merges and branches. */
export const REPOSITORY_FIELDS: Fields = {
  owner: {
    resolve: (value, _args, { sandbox }) => actor(sandbox, (value as Repository).ownerId),
  },
  squashMergeCommitTitle: setting('squashTitle'),
  squashMergeCommitMessage: setting('squashMessage'),
  mergeCommitTitle: setting('mergeTitle'),
  mergeCommitMessage: setting('mergeMessage'),
  defaultBranchRef: { resolve: (value) => ref(value as Repository, (value as Repository).defaultBranch) },
};

const login = scalar<Account>(({ login: name, type }) => (type === 'Bot' ? name.replace(/\[bot\]$/, '') : name));
const account: Fields = { login, databaseId: scalar<Account>(({ id }) => id) };
// Ids have outgrown GraphQL's 32-bit `Int`: `fullDatabaseId` is a `BigInt`, which comes as text.
const fullDatabaseId = scalar<{ value: { id: number } }>(({ value }) => String(value.id));

const PULL_REQUEST: Fields = {
  id: pull(({ id }) => nodeId('PullRequest', id)),
  databaseId: pull(({ id }) => id),
  fullDatabaseId,
  number: pull(({ number }) => number),
  title: pull(({ title }) => title),
  body: pull(({ body }) => body ?? ''),
  state: pull(({ state, merged }) => (merged === null ? state.toUpperCase() : 'MERGED')),
  isDraft: pull(({ draft }) => draft),
  createdAt: pull(({ createdAt }) => iso(createdAt)),
  headRefName: pull(({ head }) => head.ref),
  headRefOid: pull(({ head }) => head.sha),
  baseRefName: pull(({ base }) => base.ref),
  baseRefOid: pull(({ base }) => base.sha),
  baseRef: {
    resolve: (value) => {
      const { repository, value: one } = value as InRepository<PullRequest>;
      return ref(repository, one.base.ref);
    },
  },
  headRef: {
    resolve: (value, _args, context) => {
      const { value: one } = value as InRepository<PullRequest>;
      return ref(headRepository(one, context), one.head.ref);
    },
  },
  headRepository: {
    resolve: (value, _args, context) =>
      nodeOf('Repository', headRepository((value as InRepository<PullRequest>).value, context)),
  },
  isCrossRepository: pull(({ head }, { id }) => head.repositoryId !== id),
  author: actorOf(({ value }: InRepository<PullRequest>) => value.authorId),
  changedFiles: {
    resolve: async (value) => {
      const { repository, value: one } = value as InRepository<PullRequest>;
      const from = (await mergeBase(repository.folder, one.base.sha, one.head.sha)) ?? null;
      return { kind: 'scalar', value: (await diffFiles(repository.folder, from, one.head.sha)).length };
    },
  },
  commits: connection(
    'PullRequestCommitConnection',
    async ({ repository, value: { base, head } }: InRepository<PullRequest>) => {
      const shas = await listCommits(repository.folder, base.sha, head.sha, { reverse: true });
      return shas.map((sha) => ({ repository, value: sha }));
    },
  ),
  // One that was not submitted is its author's alone to see.
  reviews: connection('PullRequestReviewConnection', ({ repository, value }: InRepository<PullRequest>, { caller }) => {
    const own = caller.kind === 'user' ? caller.account.id : undefined;
    const seen = value.reviews.filter(({ state, userId }) => state !== 'PENDING' || userId === own);
    return Promise.resolve(seen.map((one) => ({ repository, value: one })));
  }),
  // Of the items of a pull request's history only those that give it another base, and of these the last ones.
  timelineItems: {
    resolve: (value, args) => {
      const { value: one } = value as InRepository<PullRequest>;
      const { itemTypes, last } = args;
      const isAsked = Array.isArray(itemTypes) && itemTypes.includes('BASE_REF_CHANGED_EVENT');
      return nodeOf('PullRequestTimelineItemsConnection', isAsked ? one.baseChanges.slice(-Number(last)) : []);
    },
  },
  comments: connection('IssueCommentConnection', ({ repository, value }: InRepository<PullRequest>) => {
    const own = [...repository.comments.values()].filter(({ number }) => number === value.number);
    return Promise.resolve(own.map((one) => ({ repository, value: one })));
  }),
};

const REVIEW: Fields = {
  fullDatabaseId,
  state: scalar<InRepository<Review>>(({ value }) => value.state),
  body: scalar<InRepository<Review>>(({ value }) => value.body),
  author: actorOf(({ value }: InRepository<Review>) => value.userId),
  submittedAt: scalar<InRepository<Review>>(({ value }) => (value.state === 'PENDING' ? null : iso(value.submittedAt))),
  commit: {
    resolve: (value) => {
      const { repository, value: one } = value as InRepository<Review>;
      return gitObject(repository, one.commitId);
    },
  },
};

const edited = ({ createdAt, updatedAt }: Comment): boolean => updatedAt > createdAt;

const COMMENT: Fields = {
  id: scalar<InRepository<Comment>>(({ value }) => nodeId('IssueComment', value.id)),
  fullDatabaseId,
  body: scalar<InRepository<Comment>>(({ value }) => value.body),
  author: actorOf(({ value }: InRepository<Comment>) => value.userId),
  createdAt: scalar<InRepository<Comment>>(({ value }) => iso(value.createdAt)),
  lastEditedAt: scalar<InRepository<Comment>>(({ value }) => isoOrNull(edited(value) ? value.updatedAt : null)),
  includesCreatedEdit: scalar<InRepository<Comment>>(({ value }) => edited(value)),
};

/** Pull requests and what hangs on them. */
export const PULL_TYPES: Readonly<Record<string, Fields>> = {
  User: account,
  Bot: account,
  Organization: account,
  Ref: {
    name: scalar<Ref>(({ name }) => name),
    target: {
      resolve: async (value) => {
        const { repository, name } = value as Ref;
        return gitObject(repository, (await readRef(repository.folder, `refs/heads/${name}`)) ?? '');
      },
    },
  },
  GpgSignature: { isValid: scalar(() => true) },
  PullRequest: PULL_REQUEST,
  PullRequestCommitConnection: connectionType('PullRequestCommit'),
  PullRequestCommit: {
    commit: {
      resolve: (value) => {
        const { repository, value: sha } = value as InRepository<string>;
        return gitObject(repository, sha);
      },
    },
  },
  PullRequestReviewConnection: connectionType('PullRequestReview'),
  PullRequestReview: REVIEW,
  IssueCommentConnection: connectionType('IssueComment'),
  PullRequestTimelineItemsConnection: {
    nodes: { resolve: (value) => nodes('BaseRefChangedEvent', value as readonly number[]) },
  },
  BaseRefChangedEvent: { createdAt: scalar<number>(iso) },
  // GitHub gives a pull request another base itself where its base is merged; the sandbox does not.
  AutomaticBaseChangeSucceededEvent: { createdAt: scalar<number>(iso) },
  IssueComment: COMMENT,
};

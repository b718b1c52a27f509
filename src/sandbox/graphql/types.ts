import { resolveCommit } from '../git/refs.ts';
import { readCommit, readObject, readTree } from '../git/objects.ts';
import type { Commit, GitObject, Person, TreeEntry } from '../git/objects.ts';
import { authorize } from '../http/permissions.ts';
import { ApiError } from '../http/answer.ts';
import { connection, connectionType, node, nodeOf, nodes, scalar } from './fields.ts';
import type { Arguments, Context, FieldType, Fields, Resolved, Slice } from './fields.ts';
import { gitObject } from './git-object.ts';
import type { InRepository } from './git-object.ts';
import { PULL_TYPES, REPOSITORY_FIELDS } from './pulls.ts';
import { rateState } from '../http/rate.ts';
import { iso } from '../json.ts';
import { nodeId } from '../show/account.ts';
import { accountByEmail } from '../show/commit.ts';
import { fullName, repositoryByName } from '../state.ts';
import type { Repository } from '../state.ts';

/** An expression such as `<commit or branch>:<path>`, or the name of a commit. */
async function byExpression(repository: Repository, expression: string): Promise<Resolved> {
  const colon = expression.indexOf(':');
  const sha = await resolveCommit(repository.folder, colon < 0 ? expression : expression.slice(0, colon));
  if (sha === undefined) {
    return /^[0-9a-f]{40}$/.test(expression) ? gitObject(repository, expression) : nodeOf('GitObject', null);
  }
  return gitObject(repository, colon < 0 ? sha : `${sha}:${expression.slice(colon + 1)}`);
}

function isBinary({ bytes }: GitObject): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

const gitFields = (sha: (value: never) => string): Fields => ({
  id: scalar<never>((value) => Buffer.from(`GitObject:${sha(value)}`).toString('base64url')),
  oid: scalar<never>((value) => sha(value)),
});
const objectSha = ({ value }: InRepository<GitObject | Commit>): string => value.sha;

const person = (read: (commit: Commit) => Person): FieldType =>
  node<InRepository<Commit>>('GitActor', ({ value }) => read(value));

/** The whole graph of the sandbox: everything that is not here is refused. */
export const TYPES: Readonly<Record<string, Fields>> = {
  Query: {
    repository: { resolve: findRepository },
    rateLimit: node('RateLimit', (_value, { sandbox, caller }) => rateState(sandbox, caller, 'graphql')),
  },
  RateLimit: {
    limit: scalar<{ limit: number }>(({ limit }) => limit),
    remaining: scalar<{ remaining: number }>(({ remaining }) => remaining),
    used: scalar<{ used: number }>(({ used }) => used),
    cost: scalar(() => 1),
    resetAt: scalar<{ reset: number }>(({ reset }) => iso(reset * 1000)),
  },
  Repository: {
    id: scalar<Repository>(({ id }) => nodeId('Repository', id)),
    databaseId: scalar<Repository>(({ id }) => id),
    name: scalar<Repository>(({ name }) => name),
    nameWithOwner: scalar<Repository>((one, { sandbox }) => fullName(sandbox.state, one)),
    isPrivate: scalar<Repository>((one) => one.private),
    ...REPOSITORY_FIELDS,
    object: {
      resolve: (value, args) => {
        const { oid, expression } = args;
        if (typeof oid === 'string') return gitObject(value as Repository, /^[0-9a-f]{40}$/.test(oid) ? oid : '');
        return byExpression(value as Repository, typeof expression === 'string' ? expression : '');
      },
    },
    pullRequest: {
      resolve: (value, args) => {
        const repository = value as Repository;
        const number = Number(args['number']);
        const found = repository.pulls.get(number);
        if (found !== undefined) return nodeOf('PullRequest', { repository, value: found });
        const message = `Could not resolve to a PullRequest with the number of ${number}.`;
        return { kind: 'problem', type: 'NOT_FOUND', message };
      },
    },
  },
  Blob: {
    ...gitFields(objectSha),
    byteSize: scalar<InRepository<GitObject>>(({ value }) => value.bytes.length),
    isBinary: scalar<InRepository<GitObject>>(({ value }) => isBinary(value)),
    isTruncated: scalar<InRepository<GitObject>>(
      ({ value }, { sandbox }) => !isBinary(value) && value.bytes.length > sandbox.limits.blobTextBytes,
    ),
    text: scalar<InRepository<GitObject>>(({ value }, { sandbox }) =>
      isBinary(value) ? null : value.bytes.subarray(0, sandbox.limits.blobTextBytes).toString('utf8'),
    ),
  },
  Tree: {
    ...gitFields(objectSha),
    entries: {
      resolve: async (value) => {
        const { repository, value: tree } = value as InRepository<GitObject>;
        const entries = (await readTree(repository.folder, tree.sha)) ?? [];
        return nodes(
          'TreeEntry',
          entries.map((one) => ({ repository, value: one })),
        );
      },
    },
  },
  TreeEntry: {
    name: scalar<InRepository<TreeEntry>>(({ value }) => value.name),
    nameRaw: scalar<InRepository<TreeEntry>>(({ value }) => value.raw.toString('base64')),
    size: {
      resolve: async (value) => {
        const { repository, value: entry } = value as InRepository<TreeEntry>;
        const blob = entry.type === 'blob' ? await readObject(repository.folder, entry.sha) : undefined;
        return { kind: 'scalar', value: blob?.bytes.length ?? 0 };
      },
    },
    oid: scalar<InRepository<TreeEntry>>(({ value }) => value.sha),
    type: scalar<InRepository<TreeEntry>>(({ value }) => value.type),
    mode: scalar<InRepository<TreeEntry>>(({ value }) => parseInt(value.mode, 8)),
    object: {
      resolve: (value) => {
        const { repository, value: entry } = value as InRepository<TreeEntry>;
        return entry.type === 'commit' ? nodeOf('GitObject', null) : gitObject(repository, entry.sha);
      },
    },
  },
  Commit: {
    ...gitFields(objectSha),
    message: scalar<InRepository<Commit>>(({ value }) => value.message),
    signature: node<InRepository<Commit>>('GpgSignature', ({ repository, value }) =>
      repository.signedCommits.has(value.sha) ? value : null,
    ),
    author: person(({ author }) => author),
    committer: person(({ committer }) => committer),
    // "The list of authors for this commit based on the git author and the Co-authored-by message trailer."
    authors: connection('GitActorConnection', ({ value: { author, message } }: InRepository<Commit>) => {
      const named = [...message.matchAll(/^co-authored-by: {0,9}([^<\n]{1,200})<([^>\n]{1,200})>\s{0,9}$/gim)];
      const others = named.map(([, name = '', email = '']): Person => ({ name: name.trim(), email, at: author.at }));
      return Promise.resolve([author, ...others]);
    }),
    tree: {
      resolve: (value) => {
        const { repository, value: commit } = value as InRepository<Commit>;
        return gitObject(repository, commit.tree);
      },
    },
    parents: connection('CommitConnection', async ({ repository, value }: InRepository<Commit>) =>
      Promise.all(value.parents.map(async (sha) => ({ repository, value: await readCommit(repository.folder, sha) }))),
    ),
  },
  CommitConnection: connectionType('Commit'),
  GitActorConnection: connectionType('GitActor'),
  GitActor: {
    name: scalar<Person>(({ name }) => name),
    email: scalar<Person>(({ email }) => email),
    date: scalar<Person>(({ at }) => iso(at)),
    // Its type is `User`: addresses of apps' accounts lead to none.
    user: node<Person>('User', ({ email }, { sandbox }) => {
      const account = accountByEmail(sandbox, email);
      return account?.type === 'User' ? account : undefined;
    }),
  },
  ...PULL_TYPES,
  PageInfo: {
    hasNextPage: scalar<Slice>(({ all, start, items }) => start + items.length < all.length),
    endCursor: scalar<Slice>(({ start, items }) =>
      items.length === 0 ? null : Buffer.from(String(start + items.length)).toString('base64'),
    ),
  },
};

function findRepository(_value: unknown, args: Arguments, { sandbox, caller }: Context): Resolved {
  const wanted = `${String(args['owner'])}/${String(args['name'])}`;
  const found = repositoryByName(sandbox.state, wanted);
  const missing = `Could not resolve to a Repository with the name '${wanted}'.`;
  if (found === undefined) return { kind: 'problem', type: 'NOT_FOUND', message: missing };
  try {
    authorize(sandbox, caller, 'repos/get-content', found);
  } catch (thrown) {
    if (!(thrown instanceof ApiError)) throw thrown;
    const forbidden = thrown.status === 403;
    return {
      kind: 'problem',
      type: forbidden ? 'FORBIDDEN' : 'NOT_FOUND',
      message: forbidden ? thrown.message : missing,
    };
  }
  return nodeOf('Repository', found);
}

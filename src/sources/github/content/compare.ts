import * as z from 'zod';
import type { CommitFacts, Identity } from '../../../gate/facts.ts';
import type { GitHubApi, RepositoryName } from '../../../github/api.ts';
import { PER_PAGE } from '../../../github/pages.ts';
import { shaped } from '../../../github/graphql.ts';
import { oidSchema } from './objects.ts';
import { identityOfUser, userShape } from '../platform/identity.ts';

const CALL = 'GET /repos/{owner}/{repo}/compare/{basehead}';

/** Files that a comparison lists: all on its first page, cut without a word (REST, "Compare two commits"). */
export const MAX_COMPARED_FILES = 300;

/** Commits of a comparison that are read; of more only the number is told. */
export const MAX_COMPARED_COMMITS = 20_000;

/** Pages of commits that are asked for at once. */
const PAGES_AT_ONCE = 10;

/** A commit, without what its tree says. */
export type ComparedCommit = Omit<CommitFacts, 'ledger_changes' | 'pusher'> & { readonly tree: string };

/** Two commits as GitHub compares them. */
export interface Compared {
  readonly base: { readonly sha: string; readonly tree: string };
  readonly mergeBase: { readonly sha: string; readonly tree: string };
  /** How many commits the head has that the base has not. */
  readonly ahead: number;
  /** New names of files to their old ones, as far as they are listed. */
  readonly renames: ReadonlyMap<string, string>;
  /** Whether all files are listed, so that no further rename is to be found. */
  readonly hasAllFiles: boolean;
  /** Oldest first; none where they were not asked for. */
  readonly commits: readonly ComparedCommit[];
}

const person = z.object({ name: z.string().optional(), email: z.string().optional() }).nullable();
// An empty object where the address is none.
const accountSchema = z.union([userShape, z.object({}).transform(() => null)]);
const commitSchema = z.object({
  sha: oidSchema,
  parents: z.array(z.object({ sha: oidSchema })),
  commit: z.object({
    message: z.string(),
    tree: z.object({ sha: oidSchema }),
    author: person,
    committer: person,
    verification: z.object({ verified: z.boolean() }).optional(),
  }),
  author: accountSchema,
  committer: accountSchema,
});
const answerSchema = z.object({
  base_commit: commitSchema,
  merge_base_commit: commitSchema,
  total_commits: z.int().nonnegative(),
  commits: z.array(commitSchema),
  files: z
    .array(z.object({ filename: z.string(), status: z.string(), previous_filename: z.string().optional() }))
    .optional(),
});

/**
 * Compares two commits: their merge base, and renames; with `commits` also what the head adds, page by page.
 * @param base a branch or a commit; `head` too
 * @throws Refusal CS1604 where one is missing or they have nothing in common; the client's
 */
export async function compareCommits(
  api: GitHubApi,
  repository: RepositoryName,
  base: string,
  head: string,
  wants: 'commits' | 'no commits' = 'no commits',
): Promise<Compared> {
  const ask = async (page: number): Promise<z.infer<typeof answerSchema>> => {
    const per_page = wants === 'commits' ? PER_PAGE : 1;
    const answer = await api.request(CALL, { ...repository, basehead: `${base}...${head}`, page, per_page });
    return shaped(answerSchema, answer.data, CALL);
  };
  const first = await ask(1);
  const commits = wants === 'commits' ? first.commits : [];
  const last = wants === 'commits' ? Math.ceil(Math.min(first.total_commits, MAX_COMPARED_COMMITS) / PER_PAGE) : 1;
  for (let page = 2; page <= last; page += PAGES_AT_ONCE) {
    const pages = Array.from({ length: Math.min(PAGES_AT_ONCE, last - page + 1) }, (_, index) => page + index);
    for (const more of await Promise.all(pages.map(ask))) commits.push(...more.commits);
  }
  const files = first.files ?? [];
  const renamed = files.filter(({ status }) => status === 'renamed');
  const point = ({ sha, commit }: z.infer<typeof commitSchema>) => ({ sha, tree: commit.tree.sha });
  return {
    base: point(first.base_commit),
    mergeBase: point(first.merge_base_commit),
    ahead: first.total_commits,
    renames: new Map(
      renamed.flatMap(({ filename, previous_filename: old }) => (old === undefined ? [] : [[filename, old]])),
    ),
    hasAllFiles: files.length < MAX_COMPARED_FILES,
    commits: commits.map(comparedCommit),
  };
}

function comparedCommit({ sha, parents, commit, author, committer }: z.infer<typeof commitSchema>): ComparedCommit {
  return {
    sha,
    tree: commit.tree.sha,
    parents: parents.map((parent) => parent.sha),
    author: identity(commit.author, author),
    committer: identity(commit.committer, committer),
    message: commit.message,
    verified: commit.verification?.verified === true,
  };
}

// The account is the platform's guess from the address.
function identity(said: z.infer<typeof person>, account: z.infer<typeof accountSchema>): Identity {
  const user = identityOfUser(account);
  return { type: 'unknown', ...user, name: said?.name ?? '', email: said?.email ?? '' };
}

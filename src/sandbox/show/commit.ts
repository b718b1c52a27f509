import type { Commit, Person } from '../git/objects.ts';
import { readCommit } from '../git/objects.ts';
import type { FileDiff } from '../git/diff.ts';
import type { JsonObject } from '../json.ts';
import { iso } from '../json.ts';
import { existing } from '../state.ts';
import type { Account, Repository } from '../state.ts';
import type { Sandbox } from '../sandbox.ts';
import { showUser } from './account.ts';
import { repositoryApi, repositoryHtml } from './repository.ts';

const commitNodeId = (sha: string): string => Buffer.from(`Commit:${sha}`).toString('base64url');

const NO_SIGNATURE = { verified: false, reason: 'unsigned', signature: null, payload: null, verified_at: null };

/** Nobody signs here: which commits count as signed is set by tests. */
function showSignature({ signedCommits }: Repository, { sha, committer }: Commit): JsonObject {
  if (!signedCommits.has(sha)) return NO_SIGNATURE;
  const signature = '-----BEGIN SSH SIGNATURE-----';
  return { verified: true, reason: 'valid', signature, payload: `tree ${sha}`, verified_at: iso(committer.at) };
}

const showPerson = ({ name, email, at }: Person): JsonObject => ({ name, email, date: iso(at) });

/** The account that an address belongs to: its own, or the one that GitHub gives, `<id>+<login>@users.noreply…`. */
export function accountByEmail({ state }: Sandbox, email: string): Account | undefined {
  const noreply = /^(?:(\d{1,15})\+)?([^@\s]{1,100})@users\.noreply\.github\.com$/.exec(email.toLowerCase());
  return [...state.accounts.values()].find(
    (one) =>
      one.email?.toLowerCase() === email.toLowerCase() ||
      (noreply !== null &&
        (noreply[1] === undefined ? one.login.toLowerCase() === noreply[2] : one.id === Number(noreply[1]))),
  );
}

export async function commitIn(repository: Repository, sha: string): Promise<Commit> {
  return existing(await readCommit(repository.folder, sha), `commit ${sha}`);
}

/** The shape `commit`, without statistics and files. */
export function showCommit(sandbox: Sandbox, repository: Repository, commit: Commit): JsonObject {
  const api = repositoryApi(sandbox, repository);
  const html = repositoryHtml(sandbox, repository);
  const user = (email: string) => {
    const account = accountByEmail(sandbox, email);
    return account === undefined ? null : showUser(sandbox, account);
  };
  return {
    sha: commit.sha,
    node_id: commitNodeId(commit.sha),
    commit: {
      author: showPerson(commit.author),
      committer: showPerson(commit.committer),
      message: commit.message,
      tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
      url: `${api}/git/commits/${commit.sha}`,
      comment_count: 0,
      verification: showSignature(repository, commit),
    },
    url: `${api}/commits/${commit.sha}`,
    html_url: `${html}/commit/${commit.sha}`,
    comments_url: `${api}/commits/${commit.sha}/comments`,
    author: user(commit.author.email),
    committer: user(commit.committer.email),
    parents: showParents(sandbox, repository, commit.parents, 'commits'),
  };
}

function showParents(sandbox: Sandbox, repository: Repository, parents: readonly string[], kind: string) {
  const api = repositoryApi(sandbox, repository);
  const html = repositoryHtml(sandbox, repository);
  return parents.map((sha) => ({ sha, url: `${api}/${kind}/${sha}`, html_url: `${html}/commit/${sha}` }));
}

/** The shape `git-commit`. */
export function showGitCommit(sandbox: Sandbox, repository: Repository, commit: Commit): JsonObject {
  const api = repositoryApi(sandbox, repository);
  return {
    sha: commit.sha,
    node_id: commitNodeId(commit.sha),
    url: `${api}/git/commits/${commit.sha}`,
    html_url: `${repositoryHtml(sandbox, repository)}/commit/${commit.sha}`,
    author: showPerson(commit.author),
    committer: showPerson(commit.committer),
    tree: { sha: commit.tree, url: `${api}/git/trees/${commit.tree}` },
    message: commit.message,
    parents: showParents(sandbox, repository, commit.parents, 'git/commits'),
    verification: showSignature(repository, commit),
  };
}

/** The shape `simple-commit`. */
export function showSimpleCommit({ sha, tree, message, committer, author }: Commit): JsonObject {
  return {
    id: sha,
    tree_id: tree,
    message,
    timestamp: iso(committer.at),
    author: { name: author.name, email: author.email },
    committer: { name: committer.name, email: committer.email },
  };
}

/** The shape `diff-entry`. */
export function showFile(sandbox: Sandbox, repository: Repository, ref: string, file: FileDiff): JsonObject {
  const api = repositoryApi(sandbox, repository);
  const html = repositoryHtml(sandbox, repository);
  const path = file.path.split('/').map(encodeURIComponent).join('/');
  return {
    sha: file.sha,
    filename: file.path,
    status: file.status,
    additions: file.additions,
    deletions: file.deletions,
    changes: file.additions + file.deletions,
    blob_url: `${html}/blob/${ref}/${encodeURIComponent(file.path)}`,
    raw_url: `${html}/raw/${ref}/${encodeURIComponent(file.path)}`,
    contents_url: `${api}/contents/${path}?ref=${ref}`,
    patch: file.patch,
    previous_filename: file.oldPath,
  };
}

import { diffFiles } from '../git/diff.ts';
import { listCommits, mergeBase, resolveCommit } from '../git/refs.ts';
import { readCommit } from '../git/objects.ts';
import { ApiError, notFound, ok } from '../http/answer.ts';
import { param, queryText, repo } from '../http/call.ts';
import type { Call, Routes } from '../http/call.ts';
import { listAnswer, page } from '../http/pages.ts';
import type { Page } from '../http/pages.ts';
import type { Json, JsonObject } from '../json.ts';
import { accountByLogin } from '../state.ts';
import { commitIn, showCommit, showFile } from '../show/commit.ts';
import { showSimplePull } from '../show/pull.ts';
import { repositoryApi, repositoryHtml } from '../show/repository.ts';
import { commitInPath } from './find.ts';

/** Files that a page of a commit has, and commits that a comparison has where no page is asked for (description). */
const FILES_PER_PAGE = 300;
const COMPARED_COMMITS = 250;

/** Commits, with what the list says of them. */
export async function showCommits(call: Call, shas: readonly string[]): Promise<JsonObject[]> {
  const commits = await Promise.all(shas.map((sha) => commitIn(repo(call), sha)));
  return commits.map((one) => showCommit(call.sandbox, repo(call), one));
}

async function list(call: Call) {
  const repository = repo(call);
  const wanted = queryText(call, 'sha') ?? repository.defaultBranch;
  const start = await resolveCommit(repository.folder, wanted);
  if (start === undefined) throw new ApiError(404, 'Not Found');
  const time = (key: string) => {
    const text = queryText(call, key);
    return text === undefined ? undefined : Date.parse(text);
  };
  const options = { path: queryText(call, 'path'), since: time('since'), until: time('until') };
  const all = await listCommits(repository.folder, null, start, options);
  const people = (['author', 'committer'] as const).filter((role) => queryText(call, role) !== undefined);
  const shas = people.length === 0 ? all : await writtenBy(call, all, people);
  const { items, headers } = page(call, shas);
  return ok(await showCommits(call, items), headers);
}

async function writtenBy(call: Call, shas: readonly string[], roles: readonly ('author' | 'committer')[]) {
  const commits = await Promise.all(shas.map((sha) => commitIn(repo(call), sha)));
  return commits
    .filter((commit) =>
      roles.every((role) => {
        const wanted = queryText(call, role) ?? '';
        const email = accountByLogin(call.sandbox.state, wanted)?.email ?? wanted;
        return commit[role].email === email;
      }),
    )
    .map(({ sha }) => sha);
}

async function get(call: Call) {
  const { sandbox } = call;
  const repository = repo(call);
  const commit = await commitIn(repository, await commitInPath(call));
  const all = await diffFiles(repository.folder, commit.parents[0] ?? null, commit.sha);
  const files = all.slice(0, sandbox.limits.commitFiles);
  const { items, headers } = wide(call, files, FILES_PER_PAGE);
  const sum = (key: 'additions' | 'deletions') => all.reduce((total, file) => total + file[key], 0);
  const [additions, deletions] = [sum('additions'), sum('deletions')];
  const body = {
    ...showCommit(sandbox, repository, commit),
    stats: { additions, deletions, total: additions + deletions },
    files: items.map((file) => showFile(sandbox, repository, commit.sha, file)),
  };
  return ok(body, headers);
}

/** A page that is longer than others unless its length is asked for. */
function wide<T>(call: Call, all: readonly T[], length: number): Page<T> {
  const limits = { ...call.sandbox.limits, perPage: length };
  const query = { per_page: length, ...call.query };
  return page({ ...call, query, sandbox: { ...call.sandbox, limits } }, all);
}

async function compare(call: Call) {
  const { sandbox } = call;
  const repository = repo(call);
  const { folder } = repository;
  const parts = param(call, 'basehead').split('...');
  if (parts.length !== 2) throw notFound();
  const sides = await Promise.all(parts.map((name) => resolveCommit(folder, name.replace(/^[^:]*:/, ''))));
  const [base, head] = sides;
  if (base === undefined || head === undefined) throw notFound();
  const common = await mergeBase(folder, base, head);
  if (common === undefined) throw new ApiError(404, `No common ancestor between ${parts.join(' and ')}.`);
  const [ahead, behind] = await Promise.all([
    listCommits(folder, base, head, { reverse: true }),
    listCommits(folder, head, base),
  ]);
  const paged = 'page' in call.query || 'per_page' in call.query;
  const { items, headers } = paged ? page(call, ahead) : wide(call, ahead, COMPARED_COMMITS);
  const firstPage = Number(call.query['page'] ?? 1) <= 1;
  const files = firstPage ? (await diffFiles(folder, common, head)).slice(0, sandbox.limits.compareFiles) : [];
  const html = `${repositoryHtml(sandbox, repository)}/compare/${parts.map(encodeURIComponent).join('...')}`;
  const body: Record<string, Json> = {
    url: `${repositoryApi(sandbox, repository)}/compare/${parts.map(encodeURIComponent).join('...')}`,
    html_url: html,
    permalink_url: html,
    diff_url: `${html}.diff`,
    patch_url: `${html}.patch`,
    base_commit: showCommit(sandbox, repository, await commitIn(repository, base)),
    merge_base_commit: showCommit(sandbox, repository, await commitIn(repository, common)),
    status: comparison(ahead.length, behind.length),
    ahead_by: ahead.length,
    behind_by: behind.length,
    total_commits: ahead.length,
    commits: await showCommits(call, items),
    files: files.map((file) => showFile(sandbox, repository, head, file)),
  };
  return ok(body, headers);
}

function comparison(ahead: number, behind: number): string {
  if (ahead > 0 && behind > 0) return 'diverged';
  if (ahead > 0) return 'ahead';
  return behind > 0 ? 'behind' : 'identical';
}

/** Pull requests that have a commit: open ones among their commits, merged ones as their merge too. */
async function pullsOf(call: Call) {
  const repository = repo(call);
  const wanted = param(call, 'commit_sha');
  const commit = await readCommit(repository.folder, wanted);
  if (commit === undefined) throw new ApiError(422, `No commit found for SHA: ${wanted}`);
  const { sha } = commit;
  const has = await Promise.all(
    [...repository.pulls.values()].map(async (pull) => {
      const commits = await listCommits(repository.folder, pull.base.sha, pull.head.sha);
      return commits.includes(sha) || (pull.merged !== null && pull.mergeCommitSha === sha) ? [pull] : [];
    }),
  );
  return listAnswer(call, has.flat(), (one) => showSimplePull(call.sandbox, repository, one));
}

export const COMMIT_ROUTES = {
  'repos/list-commits': list,
  'repos/get-commit': get,
  'repos/compare-commits-with-basehead': compare,
  'repos/list-pull-requests-associated-with-commit': pullsOf,
} satisfies Routes;

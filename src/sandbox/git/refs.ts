import { git, tryGit } from './run.ts';

export const ZERO_SHA = '0'.repeat(40);

/** Full names of refs that start with a prefix, and what they point to. */
export async function listRefs(folder: string, prefix = ''): Promise<ReadonlyMap<string, string>> {
  const text = await git(folder, ['for-each-ref', '--format=%(objectname) %(refname)']);
  const refs = new Map<string, string>();
  for (const line of text.split('\n')) {
    const name = line.slice(41);
    if (line !== '' && name.startsWith(prefix)) refs.set(name, line.slice(0, 40));
  }
  return refs;
}

/** The object that a full ref points to. */
export async function readRef(folder: string, ref: string): Promise<string | undefined> {
  const { code, stdout } = await tryGit(folder, ['rev-parse', '--verify', '--quiet', '--end-of-options', ref]);
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

/** Sets a ref, or deletes it (null). @throws Error for a name that git refuses */
export async function writeRef(folder: string, ref: string, sha: string | null): Promise<void> {
  await git(folder, sha === null ? ['update-ref', '-d', ref] : ['update-ref', ref, sha]);
}

export async function isRefName(folder: string, ref: string): Promise<boolean> {
  return (await tryGit(folder, ['check-ref-format', ref])).code === 0;
}

/** The commit that a branch, a tag, a full ref or an id names, branches first, as GitHub resolves `{ref}`. */
export async function resolveCommit(folder: string, name: string): Promise<string | undefined> {
  if (!/^[^\0-\x20\x7f~^:?*[\\]+$/.test(name) || name.startsWith('-')) return undefined;
  const tries = /^[0-9a-f]{40}$/.test(name)
    ? [name]
    : [`refs/heads/${name}`, `refs/tags/${name}`, `refs/${name}`, name === 'HEAD' || /^refs\//.test(name) ? name : ''];
  if (/^[0-9a-f]{7,39}$/.test(name)) tries.push(name);
  for (const one of tries) {
    if (one === '') continue;
    const found = await readRef(folder, `${one}^{commit}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

export async function mergeBase(folder: string, a: string, b: string): Promise<string | undefined> {
  const { code, stdout } = await tryGit(folder, ['merge-base', a, b]);
  return code === 0 ? stdout.toString('utf8').trim() : undefined;
}

export async function isAncestor(folder: string, ancestor: string, of: string): Promise<boolean> {
  return (await tryGit(folder, ['merge-base', '--is-ancestor', ancestor, of])).code === 0;
}

export interface ListOptions {
  readonly path?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly reverse?: boolean;
}

/** Ids of the commits that `to` has and `from` has not (null: all), newest first unless reversed. */
export async function listCommits(
  folder: string,
  from: string | null,
  to: string,
  { path, since, until, reverse = false }: ListOptions = {},
): Promise<readonly string[]> {
  const args = ['rev-list', ...(reverse ? ['--reverse', '--topo-order'] : []), to];
  if (from !== null) args.push(`^${from}`);
  if (since !== undefined) args.push(`--since=${Math.floor(since / 1000)}`);
  if (until !== undefined) args.push(`--until=${Math.floor(until / 1000)}`);
  if (path !== undefined) args.push('--', path);
  return (await git(folder, args)).split('\n').filter((line) => line !== '');
}

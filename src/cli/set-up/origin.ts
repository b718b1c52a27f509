import { runGit, workingCopy } from '../../sources/git.ts';
import type { RepositoryName } from '../../github/api.ts';

const NAME = /^([A-Za-z0-9][A-Za-z0-9_-]{0,99})\/([A-Za-z0-9._-]{1,100})$/;

/** Reads `owner/name`; undefined where it is none. */
export function readRepositoryName(text: string): RepositoryName | undefined {
  const [, owner, repo] = NAME.exec(text) ?? [];
  if (owner === undefined || repo === undefined || repo === '.' || repo === '..') return undefined;
  return { owner, repo };
}

/** `owner/name` in the address of a remote: `https://host/owner/name.git`, `ssh://git@host/…`, `git@host:owner/name`. */
export function repositoryOfRemote(address: string): RepositoryName | undefined {
  const path = URL.parse(address)?.pathname ?? /^[^/:\s]{1,200}:(?!\/\/)(\S{1,300})$/.exec(address)?.[1] ?? '';
  return readRepositoryName(path.replace(/^\/|\/$/g, '').replace(/\.git$/, ''));
}

/** The repository that a working copy came from; undefined where it does not say. */
export async function originOf(root: string): Promise<RepositoryName | undefined> {
  const { code, stdout } = await runGit(workingCopy(root), ['remote', 'get-url', 'origin'], { fails: 'allowed' });
  return code === 0 ? repositoryOfRemote(stdout.toString('utf8').trim()) : undefined;
}

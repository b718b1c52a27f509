import { Refusal } from '../domain/errors.ts';
import type { GitRepository } from './git.ts';
import type { ObjectReader } from './git-objects.ts';

/** Longest name of a branch, tag or commit that is asked for. */
const MAX_NAME = 1024;

// No option, no range, no `:path`, no `:/text` and no glob; `~2`, `^`, `@{1}` and `^{commit}` may stand.
const NAME = /^(?!-)(?!.*\.\.)[^\u0000-\u0020\u007f:?*[\\]+$/;
const OBJECT_ID = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/**
 * The commit that a name stands for. A branch goes before a tag of the same name, and a remote's branch after
 * both: other than for git, where a tag `main` would take the place of the branch.
 * @param name a branch, tag, full ref or commit, perhaps with `~1` and the like
 * @throws Refusal CS1505
 */
export async function resolveCommit(repository: GitRepository, objects: ObjectReader, name: string): Promise<string> {
  const unknown = new Refusal('CS1505', `There is no branch, tag or commit '${name.slice(0, MAX_NAME)}' here.`, {
    where: repository.root,
  });
  if (name.length > MAX_NAME || !NAME.test(name)) throw unknown;
  const plain = OBJECT_ID.test(name) || name.startsWith('refs/') || /^(?:HEAD|@)(?![\w/-])/.test(name);
  const tried = plain ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`, `refs/remotes/${name}`, name];
  const found = await Promise.all(tried.map((one) => objects.info(`${one}^{commit}`)));
  const commit = found.find((info) => info?.type === 'commit');
  if (commit === undefined) throw unknown;
  return commit.oid;
}

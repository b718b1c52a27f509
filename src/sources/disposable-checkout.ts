import { copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../process/run-command.ts';
import type { Argv } from '../process/test-command.ts';

/** Milliseconds for a step of git; a checkout of a very large repository takes some minutes. */
const GIT_TIMEOUT = 15 * 60_000;

/**
 * Git without any configuration but a repository's own, and without network: filters (LFS and others), hooks, monitors and
 * helpers that the user or the system configures do not run.
 */
const QUIET_GIT = {
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_SYSTEM: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_TERMINAL_PROMPT: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_ALLOW_PROTOCOL: '',
  LC_ALL: 'C',
} as const;

const SAFE: readonly string[] = [
  ...['-c', `core.hooksPath=${devNull}`, '-c', 'core.fsmonitor=false', '-c', 'submodule.recurse=false'],
  ...[
    '-c',
    'protocol.allow=never',
    '-c',
    'advice.detachedHead=false',
    '-c',
    'gc.auto=0',
    '-c',
    'maintenance.auto=false',
  ],
];

/**
 * Checks a commit out into a new folder. It becomes a repository of its own, which only borrows the objects of the
 * user's (gitrepository-layout(5), objects/info/alternates): unlike a linked worktree it leaves no trace there even
 * if this process is killed, and tests that commit, configure or plant hooks do that to the copy. Submodules are not
 * filled and LFS pointers stay pointers.
 * @param folder must not exist
 * @returns why it cannot be made; undefined where it stands
 */
export async function checkOutDisposably(root: string, sha: string, folder: string): Promise<string | undefined> {
  if (!/^[0-9a-f]{40}(?:[0-9a-f]{24})?$/.test(sha)) return `'${sha}' is no full object id.`;
  const asked = ['--show-object-format', '--path-format=absolute', '--git-path', 'objects', '--git-path', 'shallow'];
  // With the user's configuration: it may say that a repository of another owner is safe. This starts no program.
  const answer = await git(root, ['rev-parse', ...asked], {});
  if (!answer.ok) return answer.text;
  const [format = '', objects = '', shallow = '', ...more] = answer.text.split('\n');
  if (more.length > 0) return 'the path of the repository has a line break.';
  mkdirSync(folder);
  // Without a template no hooks come along; the format must be that of the objects borrowed.
  const made = await git(folder, ['init', '--quiet', '--template=', `--object-format=${format}`]);
  if (!made.ok) return made.text;
  const own = join(folder, '.git');
  mkdirSync(join(own, 'objects', 'info'), { recursive: true });
  writeFileSync(join(own, 'objects', 'info', 'alternates'), `${objects}\n`);
  if (existsSync(shallow)) copyFileSync(shallow, join(own, 'shallow'));
  const checkedOut = await git(folder, [...SAFE, 'checkout', '--quiet', '--force', '--detach', sha, '--']);
  return checkedOut.ok ? undefined : checkedOut.text;
}

async function git(
  cwd: string,
  args: readonly string[],
  extraEnv: Readonly<Record<string, string>> = QUIET_GIT,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const argv: Argv = ['git', ...args];
  const { ending, output } = await runCommand({
    argv,
    cwd,
    extraEnv,
    timeoutMs: GIT_TIMEOUT,
    maxOutputBytes: 65_536,
  });
  const text = `${output.head}${output.tail}`.trimEnd();
  if (ending.by === 'exit') return { ok: ending.exitCode === 0, text };
  return { ok: false, text: `git ${args.find((word) => /^[a-z]/.test(word)) ?? ''} was ended before it was done.` };
}

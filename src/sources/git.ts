import { spawn } from 'node:child_process';
import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import { delimiter, isAbsolute, join } from 'node:path';
import { Refusal } from '../domain/errors.ts';

/** A git repository that can be read: where git runs, and how its objects are named. */
export interface GitRepository {
  /** Absolute path of the git program. */
  readonly program: string;
  /** Top folder of the working tree, or the folder of a bare repository; links resolved. */
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  /** Options before the subcommand. */
  readonly options: readonly string[];
  readonly objectFormat: 'sha1' | 'sha256';
  /** Folder of the repository itself: `.git`, or the one that a worktree shares. */
  readonly commonFolder: string;
  readonly shallow: boolean;
}

/** Bytes that git may write before it is stopped: a list of some million files. */
export const MAX_GIT_OUTPUT = 256 * 1024 * 1024;

/** Characters of git's own words that an error carries. */
const MAX_STDERR = 2000;

/** Milliseconds after which a git process that does not end is stopped. */
const TIME_LIMIT = 300_000;

// Variables that a process needs to run at all. Everything else, and every GIT_ variable, stays outside:
// GIT_DIR, GIT_INDEX_FILE and their like are set where a hook calls, and would lead to another repository.
const KEPT = [
  'PATH',
  'HOME',
  'USERPROFILE',
  'SYSTEMROOT',
  'TEMP',
  'TMP',
  'TMPDIR',
  'LD_LIBRARY_PATH',
  'DEVELOPER_DIR',
  'SUDO_UID', // git accepts the repository of the person who called sudo
] as const;

/**
 * The environment that git runs in: no configuration but the repository's own, no prompts, locks, replaced or
 * grafted history, and no transport, so that a missing object is an error and never a connection.
 * (git(1), "Environment Variables"; GIT_NO_LAZY_FETCH from 2.45 on, before it GIT_ALLOW_PROTOCOL stops the fetch.)
 */
export function gitEnvironment(from: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  const kept = Object.entries(from).filter(([name]) => KEPT.some((one) => one === name.toUpperCase()));
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: devNull,
    GIT_ATTR_NOSYSTEM: '1',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: devNull,
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: 'none',
    GIT_PROTOCOL_FROM_USER: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_PAGER: 'cat',
  };
}

// What a repository's own configuration could have git start, or read differently.
const OPTIONS = [
  '--no-pager',
  '--no-optional-locks',
  '--no-replace-objects',
  '--literal-pathspecs',
  ...[
    'core.quotepath=off',
    'core.fsmonitor=false',
    `core.hooksPath=${devNull}`,
    `core.attributesFile=${devNull}`,
    'core.commitGraph=false', // a cache of parents; the commits themselves say them
    'protocol.allow=never',
    'diff.external=',
    'submodule.recurse=false',
    'gc.auto=0',
    'maintenance.auto=false',
  ].flatMap((setting) => ['-c', setting]),
];

/**
 * The git program of PATH. Relative folders in PATH are passed over: a repository could bring its own program.
 * @throws Refusal CS1503
 */
export function findGit(environment: NodeJS.ProcessEnv = process.env): string {
  const path = Object.entries(environment).find(([name]) => name.toUpperCase() === 'PATH')?.[1] ?? '';
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  for (const folder of path.split(delimiter)) {
    if (!isAbsolute(folder)) continue;
    const program = join(folder, name);
    try {
      accessSync(program, constants.X_OK);
      if (statSync(program).isFile()) return program;
    } catch {
      continue; // not there, or not to be run
    }
  }
  throw new Refusal('CS1503', 'There is no git in PATH.');
}

/**
 * Opens a repository by its top folder (or a bare one by its own folder).
 * @throws Refusal CS1503 no git; CS1504 no repository, or a folder inside one; CS1502
 */
export async function openRepository(
  folder: string,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<GitRepository> {
  const root = realFolder(folder);
  const draft = { program: findGit(environment), root, environment: gitEnvironment(environment) };
  const asked = [
    'rev-parse',
    '--is-bare-repository',
    '--is-shallow-repository',
    '--show-object-format',
    '--git-common-dir',
    '--show-prefix',
  ];
  let options: readonly string[] = OPTIONS;
  let answer = await runGit({ ...draft, options }, asked, { fails: 'allowed' });
  if (answer.code !== 0 && answer.stderr.includes('safe.directory') && (await isTrustedByUser(draft, environment))) {
    options = [...OPTIONS, '-c', `safe.directory=${root}`];
    answer = await runGit({ ...draft, options }, asked, { fails: 'allowed' });
  }
  if (answer.code !== 0) throw noRepository(folder, answer.stderr);
  const [bare, shallow, format, common = '', prefix = ''] = answer.stdout.toString('utf8').split('\n');
  // Inside `.git` the prefix is empty too; only a bare repository has no working tree around it.
  if (prefix !== '' || (bare !== 'true' && common === '.')) {
    const message = `${folder} is inside a repository, not its top folder.`;
    throw new Refusal('CS1504', message, { where: folder });
  }
  if (format !== 'sha1' && format !== 'sha256') {
    throw new Refusal('CS1502', `git names objects in a way that is not known: ${String(format)}.`, { where: folder });
  }
  return {
    ...draft,
    options,
    objectFormat: format,
    commonFolder: isAbsolute(common) ? common : join(root, common),
    shallow: shallow === 'true',
  };
}

/** The full name of the branch that HEAD points to, such as `refs/heads/main`; undefined where it is detached. */
export async function headBranch(repository: GitRepository): Promise<string | undefined> {
  const { code, stdout } = await runGit(repository, ['symbolic-ref', '--quiet', 'HEAD'], { fails: 'allowed' });
  return code === 0 ? stdout.toString('utf8').trimEnd() : undefined;
}

// Git refuses a repository that another user owns unless the caller's own configuration names it
// (safe.directory; git-config(1)). That configuration is not read here, so git is asked with it, once.
async function isTrustedByUser(
  draft: Pick<GitRepository, 'program' | 'root'>,
  environment: NodeJS.ProcessEnv,
): Promise<boolean> {
  const asUser = { ...draft, options: OPTIONS, environment: userEnvironment(environment) };
  return (await runGit(asUser, ['rev-parse', '--git-dir'], { fails: 'allowed' })).code === 0;
}

// The same, but with the caller's own configuration of git.
function userEnvironment(from: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { GIT_CONFIG_GLOBAL: _global, GIT_CONFIG_NOSYSTEM: _system, ...rest } = gitEnvironment(from);
  const own = Object.fromEntries(
    ['GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM', 'XDG_CONFIG_HOME'].flatMap((name) => {
      const value = from[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  return { ...rest, ...own };
}

/**
 * How git is asked about a working copy, from any folder in it: with the caller's own configuration, since what git
 * ignores (`core.excludesFile`) and whom it trusts (`safe.directory`) is said there. It starts no other program either.
 * @throws Refusal CS1503
 */
export function workingCopy(folder: string, environment: NodeJS.ProcessEnv = process.env): Runnable {
  // `git check-ignore` takes no pathspec magic, not even that which takes all magic away.
  const options = OPTIONS.filter((option) => option !== '--literal-pathspecs');
  return { program: findGit(environment), root: folder, environment: userEnvironment(environment), options };
}

function realFolder(folder: string): string {
  try {
    const root = realpathSync.native(folder);
    if (statSync(root).isDirectory()) return root;
  } catch (cause) {
    throw new Refusal('CS1504', `${folder} is no folder that can be read.`, { where: folder, cause });
  }
  throw new Refusal('CS1504', `${folder} is not a folder.`, { where: folder });
}

function noRepository(folder: string, stderr: string): Refusal {
  const why = stderr.includes('safe.directory')
    ? 'belongs to another user, and git refuses it (see safe.directory in git-config)'
    : brokenConfiguration(stderr);
  return new Refusal('CS1504', `${folder} ${why}.`, { where: folder, cause: new Error(stderr) });
}

// Git is there but cannot read its own settings: another folder would not help.
function brokenConfiguration(stderr: string): string {
  const why = /^fatal: (bad config .{1,300})$/m.exec(stderr)?.[1];
  return why === undefined
    ? 'is no git repository'
    : `holds a git repository whose configuration git cannot read: ${why}`;
}

/** What a git process left: its exit code (-1: a signal ended it), what it wrote, the first of what it complained. */
export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

export interface GitRunOptions {
  readonly input?: string | Uint8Array;
  /** Whether a non-zero exit code is an answer; by default it is refused. */
  readonly fails?: 'allowed' | 'refused';
}

/** What it takes to run git in a folder. */
export type Runnable = Pick<GitRepository, 'program' | 'root' | 'environment' | 'options'>;

/** Starts git without a shell. The caller ends it. */
export function startGit(repository: Runnable, args: readonly string[]): ChildProcessWithoutNullStreams {
  return spawn(repository.program, [...repository.options, ...args], {
    cwd: repository.root,
    env: repository.environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
}

/**
 * Runs git to its end, without a shell. What others wrote never stands among `args` but as a full object id:
 * names of branches go through `resolveCommit` first.
 * @throws Refusal CS1503 where it cannot be started, CS1502 where it fails, writes too much or does not end
 */
export async function runGit(
  repository: Runnable,
  args: readonly string[],
  { input, fails = 'refused' }: GitRunOptions = {},
): Promise<GitAnswer> {
  const child = startGit(repository, args);
  const chunks: Buffer[] = [];
  const complaints = collectStderr(child);
  let size = 0;
  let stopped: string | undefined;
  const stop = (why: string): void => {
    stopped ??= why;
    child.kill('SIGKILL');
  };
  const timer = setTimeout(() => stop('did not end in time'), TIME_LIMIT);
  child.stdout.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > MAX_GIT_OUTPUT) stop('wrote too much');
    else chunks.push(chunk);
  });
  child.stdin.on('error', () => undefined); // git ended early; its exit code tells
  child.stdin.end(input);
  const code = await ended(child).finally(() => clearTimeout(timer));
  if (stopped !== undefined) {
    throw new Refusal('CS1502', `git ${args[0] ?? ''} ${stopped}.`, { where: repository.root });
  }
  const answer = { code, stdout: Buffer.concat(chunks), stderr: complaints() };
  if (code !== 0 && fails === 'refused') throw gitFailure(repository, args[0] ?? '', answer);
  return answer;
}

/** The refusal for a git process that failed. */
export function gitFailure(
  repository: Pick<GitRepository, 'root'>,
  command: string,
  { code, stderr }: Pick<GitAnswer, 'code' | 'stderr'>,
): Refusal {
  const said = stderr.trim() === '' ? 'said nothing' : `said: ${stderr.trim()}`;
  return new Refusal('CS1502', `git ${command} ended with ${code} and ${said}`, { where: repository.root });
}

/** The first words that a process complains with, as they stand when asked. */
export function collectStderr(child: ChildProcessWithoutNullStreams): () => string {
  let text = '';
  child.stderr.setEncoding('utf8');
  child.stderr.on('data', (chunk: string) => {
    if (text.length < MAX_STDERR) text = (text + chunk).slice(0, MAX_STDERR);
  });
  return () => text;
}

/** Resolves with the exit code once a process and its pipes are closed (-1 for one that a signal ended). */
export function ended(child: ChildProcessWithoutNullStreams): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (cause) => {
      reject(new Refusal('CS1503', 'git cannot be started.', { cause }));
    });
    child.on('close', (code) => {
      resolve(code ?? -1);
    });
  });
}

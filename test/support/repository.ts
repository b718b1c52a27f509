import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';
import { inTemp } from './sample.ts';

/** A real repository in a temporary folder, with fixed people and dates and none of the machine's configuration. */
export interface TestRepository {
  readonly root: string;
  /** Runs git there. @returns what it printed, without the last line feed */
  readonly git: (...args: string[]) => string;
  /** Runs git with an input of any bytes. */
  readonly gitWith: (input: string | Uint8Array, ...args: string[]) => string;
  readonly write: (path: string, content: string | Uint8Array) => void;
  /** Commits everything that changed on disk. @returns the commit's id */
  readonly commit: (message?: string) => string;
  /** A tree of any entries, also such that git would not make. @returns its id */
  readonly tree: (entries: readonly (readonly [mode: string, name: string | Uint8Array, oid: string])[]) => string;
  readonly blob: (content: string | Uint8Array) => string;
  /** A commit of any tree. @returns its id */
  readonly commitTree: (tree: string, parents?: readonly string[], message?: string) => string;
}

const ENVIRONMENT = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Bob',
  GIT_COMMITTER_EMAIL: 'bob@example.org',
  GIT_AUTHOR_DATE: '1700000000 +0000',
  GIT_COMMITTER_DATE: '1700000000 +0000',
} as const;

/** Runs `body` with a new repository, on branch `main` without a commit. */
export function withRepository<T>(
  body: (repository: TestRepository) => T | Promise<T>,
  ...initOptions: readonly string[]
): Promise<T> {
  return inTemp((root) => {
    const repository = repositoryAt(root);
    repository.git('init', '-q', '-b', 'main', ...initOptions);
    return body(repository);
  });
}

/** The repository that stands, or will stand, at a folder. */
export function repositoryAt(root: string): TestRepository {
  const run = (input: string | Uint8Array | undefined, args: readonly string[]): string =>
    execFileSync('git', args, {
      cwd: root,
      env: ENVIRONMENT,
      input: input ?? '',
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
    }).replace(/\n$/, '');
  const git = (...args: string[]): string => run(undefined, args);
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  return {
    root,
    git,
    gitWith: (input, ...args) => run(input, args),
    write,
    commit: (message = 'change') => {
      git('add', '-A');
      git('commit', '-q', '--allow-empty', '-m', message);
      return git('rev-parse', 'HEAD');
    },
    blob: (content) => run(content, ['hash-object', '-w', '--stdin']),
    tree: (entries) => {
      const bytes = entries.flatMap(([mode, name, oid]) => [
        Buffer.from(`${mode} `),
        Buffer.from(name),
        Buffer.from([0]),
        Buffer.from(oid, 'hex'),
      ]);
      return run(Buffer.concat(bytes), ['hash-object', '-t', 'tree', '-w', '--stdin', '--literally']);
    },
    commitTree: (tree, parents = [], message = 'made by hand') =>
      run(message, ['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])]),
  };
}

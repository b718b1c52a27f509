import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { dirname, join } from 'node:path';

/** Runs git in a folder with no one's configuration. @returns what it printed, without the last line feed */
export function git(root: string, ...args: readonly string[]): string {
  const person = { NAME: 'Ada', EMAIL: 'ada@example.org', DATE: '2026-01-01T00:00:00Z' };
  const { status, stdout, stderr } = spawnSync('git', args, {
    cwd: root,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'],
      GIT_CONFIG_GLOBAL: devNull,
      GIT_CONFIG_NOSYSTEM: '1',
      ...Object.fromEntries(
        Object.entries(person).flatMap(([key, value]) => [
          [`GIT_AUTHOR_${key}`, value],
          [`GIT_COMMITTER_${key}`, value],
        ]),
      ),
    },
  });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
  return stdout.trimEnd();
}

/** Makes a repository with a branch `main`, without commits. */
export function makeRepository(root: string): void {
  git(root, 'init', '--quiet', '--template=', '--initial-branch=main');
}

/** Writes files, with their folders. */
export function writeFiles(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

/** Commits files. @returns the commit's id */
export function commitFiles(root: string, files: Readonly<Record<string, string>>, message = 'Change'): string {
  writeFiles(root, files);
  git(root, 'add', '--force', '--', ...Object.keys(files));
  git(root, 'commit', '--quiet', '--message', message);
  return git(root, 'rev-parse', 'HEAD');
}

import { spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { withRepository } from '../support/repository.ts';
import type { TestRepository } from '../support/repository.ts';

jest.setTimeout(300_000); // every commit starts the program from its sources

const PROGRAM = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');
const CREDIT = 'Co-authored-by: Claude <noreply@anthropic.com>';
const ENVIRONMENT = {
  PATH: process.env['PATH'],
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Ada',
  GIT_AUTHOR_EMAIL: 'ada@example.org',
  GIT_COMMITTER_NAME: 'Bob',
  GIT_COMMITTER_EMAIL: 'bob@example.org',
};

/** The two lines that docs/how-to/attribution.md shows, with this program. */
function install({ git, write, root }: TestRepository): void {
  const path = git('rev-parse', '--git-path', 'hooks/commit-msg');
  write(path, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' hook commit-msg "$1"\n`);
  chmodSync(join(root, path), 0o755);
}

/** Whether git makes the commit, and what was said. */
function commit(
  folder: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv = {},
): { readonly lands: boolean; readonly said: string } {
  const { status, stderr, stdout } = spawnSync('git', args, {
    cwd: folder,
    env: { ...ENVIRONMENT, ...environment },
    encoding: 'utf8',
  });
  return { lands: status === 0, said: stdout + stderr };
}

/** An editor that puts a text before what git has written. */
function editor({ root }: TestRepository, text: string): string {
  const path = join(root, '.git', 'editor.sh');
  writeFileSync(`${path}.txt`, text);
  writeFileSync(path, `#!/bin/sh\ncat '${path}.txt' "$1" > "$1.new" && mv "$1.new" "$1"\n`, { mode: 0o755 });
  return path;
}

const EMPTY = ['commit', '--allow-empty', '-q'];

describe('git runs the hook', () => {
  it('for messages however they are given', async () => {
    await withRepository((repository) => {
      install(repository);
      const { root } = repository;
      expect(commit(root, [...EMPTY, '-m', 'feat: x'])).toEqual({ lands: true, said: '' });
      const refused = commit(root, [...EMPTY, '-m', 'feat: x', '-m', CREDIT]);
      expect(refused.lands).toBe(false);
      expect(refused.said).toContain('.git/COMMIT_EDITMSG:3: The trailer credits claude');
      expect(commit(root, [...EMPTY, '-m', 'x', '--trailer', CREDIT]).lands).toBe(false);
      expect(commit(root, [...EMPTY, '--amend', '-m', `x\n\n${CREDIT}`]).lands).toBe(false);
      expect(commit(root, [...EMPTY, '-m', 'x', '--author', 'Codex <noreply@openai.com>']).lands).toBe(false);
      expect(commit(root, [...EMPTY, '-m', `x\n\n#${CREDIT}`]).lands).toBe(false);
      expect(commit(root, ['-c', 'commit.cleanup=strip', ...EMPTY, '-m', `x\n\n#${CREDIT}`]).lands).toBe(true);
      expect(repository.git('log', '--format=%B')).not.toContain('anthropic');
    });
  });

  it('for messages from an editor, without what git strips from them', async () => {
    await withRepository((repository) => {
      install(repository);
      const { root, git, write } = repository;
      git('checkout', '-q', '-b', 'claude/work');
      write('a.txt', `${CREDIT}\n`);
      git('add', '-A');
      const commented = { GIT_EDITOR: editor(repository, `feat: x\n\n#${CREDIT}\n`) };
      expect(commit(root, ['commit', '-q', '-v'], commented)).toEqual({ lands: true, said: '' });
      expect(git('log', '-1', '--format=%B')).toBe('feat: x\n');
      const credited = { GIT_EDITOR: editor(repository, `feat: y\n\n${CREDIT}\n`) };
      expect(commit(root, [...EMPTY], credited).lands).toBe(false);
      for (const sign of [';', 'auto']) {
        const signed = { GIT_EDITOR: editor(repository, `feat: z\n\n#1 is mended\n\n`) };
        expect(commit(root, ['-c', `core.commentChar=${sign}`, ...EMPTY], signed)).toEqual({ lands: true, said: '' });
      }
    });
  });

  it('in linked worktrees, from folders inside, and for merges', async () => {
    await withRepository((repository) => {
      install(repository);
      const { root, git, write } = repository;
      write('.github/countersign.yml', 'version: 1\nattribution:\n  mode: forbid-mention\n');
      write('inner/a.txt', 'a\n');
      git('add', '-A');
      git('commit', '-q', '--no-verify', '-m', 'first');
      git('worktree', 'add', '-q', '-b', 'side', join(root, 'linked'));
      const linked = commit(join(root, 'linked'), [...EMPTY, '-m', 'docs: the Opus codec']);
      expect(linked.lands).toBe(false);
      expect(linked.said).toContain('.github/countersign.yml at HEAD');
      expect(commit(join(root, 'inner'), [...EMPTY, '-m', 'docs: the Opus codec']).lands).toBe(false);
      expect(commit(join(root, 'linked'), [...EMPTY, '-m', 'docs: a codec']).lands).toBe(true);
      expect(commit(root, ['merge', '-q', '--no-ff', '-m', 'Merge the opus branch', 'side']).lands).toBe(false);
    });
  });
});

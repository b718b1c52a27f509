import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { checkAttribution } from '../../../src/checks/attribution/check.ts';
import type { CommitInput } from '../../../src/checks/attribution/input.ts';

const FORBID = { mode: 'forbid' } as const;
const TRAILER = 'Co-authored-by: Claude <noreply@anthropic.com>';
const AGENT = { GIT_AUTHOR_NAME: 'Codex', GIT_AUTHOR_EMAIL: 'codex@openai.com' };

let folder: string;
let repository: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'remedy-')));
  repository = join(folder, 'r');
  execFileSync('git', ['init', '-q', '-b', 'main', repository]);
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): string {
  return execFileSync(command, [...args], {
    cwd: repository,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_NAME: 'Ana',
      GIT_AUTHOR_EMAIL: 'ana@example.test',
      GIT_COMMITTER_NAME: 'Ana',
      GIT_COMMITTER_EMAIL: 'ana@example.test',
      ...env,
    },
  });
}

function commit(name: string, message: string, env: NodeJS.ProcessEnv = {}): void {
  writeFileSync(join(repository, `${name}.txt`), name);
  run('git', ['add', '-A']);
  run('git', ['commit', '-q', '-m', message], env);
}

function history(range = 'HEAD'): CommitInput[] {
  return run('git', ['log', '--reverse', '--topo-order', '--format=%H%x1f%an%x1f%ae%x1f%P%x1f%B%x1e', range])
    .split('\x1e')
    .map((record) => record.trimStart().split('\x1f'))
    .filter((fields) => fields.length === 5)
    .map(([sha = '', name = '', email = '', parents = '', message = '']) => ({
      sha,
      author: { name, email },
      committer: { name: 'Ana', email: 'ana@example.test' },
      parents: parents === '' ? [] : parents.split(' '),
      message,
    }));
}

// Runs the commands of a remedy but the push, with an editor that takes out the trailer and leaves a mark.
function follow(remedy: string): void {
  const commands = remedy
    .split('\n')
    .filter((line) => line.startsWith('    ') && !line.includes('git push'))
    .map((line) => line.trim());
  const editor = `sed -i.bak -e '/^Co-authored-by/d' -e '1s/$/ (edited)/'`;
  for (const command of commands) run('bash', ['-c', command], { GIT_EDITOR: editor });
}

function remedyOf(commits: readonly CommitInput[]): string {
  const remedies = new Set(checkAttribution({ commits }, FORBID).map(({ remedy }) => remedy));
  expect(remedies.size).toBe(1);
  return [...remedies][0] ?? '';
}

const subjects = (): string[] => history().map(({ message }) => message.split('\n')[0] ?? '');

describe('the remedy for commits', () => {
  it('amends the head', () => {
    commit('a', 'one');
    commit('b', `two\n\n${TRAILER}`);
    const remedy = remedyOf(history());
    expect(remedy).toContain('\n    git commit --amend\n');
    follow(remedy);
    expect(subjects()).toEqual(['one', 'two (edited)']);
    expect(checkAttribution({ commits: history() }, FORBID)).toEqual([]);
  });

  it('rewords exactly these commits', () => {
    commit('a', 'one');
    commit('b', `two\n\n${TRAILER}`);
    commit('c', 'three');
    commit('d', `four\n\n${TRAILER}`);
    commit('e', 'five');
    const remedy = remedyOf(history());
    expect(remedy).toContain('exactly these 2 commits');
    follow(remedy);
    expect(subjects()).toEqual(['one', 'two (edited)', 'three', 'four (edited)', 'five']);
    expect(checkAttribution({ commits: history() }, FORBID)).toEqual([]);
  });

  it('rewords the first commit of a history', () => {
    commit('a', `one\n\n${TRAILER}`);
    commit('b', 'two');
    follow(remedyOf(history()));
    expect(subjects()).toEqual(['one (edited)', 'two']);
  });

  it('keeps merges, and rewords one', () => {
    commit('a', 'one');
    run('git', ['checkout', '-q', '-b', 'side']);
    commit('b', `two\n\n${TRAILER}`);
    run('git', ['checkout', '-q', 'main']);
    commit('c', 'three');
    run('git', ['merge', '-q', '--no-ff', 'side', '-m', `join\n\n${TRAILER}`]);
    commit('d', 'four');
    follow(remedyOf(history()));
    expect(subjects().toSorted()).toEqual(['four', 'join (edited)', 'one', 'three', 'two (edited)']);
    expect(history().map(({ parents }) => parents.length)).toContain(2);
    expect(checkAttribution({ commits: history() }, FORBID)).toEqual([]);
  });

  it('gives exactly these commits another author', () => {
    commit('a', 'one');
    commit('b', 'two', AGENT);
    commit('c', 'three', { GIT_AUTHOR_NAME: 'Bo', GIT_AUTHOR_EMAIL: 'bo@example.test' });
    follow(remedyOf(history()));
    expect(history().map(({ author }) => author.name)).toEqual(['Ana', 'Ana', 'Bo']);
    expect(subjects()).toEqual(['one', 'two', 'three']);
  });
});

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** What a command said, and how it ended. */
export interface Said {
  readonly status: number;
  readonly output: string;
}

/** A real git repository in a folder of its own, and the bundled command line to use on it. */
export interface DemoRepository {
  readonly root: string;
  readonly write: (path: string, text: string) => void;
  readonly git: (...argv: string[]) => Said;
  readonly commit: (message: string) => void;
  /** Runs the command line; ends the demonstration where it fails and `mayFail` is not said. */
  readonly countersign: (argv: readonly string[], options?: { readonly mayFail?: boolean }) => Said;
  readonly remove: () => void;
}

// Nothing of the user's git configuration has a say: the demonstration is the same on every machine.
const GIT_ENVIRONMENT = {
  GIT_CONFIG_GLOBAL: process.platform === 'win32' ? 'NUL' : '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_AUTHOR_NAME: 'Coding Agent',
  GIT_AUTHOR_EMAIL: 'agent@example.com',
  GIT_COMMITTER_NAME: 'Coding Agent',
  GIT_COMMITTER_EMAIL: 'agent@example.com',
};

/**
 * Makes an empty repository.
 * @param cli path of the bundled command line
 */
export function demoRepository(cli: string): DemoRepository {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-demo-')));
  const run = (command: string, argv: readonly string[]): Said => {
    const env = { ...process.env, ...GIT_ENVIRONMENT };
    const result = spawnSync(command, argv, { cwd: root, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    if (result.error !== undefined) throw result.error;
    return { status: result.status ?? 1, output: `${result.stdout}${result.stderr}` };
  };
  const must = (said: Said, what: string): Said => {
    if (said.status !== 0) throw new Error(`${what} failed:\n${said.output}`);
    return said;
  };
  const git = (...argv: string[]): Said => must(run('git', argv), `git ${argv.join(' ')}`);
  git('init', '--quiet', '--initial-branch', 'main');
  return {
    root,
    git,
    write: (path, text) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    commit: (message) => {
      git('add', '--all');
      git('commit', '--quiet', '--message', message);
    },
    countersign: (argv, { mayFail = false } = {}) => {
      const said = run(process.execPath, [cli, ...argv]);
      return mayFail ? said : must(said, `countersign ${argv.join(' ')}`);
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

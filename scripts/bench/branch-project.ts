import { spawnSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeLock } from '../../src/workspace/harnesses.ts';
import { createRun } from '../../src/workspace/runs.ts';
import { createSpec, setSpecStatus } from '../../src/workspace/specs.ts';

/** A repository with a branch to judge. */
export interface BranchProject {
  readonly root: string;
  readonly remove: () => void;
}

/** How large it is. */
export interface BranchSize {
  readonly files: number;
  readonly commits: number;
  /** Files that the branch changes, spread over its commits. */
  readonly changed: number;
}

const WHO = 'Coder <coder@example.com> 1764547200 +0000';

/** Makes a governed repository of a given size: `main`, and a branch `work` with a run. */
export function branchProject(size: BranchSize): BranchProject {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-bench-')));
  git(root, ['init', '--quiet', '--initial-branch', 'main']);
  git(root, ['fast-import', '--quiet'], history(size));
  git(root, ['checkout', '--quiet', '--force', 'main']);
  writeLock(root);
  commit(root, 'Lock what agents can do');
  git(root, ['checkout', '--quiet', '--force', 'work']);
  createSpec(root, 'bench', {
    title: 'Bench',
    mode: 'feature',
    implementation_tasks: ['Work'],
    affected_paths: ['src'],
  });
  setSpecStatus(root, 'bench', 'ready');
  createRun(root, { specId: 'bench', harness: 'codex' });
  commit(root, 'Create a run');
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}

function history({ files, commits, changed }: BranchSize): string {
  const blob = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const modify = (n: number, text: string): string => `M 100644 inline src/d${n % 100}/f${n}.txt\n${blob(text)}`;
  const head = (ref: string, mark: number, from: string, message: string): string =>
    `commit refs/heads/${ref}\nmark :${mark}\nauthor ${WHO}\ncommitter ${WHO}\n${blob(message)}${from}`;
  const stream = [head('main', 1, '', 'Begin')];
  for (let n = 0; n < files; n += 1) stream.push(modify(n, `file ${n}\n`));
  const perCommit = Math.ceil(changed / commits);
  for (let c = 0; c < commits; c += 1) {
    stream.push(head('work', c + 2, c === 0 ? 'from :1\n' : `from :${c + 1}\n`, `Change part ${c}`));
    for (let n = c * perCommit; n < Math.min(changed, (c + 1) * perCommit); n += 1)
      stream.push(modify(n, `changed in ${c}\n`));
  }
  return stream.join('');
}

function commit(root: string, message: string): void {
  git(root, ['add', '--all']);
  git(root, ['-c', 'user.name=Coder', '-c', 'user.email=coder@example.com', 'commit', '--quiet', '--message', message]);
}

function git(root: string, argv: readonly string[], input = ''): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const { status, stderr } = spawnSync('git', argv, { cwd: root, env, input });
  if (status !== 0) throw new Error(`git ${argv.join(' ')}: ${stderr.toString('utf8')}`);
}

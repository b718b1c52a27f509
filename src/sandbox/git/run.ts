import { spawn } from 'node:child_process';
import { devNull } from 'node:os';

/** What git printed and how it ended. */
export interface GitAnswer {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

const ENVIRONMENT = {
  PATH: process.env['PATH'],
  LC_ALL: 'C',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: devNull,
  GIT_TERMINAL_PROMPT: '0',
};

export interface GitOptions {
  readonly input?: string | Uint8Array;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts git on a bare repository, without a shell and without anyone's configuration. */
export function startGit(folder: string, args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  return spawn('git', ['--git-dir', folder, '-c', 'gc.auto=0', '--literal-pathspecs', ...args], {
    env: { ...ENVIRONMENT, ...environment },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Runs git to its end, whatever its exit code. */
export function tryGit(folder: string, args: readonly string[], options: GitOptions = {}): Promise<GitAnswer> {
  const child = startGit(folder, args, options.environment);
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
  child.stdin.on('error', () => undefined); // git ended early; its exit code tells
  child.stdin.end(options.input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code: code ?? -1, stdout: Buffer.concat(out), stderr: Buffer.concat(err).toString('utf8') });
    });
  });
}

/** Runs git and takes what it prints. @throws Error where it fails */
export async function git(folder: string, args: readonly string[], options: GitOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await tryGit(folder, args, options);
  if (code !== 0) throw new Error(`git ${args.join(' ')} ended with ${code}: ${stderr.trim()}`);
  return stdout.toString('utf8');
}

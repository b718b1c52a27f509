import { spawn } from 'node:child_process';
import { Refusal } from '../domain/errors.ts';

/** What git printed and how it ended. */
export interface GitOutput {
  readonly status: number;
  readonly stdout: Buffer;
}

/** More output than this is a fault: it would be more paths than any repository has. */
const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;
/** What git says about a failure is shown up to here. */
const MAX_MESSAGE = 400;

/**
 * Runs git in a folder without a shell and waits for it. The repository's own configuration cannot make it start
 * other programs here: no file system monitor, no pager, no prompt.
 * @param args the command and its arguments; data goes through `input`, never through arguments
 * @param allowed exit statuses that are answers; all others are refused
 * @throws Refusal CS1502 if git cannot be started, is ended by a signal or exits with another status
 */
export function runGit(
  root: string,
  args: readonly string[],
  input?: string | Uint8Array,
  allowed: readonly number[] = [0],
): Promise<GitOutput> {
  const command = `git ${args[0] ?? ''}`;
  return new Promise((resolve, reject) => {
    const refuse = (why: string, cause?: unknown) =>
      reject(new Refusal('CS1502', `${command} ${why}`, { where: root, cause }));
    const child = spawn('git', ['-C', root, '-c', 'core.fsmonitor=false', '--no-pager', ...args], {
      env: { ...process.env, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const chunks: Buffer[] = [];
    let size = 0;
    let message = '';
    child.on('error', (cause) => refuse('could not be started', cause));
    // git may end before it has read everything; its status tells why.
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) child.kill();
      else chunks.push(chunk);
    });
    child.stderr.on('data', (chunk: Buffer) => {
      message = (message + chunk.toString('utf8')).slice(0, MAX_MESSAGE);
    });
    child.on('close', (status, signal) => {
      if (status === null) refuse(`was ended by ${signal ?? 'a signal'}`);
      else if (!allowed.includes(status)) refuse(`ended with ${status}: ${message.trim()}`);
      else resolve({ status, stdout: Buffer.concat(chunks) });
    });
    child.stdin.end(input ?? '');
  });
}

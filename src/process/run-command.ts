import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { Refusal } from '../domain/errors.ts';
import { childEnvironment } from './environment.ts';
import type { Environment } from './environment.ts';
import { endGroup, killAtExit } from './groups.ts';
import { holdingInterrupts, interruption, onInsisting } from './interrupts.ts';
import type { InterruptSignal } from './interrupts.ts';
import { takeOutput } from './output.ts';
import type { BoundedOutput } from './output.ts';
import type { Argv } from './test-command.ts';

/** A command to run, and within what bounds. */
export interface Command {
  readonly argv: Argv;
  readonly cwd: string;
  /** Default: that of this process. Only what `childEnvironment` lets through is passed. */
  readonly env?: Environment;
  /** What the command gets besides, whatever its name. */
  readonly extraEnv?: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  /** Of standard output and standard error together. */
  readonly maxOutputBytes: number;
  /** Milliseconds between the request to end and the kill. */
  readonly graceMs?: number;
  readonly onOutput?: (chunk: Uint8Array) => void;
}

/** How a command ended: by itself, by a signal that was not ours, by its time limit, or because we were interrupted. */
export type Ending =
  | { readonly by: 'exit'; readonly exitCode: number }
  | { readonly by: 'signal'; readonly signal: NodeJS.Signals }
  | { readonly by: 'timeout' }
  | { readonly by: 'interrupt'; readonly signal: InterruptSignal };

export interface CommandResult {
  readonly ending: Ending;
  /** Standard output and standard error, in the order in which they came. */
  readonly output: BoundedOutput;
  readonly durationMs: number;
}

/** Grace where the caller sets none. */
const GRACE = 2000;
/** Milliseconds for output that is still under way once the command is over. */
const DRAIN = 1000;
/** Longest delay that a timer takes: https://nodejs.org/api/timers.html#settimeoutcallback-delay-args */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Runs a command without a shell, in a process group of its own, without standard input. When it ends, runs too long, or
 * this process is interrupted, the whole group is ended. What leaves its group (a daemon) is out of reach.
 * @throws Refusal CS1307 where it cannot be started or its output cannot be taken
 */
export async function runCommand(command: Command): Promise<CommandResult> {
  return holdingInterrupts((abort) => run(command, abort));
}

async function run(command: Command, abort: AbortSignal): Promise<CommandResult> {
  const started = performance.now();
  const output = takeOutput(command.maxOutputBytes);
  const result = (ending: Ending): CommandResult => ({
    ending,
    output: output.end(),
    durationMs: Math.round(performance.now() - started),
  });
  if (abort.aborted) return result(interrupted());
  const child = await start(command);
  const pid = child.pid ?? 0;
  const release = killAtExit(pid);
  const hurry = new AbortController();
  const stopInsisting = onInsisting(() => {
    hurry.abort();
  });
  let broken: unknown;
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (chunk: Uint8Array) => {
      output.take(chunk);
      command.onOutput?.(chunk);
    });
    stream?.on('error', (cause) => (broken ??= cause));
  }
  try {
    const ending = await endingOf(child, command.timeoutMs, abort);
    await endGroup(pid, command.graceMs ?? GRACE, hurry.signal);
    await within(closed, DRAIN);
    child.stdout?.destroy();
    child.stderr?.destroy();
    if (broken !== undefined) throw notTaken(command, broken);
    return result(ending);
  } finally {
    stopInsisting();
    release();
  }
}

async function start(command: Command): Promise<ChildProcess> {
  const [program, ...args] = command.argv;
  try {
    const child = spawn(program, args, {
      cwd: command.cwd,
      env: { ...childEnvironment(command.env ?? process.env), ...command.extraEnv },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      // A group of its own, whose id is the child's: kill(2) with a negative number reaches all of it.
      detached: process.platform !== 'win32',
    });
    // Not an async wait between the two events: output must not flow before someone listens.
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    child.on('error', () => undefined); // a failed kill: the group is looked after anyway
    return child;
  } catch (cause) {
    throw new Refusal('CS1307', `'${program}' cannot be started.`, { cause });
  }
}

function notTaken({ argv }: Command, cause: unknown): Refusal {
  return new Refusal('CS1307', `The output of '${argv[0]}' cannot be taken.`, { cause });
}

// The first of: the command ends, its time is up, we are interrupted. The other two cannot change the answer any more.
async function endingOf(child: ChildProcess, timeoutMs: number, abort: AbortSignal): Promise<Ending> {
  let stop = (): void => undefined;
  try {
    return await new Promise<Ending>((resolve) => {
      const onExit = (code: number | null, signal: NodeJS.Signals | null): void => {
        resolve(signal === null ? { by: 'exit', exitCode: code ?? 1 } : { by: 'signal', signal });
      };
      const onAbort = (): void => {
        resolve(interrupted());
      };
      const timer = setTimeout(
        () => {
          resolve({ by: 'timeout' });
        },
        Math.min(timeoutMs, LONGEST_TIMER),
      );
      child.once('exit', onExit);
      abort.addEventListener('abort', onAbort);
      stop = () => {
        clearTimeout(timer);
        child.removeListener('exit', onExit);
        abort.removeEventListener('abort', onAbort);
      };
      // Either may have come before we listened.
      if (child.exitCode !== null || child.signalCode !== null) onExit(child.exitCode, child.signalCode);
      else if (abort.aborted) onAbort();
    });
  } finally {
    stop();
  }
}

function interrupted(): Ending {
  return { by: 'interrupt', signal: interruption() ?? 'SIGTERM' };
}

async function within(done: Promise<void>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, milliseconds)));
  await Promise.race([done, late]);
  clearTimeout(timer);
}

/** The exit code that a shell would show: 128 and the signal's number where a signal ended the command (POSIX.1). */
export function shellExitCode(ending: Extract<Ending, { by: 'exit' | 'signal' }>, signals: SignalNumbers): number {
  return ending.by === 'exit' ? ending.exitCode : 128 + (signals[ending.signal] ?? 0);
}

/** Signals by name: `constants.signals` of node:os. */
export type SignalNumbers = Readonly<Partial<Record<NodeJS.Signals, number>>>;

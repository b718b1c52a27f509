import { constants } from 'node:os';
import { join } from 'node:path';
import { isRefusal } from '../domain/errors.ts';
import type { Facts } from '../gate/facts.ts';
import { holdingInterrupts } from '../process/interrupts.ts';
import { runCommand, shellExitCode } from '../process/run-command.ts';
import type { Command, CommandResult, Ending } from '../process/run-command.ts';
import { checkArgv, testCommandOf } from '../process/test-command.ts';
import type { Argv } from '../process/test-command.ts';
import { checkOutDisposably } from './disposable-checkout.ts';
import { inDisposableFolder } from './disposable-folder.ts';

/** What became of running the tests again. */
export type Rerun = NonNullable<Facts['rerun']>;

export interface RerunRequest {
  /** The user's repository, or a folder in it. It is read only, and gets no trace of this. */
  readonly root: string;
  /** The commit whose files are tested. */
  readonly headSha: string;
  /** Text of the *base's* `.rapid-os/config.json`; undefined where the base has none. */
  readonly baseConfig: string | undefined;
  /** `evidence.tests.setup` of the *base's* configuration. */
  readonly setup: readonly (readonly string[])[];
  /** Milliseconds for each command; half an hour where it is not given. */
  readonly timeoutMs?: number;
  readonly graceMs?: number;
  /** Folder for the disposable checkout; the system's temporary one where it is not given. */
  readonly temporary?: string;
  /** Told of each command before it starts. */
  readonly onCommand?: (argv: Argv) => void;
  readonly onOutput?: (chunk: Uint8Array) => void;
}

/** Milliseconds for each command where the caller sets none. */
const TIMEOUT = 30 * 60_000;
/** Bytes of a command's output that are kept: enough for a last line that says what went wrong. */
const KEPT_OUTPUT = 16_384;

/**
 * Runs the base's test command on a disposable checkout of the head, after the base's set-up commands. No command is ever
 * read from the head; but its code is run, with the rights of who asked for it.
 * @returns `ran: false` with the reason wherever that says nothing about the tests: no command or set-up at the base, a
 *   set-up that fails, a checkout that cannot be made, a time limit, an interruption
 */
export async function rerunTests(request: RerunRequest): Promise<Rerun> {
  return holdingInterrupts(async () => {
    try {
      return await rerun(request);
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      return notRun(`${thrown.code} ${thrown.message}`);
    }
  });
}

async function rerun(request: RerunRequest): Promise<Rerun> {
  const { baseConfig, headSha, root } = request;
  const argv = baseConfig === undefined ? undefined : testCommandOf(baseConfig);
  if (argv === undefined) return notRun('the base names no test_command in .rapid-os/config.json.');
  const setup = request.setup.map(checkArgv);
  if (setup.length === 0) {
    return notRun(
      'the base configures no evidence.tests.setup, and a fresh checkout is not ready for tests; write [[git, --version]] where nothing has to be done.',
    );
  }
  return inDisposableFolder(async (folder) => {
    const checkout = join(folder, 'checkout');
    const fault = await checkOutDisposably(root, headSha, checkout);
    if (fault !== undefined) return notRun(`the head cannot be checked out: ${fault}`);
    for (const words of setup) {
      const { ending, output } = await runOne(request, words, checkout);
      const code = exitCodeOf(ending);
      if (code !== 0) return notRun(`the set-up command '${words.join(' ')}' ${said(ending)}${lastLine(output)}`);
    }
    const { ending } = await runOne(request, argv, checkout);
    const exit_code = exitCodeOf(ending);
    if (exit_code === undefined) return notRun(`the test command '${argv.join(' ')}' ${said(ending)}.`);
    return { ran: true, command: [...argv], exit_code, head_sha: headSha };
  }, request.temporary);
}

function notRun(why: string): Rerun {
  return { ran: false, why };
}

async function runOne(request: RerunRequest, argv: Argv, cwd: string): Promise<CommandResult> {
  request.onCommand?.(argv);
  const command: Command = {
    argv,
    cwd,
    timeoutMs: request.timeoutMs ?? TIMEOUT,
    maxOutputBytes: KEPT_OUTPUT,
    ...(request.graceMs === undefined ? {} : { graceMs: request.graceMs }),
    ...(request.onOutput === undefined ? {} : { onOutput: request.onOutput }),
  };
  return runCommand(command);
}

// A signal that was not ours is a crash, and a crash is a failure; where we ended it, it says nothing.
function exitCodeOf(ending: Ending): number | undefined {
  return ending.by === 'exit' || ending.by === 'signal' ? shellExitCode(ending, constants.signals) : undefined;
}

function said(ending: Ending): string {
  switch (ending.by) {
    case 'exit':
      return `ended with ${ending.exitCode}`;
    case 'signal':
      return `was ended by ${ending.signal}`;
    case 'timeout':
      return 'took longer than its time limit';
    case 'interrupt':
      return `was interrupted by ${ending.signal}`;
  }
}

const LONGEST_LINE = 200;

function lastLine({ head, tail }: CommandResult['output']): string {
  const line = (tail === '' ? head : tail).trimEnd().split('\n').at(-1)?.trim() ?? '';
  return line === '' ? '.' : `: ${line.slice(0, LONGEST_LINE)}`;
}

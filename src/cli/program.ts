import { Command, CommanderError } from 'commander';
import { addEvalCommands } from './commands/eval.ts';
import { addEvidenceCommands } from './commands/evidence.ts';
import { addHarnessCommands } from './commands/harness.ts';
import { addPolicyCommands } from './commands/policy.ts';
import { addRunCommands } from './commands/run.ts';
import { addSpecCommands } from './commands/spec.ts';
import { addValidateCommand } from './commands/validate.ts';
import { visibleLines } from '../render/visible.ts';
import { EXIT } from './exit.ts';
import { reportThrown } from './failure.ts';
import type { Session } from './session.ts';
import { processTerminal } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

type AddCommands = (program: Command, session: Session) => void | Promise<void>;

/** The commands by their first word. Those over documents are always there; the others are loaded when they are used. */
const COMMANDS: Readonly<Record<string, AddCommands>> = {
  evaluate: async (program, session) => (await import('./commands/engine.ts')).addEvaluateCommand(program, session),
  harness: addHarnessCommands,
  policy: addPolicyCommands,
  spec: addSpecCommands,
  run: addRunCommands,
  evidence: addEvidenceCommands,
  eval: addEvalCommands,
  validate: addValidateCommand,
  scan: async (program, session) => (await import('./commands/engine.ts')).addScanCommands(program, session),
  check: async (program, session) => (await import('./commands/engine.ts')).addCheckCommand(program, session),
  init: async (program, session) => (await import('./commands/engine.ts')).addInitCommand(program, session),
  hook: async (program, session) => (await import('./commands/hook.ts')).addHookCommands(program, session),
  doctor: async (program, session) => (await import('./commands/engine.ts')).addDoctorCommand(program, session),
};

/** Runs the command line. @returns the exit code */
export async function main(
  argv: readonly string[],
  terminal: Terminal = processTerminal(),
  cwd = process.cwd(),
): Promise<number> {
  const session: Session = { terminal, cwd, exit: EXIT.holds.code };
  try {
    const first = argv[0] ?? '';
    const program = await makeProgram(session, Object.hasOwn(COMMANDS, first) ? [first] : Object.keys(COMMANDS));
    if (argv.length === 0) {
      program.outputHelp();
      return EXIT.holds.code;
    }
    await program.parseAsync([...argv], { from: 'user' });
    return session.exit;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.holds.code : EXIT.usage.code;
    return reportThrown(thrown, terminal, argv.includes('--json'));
  }
}

/** The program with some of its commands, or all of them, for running it and for its documentation. */
export async function makeProgram(
  session: Session,
  names: readonly string[] = Object.keys(COMMANDS),
): Promise<Command> {
  const { terminal } = session;
  const program = new Command('countersign')
    .description('The second signature on a pull request that an AI coding agent wrote.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureOutput({
      writeOut: terminal.out,
      // Commander repeats what was typed.
      writeErr: (text) => terminal.err(visibleLines(text)),
      getOutHelpWidth: () => Math.min(terminal.columns, 100),
    })
    .showHelpAfterError('Run it with --help to see how it is used.')
    .exitOverride()
    .addHelpText('after', helpEnd());
  for (const name of names) await COMMANDS[name]?.(program, session);
  return program;
}

function helpEnd(): string {
  const codes = Object.values(EXIT).map(({ code, meaning }) => `  ${String(code).padStart(2)}  ${meaning}`);
  return `\nExit codes:\n${codes.join('\n')}\n\nStart here: countersign evaluate   (the verdict on the runs of this project)`;
}

import { Command, CommanderError } from 'commander';
import { addEvalCommands } from './commands/eval.ts';
import { addEvaluateCommand } from './commands/evaluate.ts';
import { addEvidenceCommands } from './commands/evidence.ts';
import { addHarnessCommands } from './commands/harness.ts';
import { addPolicyCommands } from './commands/policy.ts';
import { addRunCommands } from './commands/run.ts';
import { addSpecCommands } from './commands/spec.ts';
import { addValidateCommand } from './commands/validate.ts';
import { EXIT } from './exit.ts';
import { reportThrown } from './failure.ts';
import type { Session } from './session.ts';
import { processTerminal } from './terminal.ts';
import type { Terminal } from './terminal.ts';
import { version } from './version.ts';

/** Runs the command line. @returns the exit code */
export async function main(
  argv: readonly string[],
  terminal: Terminal = processTerminal(),
  cwd = process.cwd(),
): Promise<number> {
  const session: Session = { terminal, cwd, exit: EXIT.holds.code };
  const program = makeProgram(session);
  try {
    await program.parseAsync([...argv], { from: 'user' });
    return session.exit;
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? EXIT.holds.code : EXIT.usage.code;
    return reportThrown(thrown, terminal, argv.includes('--json'));
  }
}

/** The program with all its commands, for running it and for its documentation. */
export function makeProgram(session: Session): Command {
  const { terminal } = session;
  const program = new Command('countersign')
    .description('The second signature on a pull request that an AI coding agent wrote.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .configureOutput({
      writeOut: terminal.out,
      writeErr: terminal.err,
      getOutHelpWidth: () => Math.min(terminal.columns, 100),
    })
    .showHelpAfterError('Run it with --help to see how it is used.')
    .exitOverride()
    .addHelpText('after', helpEnd());
  addEvaluateCommand(program, session);
  addHarnessCommands(program, session);
  addPolicyCommands(program, session);
  addSpecCommands(program, session);
  addRunCommands(program, session);
  addEvidenceCommands(program, session);
  addEvalCommands(program, session);
  addValidateCommand(program, session);
  return program;
}

function helpEnd(): string {
  const codes = Object.values(EXIT).map(({ code, meaning }) => `  ${String(code).padStart(2)}  ${meaning}`);
  return `\nExit codes:\n${codes.join('\n')}\n\nStart here: countersign evaluate   (the verdict on the runs of this project)`;
}

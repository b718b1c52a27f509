import { resolve } from 'node:path';
import type { Command } from 'commander';
import { writeJson } from '../domain/json/canonical.ts';
import { findRoot, projectRoot } from '../workspace/workspace.ts';
import type { Terminal } from './terminal.ts';

/** What all commands of one call share. */
export interface Session {
  readonly terminal: Terminal;
  readonly cwd: string;
  /** The exit code that the call will end with. */
  exit: number;
}

/** Options that every command has. */
export interface CommonOptions {
  readonly root?: string;
  readonly json?: boolean;
}

/** A command with the common options, and examples at the end of its help. */
export function leaf(
  parent: Command,
  nameAndArguments: string,
  description: string,
  examples: readonly string[],
): Command {
  const command = parent
    .command(nameAndArguments)
    .description(description)
    .option('--root <folder>', 'project folder (default: the nearest one upwards with .rapid-os or .git)')
    .option('--json', 'print JSON, and nothing else, on stdout');
  return command.addHelpText(
    'after',
    `\nExamples:\n${examples.map((example) => `  $ countersign ${example}`).join('\n')}`,
  );
}

/** A command that only groups others. */
export function group(parent: Command, name: string, description: string): Command {
  return parent.command(name).description(description);
}

/** The project's folder for a call. @throws Refusal CS1203 */
export function rootOf(session: Session, options: CommonOptions): string {
  return projectRoot(options.root === undefined ? findRoot(session.cwd) : resolve(session.cwd, options.root));
}

/** Prints a result: as JSON where that is asked for, else as text. */
export function answer(session: Session, options: CommonOptions, data: unknown, text: () => string): void {
  session.terminal.out(options.json === true ? writeJson(data) : text());
}

/** Collects the values of an option that may be given several times. */
export function collect(value: string, before: readonly string[] | undefined): string[] {
  return [...(before ?? []), value];
}

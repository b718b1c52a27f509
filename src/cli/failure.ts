import { codeEntry } from '../domain/codes.ts';
import { isRefusal } from '../domain/errors.ts';
import type { Refusal } from '../domain/errors.ts';
import { writeJson } from '../domain/json/canonical.ts';
import { visible } from '../render/visible.ts';
import { EXIT } from './exit.ts';
import type { ExitName } from './exit.ts';
import { styled } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** Codes that say "there is nothing to look at" rather than "it does not hold". */
const NOTHING: ReadonlySet<string> = new Set(['CS1302']);
/** Codes that say that the command line itself is wrong. */
const USAGE: ReadonlySet<string> = new Set(['CS1301', 'CS1305', 'CS1306']);
/** Codes that say that what was to be looked at could not be had: a command, git, a history, an object, facts. */
const INCOMPLETE: ReadonlySet<string> = new Set([
  ...['CS1307', 'CS1308'],
  ...['CS1502', 'CS1503', 'CS1504', 'CS1505', 'CS1506', 'CS1507', 'CS1508', 'CS1510'],
]);

/** Prints what was thrown, without a stack trace for a refusal. @returns the exit code */
export function reportThrown(thrown: unknown, terminal: Terminal, json: boolean): number {
  if (isRefusal(thrown)) {
    if (json) terminal.out(writeJson({ error: refusalData(thrown) }));
    else terminal.err(refusalText(thrown, terminal));
    return exitOf(thrown.code).code;
  }
  const detail = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  terminal.err(`countersign: internal error, please report it with what you ran:\n${detail}\n`);
  return EXIT.internal.code;
}

function exitOf(code: string): (typeof EXIT)[ExitName] {
  if (NOTHING.has(code)) return EXIT.nothing;
  if (USAGE.has(code)) return EXIT.usage;
  return INCOMPLETE.has(code) ? EXIT.incomplete : EXIT.refused;
}

/** A refusal as data. */
export function refusalData(refusal: Refusal): object {
  return {
    code: refusal.code,
    title: codeEntry(refusal.code).title,
    message: refusal.message,
    where: refusal.where ?? null,
    remedy: remedyOf(refusal),
  };
}

function remedyOf(refusal: Refusal): string {
  return refusal.remedy ?? codeEntry(refusal.code).remedy;
}

/** A refusal as text: what, where, what to do. */
export function refusalText(refusal: Refusal, terminal: Terminal): string {
  const { title } = codeEntry(refusal.code);
  const cause = systemCause(refusal.cause);
  return [
    `${styled(terminal, 'red', `${refusal.code} ${title}`)}`,
    `  ${visible(refusal.message)}${cause}`,
    `  ${styled(terminal, 'dim', remedyOf(refusal))}`,
    '',
  ].join('\n');
}

// A system error names what the operating system said: that is often the whole answer.
function systemCause(cause: unknown): string {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';
}

import { redact } from '../../checks/secrets/scan.ts';
import { loadMaintainedRules } from '../../checks/secrets/maintained-rules.ts';
import type { BoundedOutput } from '../../process/output.ts';
import type { Argv } from '../../process/test-command.ts';

/** Colours and cursor moves (ECMA-48, 5.4): in a log they only hide what stands there. */
const CONTROL_SEQUENCE = /\u001b\[[0-?]{0,32}[ -/]{0,4}[@-~]/g;
/** Where a key block is searched for that began in the part that was dropped, in characters. */
const KEY_BLOCK = 32_768;

/** The log of a command as it is kept: what was run, what it printed, how it ended, without secrets. */
export async function logOf(argv: Argv, output: BoundedOutput, ended: string): Promise<string> {
  // Loaded even where no keyword is seen: a log is stored for good.
  const rules = await loadMaintainedRules();
  const clean = (text: string): string => redact(text.replace(CONTROL_SEQUENCE, ''), rules);
  const { head, tail, droppedBytes } = output;
  const end = droppedBytes === 0 ? tail : `[${droppedBytes} bytes left out]\n${clean(withoutHalfKey(tail))}`;
  const body = clean(head) + end;
  return `${clean(`$ ${argv.map(shown).join(' ')}\n`)}${body}${body === '' || body.endsWith('\n') ? '' : '\n'}[${ended}]\n`;
}

// Without its first line a key block is not recognised as one.
function withoutHalfKey(tail: string): string {
  const start = tail.slice(0, KEY_BLOCK);
  const end = /-----END [A-Z0-9 ]{1,40}-----/.exec(start);
  if (end === null || start.slice(0, end.index).includes('-----BEGIN ')) return tail;
  return `[end of a key block left out]${tail.slice(end.index + end[0].length)}`;
}

// As a person would write it: in quotes only where that is needed.
function shown(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

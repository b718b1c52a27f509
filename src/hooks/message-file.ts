import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { cleanMessage } from '../checks/attribution/cleanup.ts';
import type { Cleanup } from '../checks/attribution/cleanup.ts';
import { Refusal } from '../domain/errors.ts';
import { readCommitText } from '../sources/git-commit.ts';
import type { MessageSettings } from './git-settings.ts';

/** Bytes of a message file that are read: what git appends for `commit -v` may be long, a message is not. */
export const MAX_MESSAGE_FILE = 64 * 1024 * 1024;

/** A message as git will record it. */
export interface RecordedMessage {
  readonly text: string;
  /** Line of the file, from 1, in which a line of `text` stands. */
  readonly fileLine: (line: number) => number;
}

/**
 * Reads the file that git hands to commit-msg. What cannot be read is refused: nobody knows what it would record.
 * @param path absolute, or from `folder`
 * @throws Refusal CS1309
 */
export function readMessageFile(path: string, folder: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(resolve(folder, path));
  } catch (cause) {
    throw new Refusal('CS1309', `The message file ${path} cannot be read.`, { where: path, cause });
  }
  if (bytes.length <= MAX_MESSAGE_FILE) return bytes;
  throw new Refusal('CS1309', `The message file ${path} has more than ${MAX_MESSAGE_FILE} bytes.`, { where: path });
}

/**
 * What git will make of a message file's bytes. `commit --cleanup` and `-v` on the command line leave no trace for a
 * hook; the first is taken for the setting, the second is told from what git writes below the scissors line.
 * @param hasEditor whether an editor was open: git says that none was by `GIT_EDITOR=:` (githooks(5), "pre-commit")
 * @throws Refusal CS1309 for an encoding whose bytes do not show the text
 */
export function recordedMessage(bytes: Uint8Array, settings: MessageSettings, hasEditor: boolean): RecordedMessage {
  const raw = readCommitText(bytes, settings.encoding ?? '');
  if (raw === undefined) {
    const message = `The message is in ${settings.encoding ?? ''} (i18n.commitEncoding), which is not read.`;
    throw new Refusal('CS1309', message, { remedy: 'Unset i18n.commitEncoding: git records UTF-8 then.' });
  }
  const cleanup = cleanupOf(settings.cleanup, hasEditor);
  const comment = commentOf(settings.comment, raw);
  const verbose = settings.verbose || (hasEditor && isCutByGit(raw, comment));
  const text = cleanMessage(raw, cleanup, comment, verbose);
  return { text, fileLine: lineMap(raw, text) };
}

// git-commit(1), `--cleanup`; builtin/commit.c and sequencer.c, get_cleanup_mode.
function cleanupOf(setting: string | undefined, hasEditor: boolean): Cleanup {
  switch (setting) {
    case 'verbatim':
    case 'whitespace':
    case 'strip':
      return setting;
    case 'scissors':
      return hasEditor ? 'scissors' : 'whitespace';
    default:
      return hasEditor ? 'strip' : 'whitespace';
  }
}

/** What `auto` chooses from (git-config(1), core.commentChar). */
const CHOICES = '#;@!$%^&|:';

function commentOf(setting: string | undefined, raw: string): string {
  if (setting === undefined || setting === '') return '#';
  if (setting.toLowerCase() !== 'auto') return setting;
  // Git has chosen before the editor opened. The status that it adds ends with the sign alone on a line.
  const last = raw.trimEnd().split('\n').at(-1) ?? '';
  return last.length === 1 && CHOICES.includes(last) ? last : '#';
}

/**
 * Whether git itself wrote the scissors line, for `commit -v`: below its own comments there is a difference, or
 * nothing. Anything else below such a line was typed, and git keeps it unless `-v` was given: then it is looked at.
 */
function isCutByGit(raw: string, comment: string): boolean {
  const line = `${comment} ------------------------ >8 ------------------------\n`;
  const at = raw.startsWith(line) ? 0 : raw.indexOf(`\n${line}`) + 1;
  if (at === 0 && !raw.startsWith(line)) return false;
  const below = raw.slice(at + line.length).split('\n');
  const first = below.find((each) => each.trim() !== '' && !each.startsWith(comment));
  return first === undefined || /^(?:diff --|Submodule |\* Unmerged path )/.test(first);
}

// Cleaning takes lines out and shortens others, but changes no order.
function lineMap(raw: string, text: string): (line: number) => number {
  const kept = text.split('\n');
  const places: number[] = [];
  let next = 0;
  raw.split('\n').forEach((line, index) => {
    while (kept[next] === '') {
      places.push(index + 1);
      next += 1;
    }
    if (next < kept.length && line.trimEnd() === kept[next]?.trimEnd()) {
      places.push(index + 1);
      next += 1;
    }
  });
  return (line) => places[line - 1] ?? line;
}

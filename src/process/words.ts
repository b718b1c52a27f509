import { Refusal } from '../domain/errors.ts';

/** Longest command, in characters. */
export const MAX_COMMAND_LENGTH = 32_768;

// Each of them makes a shell do more than start one program (POSIX.1-2024, Shell Command Language, 2.2 and 2.6).
const OPERATORS: ReadonlySet<string> = new Set(';&|<>$`()*?~#');
const EXPANDED_IN_QUOTES: ReadonlySet<string> = new Set('$`');
const ESCAPED_IN_QUOTES: ReadonlySet<string> = new Set('$`"\\');
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*=/;

/**
 * The words of a command as a POSIX shell would split them: at spaces and tabs, with '…', "…" and backslashes. There
 * is no shell, so what only a shell can do is refused instead of being passed on as text.
 * @throws Refusal CS1305 for operators, expansions, comments, line breaks, assignments before the command, control
 *   characters, open quotes, and a text without words
 */
export function splitWords(text: string): [string, ...string[]] {
  if (text.length > MAX_COMMAND_LENGTH) throw refuse(`is longer than ${MAX_COMMAND_LENGTH} characters`);
  const words: string[] = [];
  let word: string | undefined;
  let at = 0;
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === ' ' || char === '\t') {
      if (word !== undefined) words.push(word);
      word = undefined;
      at += 1;
      continue;
    }
    const piece = pieceAt(text, at, char);
    if (words.length === 0 && word === undefined && ASSIGNMENT.test(text.slice(at, at + 256)))
      throw refuse('sets a variable before the command, which needs a shell; `env NAME=value command` does not');
    word = (word ?? '') + piece.text;
    at = piece.end;
  }
  if (word !== undefined) words.push(word);
  const [first, ...rest] = words;
  if (first === undefined || first === '') throw refuse('names no program');
  return [first, ...rest];
}

interface Piece {
  readonly text: string;
  /** Where the text goes on. */
  readonly end: number;
}

function pieceAt(text: string, at: number, char: string): Piece {
  if (char === "'") return singleQuoted(text, at + 1);
  if (char === '"') return doubleQuoted(text, at + 1);
  if (char === '\\') return { text: plain(text, at + 1, 'ends in a backslash'), end: at + 2 };
  if (OPERATORS.has(char)) throw refuse(`has the shell operator ${char} outside quotes`);
  return { text: plain(text, at, ''), end: at + 1 };
}

function singleQuoted(text: string, start: number): Piece {
  const end = text.indexOf("'", start);
  if (end < 0) throw refuse("has an open '");
  const inner = text.slice(start, end);
  for (let at = 0; at < inner.length; at += 1) plain(inner, at, '');
  return { text: inner, end: end + 1 };
}

function doubleQuoted(text: string, start: number): Piece {
  let inner = '';
  for (let at = start; at < text.length; at += 1) {
    const char = text.charAt(at);
    if (char === '"') return { text: inner, end: at + 1 };
    if (EXPANDED_IN_QUOTES.has(char)) throw refuse(`has the shell operator ${char} in double quotes`);
    if (char === '\\' && ESCAPED_IN_QUOTES.has(text.charAt(at + 1))) at += 1;
    inner += plain(text, at, '');
  }
  throw refuse('has an open "');
}

// A character that stands for itself.
function plain(text: string, at: number, atEnd: string): string {
  const char = text.charAt(at);
  if (char === '') throw refuse(atEnd);
  if (char === '\n' || char === '\r') throw refuse('has a line break');
  const code = char.charCodeAt(0);
  if ((code < 0x20 && char !== '\t') || code === 0x7f) throw refuse('has a control character');
  return char;
}

function refuse(why: string): Refusal {
  return new Refusal('CS1305', `The command ${why}.`);
}

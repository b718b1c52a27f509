import { Refusal } from '../domain/errors.ts';
import { anyObjectAt } from '../domain/fields.ts';
import { typeName } from '../domain/json/node.ts';
import type { JsonNode } from '../domain/json/node.ts';
import { readJson } from '../domain/json/read.ts';
import { RAPID_OS } from '../domain/project.ts';
import { MAX_COMMAND_LENGTH, splitWords } from './words.ts';

/** The file that names a project's test command. */
export const PROJECT_CONFIG = `${RAPID_OS}/config.json`;

/** A program and its arguments. */
export type Argv = readonly [string, ...string[]];

/**
 * `test_command` of a project's `.rapid-os/config.json`: a list of words, or a text that is split into words. Other
 * keys are no business of ours.
 * @returns undefined where the file names none
 * @throws Refusal CS1305, and CS11xx of strict reading
 */
export function testCommandOf(text: string): Argv | undefined {
  const place = { code: 'CS1305', file: PROJECT_CONFIG, reading: 'strict' } as const;
  const node = anyObjectAt(readJson(text, place), 'the file', place).get('test_command');
  if (node === undefined || node === '') return undefined;
  try {
    return commandOf(node);
  } catch (thrown) {
    if (!(thrown instanceof Refusal)) throw thrown;
    throw new Refusal('CS1305', `test_command: ${thrown.message}`, { where: PROJECT_CONFIG, cause: thrown });
  }
}

function commandOf(node: JsonNode): Argv {
  if (typeof node === 'string') return splitWords(node);
  if (!Array.isArray(node)) throw new Refusal('CS1305', `It must be a text or a list of words, not ${typeName(node)}.`);
  return checkArgv(
    node.map((word) => {
      if (typeof word === 'string') return word;
      throw new Refusal('CS1305', `Every word must be a text, not ${typeName(word)}.`);
    }),
  );
}

/** Words as a command. @throws Refusal CS1305 where there is no program, or a word that no system can pass on */
export function checkArgv(words: readonly string[]): Argv {
  const [program, ...rest] = words;
  if (program === undefined || program.trim() === '') throw new Refusal('CS1305', 'The command names no program.');
  if (words.some((word) => word.includes('\0'))) throw new Refusal('CS1305', 'The command has a NUL character.');
  if (words.reduce((sum, word) => sum + word.length + 1, 0) > MAX_COMMAND_LENGTH)
    throw new Refusal('CS1305', `The command is longer than ${MAX_COMMAND_LENGTH} characters.`);
  return [program, ...rest];
}

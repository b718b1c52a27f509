import { looksGenerated } from './entropy.ts';
import type { SecretMatch } from './match.ts';
import { isPlaceholder } from './placeholders.ts';

/** Programs that take a password as an argument, by the text that starts where their name does. */
export const PASSWORD_COMMANDS = ['curl ', 'mysql', 'sshpass'] as const;

// Up to the option on the same command; every repetition is bounded, so that a line of names alone is linear.
const BEFORE = String.raw`(?:[^\n|;&\\]|\\\r?\n|\\.){0,200}?`;
const VALUE = String.raw`(?:"([^"\n]{1,200})"|'([^'\n]{1,200})'|([^\s"'` + '`' + String.raw`|;&]{1,200}))`;
/** By the program's documentation: curl(1) -u and -U, mysql(1) -p and --password, sshpass(1) -p. */
const FORMS: readonly RegExp[] = [
  new RegExp(String.raw`curl${BEFORE}\s(?:-[uU]|--(?:proxy-)?user)[ =]?${VALUE}`, 'dy'),
  new RegExp(String.raw`mysql(?:dump|admin|import|sh)?(?=\s)${BEFORE}\s-p${VALUE}`, 'dy'),
  new RegExp(String.raw`sshpass\s{1,9}-p\s{0,9}${VALUE}`, 'dy'),
];
const SHORTEST = 3;
const TYPED_SHORTEST = 8;
const WORD = /[\p{L}\d_-]/u;

/**
 * The password among the arguments of the command whose name stands at `start`. What could be an example, since nobody
 * would have a program generate it, is only `possible`.
 */
export function commandPasswordAt(text: string, start: number): SecretMatch | undefined {
  if (WORD.test(text.charAt(start - 1))) return undefined;
  for (const form of FORMS) {
    form.lastIndex = start;
    const span = form
      .exec(text)
      ?.indices?.slice(1)
      .find((one) => one !== undefined);
    if (span === undefined) continue;
    const [from, end] = span;
    const given = text.slice(from, end);
    // curl takes a user in front of it.
    const colon = form === FORMS[0] ? given.indexOf(':') : -1;
    if (form === FORMS[0] && colon === -1) return undefined;
    const password = given.slice(colon + 1);
    if (password.length < SHORTEST || isPlaceholder(password) || password === given.slice(0, colon)) return undefined;
    return {
      rule: 'secrets/password',
      provider: 'password on a command line',
      confidence: looksGenerated(password) || isTypedPassword(password) ? 'likely' : 'possible',
      start: from + colon + 1,
      end,
    };
  }
  return undefined;
}

function isTypedPassword(value: string): boolean {
  return value.length >= TYPED_SHORTEST && /\d/.test(value) && /\p{Lu}/u.test(value) && /\p{Ll}/u.test(value);
}

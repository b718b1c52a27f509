import { isCounting, looksGenerated } from './entropy.ts';
import { isParameter, isProperty, startsLine } from './assignment-places.ts';
import type { Confidence, SecretMatch } from './match.ts';
import { isDummyToken, isLabel, isPlaceholder } from './placeholders.ts';

/** ASCII beginnings of the words that name a secret. */
export const ASSIGNMENT_KEYWORDS = [
  'passw',
  'passphrase',
  'passcode',
  'pass"',
  "pass'",
  'pass=',
  'pass:',
  'pass ',
  'pwd',
  'contrase',
  'secret',
  'token',
  'apikey',
  'api_key',
  'api-key',
  'access_key',
  'access-key',
  'accesskey',
  'private_key',
  'private-key',
  'privatekey',
  'auth_key',
  'authkey',
  'account_key',
  'accountkey',
  'encryption_key',
  'encryptionkey',
  'signing_key',
  'signingkey',
  'master_key',
  'masterkey',
  'credential',
  'npmauthident',
  '_auth=',
  '"auth"',
  'authorization',
] as const;

/** Characters of a name that are looked at on either side of the keyword. */
const NAME_REACH = 48;
/** Shortest value that is taken for a password or token where it stands in quotes. */
const SHORTEST_QUOTED = 6;

const NAME_BEFORE = /[\p{L}\p{M}\d_.$-]{0,48}$/u;
const NAME_AFTER = /[\p{L}\p{M}\d_-]{0,48}/uy;
/** What may stand between a name and its value, on one line: `: `, ` = `, `": "`, ` := `, ` => `, `>` of an element. */
const GAP = /(?:\\?["'`])?\]?[ \t]{0,8}(?::=|=>|\?\?=|\|\|=|[:=]|(?=>))[ \t]{0,8}/y;
const TYPED_GAP = /[ \t]{0,4}:[ \t]{0,4}(?:string|String|str|&str|&'static str|text|varchar)[ \t]{0,4}=[ \t]{0,4}/y;
const QUOTED = /(?:[bru]|@|\$)?\\?(["'`])((?:(?!\1|\\["'`]|[\r\n]).){1,500})\\?\1/y;
const ELEMENT = />([^<>\r\n]{6,300})<\//y;
const BARE = /[^\s"'`,;()[\]{}<>|&\\]{6,300}/y;
const SCHEME = /(?:basic|bearer|token|bot)[ \t]{1,4}([\w+/=.~-]{8,2000})/iy;

type NameKind = 'password' | 'token' | 'authorization';

/**
 * The secret that is assigned to the name in which a keyword stands at `start`: in a program, a JSON or YAML
 * document, an environment file, an XML element or a header. Only one line is looked at, and a bounded part of it.
 */
export function assignmentAt(text: string, start: number): SecretMatch | undefined {
  const after = restOfName(text, start);
  // A keyword that starts with a quote is a name of its own: `"auth"`.
  const isQuotedName = after === '';
  const nameEnd = isQuotedName ? start + 5 : start + after.length;
  // Most words that a keyword stands in are no names of anything: this is the quickest way to tell.
  if (!GAP_STARTS.has(text.charCodeAt(nameEnd))) return undefined;
  const gap = sticky(TYPED_GAP, text, nameEnd) ?? sticky(GAP, text, nameEnd);
  if (gap === undefined) return undefined;
  if (isPlainWord(text, nameEnd + gap[0].length) && !NEEDS_NO_DIGIT.test(after)) return undefined;
  const before = NAME_BEFORE.exec(text.slice(Math.max(0, start - NAME_REACH), start))?.[0] ?? '';
  const name = `${before}${after}`.normalize('NFC').replace(/^[.$-]+/, '');
  const kind = isQuotedName ? kindOfQuoted(text, start) : kindOfName(name);
  if (kind === undefined) return undefined;
  const valueStart = nameEnd + gap[0].length;
  const value = valueAt(text, valueStart, kind);
  if (value === undefined) return undefined;
  const confidence = judge(kind, name, value, text, start - before.length, gap[0]);
  if (confidence === undefined) return undefined;
  return {
    rule: kind === 'password' ? 'secrets/password' : 'secrets/generic',
    provider: kind === 'password' ? 'password' : 'secret',
    confidence,
    start: value.start,
    end: value.start + value.text.length,
    key: isQuotedName ? 'auth' : name,
  };
}

// The rest of a name; most are ASCII, and then it takes no pattern.
function restOfName(text: string, start: number): string {
  for (let at = start; at < start + NAME_REACH; at += 1) {
    const code = text.charCodeAt(at); // NaN behind the end
    if (code > 127) break;
    if (!isNamePart(code)) return text.slice(start, at);
  }
  return sticky(NAME_AFTER, text, start)?.[0] ?? '';
}

function isNamePart(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 95 ||
    code === 45
  );
}

/** Passwords without quotes may be words; anything else without quotes has to look generated. */
const NEEDS_NO_DIGIT = /^(?:pass|pwd|contra|authorization)/i;

// Whether a value without quotes, in which there is no digit, begins there: `token = this.next()`. Programs are full of
// them, and this is the quickest way to tell.
function isPlainWord(text: string, start: number): boolean {
  for (let at = start; at < start + NAME_REACH; at += 1) {
    const code = text.charCodeAt(at);
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95 || code === 46;
    if (!isLetter) return at > start + 2 && PLAIN_ENDS.has(code);
  }
  return false;
}

/** What ends a plain word for good: blanks, line ends, and signs that no value without quotes holds. */
const PLAIN_ENDS = new Set([...' \t\r\n,;()[]{}<>'].map((sign) => sign.charCodeAt(0)));

// Whether anything that may stand between a name and its value begins there.
const GAP_STARTS = new Set([...' \t\\"\'`]:=?|>'].map((sign) => sign.charCodeAt(0)));

interface Value {
  readonly form: 'quoted' | 'element' | 'bare' | 'scheme';
  readonly text: string;
  readonly start: number;
}

function valueAt(text: string, start: number, kind: NameKind): Value | undefined {
  if (kind === 'authorization') {
    const quote = /["'`\\]{0,2}/y;
    const skipped = sticky(quote, text, start)?.[0].length ?? 0;
    const scheme = sticky(SCHEME, text, start + skipped);
    if (scheme?.[1] === undefined) return undefined;
    return { form: 'scheme', text: scheme[1], start: start + skipped + scheme[0].length - scheme[1].length };
  }
  const quoted = sticky(QUOTED, text, start);
  if (quoted?.[2] !== undefined)
    return { form: 'quoted', text: quoted[2], start: start + quoted[0].indexOf(quoted[2]) };
  const element = sticky(ELEMENT, text, start);
  if (element?.[1] !== undefined) return { form: 'element', text: element[1], start: start + 1 };
  const bare = sticky(BARE, text, start);
  return bare === undefined ? undefined : { form: 'bare', text: bare[0], start };
}

function judge(
  kind: NameKind,
  name: string,
  value: Value,
  text: string,
  nameStart: number,
  gap: string,
): Confidence | undefined {
  if (isPlaceholder(value.text) || isNameOf(value.text, name)) return undefined;
  if (kind !== 'password' && isDummyToken(value.text)) return 'possible';
  if (kind === 'authorization') return isLogin(value.text) ? 'likely' : undefined;
  if (value.form === 'bare') return judgeBare(kind, name, value, text, nameStart, gap);
  if (value.text.length < SHORTEST_QUOTED) return undefined;
  if (looksGenerated(value.text)) return 'likely';
  if (kind === 'token') return 'possible';
  if (isLabel(value.text) || isExpression(value.text)) return 'possible';
  return /[^\p{L}]/u.test(value.text) ? 'likely' : 'possible';
}

// Without quotes most values are expressions of a program: a password has to stand where files of settings put it.
function judgeBare(
  kind: NameKind,
  name: string,
  value: Value,
  text: string,
  nameStart: number,
  gap: string,
): Confidence | undefined {
  const next = text[value.start + value.text.length] ?? '\n';
  if (next === '(' || next === '[' || next === '<' || next === '{') return undefined;
  if (looksGenerated(value.text)) return 'likely';
  if (kind !== 'password' || isExpression(value.text)) return undefined;
  const isSetting = gap === '=' && /^[A-Z][A-Z0-9_]*$/.test(name) && startsLine(text, nameStart);
  const isNpmrc = gap === '=' && name.endsWith('_password');
  if (isProperty(name, value.text, text, nameStart, gap, value.start) || isParameter(value.text, text, nameStart, gap))
    return 'likely';
  const isYaml =
    /^: {1,8}$/.test(gap) && startsLine(text, nameStart) && /\d/.test(value.text) && /\p{L}/u.test(value.text);
  return isSetting || isNpmrc || isYaml ? 'likely' : undefined;
}

// `exports.Md5Password = Md5Password`.
function isNameOf(value: string, name: string): boolean {
  const [own, whole] = [value.toLowerCase(), name.toLowerCase()];
  return whole === own || whole.endsWith(`.${own}`);
}

// `user.password`, `settings/db`, `getPassword`, `./file.txt`, `https://host/path`: how programs name things.
function isExpression(value: string): boolean {
  return (
    /^(?:https?:\/\/|\.{0,2}\/|~\/)/i.test(value) ||
    /^[A-Za-z_$][\w$]*(?:(?:\.|::|->|\/)[A-Za-z_$][\w$]*)+$/.test(value)
  );
}

// A login in base64 says what it is; what is none may be a token.
function isLogin(value: string): boolean {
  const login = basicLogin(value);
  return login ?? looksGenerated(value);
}

// Whether a user and a password stand in it, and if, whether they are real.
function basicLogin(value: string): boolean | undefined {
  try {
    const text = atob(value);
    const password = text.replace(/^[^:]*:/, '');
    if (!/^[^\s:]{1,100}:[\x21-\x7e]{4,}$|^:[\x21-\x7e]{4,}$/.test(text)) return undefined;
    return !isPlaceholder(password) && !isCounting(password);
  } catch {
    return undefined;
  }
}

const ENVIRONMENTS: ReadonlySet<string> = new Set(
  'prod production dev development stage staging test testing local live old new value val b64 base64 plain plaintext'.split(
    ' ',
  ),
);
const PASSWORDS: ReadonlySet<string> = new Set(
  'password passwd passwort pass pwd passphrase passcode contraseña contrasena'.split(' '),
);
const TOKENS: ReadonlySet<string> = new Set(
  'token secret secrets apikey accesskey authkey privatekey credential credentials ident'.split(' '),
);
const KEYS_OF: ReadonlySet<string> = new Set(
  'api access secret private auth account encryption signing master shared storage subscription license'.split(' '),
);

/** What kind of secret a name says it holds, by its last words: `dbPassword`, `API_KEY_PROD`, not `passwordHint`. */
export function kindOfName(name: string): NameKind | undefined {
  if (/(?:1|one)password$/i.test(name)) return undefined;
  const words = name
    .replace(/(\p{Ll}|\d)(?=\p{Lu})/gu, '$1_')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1_')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');
  while (words.length > 1 && (ENVIRONMENTS.has(words.at(-1) ?? '') || /^\d+$/.test(words.at(-1) ?? ''))) words.pop();
  const last = (words.at(-1) ?? '').replace(/\d+$/, '');
  const previous = words.at(-2) ?? '';
  if (PASSWORDS.has(last) || /(?:password|passwd|passphrase)$/.test(last)) return 'password';
  if (last === 'authorization' || last === 'extraheader') return 'authorization';
  if (TOKENS.has(last) || /(?:token|secret|apikey)$/.test(last)) return 'token';
  if (last === 'auth' && name.endsWith('_auth')) return 'token';
  return last === 'key' && KEYS_OF.has(previous) ? 'token' : undefined;
}

// `"auth": "dXNlcjpwYXNz"` in Docker's configuration, `_auth=` of npm.
function kindOfQuoted(text: string, start: number): NameKind | undefined {
  return text.startsWith('"auth"', start) ? 'token' : undefined;
}

function sticky(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

/** What stands for a value rather than being one. Only the value is looked at, never the rest of its line. */
const REFERENCES = [
  /\$\{/,
  /\{\{/,
  /\$\(/,
  /<%/,
  /#\{/,
  /@@/,
  /%[A-Za-z_]\w{0,40}%/,
  /%[sdv@]/,
  /%\(\w{1,40}\)/,
  /\{\w{0,40}\}/,
  /^\$[A-Za-z_]/,
  /^<[^<>]{0,80}>$/,
  /^\[[^[\]]{0,80}\]$/,
  /^__\w{1,60}__$/,
  /^@\w{1,40}@$/,
  /^(?:process\.env|os\.environ|import\.meta|env|secrets|vars|inputs|steps|config|settings|self|this|var|local|data|module)\b[.[(]/,
  /^(?:vault|op|ref\+\w{1,20}|awssm|ssm|gcpsm|keyring|keychain|file|env|secretref|doppler|sops|pass):/i,
  /^(?:arn:aws|projects\/|ENC\[|AQICAH|\$ANSIBLE_VAULT|!vault|!secret|!ref|!sub)/i,
] as const;

/** Words that only a stand-in contains, compared with each word of the value. */
const STAND_IN_WORDS: ReadonlySet<string> = new Set(
  (
    'changeme changeit change replace replaceme placeholder example examples sample dummy fake mock mocked redacted ' +
    'masked elided todo tbd fixme your yours yourself insert xxx xxxx xxxxx xxxxxx xxxxxxx xxxxxxxx somepassword ' +
    'mypassword mysecret myapikey mytoken yourpassword yoursecret yourtoken yourapikey notasecret nosecret unused'
  ).split(' '),
);

/** Values that say what belongs there, or that every local database uses. */
const STAND_INS: ReadonlySet<string> = new Set(
  (
    'password passwd passphrase passcode pass pwd secret token apikey api-key api_key key credential credentials ' +
    'test tests testing testpassword test-password test_password testtoken test-token testsecret test-secret ' +
    'admin root user username guest postgres mysql mariadb redis mongo rabbitmq default none null nil undefined true ' +
    'false string text hidden required optional empty blank foo bar baz foobar foobaz value abc abcd abcdef ' +
    'my-password my-secret my-token a-secret x-oauth-basic ' +
    'passwort kennwort senha wachtwoord contraseña contrasena motdepasse parola hasło lösenord пароль 密码 パスワード'
  ).split(' '),
);

/** Words that say what a value is. A value made of several of them, or of one and a sign, is none. */
const NAMING_WORDS: ReadonlySet<string> = new Set(
  (
    'a the my our some this that is not no real new old user client app api db database server service test access ' +
    'auth secret secrets token tokens key keys password passwords passphrase credential credentials value string here'
  ).split(' '),
);

/** A version of a package is no secret, whatever the package is called. */
const VERSION = /^[\^~<>=v]{0,3}\d{1,6}(?:\.\d{1,6}){1,3}(?:[-+][\w.]{1,40})?$/;
const WORD_BREAKS = /[^\p{L}\p{N}]+/u;
const FILLER = /^[\s*.•·_x#?…-]+$/iu;
const SHORT_OF_A_VALUE = /\.\.\.|…|\*{3}|x{6}|•{3}/i;

/** Whether a value given to a name is no value: a reference, a stand-in, a filler. */
export function isPlaceholder(value: string): boolean {
  const text = value.trim();
  if (isUnfilled(text) || VERSION.test(text) || STAND_INS.has(text.toLowerCase())) return true;
  const words = wordsOf(text);
  // `secret!` and `secret-value`: nothing but words for what belongs there.
  if (words.length === 1) return text.length - (words[0]?.length ?? 0) === 1 && NAMING_WORDS.has(words[0] ?? '');
  return words.length > 1 && words.every((word) => NAMING_WORDS.has(word));
}

/**
 * The same for a value that was typed to be used, as in a configuration on a person's own disk: there `secret` or `1.2.3`
 * is a password, if a poor one. A reference, a filler or `changeme` is none there either.
 */
export function isUnfilled(value: string): boolean {
  const text = value.trim();
  if (text === '' || FILLER.test(text) || SHORT_OF_A_VALUE.test(text)) return true;
  if (REFERENCES.some((pattern) => pattern.test(text))) return true;
  return wordsOf(text).some((word) => STAND_IN_WORDS.has(word));
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(WORD_BREAKS)
    .filter((word) => word !== '');
}

/**
 * Whether a text in a provider's own form is a dummy: it says so in its own characters, or is the one that the
 * provider's documentation shows. Nothing else counts, since a value that fits a provider's form is rarely anything else.
 */
export function isDummyToken(value: string): boolean {
  return /example|placeholder|redacted|x{8}|0{12}|accesstoken|token0{6}|abc-def1234ghikl/i.test(value);
}

/** Whether a text in a provider's form is made of lower-case words: `sk-learn-style-names`, not a key. */
export function isMadeOfWords(value: string): boolean {
  return value.split(/[-_.]/).every((piece) => /^[a-z]{0,20}$/.test(piece));
}

/** Whether a value is text for people to read: a label, a question, a rule about passwords. */
export function isLabel(value: string): boolean {
  if (/\d/.test(value)) return false;
  const words = value.trim().split(/\s+/, 13);
  if (words.length > 12) return true;
  if (words.length > 1 && words.some((word) => COMMON_WORDS.has(word.toLowerCase().replace(/[^\p{L}]/gu, ''))))
    return true;
  return /^\p{Lu}\p{Ll}+(?:\s\p{L}+)*[\s.:!?]*$/u.test(value.trim());
}

const COMMON_WORDS: ReadonlySet<string> = new Set(
  (
    'a an the is are be must should at to of for and or in on with not your my new old enter forgot reset confirm ' +
    'current invalid wrong password passwords passwort token secret key de del la le les el il das der die ein un une ' +
    'du et y no field value'
  ).split(' '),
);

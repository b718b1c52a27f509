import type { FindingDraft } from '../finding.ts';
import { linesOf } from './lines.ts';
import { isAtLeast, type SecretMatch } from './match.ts';
import { isPlaceholder, isUnfilled } from './placeholders.ts';
import { SECRET_RULES } from './rules.ts';
import { scanTextNow } from './scan.ts';

/** A credential in a git configuration; its value is no part of it. */
export interface GitConfigCredential {
  /** From 1. */
  readonly line: number;
  /** The key, with its section: `remote.url`, `http.extraheader`; `comment` for a line that git does not read. */
  readonly key: string;
  readonly provider: string;
  /** In UTF-16 units. */
  readonly length: number;
}

const SECTION = /^\s*\[\s*([A-Za-z0-9.-]{1,100})(?:\s+"((?:[^"\\]|\\.){0,2000})")?\s*\]/;
const VARIABLE = /^\s*([A-Za-z][A-Za-z0-9-]{0,100})\s*=\s*(.*)$/;
/** A header that git sends with every request: `AUTHORIZATION: basic …` is what actions/checkout writes. */
const HEADER =
  /^["']?\s*(?:(?:proxy-)?authorization|cookie|(?:[\w-]{0,40}-)?(?:token|secret|api-?key|auth))\s*:\s*(?:(?:basic|bearer|token)\s+)?(\S{6,})/i;
/** Variables that hold a password or token themselves (sendemail.smtpPass, imap.pass), not a program that asks for one. */
const LOGIN_VARIABLE = /\.(?!.{0,40}askpass$)[\w-]{0,40}(?:pass(?:word|wd)?|token|secret)$/;
const BOOLEAN = /^(?:true|false|yes|no|on|off|\d{1,2})$/i;
/** What a credential helper written on the spot prints (git-credential(1)), and what a URL's query says. */
const SAID_PASSWORD = /(?:\bpassword|[?&][\w-]{0,40}(?:token|secret|password|api_?key))=([^\s"'`;&)}#]{4,500})/gi;

/**
 * Credentials in a git configuration (git-config(1), "Syntax"): passwords and tokens in any URL, also in commented
 * lines and in `url.<base>` sections, and headers that log in. Names of users, scp-like addresses and references to
 * variables are none.
 */
export function gitConfigCredentials(text: string): GitConfigCredential[] {
  let section = '';
  return continuedLines(text).flatMap(({ line, content }) => {
    const header = SECTION.exec(content);
    if (header !== null) section = (header[1] ?? '').toLowerCase();
    const rest = header === null ? content : content.slice(header[0].length);
    const variable = VARIABLE.exec(rest);
    const isComment = /^\s*[#;]/.test(content);
    const key = isComment ? 'comment' : variable === null ? section : `${section}.${(variable[1] ?? '').toLowerCase()}`;
    const value = variable?.[2] ?? rest;
    const credentials = [...matchesIn(header?.[2] ?? ''), ...matchesIn(value), ...headerMatches(key, value)];
    if (credentials.length === 0) credentials.push(...loginMatches(key, value));
    const seen = new Set<string>();
    return credentials
      .map(({ provider, length }) => ({ line, key, provider, length }))
      .filter(({ provider, length }) => !seen.has(`${provider} ${length}`) && seen.add(`${provider} ${length}`));
  });
}

/** The same as findings, for the configuration at a path. */
export function gitConfigFindings(path: string, text: string): FindingDraft[] {
  return gitConfigCredentials(text).map(({ line, key, provider, length }) => ({
    rule: 'secrets/git-config',
    severity: SECRET_RULES['secrets/git-config'].severity,
    place: { at: 'file', path, line },
    subject: `${key}|${provider}`,
    message: `${key} holds a credential: ${provider}, ${length} characters.`,
    remedy: SECRET_RULES['secrets/git-config'].remedy,
  }));
}

/** Paths that a configuration includes, as written (`include.path`, `includeIf.<condition>.path`). */
export function gitConfigIncludes(text: string): string[] {
  let section = '';
  return continuedLines(text).flatMap(({ content }) => {
    const header = SECTION.exec(content);
    if (header !== null) section = (header[1] ?? '').toLowerCase();
    const variable = VARIABLE.exec(header === null ? content : content.slice(header[0].length));
    if (variable === null || (section !== 'include' && section !== 'includeif')) return [];
    if ((variable[1] ?? '').toLowerCase() !== 'path') return [];
    const path = unquoted(variable[2] ?? '');
    return path === '' ? [] : [path];
  });
}

/** The folder that a `.git` file names, or undefined if the text is no such file (gitrepository-layout(5)). */
export function gitFileTarget(text: string): string | undefined {
  return /^gitdir: ([^\0\r\n]{1,4096})\r?\n?$/.exec(text)?.[1];
}

function matchesIn(value: string): { provider: string; length: number }[] {
  if (value === '') return [];
  // At hosts of the own machine, too, what stands in a configuration was typed to log in.
  const isCredential = (match: SecretMatch) =>
    isAtLeast(match.confidence, 'likely') || match.rule === 'secrets/url-password';
  return [...new Set([value, unquoted(value)])]
    .map((form) => {
      const found = scanTextNow(form)
        .filter(isCredential)
        .map(({ provider, start, end }) => ({ provider, length: end - start }));
      return found.length > 0 ? found : typedPasswords(form);
    })
    .reduce((best, found) => (found.length > best.length ? found : best), []);
}

/** A URL's user and password (RFC 3986, 3.2.1). As in git, what is before the last `@` of the authority belongs to them. */
const USERINFO = /[A-Za-z][A-Za-z0-9+.-]{0,30}:\/\/([^\s:/?#@]{0,300}):([^\s/?#]{1,1000})@/g;

/** What is too short or too plain to be taken for a password elsewhere, in a URL that git was told to use. */
function typedPasswords(text: string): { provider: string; length: number }[] {
  return [...text.matchAll(USERINFO)].flatMap(([, , password = '']) =>
    isUnfilled(password) || password === 'x-oauth-basic'
      ? []
      : [{ provider: 'password in a URL', length: password.length }],
  );
}

function headerMatches(key: string, value: string): { provider: string; length: number }[] {
  if (!key.endsWith('extraheader') && key !== 'comment') return [];
  const credential = HEADER.exec(unquoted(value.replace(/^[#;\s]*extraheader\s*=\s*/i, '')))?.[1];
  if (credential === undefined || isPlaceholder(credential) || scanTextNow(value).length > 0) return [];
  return [{ provider: 'authorization header', length: credential.length }];
}

function loginMatches(key: string, value: string): { provider: string; length: number }[] {
  const isReal = (text: string): boolean => text !== '' && !isUnfilled(text) && !BOOLEAN.test(text);
  if (LOGIN_VARIABLE.test(key)) {
    const typed = unquoted(value.replace(/\s[#;].*$/, ''));
    return isReal(typed) ? [{ provider: 'password or token', length: typed.length }] : [];
  }
  return [...value.matchAll(SAID_PASSWORD)]
    .filter(([, said = '']) => isReal(said) && !said.startsWith('$'))
    .map(([, said = '']) => ({ provider: 'password or token', length: said.length }));
}

function unquoted(value: string): string {
  return value
    .replaceAll(/(?<!\\)"/g, '')
    .replaceAll(/\\(["\\])/g, '$1')
    .trim();
}

// A backslash at the end of a line joins the next one to it.
function continuedLines(text: string): { line: number; content: string }[] {
  const joined: { line: number; content: string[] }[] = [];
  let isOpen = false;
  linesOf(text).forEach((row, index) => {
    const last = joined.at(-1);
    const content = row.endsWith('\\') ? row.slice(0, -1) : row;
    if (isOpen && last !== undefined) last.content.push(content);
    else joined.push({ line: index + 1, content: [content] });
    isOpen = row.endsWith('\\') && !/^\s*[#;]/.test(row);
  });
  return joined.map(({ line, content }) => ({ line, content: content.join('') }));
}

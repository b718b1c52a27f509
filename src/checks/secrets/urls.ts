import type { SecretMatch } from './match.ts';
import { isPlaceholder } from './placeholders.ts';
import { looksGenerated } from './entropy.ts';

const SCHEME_BEFORE = /[A-Za-z][A-Za-z0-9+.-]{0,30}$/;
/** User, password and the start of the host. Quotes may stand around a password in git's configuration. */
const USERINFO = /([^\s:@/?#"'`<>\\]{0,200}):("[^"\s@]{1,200}"|[^\s@/?#"'`<>\\]{1,300})@(?=[\w.[-])/y;
const USER_ONLY = /([A-Za-z0-9_]{20,300})(?::|:x-oauth-basic)?@(?=[\w.[-])/y;
/** Hosts on which a password protects nothing that others could reach, or that documents use (RFC 2606, RFC 6761). */
const HARMLESS_HOST =
  /(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1\]|(?:[\w-]{1,63}\.){0,5}example(?:\.(?:com|org|net))?)(?![\w.-])/iy;
const SHORTEST_PASSWORD = 3;

/**
 * The password or token in the URL whose `://` stands at `start`. A user name alone is none, unless it has the form
 * of a token. At hosts of the own machine or of documentation a match is only `possible`.
 */
export function urlPasswordAt(text: string, start: number): SecretMatch | undefined {
  const authority = start + 3;
  USERINFO.lastIndex = authority;
  const both = USERINFO.exec(text);
  if (both?.[1] !== undefined && both[2] !== undefined && both[2] !== 'x-oauth-basic') {
    if (!hasScheme(text, start)) return undefined;
    const [whole, user, quoted] = both;
    const password = quoted.replace(/^"|"$/g, '');
    if (password.length < SHORTEST_PASSWORD || isPlaceholder(password) || isTemplate(user)) return undefined;
    // `postgres:postgres`: what every tutorial writes. Anonymous logins take any password (RFC 1635).
    if (password === user || /^(?:anonymous|ftp)$/i.test(user)) return undefined;
    const valueStart = authority + user.length + 1 + (quoted === password ? 0 : 1);
    return found(valueStart, password, isHarmless(text, authority + whole.length) && !looksGenerated(password));
  }
  USER_ONLY.lastIndex = authority;
  const user = USER_ONLY.exec(text);
  if (user?.[1] === undefined || !hasScheme(text, start) || isPlaceholder(user[1]) || !/\d|(.)\1{9}/.test(user[1]))
    return undefined;
  return found(authority, user[1], isHarmless(text, authority + user[0].length));
}

function found(start: number, value: string, isHarmlessHost: boolean): SecretMatch {
  return {
    rule: 'secrets/url-password',
    provider: 'password in a URL',
    confidence: isHarmlessHost ? 'possible' : 'likely',
    start,
    end: start + value.length,
  };
}

function hasScheme(text: string, end: number): boolean {
  return SCHEME_BEFORE.test(text.slice(Math.max(0, end - 31), end));
}

function isTemplate(user: string): boolean {
  return user !== '' && /[${}%<>*]/.test(user.replaceAll(/%[0-9A-Fa-f]{2}/g, ''));
}

function isHarmless(text: string, at: number): boolean {
  HARMLESS_HOST.lastIndex = at;
  return HARMLESS_HOST.test(text);
}

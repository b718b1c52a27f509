import { line } from '../domain/text/visible.ts';

/** Why a call did not give what it was made for. Holds no header and no body of the request. */
export type Fault =
  /** Nothing reached GitHub: connection refused, name not found, certificate not trusted, no token to be had. */
  | { readonly kind: 'unsent'; readonly reason: string; readonly passing: boolean }
  /** The connection, or the answer, broke off or took too long: the call may have been carried out. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** 5xx, 408, or a GraphQL answer that says the like: the call may have been carried out. */
  | { readonly kind: 'server'; readonly status: number; readonly reason: string; readonly retryAfter: number | null }
  /** Redirected to where the token must not go. */
  | { readonly kind: 'astray'; readonly reason: string }
  /** An answer that cannot be read as what was asked for. */
  | { readonly kind: 'unreadable'; readonly status: number; readonly reason: string }
  /** A rate limit: GitHub did nothing. `until` is milliseconds from now, null where GitHub does not say. */
  | {
      readonly kind: 'limited';
      readonly status: number;
      readonly primary: boolean;
      readonly wait: number | null;
      readonly reason: string;
    }
  /** GitHub's refusal of this call. `needs` are alternatives, each a list such as `['statuses: write']`. */
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly reason: string;
      readonly needs: readonly (readonly string[])[];
    };

/** Code of a redirect that was not followed. */
export const REDIRECT = 'COUNTERSIGN_REDIRECT';

/** Longest reason of GitHub's that a message holds, in UTF-16 units. */
const MAX_REASON = 300;
/** How many of the errors of a 422 a message holds. */
const MAX_ERRORS = 5;

// Codes of Node's and undici's: the connection was not there, so nothing was sent. undici connects before it sends.
const UNSENT_PASSING: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'EAI_AGAIN', 'ENOTFOUND', 'ENETUNREACH', 'EHOSTUNREACH', 'UND_ERR_CONNECT_TIMEOUT'],
]);
const UNSENT_LASTING =
  /^(?:CERT_|ERR_TLS_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_(?:GET|VERIFY|DECRYPT)_|HOSTNAME_MISMATCH|ERR_INVALID_URL)/;

/** Text of others on one line, bounded, nothing hidden in it. */
export const reasonText = (text: string): string => line(text, MAX_REASON);

type Bag = Readonly<Record<string, unknown>>;

export const bagOf = (value: unknown): Bag | null =>
  typeof value === 'object' && value !== null ? (value as Bag) : null;
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * What went wrong with a call, read from what octokit or the transport threw.
 * @param url the call's own address; a failure of another address is one of an authentication strategy's calls
 * @param now milliseconds since 1970, where GitHub's answer does not say
 * @returns null for what is no failure of a call, but a defect
 */
export function readFault(thrown: unknown, url: string, now: number): Fault | null {
  const error = bagOf(thrown);
  if (error === null) return null;
  const response = bagOf(error['response']);
  if (response === null) return connectionFault(error);
  const status = Number(error['status']);
  const headers = bagOf(response['headers']) ?? {};
  const reason = reasonOf(response['data']);
  const read = answerFault(status, headers, reason, now);
  const asked = bagOf(error['request'])?.['url'];
  return typeof asked === 'string' && !sameAddress(asked, url) ? authFault(read) : read;
}

/** A failure of the call by which an authentication strategy gets its token: ours was not sent. */
function authFault(fault: Fault): Fault {
  switch (fault.kind) {
    case 'limited':
    case 'unsent':
    case 'astray':
      return fault;
    case 'server':
    case 'broken':
    case 'unreadable':
      return { kind: 'unsent', passing: true, reason: `no token: ${fault.reason}` };
    case 'answered':
      return { kind: 'answered', status: 401, needs: [], reason: `no token (${fault.status}): ${fault.reason}` };
  }
}

function sameAddress(one: string, other: string): boolean {
  if (!URL.canParse(one) || !URL.canParse(other)) return one === other;
  const [a, b] = [new URL(one), new URL(other)];
  return a.origin === b.origin && a.pathname === b.pathname;
}

function connectionFault(error: Bag): Fault | null {
  const chain = [...causes(error)];
  const known = chain.find(({ name }) => name === 'HttpError');
  if (known === undefined) return null;
  const last = chain.at(-1) ?? error;
  const code = chain.map((one) => textOf(one['code'])).find((one) => one !== '') ?? '';
  const reason = reasonText([code, textOf(last['message'])].filter((one) => one !== '').join(': '));
  if (code === REDIRECT) return { kind: 'astray', reason: textOf(last['message']) };
  if (UNSENT_PASSING.has(code)) return { kind: 'unsent', passing: true, reason };
  if (UNSENT_LASTING.test(code)) return { kind: 'unsent', passing: false, reason };
  return { kind: 'broken', reason };
}

function* causes(error: Bag): Generator<Bag> {
  let one: Bag | null = error;
  for (let depth = 0; one !== null && depth < 8; depth += 1) {
    yield one;
    one = bagOf(one['cause']);
  }
}

/** GitHub's own words for a failure: `message` and what `errors` name. */
export function reasonOf(data: unknown): string {
  const body = bagOf(data);
  if (body === null) return typeof data === 'string' ? reasonText(data.split('\n', 1)[0] ?? '') : '';
  const errors = Array.isArray(body['errors']) ? (body['errors'] as readonly unknown[]) : [];
  const details = errors.slice(0, MAX_ERRORS).map((one) => {
    if (typeof one === 'string') return one;
    const { message, field, code } = bagOf(one) ?? {};
    return textOf(message) || [field, code].map(textOf).filter(Boolean).join(' ');
  });
  return reasonText([textOf(body['message']), ...details].filter(Boolean).join(': '));
}

/** Fault of an answer whose status is not the one of success. */
export function answerFault(status: number, headers: Bag, reason: string, now: number): Fault {
  const retryAfter = retryAfterOf(headers, now);
  if (status === 429 || (status === 403 && isLimit(headers, reason))) {
    const primary = textOf(headers['x-ratelimit-remaining']) === '0' && !/secondary/i.test(reason);
    return { kind: 'limited', status, primary, reason, wait: retryAfter ?? resetOf(headers, now) };
  }
  if (status >= 500 || status === 408) return { kind: 'server', status, reason, retryAfter };
  return { kind: 'answered', status, reason, needs: needsOf(textOf(headers['x-accepted-github-permissions'])) };
}

// A 403 of a missing permission may be the last call of an hour too: then nothing remains, but no limit was met.
function isLimit(headers: Bag, reason: string): boolean {
  return textOf(headers['retry-after']) !== '' || /rate limit|abuse detection/i.test(reason);
}

/** GitHub's time where it tells it: a clock that is wrong by minutes would wait too long or too short. */
const serverNow = (headers: Bag, now: number): number => {
  const told = Date.parse(textOf(headers['date']));
  return Number.isNaN(told) ? now : told;
};

/** Milliseconds that `retry-after` asks for: seconds or a date (RFC 9110, 10.2.3). */
function retryAfterOf(headers: Bag, now: number): number | null {
  const text = textOf(headers['retry-after']).trim();
  if (text === '') return null;
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const until = Date.parse(text);
  return Number.isNaN(until) ? null : Math.max(0, until - serverNow(headers, now));
}

/** Milliseconds until `x-ratelimit-reset` (seconds since 1970), where nothing remains. */
export function resetOf(headers: Bag, now: number): number | null {
  const [remaining, reset] = [headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']].map(textOf);
  if (remaining !== '0' || reset === undefined || !/^\d{1,12}$/.test(reset)) return null;
  return Math.max(0, Number(reset) * 1000 - serverNow(headers, now));
}

/**
 * Alternatives that `x-accepted-github-permissions` names, as lines of a workflow's `permissions:`.
 * Its form is `issues=write; pull_requests=write`: semicolons between alternatives, commas within one (REST docs,
 * "Troubleshooting the REST API").
 */
export function needsOf(header: string): readonly (readonly string[])[] {
  return header
    .slice(0, MAX_REASON)
    .split(';')
    .map((set) => set.split(',').flatMap((one) => permissionLine(one.trim())))
    .filter((set) => set.length > 0);
}

function permissionLine(text: string): string[] {
  const found = /^([a-z_]{1,50})=(read|write|admin)$/.exec(text);
  return found === null ? [] : [`${(found[1] ?? '').replaceAll('_', '-')}: ${found[2]}`];
}

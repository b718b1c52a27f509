import { REDIRECT } from './fault.ts';

/** Longest a call may take, its answer included, in milliseconds. GitHub itself gives up after 10 s. */
export const CALL_TIMEOUT_MS = 60_000;
/** GitHub redirects once after a rename; more in a row is no answer. */
const MAX_REDIRECTS = 5;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 307, 308]);

type Fetch = typeof globalThis.fetch;

/** What octokit takes from an answer. The body has been read to its end. */
interface WholeAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: null;
  readonly text: () => Promise<string>;
  readonly arrayBuffer: () => Promise<ArrayBuffer>;
}

/** A redirect that was not followed; the message completes "was redirected …". */
const astray = (message: string): Error => Object.assign(new Error(message), { code: REDIRECT });

/**
 * `fetch` for octokit, which alone would take a body that breaks off for an empty one, and would follow redirects to
 * wherever they lead. This one
 * - reads the whole body, or fails,
 * - follows redirects (to a renamed repository) within the same origin, with method and body as they were (REST
 *   docs, "Follow redirects"), so that the token goes nowhere else,
 * - ends after `timeout` milliseconds.
 */
export function wholeFetch(fetch: Fetch, timeout: number): (url: string, init: RequestInit) => Promise<WholeAnswer> {
  return async (url, init) => {
    const limit = AbortSignal.timeout(timeout);
    const signal = init.signal ? AbortSignal.any([init.signal, limit]) : limit;
    const { origin } = new URL(url);
    let address = url;
    for (let redirects = 0; ; redirects += 1) {
      const response = await fetch(address, { ...init, signal, redirect: 'manual' });
      const bytes = await response.arrayBuffer();
      const location = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
      if (location === null) return whole(response, address, bytes);
      address = redirected(location, address, origin);
      if (redirects >= MAX_REDIRECTS) throw astray(`more than ${MAX_REDIRECTS} times`);
    }
  };
}

function redirected(location: string, address: string, origin: string): string {
  const target = URL.canParse(location, address) ? new URL(location, address) : null;
  if (target?.origin !== origin) throw astray('to another server');
  return target.href;
}

const whole = ({ status, statusText, headers }: Response, url: string, bytes: ArrayBuffer): WholeAnswer => ({
  ...{ status, statusText, url, headers, body: null },
  text: () => Promise.resolve(new TextDecoder().decode(bytes)),
  arrayBuffer: () => Promise.resolve(bytes),
});

import type { Endpoints } from '@octokit/types';
import type { GitHubApi } from './api.ts';
import { refuse } from './errors.ts';

/** Largest page of most lists (REST docs, "Using pagination"). */
export const PER_PAGE = 100;

/** A list as far as it was read. */
export interface Listed<T> {
  readonly items: readonly T[];
  /** Whether there is more than was asked for: then nothing may be said about "all". */
  readonly truncated: boolean;
}

type Data<R extends keyof Endpoints> = Endpoints[R]['response']['data'];

/**
 * The pages of a list, one after the other, as GitHub links them (`rel="next"`). Links to another server are refused
 * by the client.
 * @throws Refusal CS1601 to CS1607; CS1606 where pages link in a circle
 */
export async function* pages<R extends keyof Endpoints>(
  api: GitHubApi,
  route: R,
  parameters: Endpoints[R]['parameters'],
): AsyncGenerator<Data<R>, void, undefined> {
  const first = { per_page: PER_PAGE, ...parameters, request: { route: withoutMethod(route) } };
  let response = await api.request(route as string, first);
  const seen = new Set<string>();
  for (;;) {
    yield response.data as Data<R>;
    const next = nextPage(response.headers.link);
    if (next === undefined) return;
    if (seen.has(next)) {
      throw refuse('CS1606', { name: route, writes: false, needs: [] }, 200, 'links its pages in a circle');
    }
    seen.add(next);
    response = await api.request({ method: 'GET', ...address(next), request: { route: withoutMethod(route) } });
  }
}

/**
 * A list, read until `max` items: the rest is not asked for.
 * @param items the list in a page's data: some routes wrap it
 * @throws Refusal CS1601 to CS1607
 */
export async function listed<R extends keyof Endpoints, T>(
  api: GitHubApi,
  route: R,
  parameters: Endpoints[R]['parameters'],
  { max, items }: { readonly max: number; readonly items: (data: Data<R>) => readonly T[] },
): Promise<Listed<T>> {
  const all: T[] = [];
  let full = false;
  for await (const page of pages(api, route, parameters)) {
    // More pages, though there are enough items: what comes is cut off.
    if (full) return { items: all, truncated: true };
    all.push(...items(page));
    if (all.length > max) return { items: all.slice(0, max), truncated: true };
    full = all.length === max;
  }
  return { items: all, truncated: false };
}

const withoutMethod = (route: string): string => route.replace(/^[A-Z]+ /, '');

// octokit would take `{name}` and `:name` within an address for parameters.
function address(next: string): { readonly baseUrl?: string; readonly url: string } {
  const [, baseUrl, path = ''] = /^(https?:\/\/[^/]*)(\/.*)$/is.exec(next) ?? [null, undefined, next];
  const url = path.replace(/[:{}]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return baseUrl === undefined ? { url } : { baseUrl, url };
}

/** The address with `rel="next"` in a `link` header (RFC 8288). */
export function nextPage(link: string | undefined): string | undefined {
  for (const one of (link ?? '').slice(0, 10_000).split(/,\s*(?=<)/)) {
    const found = /^\s*<([^>]{1,4000})>([^<]*)$/.exec(one);
    if (found !== null && /;\s*rel="?next"?(?:\s*;|\s*$)/.test(found[2] ?? '')) return found[1];
  }
  return undefined;
}

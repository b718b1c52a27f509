import type { Json } from '../json.ts';
import type { Call } from './call.ts';

export interface Page<T> {
  readonly items: readonly T[];
  readonly headers: Readonly<Record<string, string>>;
}

const DEFAULT_PER_PAGE = 30;

/** How many entries a page has. Too much becomes the most, nonsense the default, as GitHub does. */
export function perPage({ query, sandbox }: Call): number {
  const wanted = Number(query['per_page'] ?? DEFAULT_PER_PAGE);
  if (!Number.isInteger(wanted) || wanted < 1) return DEFAULT_PER_PAGE;
  return Math.min(wanted, sandbox.limits.perPage);
}

/** The page of a list that a call asks for, with its `Link`. */
export function page<T>(call: Call, all: readonly T[]): Page<T> {
  const size = perPage(call);
  const asked = Number(call.query['page'] ?? 1);
  const number = Number.isInteger(asked) && asked > 0 ? asked : 1;
  const last = Math.max(1, Math.ceil(all.length / size));
  const links: string[] = [];
  const link = (to: number, rel: string) => links.push(`<${addressOf(call, { page: String(to) })}>; rel="${rel}"`);
  if (number > 1) link(Math.min(number - 1, last), 'prev');
  if (number < last) link(number + 1, 'next');
  if (number < last) link(last, 'last');
  if (number > 1) link(1, 'first');
  return { items: all.slice((number - 1) * size, number * size), headers: linkHeader(links) };
}

/** The page of a list that is walked by a cursor: the position of its first entry. */
export function cursorPage<T extends { readonly id: number }>(call: Call, all: readonly T[], key: string): Page<T> {
  const size = perPage(call);
  const cursor = call.query[key];
  const found = cursor === undefined ? 0 : all.findIndex(({ id }) => `v1_${id}` === cursor);
  const start = found < 0 ? all.length : found;
  const next = all[start + size];
  const links = next === undefined ? [] : [`<${addressOf(call, { [key]: `v1_${next.id}` })}>; rel="next"`];
  return { items: all.slice(start, start + size), headers: linkHeader(links) };
}

const linkHeader = (links: readonly string[]): Record<string, string> =>
  links.length === 0 ? {} : { link: links.join(', ') };

function addressOf(call: Call, changed: Readonly<Record<string, string>>): string {
  return `${call.address}?${new URLSearchParams({ ...call.search, ...changed }).toString()}`;
}

/** A page as the body that most lists have. */
export function listAnswer<T>(call: Call, all: readonly T[], show: (one: T) => Json) {
  const { items, headers } = page(call, all);
  return { status: 200, body: items.map(show), headers };
}

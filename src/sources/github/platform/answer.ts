import * as z from 'zod';
import { isRefusal, Refusal } from '../../../domain/errors.ts';

/**
 * An answer of the API in the shape that is used of it; whatever else it holds is left out.
 * @param call the call, as a message names it
 * @throws Refusal CS1606 where the answer has another shape than GitHub documents
 */
export function checked<T>(shape: z.ZodType<T>, answer: unknown, call: string): T {
  const parsed = shape.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.map(String).join('.')}`;
  throw new Refusal('CS1606', `${call} was answered with something else than GitHub documents${where}.`);
}

/** Whether a call failed with a confirmed 404: the only failure that may be read as "absent". */
export function isAbsent(thrown: unknown): boolean {
  return isRefusal(thrown) && thrown.code === 'CS1604';
}

/** Whether a call failed because the token may not make it. */
export function isForbidden(thrown: unknown): boolean {
  return isRefusal(thrown) && thrown.code === 'CS1603';
}

/** What a call answers, or undefined where GitHub says that there is no such thing. @throws Refusal any other failure */
export async function unlessAbsent<T>(call: Promise<T>): Promise<T | undefined> {
  try {
    return await call;
  } catch (thrown) {
    if (isAbsent(thrown)) return undefined;
    throw thrown;
  }
}

/** Entries of one page: GitHub's largest (REST docs, "Using pagination"). */
export const PAGE_SIZE = 100;

const NEXT = /<([^<>]{1,4000})>; rel="next"/;

/**
 * The query parameters of the next page, as the `Link` header names them; undefined on the last page. The address
 * itself is not followed: a token goes only where the caller sends it.
 */
export function nextPage(link: string | undefined): Readonly<Record<string, string>> | undefined {
  const address = link === undefined ? undefined : NEXT.exec(link)?.[1];
  const query = address?.indexOf('?') ?? -1;
  if (address === undefined || query < 0) return undefined;
  return Object.fromEntries(new URLSearchParams(address.slice(query + 1)));
}

/** A page of a list: its body, and the header that leads on. */
export interface Page {
  readonly data: unknown;
  readonly headers: { readonly link?: string | undefined };
}

/**
 * All pages of a list, one after the other.
 * @param ask asks for a page; the first without parameters, every other with `page` or a cursor from the one before
 * @param limit pages after which no more are asked for
 */
export async function allPages(
  ask: (parameters: Readonly<Record<string, string>>) => Promise<Page>,
  limit: number,
): Promise<{ readonly pages: readonly unknown[]; readonly complete: boolean }> {
  const pages: unknown[] = [];
  let parameters: Readonly<Record<string, string>> | undefined = {};
  while (parameters !== undefined && pages.length < limit) {
    const { data, headers } = await ask(parameters);
    pages.push(data);
    const next = nextPage(headers.link);
    // Only what moves on is taken over; everything else the caller says itself.
    parameters =
      next === undefined
        ? undefined
        : Object.fromEntries(Object.entries(next).filter(([key]) => ['page', 'after'].includes(key)));
  }
  return { pages, complete: parameters === undefined };
}

import { bagOf, reasonText, resetOf, textOf } from './fault.ts';
import type { Fault } from './fault.ts';
import type { CallOptions, CallResponse } from './octokit.ts';

/** One of the `errors` of a GraphQL answer. */
export interface GraphqlError {
  /** Such as `FORBIDDEN`, `NOT_FOUND`; empty for faults of the query itself. */
  readonly type: string;
  readonly message: string;
  /** Where in the data it is null because of this. */
  readonly path: readonly (string | number)[];
}

/** How many errors are looked at: a batch of a hundred objects may have one for each. */
const MAX_ERRORS = 1000;
const SHOWN_ERRORS = 3;

/** The errors of an answer. */
export function graphqlErrors(data: unknown): readonly GraphqlError[] {
  const errors = bagOf(data)?.['errors'];
  if (!Array.isArray(errors)) return [];
  return errors.slice(0, MAX_ERRORS).map((one: unknown) => {
    const { type, message, path } = bagOf(one) ?? {};
    const steps: unknown[] = Array.isArray(path) ? path : [];
    return {
      type: textOf(type),
      message: reasonText(textOf(message)),
      path: steps.filter((step): step is string | number => typeof step === 'string' || typeof step === 'number'),
    };
  });
}

/**
 * What is wrong with an answer of status 200. A caller that reads `errors` itself says so by
 * `request: { readsErrors: true }`; limits and failures of the server are not left to it.
 */
export function graphqlFault({ status, headers, data }: CallResponse, options: CallOptions, now: number): Fault | null {
  const errors = graphqlErrors(data);
  if (errors.length === 0) {
    const answered = bagOf(bagOf(data)?.['data']) !== null;
    return answered ? null : { kind: 'unreadable', status, reason: 'was answered without data' };
  }
  const limit = errors.find(({ type, message }) => type === 'RATE_LIMITED' || /secondary rate limit/i.test(message));
  if (limit !== undefined) {
    const primary = !/secondary/i.test(limit.message);
    const after = textOf(headers['retry-after'] === undefined ? '' : String(headers['retry-after']));
    const wait = /^\d{1,9}$/.test(after) ? Number(after) * 1000 : resetOf(headers, now);
    return { kind: 'limited', status, primary, reason: limit.message, wait };
  }
  // GitHub's words where a query took too long, or something in it broke: "Something went wrong while executing …".
  const failure = errors.find(({ type, message }) => type === '' && message.startsWith('Something went wrong'));
  if (failure !== undefined) return { kind: 'server', status, reason: failure.message, retryAfter: null };
  return options.request?.['readsErrors'] === true ? null : errorsFault(errors);
}

/** The refusal of a query for its errors. */
export function errorsFault(errors: readonly GraphqlError[]): Fault {
  const forbidden = errors.some(({ type }) => type === 'FORBIDDEN' || type === 'INSUFFICIENT_SCOPES');
  const shown = errors.slice(0, SHOWN_ERRORS).map(({ type, message, path }) => {
    const where = path.length === 0 ? '' : ` (${path.join('.')})`;
    return `${type === '' ? '' : `${type}: `}${message}${where}`;
  });
  const more = errors.length > SHOWN_ERRORS ? ` and ${errors.length - SHOWN_ERRORS} more` : '';
  return {
    kind: 'answered',
    status: forbidden ? 403 : 200,
    needs: [],
    reason: reasonText(`${shown.join('; ')}${more}`),
  };
}

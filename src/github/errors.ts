import type { CsCode } from '../domain/codes.ts';
import { isRefusal, Refusal } from '../domain/errors.ts';
import type { Fault } from './fault.ts';
import { bagOf } from './fault.ts';
import { moment } from './time.ts';

/** What a failed call leaves behind for whoever must decide what to do next: the `cause` of its refusal. */
export interface CallFailure {
  readonly kind: 'github-call';
  /** `POST /repos/acme/widgets/statuses/…`: method and path. */
  readonly call: string;
  /** Null where no answer came. */
  readonly status: number | null;
  /** GitHub may have carried the call out all the same: look before it is made again. */
  readonly uncertain: boolean;
  /** When GitHub allows the call again, in milliseconds since 1970; absent where it does not say. */
  readonly retryAt?: number;
}

/** A call as messages name it. */
export interface NamedCall {
  /** Method and path, without the query. */
  readonly name: string;
  readonly writes: boolean;
  /** Lines of `permissions:` it is known to need, for answers that name none (GraphQL, older servers). */
  readonly needs: readonly string[];
}

/** Keys of `permissions:` in a workflow (Actions docs, "Workflow syntax"); others can be granted to Apps only. */
const WORKFLOW_PERMISSIONS: ReadonlySet<string> = new Set([
  ...['actions', 'attestations', 'checks', 'contents', 'deployments', 'discussions', 'id-token', 'issues', 'models'],
  ...['packages', 'pages', 'pull-requests', 'security-events', 'statuses'],
]);

/**
 * The refusal of a call that failed for good.
 * @param attempts how often it was made
 * @param now milliseconds since 1970
 */
export function refusalOf(fault: Fault, call: NamedCall, attempts: number, now: number): Refusal {
  const tried = attempts > 1 ? ` (tried ${attempts} times)` : '';
  switch (fault.kind) {
    case 'unsent':
      return refuse('CS1601', call, null, `could not be sent${tried}: ${fault.reason}`);
    case 'broken':
      return refuse('CS1601', call, null, `got no whole answer${tried}: ${fault.reason}`, call.writes);
    case 'server':
      return refuse('CS1601', call, fault.status, `failed with ${fault.status}${tried}${because(fault)}`, call.writes);
    case 'astray':
      return refuse('CS1606', call, null, `was redirected ${fault.reason}`);
    case 'unreadable':
      return refuse('CS1606', call, fault.status, `${fault.reason}${tried}`, call.writes);
    case 'limited': {
      const until = fault.wait === null ? '' : ` It resets at ${moment(now + fault.wait)}.`;
      const limit = fault.primary ? 'the rate limit is used up' : 'a secondary rate limit was met';
      const said = `was refused${tried}: ${limit}.${until}`;
      return refuse('CS1605', call, fault.status, said, false, fault.wait === null ? undefined : now + fault.wait);
    }
    case 'answered':
      return answeredRefusal(fault, call);
  }
}

/** The refusal of a call that was not made, since its turn would come too late. */
export function tooLate(call: NamedCall, at: number): Refusal {
  return refuse('CS1605', call, null, `was not made: the rate limit allows it at ${moment(at)} only.`, false, at);
}

function answeredRefusal(fault: Fault & { readonly kind: 'answered' }, call: NamedCall): Refusal {
  const { status } = fault;
  switch (status) {
    case 401:
      return refuse('CS1602', call, status, `was refused with 401${because(fault)}`);
    case 403: {
      const needs = fault.needs.length > 0 ? fault.needs : call.needs.length > 0 ? [call.needs] : [];
      return refuse('CS1603', call, status, `was refused with 403${because(fault)}${missing(needs)}`);
    }
    case 404:
      return refuse('CS1604', call, status, 'was answered with 404: it is not there, or the token may not see it');
    default:
      return refuse('CS1607', call, status, `was refused with ${status}${because(fault)}`);
  }
}

const because = ({ reason }: { readonly reason: string }): string => (reason === '' ? '' : `: ${reason}`);

/** What to add: the lines as they stand in a workflow. */
export function missing(needs: readonly (readonly string[])[]): string {
  const [first] = needs;
  if (first === undefined) return '';
  const possible = needs.filter((set) => set.every((one) => WORKFLOW_PERMISSIONS.has(one.split(':', 1)[0] ?? '')));
  const lines = (possible.length > 0 ? possible : needs).map((set) => set.join(', ')).join(' or ');
  return possible.length > 0
    ? `. Add under \`permissions:\`: ${lines}`
    : `. It takes ${lines}, which only a GitHub App can have`;
}

export function refuse(
  code: CsCode,
  { name }: NamedCall,
  status: number | null,
  what: string,
  uncertain = false,
  retryAt?: number,
): Refusal {
  const doubt = uncertain ? '; it may have been carried out' : '';
  const cause = {
    ...({ kind: 'github-call', call: name, status, uncertain } as const),
    ...(retryAt === undefined ? {} : { retryAt }),
  } satisfies CallFailure;
  return new Refusal(code, `${name} ${what}${doubt}`, { cause });
}

/** What is known of the call behind a refusal; undefined for other refusals and for defects. */
export function callFailure(thrown: unknown): CallFailure | undefined {
  if (!isRefusal(thrown)) return undefined;
  const cause = bagOf(thrown.cause);
  return cause?.['kind'] === 'github-call' ? (cause as unknown as CallFailure) : undefined;
}

/** Whether a write failed in such a way that it may have been done: whoever repeats it must look first. */
export const isUncertain = (thrown: unknown): boolean => callFailure(thrown)?.uncertain === true;

/**
 * What a call finds, or undefined where GitHub answered 404, which alone may be read as "absent".
 * @throws Refusal whatever else the call ends in
 */
export async function absentOr<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (thrown) {
    if (isRefusal(thrown) && thrown.code === 'CS1604' && callFailure(thrown)?.status === 404) return undefined;
    throw thrown;
  }
}

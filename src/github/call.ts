import type { NamedCall } from './errors.ts';
import { line } from '../domain/text/visible.ts';
import type { Resource } from './limiter.ts';

/** A call as octokit makes it ready. */
export interface PreparedCall {
  readonly method: string;
  /** Absolute, with its query. */
  readonly url: string;
  readonly body: unknown;
}

/** A call, and what its kind means for repeating, counting and naming it. */
export interface Call extends NamedCall {
  readonly method: string;
  readonly url: string;
  /** `GET /repos/{owner}/{repo}/pulls/{pull_number}` or `POST /graphql`: what it is counted under. */
  readonly route: string;
  readonly resource: Resource;
  /** Whether it creates content, which GitHub limits on its own: a comment, a review, an issue, a pull request. */
  readonly creates: boolean;
}

const MAX_NAME = 200;
// Check runs, statuses and reactions are not named among content creation; they count by their points.
const CREATES = /^\/repos\/[^/]+\/[^/]+\/(?:.*\/)?(?:comments|reviews|replies|issues|pulls)$/;

// What writes need, for servers that do not say it: the keys of `permissions:`.
const NEEDS: readonly (readonly [RegExp, string])[] = [
  [/\/(?:commits\/[^/]+\/status|statuses\/)/, 'statuses'],
  [/\/check-(?:runs|suites)(?:\/|$)/, 'checks'],
  [/\/(?:pulls|issues)(?:\/|$)/, 'pull-requests'],
  [/\/actions\//, 'actions'],
  [/\/(?:contents|git|commits|compare|branches|activity)(?:\/|$)/, 'contents'],
];

/**
 * @param template the path or address before its parameters were filled in
 * @param graphqlUrl address of the GraphQL interface
 */
export function describeCall({ method, url, body }: PreparedCall, template: string, graphqlUrl: string): Call {
  // As written: what a URL's parser makes of dots may be another path.
  const pathname = url.replace(/^https?:\/\/[^/]*/i, '').replace(/[?#].*$/s, '');
  const graphql = method === 'POST' && url === graphqlUrl;
  const writes = graphql ? !isQuery(body) : method !== 'GET' && method !== 'HEAD';
  const path = pathname.replace(/^\/api\/v3(?=\/)/, '');
  return {
    ...{ method, url, writes },
    name: line(graphql ? `${method} /graphql` : `${method} ${path}`, MAX_NAME),
    route: graphql ? 'POST /graphql' : `${method} ${template}`,
    resource: graphql ? 'graphql' : 'core',
    creates: method === 'POST' && !graphql && CREATES.test(path),
    needs: graphql ? ['contents: read'] : needsOfPath(path, writes),
  };
}

function needsOfPath(path: string, writes: boolean): readonly string[] {
  const found = NEEDS.find(([pattern]) => pattern.test(path));
  return found === undefined ? [] : [`${found[1]}: ${writes ? 'write' : 'read'}`];
}

// A document that holds the word at all counts as a mutation: that costs a repetition at most.
function isQuery(body: unknown): boolean {
  if (typeof body !== 'object' || body === null || !('query' in body) || typeof body.query !== 'string') return false;
  return !/\bmutation\b/.test(body.query);
}

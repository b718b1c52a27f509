import { isRefusal } from '../domain/errors.ts';
import type { Surface, SurfaceResult, Unpublished } from './result.ts';

/** What each surface takes: keys of `permissions:` in a workflow, and names of an app's permissions. */
const PERMISSIONS = { check: 'checks', status: 'statuses', comment: 'pull-requests' } as const satisfies Record<
  Surface,
  string
>;

export type ReadOnly = Extract<Unpublished, { readonly why: 'read-only' }>;

/**
 * GitHub's words for a token that may not: "Resource not accessible by integration" (or "by personal access token")
 * and "Must have push access to repository.". Other refusals with 403, such as "Unable to create comment because issue
 * is locked.", no permission cures.
 */
const MAY_NOT = /resource not accessible by|must have [a-z]{1,20} (?:access|rights)/i;

/** What a refused write says of the token; undefined where it failed for another reason. */
export function readOnly(surface: Surface, thrown: unknown): ReadOnly | undefined {
  if (!isRefusal(thrown) || thrown.code !== 'CS1603' || !MAY_NOT.test(thrown.message)) return undefined;
  const permission = PERMISSIONS[surface];
  return { published: false, why: 'read-only', permission, line: `${permission}: write`, refusal: thrown };
}

/**
 * One notice for all that a token might not write, with what to do; undefined where it might write all.
 * @param restricted whether GitHub gives workflows of this pull request a token that only reads
 */
export function readOnlyNotice(results: readonly SurfaceResult[], restricted: boolean): string | undefined {
  const lines = results.flatMap(({ surface, ...rest }) =>
    rest.result === 'skipped' && rest.what.why === 'read-only' ? [{ surface, line: rest.what.line }] : [],
  );
  if (lines.length === 0) return undefined;
  const surfaces = lines.map(({ surface }) => SURFACE_WORDS[surface]).join(' and ');
  const missing = lines.map(({ line }) => `\`${line}\``).join(', ');
  const head = `The verdict was not posted as ${surfaces}: the token may not write there (${missing}).`;
  return restricted
    ? `${head} GitHub gives workflows of pull requests from forks and of Dependabot's a token that only reads. The ` +
        "verdict is in this job's summary, annotations and result. To have it posted as well, take the two-workflow " +
        'pattern: this workflow on `pull_request`, and a second one on `workflow_run`, started when this one ends, ' +
        'which runs with the permissions of the base branch and judges the pull request again.'
    : `${head} Add under \`permissions:\` of the job: ${missing}.`;
}

const SURFACE_WORDS = {
  check: 'check run',
  status: 'commit status',
  comment: 'comment',
} as const satisfies Record<Surface, string>;

import { isRefusal } from '../domain/errors.ts';
import type { Refusal } from '../domain/errors.ts';
import type { GateReport } from '../gate/report.ts';
import { checkAnnotations } from '../render/annotations.ts';
import { checkConclusion, checkOutput, commitStatus } from '../render/check-output.ts';
import { commentMarkdown } from '../render/markdown.ts';
import type { CheckAction } from './check-actions.ts';
import { publishCheckRun } from './check-run.ts';
import type { CheckApp } from './check-run.ts';
import { commentWish } from './comment-policy.ts';
import type { CommentPolicy } from './comment-policy.ts';
import type { CommentAuthor, IssueComment } from './comment-search.ts';
import { publishComment } from './comment.ts';
import type { PublishContext } from './context.ts';
import { stillAt } from './head.ts';
import type { JudgedPull } from './head.ts';
import { readOnly, readOnlyNotice } from './read-only.ts';
import { SURFACES } from './result.ts';
import type { Published, Surface, SurfaceResult, Unpublished } from './result.ts';
import { publishStatus } from './status.ts';

/** Where to write a verdict; what is left out is not written. */
export interface VerdictSurfaces {
  readonly check?: {
    readonly name: string;
    readonly app: CheckApp;
    readonly externalId: string;
    readonly actions?: readonly CheckAction[];
    readonly rerun?: boolean;
  };
  readonly status?: {
    readonly context?: string;
    readonly creator?: { readonly login?: string; readonly id?: number };
    /** Where its link leads, where that is not `detailsUrl`: a run's page is new each time, which no comment may be. */
    readonly targetUrl?: URL;
  };
  /** Only on pull requests. */
  readonly comment?: {
    readonly policy: CommentPolicy;
    readonly author: CommentAuthor;
    readonly comments?: readonly IssueComment[];
  };
}

export interface VerdictToPublish extends PublishContext {
  /** Sealed; its subject's head is the commit that is written to. */
  readonly report: GateReport;
  /** Absent where there is none: a merge group, a push. Then there is no comment, and no head that could move. */
  readonly pull?: JudgedPull & {
    /** It comes from a fork or from Dependabot: GitHub gives its workflows a token that only reads. */
    readonly restricted?: boolean;
  };
  readonly surfaces: VerdictSurfaces;
  /** Where the whole report can be read: the workflow's run, or a page of the App's. */
  readonly detailsUrl?: URL;
}

export interface Publication {
  /** One for each surface that was asked for, in the order of writing. */
  readonly results: readonly SurfaceResult[];
  /** One text where the token may not write, to be shown once. */
  readonly notice: string | undefined;
  /** The check or the status could not be written: the caller's failure. Not where a restricted token may not. */
  readonly error: Refusal | undefined;
  /** What else failed. */
  readonly warnings: readonly Refusal[];
}

/**
 * Writes a verdict to GitHub: check run, status, comment, each on its own. Right before it the pull request is read
 * again; where it moved or was closed nothing is written. Failures are data, but for defects.
 * @throws TypeError where the report was made of another head
 */
export async function publishVerdict(given: VerdictToPublish): Promise<Publication> {
  const { report, pull } = given;
  const sha = report.subject.head_sha;
  if (sha === null || (pull !== undefined && pull.head !== sha)) throw new TypeError('a verdict on another head');
  const asked = SURFACES.filter(
    (one) => given.surfaces[one] !== undefined && (one !== 'comment' || pull !== undefined),
  );
  const results: SurfaceResult[] = [];
  const dropped = asked.length === 0 ? undefined : await droppedFor(given);
  for (const surface of asked) {
    results.push(
      dropped === undefined ? await attempted(surface, () => WRITERS[surface](given, sha)) : { surface, ...dropped },
    );
  }
  return summed(results, pull?.restricted === true);
}

type Dropped =
  { readonly result: 'skipped'; readonly what: Unpublished } | { readonly result: 'failed'; readonly refusal: Refusal };

/** Why nothing is written at all; undefined where everything can be. */
async function droppedFor({ api, repository, pull }: VerdictToPublish): Promise<Dropped | undefined> {
  if (pull === undefined) return undefined;
  try {
    const now = await stillAt(api, repository, pull);
    return 'still' in now ? undefined : { result: 'skipped', what: now };
  } catch (thrown) {
    if (isRefusal(thrown)) return { result: 'failed', refusal: thrown };
    throw thrown;
  }
}

async function attempted(surface: Surface, write: () => Promise<Published | Unpublished>): Promise<SurfaceResult> {
  try {
    const what = await write();
    if (!what.published) return { surface, result: 'skipped', what };
    return { surface, result: what.change === 'unchanged' ? 'unchanged' : 'done', what };
  } catch (thrown) {
    const what = readOnly(surface, thrown);
    if (what !== undefined) return { surface, result: 'skipped', what };
    if (isRefusal(thrown)) return { surface, result: 'failed', refusal: thrown };
    throw thrown;
  }
}

type Writer = (given: VerdictToPublish, sha: string) => Promise<Published | Unpublished>;

const WRITERS = {
  check: async (given, sha) => {
    const { report, surfaces, detailsUrl, ...context } = given;
    if (surfaces.check === undefined) return { published: false, why: 'policy' };
    return publishCheckRun({
      ...{ ...context, ...surfaces.check, sha },
      ...(detailsUrl === undefined ? {} : { detailsUrl }),
      ...{ conclusion: checkConclusion(report), output: checkOutput(report), annotations: checkAnnotations(report) },
    });
  },
  status: async (given, sha) => {
    const { report, surfaces, detailsUrl, ...context } = given;
    const url = detailsUrl === undefined ? {} : { targetUrl: detailsUrl };
    return publishStatus({ ...context, ...url, ...surfaces.status, sha, status: commitStatus(report) });
  },
  comment: async (given) => {
    const { report, surfaces, detailsUrl, pull, ...context } = given;
    if (surfaces.comment === undefined || pull === undefined) return { published: false, why: 'policy' };
    const { policy, ...rest } = surfaces.comment;
    const body = commentMarkdown(report, detailsUrl === undefined ? {} : { detailsUrl });
    return publishComment({ ...context, ...rest, number: pull.number, body, wish: commentWish(policy, report) });
  },
} as const satisfies Record<Surface, Writer>;

function summed(results: readonly SurfaceResult[], restricted: boolean): Publication {
  const failures = results.flatMap((one) => {
    if (one.result === 'failed') return [{ surface: one.surface, refusal: one.refusal }];
    // The notice tells it; but what merging depends on is missing, and nobody but the workflow's author can help.
    const lacking = one.result === 'skipped' && one.what.why === 'read-only' && one.surface !== 'comment';
    return lacking && !restricted ? [{ surface: one.surface, refusal: one.what.refusal }] : [];
  });
  const required = failures.find(({ surface }) => surface !== 'comment')?.refusal;
  return {
    results,
    notice: readOnlyNotice(results, restricted),
    error: required,
    warnings: failures.map(({ refusal }) => refusal).filter((refusal) => refusal !== required),
  };
}

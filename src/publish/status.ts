import { isUncertain } from '../github/errors.ts';
import type { CommitStatus } from '../render/check-output.ts';
import { STATUS_DESCRIPTION_LIMIT } from '../render/limits.ts';
import { settle } from './context.ts';
import type { PublishContext } from './context.ts';
import { logged } from './log.ts';
import type { Superseded } from './log.ts';
import type { Published } from './result.ts';

/** The context that a branch protection requires by name, where the config gives no other. */
export const STATUS_CONTEXT = 'countersign';

/** Statuses of a page (GitHub REST, "Using pagination"). */
const PER_PAGE = 100;

/** Pages that are looked through, newest first. One that is not found there is written: newer ones hide it. */
const MAX_PAGES = 5;

const TRIES = 2;

export interface StatusToPublish extends PublishContext {
  /** The head commit. */
  readonly sha: string;
  readonly status: CommitStatus;
  /** By default {@link STATUS_CONTEXT}. */
  readonly context?: string;
  /** Where the link leads. */
  readonly targetUrl?: URL;
  /** Who writes it; where it is given, another's status of the same text is not taken for ours. */
  readonly creator?: { readonly login?: string; readonly id?: number };
}

interface StandingStatus {
  readonly id: number;
  readonly url: string;
  readonly context: string;
  readonly state: string;
  readonly description: string | null;
  readonly target_url: string | null;
  readonly creator: { readonly login: string; readonly id: number | bigint } | null;
}

/**
 * Sets the commit status of a context, unless the newest of this context is the same already: a commit takes
 * 1,000 of a context, then it refuses every further one (GitHub REST, "Create a commit status").
 * @throws Refusal CS1603 where the token may not, CS1607 where the commit takes no more, CS16xx of the API
 */
export async function publishStatus(given: StatusToPublish): Promise<Published | Superseded> {
  const { api, repository, sha, status, context = STATUS_CONTEXT, targetUrl, log } = given;
  const { state, description } = status;
  if (description.length > STATUS_DESCRIPTION_LIMIT) throw new TypeError('a description that is too long');
  const fields = { state, description, ...(targetUrl === undefined ? {} : { target_url: targetUrl.href }) };
  const target = `${sha} ${context}`;
  return logged<Published>(log, { surface: 'status', target, text: JSON.stringify(fields) }, async () => {
    const stands = await newest(given);
    if (stands !== undefined && isSame(stands, given)) return published('unchanged', stands);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const { data } = await api.request('POST /repos/{owner}/{repo}/statuses/{sha}', {
          ...{ ...repository, sha, context, ...fields },
        });
        return published(stands === undefined ? 'created' : 'updated', data);
      } catch (thrown) {
        if (!isUncertain(thrown)) throw thrown;
        await settle(given);
        const now = await newest(given);
        if (now !== undefined && isSame(now, given))
          return published(stands === undefined ? 'created' : 'updated', now);
        if (attempt === TRIES) throw thrown;
      }
    }
  });
}

const published = (
  change: Published['change'],
  { id, url }: { readonly id: number; readonly url: string },
): Published => ({ published: true, change, id, url });

/** The newest status of our context, by whomever. */
async function newest({
  api,
  repository,
  sha,
  context = STATUS_CONTEXT,
}: StatusToPublish): Promise<StandingStatus | undefined> {
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data } = await api.request('GET /repos/{owner}/{repo}/commits/{ref}/statuses', {
      ...{ ...repository, ref: sha, per_page: PER_PAGE, page },
    });
    const found = data.find((one) => one.context === context);
    if (found !== undefined) return found;
    if (data.length < PER_PAGE) return undefined;
  }
  return undefined;
}

function isSame(stands: StandingStatus, { status, targetUrl, creator }: StatusToPublish): boolean {
  return (
    stands.state === status.state &&
    (stands.description ?? '') === status.description &&
    (stands.target_url ?? '') === (targetUrl?.href ?? '') &&
    (creator?.id === undefined || Number(stands.creator?.id) === creator.id) &&
    (creator?.login === undefined || stands.creator?.login === creator.login)
  );
}

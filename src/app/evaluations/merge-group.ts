import { isRefusal, Refusal } from '../../domain/errors.ts';
import { version } from '../../domain/version.ts';
import type { GitHubApi, RepositoryName } from '../../github/api.ts';
import { publishCheckRun } from '../../publish/check-run.ts';
import { publishVerdict } from '../../publish/publish.ts';
import { markdownText } from '../../render/escape.ts';
import { CHECK_TITLE_LIMIT } from '../../render/limits.ts';
import { VERDICT_CHECK } from '../../render/part-check.ts';
import { line } from '../../render/visible.ts';
import type { Judged } from '../../judge/judged.ts';
import type { MergeGroup } from '../../judge/queue.ts';
import { judgeMergeGroup, onGroup } from '../../judge/merge-group.ts';
import { judgePull } from '../../judge/pull.ts';
import { openPulls } from '../../judge/pulls.ts';
import { worstOf } from '../../judge/worst.ts';
import { collectRange } from '../../sources/pull-request/github.ts';
import type { Clients } from '../clients.ts';
import type { MergeGroupEvent } from '../deliveries/payloads.ts';

/**
 * Judges what a merge queue is about to merge, and writes the verdict to the group's head: nothing is passed because it
 * was good once. A group that cannot be explained gets a failing check that says why, since a queue waits for one.
 * @throws Refusal CS16xx where GitHub cannot be asked; the delivery is tried again
 */
export async function publishMergeGroup(
  event: MergeGroupEvent,
  { clients }: { readonly clients: Clients },
): Promise<void> {
  const { merge_group: given, repository: named, installation } = event;
  const repository = { owner: named.owner.login, repo: named.name };
  const [api, identity] = await Promise.all([clients.installation(installation.id), clients.identity()]);
  const group = {
    ...{ headRef: given.head_ref, headSha: given.head_sha, baseRef: given.base_ref, baseSha: given.base_sha },
  };
  const place = {
    ...{ api, repository, name: VERDICT_CHECK, app: { id: identity.id }, sha: group.headSha },
    externalId: `${named.id}-group-${group.headSha}`,
  };
  let judged;
  try {
    judged = await judge(api, repository, group);
  } catch (thrown) {
    if (!isRefusal(thrown) || !UNEXPLAINED.includes(thrown.code)) throw thrown;
    const said = `${thrown.code} ${thrown.message}`;
    await publishCheckRun({
      ...place,
      conclusion: { status: 'completed', conclusion: 'failure' },
      output: {
        title: line(`UNVERIFIED (incomplete): ${said}`, CHECK_TITLE_LIMIT),
        summary: `${markdownText(said)}\n\nNothing of this group was judged. Queue its pull requests again.`,
        text: '',
      },
      annotations: [],
    });
    return;
  }
  const worst = worstOf(judged) ?? judged[0];
  const { error } = await publishVerdict({
    ...{ api, repository, report: onGroup(worst, group) },
    surfaces: { check: { name: place.name, app: place.app, externalId: place.externalId } },
  });
  if (error !== undefined) throw error;
}

/** Refusals that are an answer about the group, rather than about GitHub. */
const UNEXPLAINED: readonly string[] = ['CS1704', 'CS1705'];

async function judge(
  api: GitHubApi,
  repository: RepositoryName,
  group: MergeGroup,
): Promise<readonly [Judged, ...Judged[]]> {
  const base = group.baseRef.replace(/^refs\/heads\//, '');
  return judgeMergeGroup(group, {
    open: await openPulls(api, repository, base),
    collect: async () =>
      collectRange({
        ...{ api, repository, base: group.baseSha, head: group.headSha, ref: group.headRef },
        ...{ now: new Date().toISOString(), engine: version() },
      }),
    judge: async ({ number, headSha }) => {
      const one = await judgePull(api, repository, number);
      const head = one.report.subject.head_sha ?? 'none';
      if (head !== headSha)
        throw new Refusal('CS1705', `The head of pull request ${number} moved from ${headSha} to ${head}.`);
      return [one];
    },
  });
}

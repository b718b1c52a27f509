import { Refusal } from '../../domain/errors.ts';
import { baseRules } from '../../gate/base-rules.ts';
import type { Facts } from '../../gate/facts.ts';
import { sealReport } from '../../gate/report.ts';
import type { GateReport } from '../../gate/report.ts';
import type { GitHubApi, RepositoryName } from '../../github/api.ts';
import type { Judged } from '../../judge/judged.ts';
import { nameSuffix } from '../../judge/open-base.ts';
import { worstOf } from '../../judge/worst.ts';
import type { CheckAction } from '../../publish/check-actions.ts';
import { publishCheckRun, startCheckRuns } from '../../publish/check-run.ts';
import type { CheckApp } from '../../publish/check-run.ts';
import type { PublicationLog } from '../../publish/log.ts';
import { publishVerdict } from '../../publish/publish.ts';
import type { Publication, VerdictSurfaces } from '../../publish/publish.ts';
import { checkConclusion } from '../../render/check-output.ts';
import { PART_CHECKS, partCheckName, partCheckRun, VERDICT_CHECK } from '../../render/part-check.ts';
import type { AppIdentity, Clients } from '../clients.ts';
import { isOutage } from '../retry.ts';
import type { ClaimedEvaluation } from '../store/queues.ts';
import type { Store } from '../store/store.ts';
import { checkNames, endWaiting, noteConcluded, noteHead } from './judged-heads.ts';
import type { JudgedHead } from './judged-heads.ts';
import { publicationLog } from './publication-log.ts';
import { pullNow } from './pull-now.ts';
import { idsOf, recorded, resultOf } from './results.ts';

/** The button of the check runs; a click asks for the verdict anew. */
export const RECHECK = {
  label: 'Check again',
  description: 'Judge this pull request again now.',
  identifier: 'recheck',
} as const satisfies CheckAction;

export interface EvaluateTools {
  /** Whether a commit status is written beside the check runs, for protections that know no checks. */
  readonly commitStatus: boolean;
  readonly store: Store;
  readonly clients: Clients;
  readonly now: () => number;
  readonly judge: (api: GitHubApi, repository: RepositoryName, number: number) => Promise<Judged>;
  /** Verdicts of other open pull requests with the same head. */
  readonly judgeOthers: (api: GitHubApi, repository: RepositoryName, judged: Judged) => Promise<readonly Judged[]>;
}

/** What became of an evaluation. `dropped`: the pull request moved; `closed`: it is, or is not there any more. */
export type Evaluated =
  | { readonly is: 'published'; readonly report: GateReport; readonly warnings: readonly Refusal[] }
  | { readonly is: 'dropped'; readonly why: string }
  | { readonly is: 'closed' };

/**
 * Judges a pull request and writes the verdict: three check runs on its head, its comment, and a commit status where
 * the operator asks for one. May be carried out again at any time: what stands already is not written twice.
 * @throws Refusal CS1804 where another worker has taken over; CS16xx; CS181x
 */
export async function evaluate(
  claim: ClaimedEvaluation,
  tools: EvaluateTools,
  signal: AbortSignal,
): Promise<Evaluated> {
  const { store, clients, now } = tools;
  const repository = await repositoryOf(claim, tools);
  if (repository === undefined) return { is: 'dropped', why: 'the repository is not the App’s any more' };
  const [api, identity] = await Promise.all([clients.installation(claim.installationId), clients.identity()]);
  const id = `${claim.repositoryId}-${claim.number}-${claim.lease.token}`;
  const log = publicationLog(store, claim.lease, id, now);
  const rerun = isRerun(claim);
  const pullAtFirst = await pullNow(api, repository, claim.number);
  const end = async (stays?: JudgedHead): Promise<void> =>
    endWaiting(claim, stays, { api, repository, appId: identity.id }, tools);
  if (pullAtFirst === undefined) {
    await end();
    return { is: 'closed' };
  }
  const { suffix } = pullAtFirst;
  const place = { api, repository, log, app: { id: identity.id }, externalId: id, rerun, suffix };
  const begin = async (sha: string): Promise<void> => {
    await noteHead(claim, { sha, suffix }, id, tools);
    await start({ ...place, sha });
  };
  // Where the event named another head, several pull requests could be at this one: they are looked for first.
  const isAsked = pullAtFirst.head === claim.headSha;
  if (isAsked) await begin(pullAtFirst.head);
  signal.throwIfAborted();
  const own = await tools.judge(api, repository, claim.number);
  const { head, base } = own.report.subject.head_sha === null ? noHead(claim) : subject(own.report);
  if (head !== pullAtFirst.head || nameSuffix(own.facts) !== suffix) return inTurn(claim, head, tools);
  const sharing = await tools.judgeOthers(api, repository, own);
  if (!isAsked) {
    if (sharing.length > 0) return inTurn(claim, head, tools);
    await begin(head);
  }
  // What goes by another name on the commit is written by the evaluation of that one.
  const others = sharing.filter(({ facts }) => nameSuffix(facts) === suffix);
  signal.throwIfAborted();
  const worst = worstOf([own, ...others]) ?? own;
  const result = {
    ...{ id, key: claim.key, headSha: head, baseSha: base },
    ...resultOf(own.report, baseRules(own.facts).config),
    at: now(),
  };
  await recorded(store, claim, result, now);
  signal.throwIfAborted();
  const { check, status, comment } = surfacesOf(own.facts, identity, { externalId: id, rerun }, tools.commitStatus);
  const pull = { number: claim.number, head, base: own.report.subject.base_ref };
  const common = { api, repository, log, pull };
  const onCommit = { check, ...(status === undefined ? {} : { status }) };
  // The check stands on the commit, and says the worst of all pull requests with it; the comment is this one's.
  const published =
    worst === own
      ? await publishVerdict({ ...common, report: own.report, surfaces: { ...onCommit, comment } })
      : joined(
          await publishVerdict({ ...common, report: withSubject(worst.report, own.report), surfaces: onCommit }),
          await publishVerdict({ ...common, report: own.report, surfaces: { comment } }),
        );
  const skipped = skippedWhy(published);
  if (skipped === 'closed') await end();
  if (skipped !== undefined)
    return skipped === 'closed' ? { is: 'closed' } : { is: 'dropped', why: 'the head or the base moved' };
  if (published.error !== undefined) throw published.error;
  const checkIds = await publishParts([own, ...others], { ...place, sha: head });
  await recorded(store, claim, { ...result, ...idsOf(published, checkIds) }, now);
  if (checkConclusion(worst.report).status === 'completed') await noteConcluded(claim, { sha: head, suffix }, tools);
  await end({ sha: head, suffix });
  // Whoever judges the pull request next writes what is missing, but nobody may: this verdict may be its last.
  const missing = published.warnings.find(isOutage);
  if (missing !== undefined) throw missing;
  return { is: 'published', report: own.report, warnings: published.warnings };
}

/**
 * Several pull requests with one head write to the same check runs, so that they are evaluated one after the other: the
 * queue sees to it by the head that was asked for. Where that was not the one found, or the base was changed on the way,
 * it is asked for anew.
 */
async function inTurn(claim: ClaimedEvaluation, headSha: string, { store, now }: EvaluateTools): Promise<Evaluated> {
  const { repositoryId, installationId, number, reason } = claim;
  const at = now();
  const asked = { repositoryId, installationId, number, reason, headSha };
  await store.requestEvaluation({ ...asked, now: at, notBefore: at, priority: 0 });
  return { is: 'dropped', why: 'its head is another pull request’s too, which may be evaluated now' };
}

/**
 * Whether somebody asked for new check runs. GitHub then sets their suite back to `queued` and leaves the runs as they
 * are (REST, "Rerequest a check run"): only a new one ends that.
 */
function isRerun({ reason }: ClaimedEvaluation): boolean {
  return reason === 'check_run.rerequested' || reason === 'check_suite.rerequested';
}

function noHead({ number }: ClaimedEvaluation): never {
  throw new Refusal('CS1606', `Pull request ${number} has no head.`);
}

function subject({ subject: { head_sha: head, base_sha: base } }: GateReport): { head: string; base: string } {
  return { head: head ?? '', base: base ?? '' };
}

function withSubject(report: GateReport, { subject: own }: GateReport): GateReport {
  const { report_digest: _, ...body } = report;
  const of = `Of pull request ${report.subject.number ?? 0}, which has the same head.`;
  return sealReport({ ...body, subject: own, notes: [...report.notes, of] });
}

function joined(first: Publication, second: Publication): Publication {
  return {
    results: [...first.results, ...second.results],
    notice: first.notice ?? second.notice,
    error: first.error ?? second.error,
    warnings: [...first.warnings, ...second.warnings],
  };
}

async function repositoryOf(claim: ClaimedEvaluation, { store }: EvaluateTools): Promise<RepositoryName | undefined> {
  const known = await store.repository(claim.repositoryId);
  return known === undefined || known.state === 'removed' ? undefined : { owner: known.owner, repo: known.name };
}

interface Place {
  readonly api: GitHubApi;
  readonly repository: RepositoryName;
  readonly log: PublicationLog;
  readonly app: CheckApp;
  readonly externalId: string;
  readonly rerun: boolean;
  readonly sha: string;
  /** What the names end with. */
  readonly suffix: string;
}

async function start(place: Place): Promise<void> {
  const text = { title: 'Being checked', summary: 'Countersign looks at this head.' };
  await startCheckRuns({ ...place, ...text, names: checkNames(place.suffix) });
}

async function publishParts(judged: readonly Judged[], place: Place): Promise<Readonly<Record<string, number>>> {
  const ids: Record<string, number> = {};
  for (const check of PART_CHECKS) {
    const name = partCheckName(check) + place.suffix;
    const parts = judged.map(({ report }) => partCheckRun(report, check));
    // As with the verdict: it stands on the commit, and holds for each pull request with it.
    const part = parts.find(({ conclusion }) => conclusion.conclusion !== 'success') ?? parts[0];
    if (part === undefined) throw new TypeError('nothing was judged');
    const written = await publishCheckRun({ ...place, name, ...part, actions: [RECHECK] });
    if (written.published) ids[name] = written.id;
  }
  return ids;
}

function surfacesOf(
  facts: Facts,
  { id, login }: AppIdentity,
  run: { readonly externalId: string; readonly rerun: boolean },
  commitStatus: boolean,
): Required<Pick<VerdictSurfaces, 'check' | 'comment'>> & Pick<VerdictSurfaces, 'status'> {
  const { config } = baseRules(facts);
  return {
    check: { name: VERDICT_CHECK + nameSuffix(facts), app: { id }, ...run, actions: [RECHECK] },
    comment: { policy: config.comment, author: { login, appId: id } },
    ...(commitStatus ? { status: { creator: { login }, context: config.context + nameSuffix(facts) } } : {}),
  };
}

function skippedWhy({ results }: Publication): 'moved' | 'closed' | undefined {
  for (const one of results) {
    if (one.result !== 'skipped') continue;
    if (one.what.why === 'moved' || one.what.why === 'closed') return one.what.why;
  }
  return undefined;
}

import { baseRules } from '../gate/base-rules.ts';
import type { GateReport } from '../gate/report.ts';
import type { CommentPolicy } from '../publish/comment-policy.ts';
import type { CommentAuthor } from '../publish/comment-search.ts';
import { GITHUB_ACTIONS_AUTHOR } from '../publish/comment-search.ts';
import { GITHUB_ACTIONS_APP } from '../publish/check-run.ts';
import { publishVerdict } from '../publish/publish.ts';
import type { Publication, VerdictSurfaces, VerdictToPublish } from '../publish/publish.ts';
import { nameSuffix } from '../judge/open-base.ts';
import { worstOf } from '../judge/worst.ts';
import type { JudgedPull } from './judge-pulls.ts';
import type { Judged } from '../judge/judged.ts';
import { moved } from './judge-pulls.ts';
import type { Session } from './session.ts';

/** Where the verdict stands on the commit, and when a comment is wanted: the inputs, else the base's config. */
interface Wishes {
  readonly form: 'status' | 'check' | 'none';
  readonly context: string;
  /** What tells the names of verdicts on bases that anybody may push to from those that are required. */
  readonly suffix: string;
  readonly comment: CommentPolicy;
}

function wishesOf({ inputs }: Session, judged: Judged): Wishes {
  const { facts } = judged;
  const { config } = baseRules(facts);
  return {
    form: inputs.publish ?? config.publish,
    context: config.context,
    suffix: nameSuffix(facts),
    comment: inputs.comment ?? config.comment,
  };
}

/**
 * Publishes verdicts on pull requests that share a head: the worst on the commit, each as its own comment.
 * @returns false where one of them may have to be published by somebody (the job then fails)
 * @throws Refusal CS1705 where the head moved meanwhile: nothing was published
 */
export async function publishPulls(session: Session, judged: readonly JudgedPull[]): Promise<boolean> {
  const counting = worstOfEach(judged);
  if (counting.length === 0) return true;
  const author = await commentAuthor(session);
  // What merging may depend on comes first.
  const ordered = [...counting, ...judged.filter((one) => !counting.includes(one))];
  let holds = true;
  for (const one of ordered) {
    const wishes = wishesOf(session, one);
    const surfaces = {
      ...(counting.includes(one) ? onCommit(session, wishes, one.report) : {}),
      ...(wishes.comment === 'never' ? {} : { comment: { policy: wishes.comment, author } }),
    };
    holds = (await publish(session, one.report, surfaces, one)) && holds;
  }
  return holds;
}

/** The worst verdict on guarded bases, and the worst on others: what is required for the former the latter never write. */
function worstOfEach(judged: readonly JudgedPull[]): JudgedPull[] {
  const open = judged.filter(({ facts }) => nameSuffix(facts) !== '');
  return [judged.filter((one) => !open.includes(one)), open].flatMap((some) => {
    const worst = worstOf(some);
    return some.filter((one) => one.report === worst?.report).slice(0, 1);
  });
}

/** Publishes a verdict on a commit that is no pull request's head: a merge group's. */
export async function publishOnCommit(session: Session, judged: Judged): Promise<boolean> {
  return publish(session, judged.report, onCommit(session, wishesOf(session, judged), judged.report), undefined);
}

function onCommit({ runner }: Session, { form, context, suffix }: Wishes, { subject }: GateReport): VerdictSurfaces {
  switch (form) {
    case 'none':
      return {};
    case 'status':
      return { status: { context: `${context}${suffix}`, targetUrl: runner.runUrl } };
    case 'check':
      return {
        check: { name: `${context}${suffix}`, app: GITHUB_ACTIONS_APP, externalId: `countersign:${subject.head_sha}` },
      };
  }
}

async function publish(
  session: Session,
  report: GateReport,
  surfaces: VerdictSurfaces,
  judged: JudgedPull | undefined,
): Promise<boolean> {
  const { api, repository } = session;
  const given: VerdictToPublish = {
    ...{ api, repository, report, surfaces },
    ...(judged === undefined ? {} : { pull: pullOf(session, judged) }),
  };
  const publication = await publishVerdict(given);
  return told(session, publication, judged);
}

// A workflow on `pull_request_target` or `workflow_run` may write whatever the pull request is from.
function pullOf({ runner }: Session, { pull }: JudgedPull): NonNullable<VerdictToPublish['pull']> {
  const lesser = runner.eventName === 'pull_request' || runner.eventName === 'pull_request_review';
  return {
    ...{ number: pull.number, head: pull.headSha, base: pull.baseRef },
    restricted: pull.restricted && lesser,
  };
}

function told(session: Session, publication: Publication, judged: JudgedPull | undefined): boolean {
  const { results, notice, error, warnings } = publication;
  for (const { result, ...rest } of results) {
    if (result !== 'skipped' || !('what' in rest) || rest.what.published || judged === undefined) continue;
    if (rest.what.why === 'moved') throw moved(judged.pull.number, judged.pull.headSha, rest.what.head);
  }
  if (notice !== undefined) {
    const level = judged?.pull.restricted === true ? 'notice' : 'warning';
    session.remark({ level, text: notice });
  }
  for (const { code, message } of warnings) session.remark({ level: 'warning', text: `${code} ${message}` });
  if (error === undefined) return true;
  session.remark({ level: 'error', text: `The verdict could not be published. ${error.code} ${error.message}` });
  return false;
}

/** Tokens of people, by how GitHub has them begin ("Token formats"); any other is taken for the workflow's own. */
const OF_PEOPLE = /^(?:gh[pou]_|github_pat_)/;

/** Who comments with this token. Ids of the workflows' bot are github.com's; other servers have their own. */
async function commentAuthor({ api, inputs, runner }: Session): Promise<CommentAuthor> {
  if (OF_PEOPLE.test(inputs.token)) {
    const { data } = await api.request('GET /user');
    return { login: data.login, id: Number(data.id) };
  }
  const { login, id } = GITHUB_ACTIONS_AUTHOR;
  return runner.apiUrl === 'https://api.github.com' ? { login, id } : { login };
}

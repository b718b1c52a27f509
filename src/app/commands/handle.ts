import { commandsIn } from '../../gate/commands.ts';
import type { Command, GivenCommand } from '../../gate/commands.ts';
import { baseRules } from '../../gate/base-rules.ts';
import type { Facts } from '../../gate/facts.ts';
import { decisionsFor } from '../../gate/people.ts';
import type { GateReport } from '../../gate/report.ts';
import type { GitHubApi, RepositoryName } from '../../github/api.ts';
import { absentOr } from '../../github/errors.ts';
import { listed } from '../../github/pages.ts';
import { answerMarkdown, answerMarker } from '../../render/command-answer.ts';
import type { CommandAnswer } from '../../render/command-answer.ts';
import type { Clients } from '../clients.ts';
import type { IssueCommentEvent } from '../deliveries/payloads.ts';
import { pullKey } from '../store/queues.ts';
import type { Store } from '../store/store.ts';

export interface CommandTools {
  readonly store: Store;
  readonly clients: Clients;
  readonly now: () => number;
  /** Judges a pull request as it is now: a command is answered by what it really changes. */
  readonly judge: (
    api: GitHubApi,
    repository: RepositoryName,
    number: number,
  ) => Promise<{ readonly facts: Facts; readonly report: GateReport }>;
}

/** `none`: nothing in it for us. `changed`: the verdict may be another one. `answered`: the same, and said so. */
export type Handled = 'none' | 'changed' | 'answered';

const COMMAND = /\/countersign/i;

/**
 * Works off a comment on a pull request: its commands are acknowledged by a reaction, and answered once where there is
 * something to say. A decision counts by what the platform shows of the comment, here as in every other face; what is
 * kept here is the record of it.
 * @throws Refusal CS16xx, CS181x
 */
export async function handleComment(event: IssueCommentEvent, tools: CommandTools): Promise<Handled> {
  const { action, comment, changes, issue, repository, installation } = event;
  const own = (await tools.clients.identity()).login;
  const body = comment.body ?? '';
  if (action !== 'created') {
    await tools.store.voidDecisions({ commentId: comment.id, now: tools.now(), why: `the comment was ${action}` });
    // Somebody else edits or deletes the verdict's comment: it is written again. Its text names commands that are none.
    if (comment.user?.login === own) return event.sender?.login === own ? 'none' : 'changed';
    return COMMAND.test(body) || COMMAND.test(changes?.body?.from ?? '') ? 'changed' : 'none';
  }
  if (!isPerson(comment.user, own)) return 'none';
  const given = commandsIn(body);
  if (given.length === 0) return 'none';
  const api = await tools.clients.installation(installation.id);
  const name = { owner: repository.owner.login, repo: repository.name };
  const judged = given.some(({ command }) => isJudged(command))
    ? await tools.judge(api, name, issue.number)
    : undefined;
  const answers = given.flatMap((one) => {
    const answer = answerTo(one, comment.id, judged);
    return answer === undefined ? [] : [{ ...answer, command: one.text }];
  });
  await record(given, event, judged, tools);
  const refused = answers.some(({ is }) => is === 'not-counted' || is === 'not-understood');
  await react(
    api,
    name,
    comment.id,
    refused ? 'confused' : given.some(({ command }) => isDecision(command)) ? '+1' : 'eyes',
  );
  if (answers.length === 0) return 'changed';
  const key = pullKey(repository.id, issue.number);
  await answerOnce(
    tools,
    api,
    name,
    { key, number: issue.number, commentId: comment.id, own },
    answerMarkdown(comment.id, answers),
  );
  return 'answered';
}

function isPerson(user: IssueCommentEvent['comment']['user'], own: string): boolean {
  return (
    user !== null && user !== undefined && user.type === 'User' && user.login !== own && !user.login.endsWith('[bot]')
  );
}

type Decision = Extract<
  Command,
  { readonly kind: 'approve' | 'approve-contract' | 'confirm-waiver' | 'confirm-skip' | 'confirm-tests' | 'allow' }
>;

const DECISIONS: readonly string[] = [
  'approve',
  'approve-contract',
  'confirm-waiver',
  'confirm-skip',
  'confirm-tests',
  'allow',
];

function isDecision(command: Command): command is Decision {
  return DECISIONS.includes(command.kind);
}

function isJudged(command: Command): boolean {
  return command.kind === 'explain' || isDecision(command);
}

type Judged = Awaited<ReturnType<CommandTools['judge']>>;

function answerTo(
  { command, text, line }: GivenCommand,
  commentId: number,
  judged: Judged | undefined,
): CommandAnswer | undefined {
  switch (command.kind) {
    case 'recheck':
      return undefined;
    case 'help':
      return { is: 'help' };
    case 'not-understood':
      return { is: 'not-understood', why: command.why };
    case 'explain': {
      if (judged === undefined) return undefined;
      const finding = judged.report.findings.find(({ id }) => id === command.finding);
      if (finding !== undefined) return { is: 'explained', finding };
      return { is: 'no-such-finding', id: command.finding, report: judged.report };
    }
    case 'approve':
    case 'approve-contract':
    case 'confirm-waiver':
    case 'confirm-skip':
    case 'confirm-tests':
    case 'allow': {
      const why = judged === undefined ? undefined : whyNot(judged, command, commentId, line);
      return why === undefined ? undefined : { is: 'not-counted', what: `\`${text}\``, why };
    }
  }
}

/** Why a decision does not count; undefined where it does. */
function whyNot({ facts, report }: Judged, command: Decision, commentId: number, line: number): string | undefined {
  const rules = baseRules(facts);
  const own = decisionsFor(facts, rules.config, command.kind, ({ source }) => isOf(source, commentId, line));
  const weighed = own[0];
  if (weighed === undefined) return 'it is not to be seen among the comments of the pull request any more';
  if (!weighed.standing.counts) return weighed.standing.why;
  if (command.kind === 'allow') {
    // What is allowed is no blocking finding any more, but still one.
    const named = report.findings.some(({ id }) => id === command.finding);
    if (!named) return `there is no finding ${command.finding} at this head`;
  }
  return undefined;
}

/** Whether a decision's source is a comment, or a line of it (`github:comment:<id>`, or that with `#L<line>`). */
function isOf(source: string, commentId: number, line: number): boolean {
  const base = `github:comment:${commentId}`;
  return source === base || source === `${base}#L${line}`;
}

async function record(
  given: readonly GivenCommand[],
  { comment, issue, repository }: IssueCommentEvent,
  judged: Judged | undefined,
  { store }: CommandTools,
): Promise<void> {
  const head = judged?.facts.subject.head.sha;
  const { user } = comment;
  if (head === undefined || head === null || user === null || user === undefined) return;
  for (const { command, line } of given) {
    if (!isDecision(command)) continue;
    const { kind, ...details } = command;
    await store.appendDecision({
      ...{ id: `${comment.id}:${line}`, commentId: comment.id, key: pullKey(repository.id, issue.number) },
      ...{ actorId: user.id, actorLogin: user.login, verb: kind, headSha: head, at: Date.parse(comment.created_at) },
      details: Object.fromEntries(
        Object.entries(details).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
      ),
      contractDigest: 'digest' in details ? details.digest : undefined,
    });
  }
}

/** The reaction that says a command was seen. GitHub keeps one of a kind by each account, so that it may be repeated. */
async function react(
  api: GitHubApi,
  repository: RepositoryName,
  commentId: number,
  content: 'eyes' | '+1' | 'confused',
): Promise<void> {
  // A comment that is gone meanwhile needs none.
  await absentOr(
    api.request('POST /repos/{owner}/{repo}/issues/comments/{comment_id}/reactions', {
      ...{ ...repository, comment_id: commentId, content },
    }),
  );
}

interface Answered {
  readonly key: string;
  readonly number: number;
  readonly commentId: number;
  /** The App's own login. */
  readonly own: string;
}

async function answerOnce(
  { store, now }: CommandTools,
  api: GitHubApi,
  repository: RepositoryName,
  { key, number, commentId, own }: Answered,
  body: string,
): Promise<void> {
  const begun = await store.beginAnswer({ commentId, key, now: now() });
  if (begun === 'answered') return;
  const standing = begun === 'look' ? await findAnswer(api, repository, number, commentId, own) : undefined;
  const remoteId =
    standing ??
    (
      await api.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...{ ...repository, issue_number: number, body },
      })
    ).data.id;
  await store.markAnswered({ commentId, now: now(), remoteId: String(remoteId) });
}

/** Comments that are looked through for an answer of which it is not known whether it was posted. */
const MAX_COMMENTS = 2000;

async function findAnswer(
  api: GitHubApi,
  repository: RepositoryName,
  number: number,
  commentId: number,
  own: string,
): Promise<number | undefined> {
  const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
  const { items } = await listed(
    api,
    route,
    { ...repository, issue_number: number },
    { max: MAX_COMMENTS, items: (data) => data },
  );
  const marker = answerMarker(commentId);
  const found = items.find(({ user, body }) => user?.login === own && body?.includes(marker) === true);
  return found === undefined ? undefined : Number(found.id);
}

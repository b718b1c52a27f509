import { COMMENT_MARKER } from '../../src/render/markdown.ts';
import type { Comment, Review, WorkflowRun } from '../../src/sandbox/state.ts';
import { pick } from '../../test/support/random.ts';
import { ATTRIBUTED, CI, CONFIG } from './app-world.ts';
import type { AppWorld, SoakPull } from './app-world.ts';

/** What was done that the App has to answer. */
export interface Deeds {
  /** Comments whose commands ask for exactly one answer. */
  readonly toAnswer: Set<number>;
  /** Heads whose check runs somebody asked to be made anew. */
  readonly rerun: Set<string>;
  readonly counts: Map<string, number>;
}

interface Turn extends SoakPull {
  readonly world: AppWorld;
  readonly next: () => number;
  readonly deeds: Deeds;
}

type Act = (turn: Turn) => Promise<void> | void;

const ANSWERED = [
  '/countersign help',
  '/countersign explain F999999',
  '/countersign dance',
  'Hm.\n\n/countersign help',
];
const UNANSWERED = ['/countersign recheck', 'Looks good to me.', '```\n/countersign help\n```', '> /countersign help'];

/** By weight: how often each is done. */
const ACTS: readonly (readonly [weight: number, name: string, act: Act])[] = [
  [18, 'push', push],
  [2, 'forced push', forcedPush],
  [14, 'workflow run', workflowRun],
  [10, 'review', review],
  [3, 'review dismissed', dismissReview],
  [10, 'command', command],
  [5, 'decision', decision],
  [6, 'comment', comment],
  [4, 'comment edited', editComment],
  [3, 'comment deleted', deleteComment],
  [2, 'verdict tampered with', tamper],
  [8, 'edit', edit],
  [8, 'closed or reopened', closeOrReopen],
  [3, 'check again', recheck],
  [0.4, 'rules changed', changeRules],
  [0.6, 'renamed', rename],
];
const TOTAL = ACTS.reduce((sum, [weight]) => sum + weight, 0);

/** Does one random thing to one random pull request. */
export async function act(world: AppWorld, deeds: Deeds, next: () => number): Promise<void> {
  const one = world.pulls[Math.floor(next() * world.pulls.length)];
  if (one === undefined) return;
  let at = next() * TOTAL;
  const [, name, deed] = ACTS.find(([weight]) => (at -= weight) < 0) ?? ACTS[0] ?? [0, 'nothing', () => undefined];
  // On a closed one mostly nothing happens but that it is opened again.
  const closed = one.pull.state === 'closed' && next() < 0.7;
  await (closed ? closeOrReopen : deed)({ ...one, world, next, deeds });
  const done = closed ? 'closed or reopened' : name;
  deeds.counts.set(done, (deeds.counts.get(done) ?? 0) + 1);
}

async function push({ world, repository, branch, next }: Turn): Promise<void> {
  const name = `src/more-${Math.floor(next() * 1e6)}.ts`;
  const message = next() < 0.15 ? ATTRIBUTED : 'Add more';
  const files = { [name]: 'export const more = 1;\n' };
  await world.sandbox.push(repository, world.people.coder, { branch, commits: [{ files, message }] });
}

async function forcedPush({ world, repository, branch, next }: Turn): Promise<void> {
  const files = { [`src/anew-${Math.floor(next() * 1e6)}.ts`]: 'export const anew = 1;\n' };
  const commits = [{ files, message: 'Begin anew' }];
  await world.sandbox.push(repository, world.people.coder, { branch, force: true, from: 'main', commits });
}

async function workflowRun({ world, repository, pull, next }: Turn): Promise<void> {
  const { sandbox } = world;
  const open = [...repository.runs.values()].filter(
    (run) => run.headSha === pull.head.sha && run.attempts.at(-1)?.status !== 'completed',
  );
  const [under] = open;
  const end = async (run: WorkflowRun): Promise<void> =>
    sandbox.finishJob(repository, run, 'test', next() < 0.8 ? 'success' : 'failure');
  if (under !== undefined) return end(under);
  const run = await sandbox.startWorkflowRun(repository, { path: CI, name: 'CI', at: pull });
  if (next() < 0.7) await end(run);
}

function review({ world, repository, pull, next }: Turn): void {
  const { ana, ada, eve } = world.people;
  const verdict = pick<Review['state']>(next, ['APPROVED', 'APPROVED', 'CHANGES_REQUESTED', 'COMMENTED']);
  world.sandbox.review(repository, pull, pick(next, [ana, ada, eve]), verdict, { body: 'Seen.' });
}

function dismissReview({ world, repository, pull }: Turn): void {
  const found = pull.reviews.findLast(({ state }) => state === 'APPROVED' || state === 'CHANGES_REQUESTED');
  if (found !== undefined) world.sandbox.dismissReview(repository, pull, found, world.people.ada);
}

function say({ world, repository, pull, next, deeds }: Turn, body: string, answered: boolean): void {
  const { ana, ada, eve, coder } = world.people;
  const made = world.sandbox.comment(repository, pull, pick(next, [ana, ada, eve, coder]), body);
  if (answered && pull.state === 'open') deeds.toAnswer.add(made.id);
}

function command(turn: Turn): void {
  if (turn.next() < 0.5) say(turn, pick(turn.next, ['/countersign recheck', '/countersign recheck']), false);
  else say(turn, ANSWERED[Math.floor(turn.next() * ANSWERED.length)] ?? '', true);
}

function decision(turn: Turn): void {
  const bodies = ['/countersign approve', '/countersign approve contract', '/countersign confirm tests Seen'] as const;
  say(turn, pick(turn.next, bodies), false);
}

function comment(turn: Turn): void {
  say(turn, UNANSWERED[Math.floor(turn.next() * UNANSWERED.length)] ?? '', false);
}

function someComment({ world, repository, pull, next }: Turn, own: boolean): Comment | undefined {
  const all = [...repository.comments.values()].filter(
    ({ number, userId, body }) =>
      number === pull.number &&
      (own ? userId === world.app.botId && body.includes(COMMENT_MARKER) : true) &&
      (own || userId !== world.app.botId),
  );
  return all[Math.floor(next() * all.length)];
}

function editComment(turn: Turn): void {
  const found = someComment(turn, false);
  if (found === undefined) return;
  const by = turn.world.sandbox.accountById(found.userId);
  turn.world.sandbox.editComment(turn.repository, found, by, `${found.body}\n\nAnd more.`);
}

function deleteComment(turn: Turn): void {
  const found = someComment(turn, false);
  if (found !== undefined) turn.world.sandbox.deleteComment(turn.repository, found, turn.world.people.ada);
}

/** Somebody with rights edits or deletes the App's own comment. */
function tamper(turn: Turn): void {
  const { sandbox, people } = turn.world;
  const found = someComment(turn, true);
  if (found === undefined) return;
  if (turn.next() < 0.5) sandbox.deleteComment(turn.repository, found, people.ada);
  else sandbox.editComment(turn.repository, found, people.ada, found.body.replace('UNVERIFIED', 'VERIFIED'));
}

async function edit({ world, repository, pull, next }: Turn): Promise<void> {
  const number = Math.floor(next() * 1000);
  const edits = [{ title: `Add the demo, part ${number}` }, { body: `Part ${number}.` }, { draft: !pull.draft }];
  await world.sandbox.editPullRequest(repository, pull, world.people.coder, edits[Math.floor(next() * 3)] ?? {});
}

async function closeOrReopen({ world, repository, pull }: Turn): Promise<void> {
  const state = pull.state === 'open' ? 'closed' : 'open';
  await world.sandbox.editPullRequest(repository, pull, world.people.coder, { state });
}

function recheck({ world, repository, pull, next, deeds }: Turn): void {
  const { sandbox, app, people } = world;
  const own = [...repository.checkRuns.values()].findLast(
    ({ headSha, suiteId }) => headSha === pull.head.sha && repository.suites.get(suiteId)?.appId === app.id,
  );
  if (own === undefined) return;
  if (next() < 0.5) sandbox.requestAction(repository, own, 'recheck', people.eve);
  else {
    deeds.rerun.add(pull.head.sha);
    sandbox.rerequestCheck(repository, own, people.ana);
  }
}

async function changeRules({ world, repository, next }: Turn): Promise<void> {
  const text = `comment: ${pick(next, ['always', 'on-problem'])}\nevidence:\n  tests:\n    workflows:\n      - path: ${CI}\n        jobs: [test]\n`;
  const commits = [{ files: { [CONFIG]: text }, message: 'Change the rules' }];
  await world.sandbox.push(repository, world.people.ada, { branch: 'main', commits });
}

/** The repository gets another name, and keeps its old ones' redirects. */
function rename({ world, repository, next }: Turn): void {
  world.sandbox.rename(repository, `widgets-${Math.floor(next() * 1e6)}`, world.people.ada);
}

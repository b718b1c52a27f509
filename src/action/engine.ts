import { Refusal } from '../domain/errors.ts';
import { CONSEQUENCES } from '../gate/outcome.ts';
import type { Target } from './events.ts';
import { finish, finishWithout } from './finish.ts';
import { holdStatus } from './hold.ts';
import { judgeMergeGroup, onGroup } from '../judge/merge-group.ts';
import { judgePulls, moved } from './judge-pulls.ts';
import { collectGroup, judgeRange, pushedRange } from './judge-range.ts';
import type { Judged } from '../judge/judged.ts';
import { worstOf } from '../judge/worst.ts';
import type { OpenPull } from '../judge/pulls.ts';
import { publishOnCommit, publishPulls } from './publication.ts';
import type { Remark, Session } from './session.ts';

export { finishFailed } from './finish.ts';
export { debug } from './toolkit.ts';

/**
 * Judges what an event asks for, publishes the verdict and shows it.
 * @param open the open pull requests that it may be about
 * @returns the exit code
 * @throws Refusal where there is no verdict
 */
export async function judgeTarget(
  session: Session,
  target: Target,
  open: readonly OpenPull[],
  workflowSha: string | undefined,
  remarks: readonly Remark[],
): Promise<number> {
  const { runner } = session;
  switch (target.kind) {
    case 'nothing':
      return nothing(session, target.why, remarks);
    case 'pull-request':
      return pullRequest(session, target, open, workflowSha, remarks);
    case 'head': {
      const pulls = headedBy(open, target.headSha);
      if (pulls.length > 0) return heads(session, pulls, workflowSha, remarks);
      return nothing(session, `No open pull request has the head ${target.headSha.slice(0, 12)}.`, remarks);
    }
    case 'ref': {
      const [own] = open.filter(({ ownBranch }) => target.ref === `refs/heads/${ownBranch ?? ''}`);
      if (own !== undefined) return heads(session, headedBy(open, own.headSha), workflowSha, remarks);
      return range(session, await judgeRange(session, dispatchedRange(session, target)), remarks);
    }
    case 'push': {
      const pushed = await pushedRange(session, target);
      if (typeof pushed === 'string') return nothing(session, pushed, remarks);
      return range(session, await judgeRange(session, pushed), remarks);
    }
    case 'merge-group': {
      const judged = await judgeMergeGroup(target, {
        open,
        collect: () => collectGroup(session, target),
        judge: (pull) => judgePulls(session, [pull], workflowSha),
      });
      const worst = worstOf(judged) ?? judged[0];
      const published = await publishOnCommit(session, { facts: worst.facts, report: onGroup(worst, target) });
      return finish(runner, judged, remarks, published);
    }
  }
}

function nothing(session: Session, why: string, remarks: readonly Remark[]): Promise<number> {
  session.remark({ level: 'notice', text: `Nothing to judge. ${why}` });
  return finishWithout(remarks);
}

// The job stands at the head for which it was started, so it may pass for no other. A pull request that was closed may
// have left another one with its head.
async function pullRequest(
  session: Session,
  { number, headSha, retargeted }: Extract<Target, { readonly kind: 'pull-request' }>,
  open: readonly OpenPull[],
  workflowSha: string | undefined,
  remarks: readonly Remark[],
): Promise<number> {
  const own = open.find((pull) => pull.number === number);
  if (own !== undefined && own.headSha !== headSha) throw moved(number, headSha, own.headSha);
  if (own === undefined) await expectClosed(session, number);
  else if (retargeted) await holdStatus(session, headSha);
  const pulls = headedBy(open, headSha);
  if (own !== undefined) return heads(session, pulls, workflowSha, remarks);
  // The job may be what is required, and the pull request be opened again: it must not have passed meanwhile.
  if (pulls.length > 0) return (await heads(session, pulls, workflowSha, remarks)) || CONSEQUENCES.incomplete.exit;
  const remedy = 'Nothing to do. If it is opened again, that starts a run of its own.';
  throw new Refusal('CS1704', `Pull request ${number} is closed.`, { remedy });
}

// A list may lag behind: what it does not have is not closed for that.
async function expectClosed({ api, repository }: Session, number: number): Promise<void> {
  const { data } = await api.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...{ ...repository, pull_number: number },
  });
  if (data.state !== 'open') return;
  const remedy = 'Run it again: GitHub does not list the pull request yet.';
  throw new Refusal('CS1704', `Pull request ${number} is open, and not among the open ones.`, { remedy });
}

function headedBy(open: readonly OpenPull[], sha: string): OpenPull[] {
  return open.filter(({ headSha }) => headSha === sha);
}

async function heads(
  session: Session,
  pulls: readonly OpenPull[],
  workflowSha: string | undefined,
  remarks: readonly Remark[],
): Promise<number> {
  if (pulls.length > 1) {
    const numbers = pulls.map(({ number }) => `#${number}`).join(', ');
    session.remark({
      level: 'notice',
      text: `This head is open in ${numbers}: the worst verdict stands on the commit.`,
    });
  }
  const judged = await judgePulls(session, pulls, workflowSha);
  const published = await publishPulls(session, judged);
  return finish(session.runner, judged, remarks, published);
}

// A range has no place of its own: on its commit a pull request's verdict may stand, which says more.
function range(session: Session, judged: Judged, remarks: readonly Remark[]): Promise<number> {
  return finish(session.runner, [judged], remarks, true);
}

function dispatchedRange(session: Session, { ref, sha }: Extract<Target, { readonly kind: 'ref' }>) {
  if (session.defaultBranch === undefined) throw new Refusal('CS1702', 'The event names no default branch.');
  return { base: session.defaultBranch, head: sha, ref };
}

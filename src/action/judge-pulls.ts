import { decide } from '../gate/decide.ts';
import type { Facts } from '../gate/facts.ts';
import { Refusal } from '../domain/errors.ts';
import { version } from '../domain/version.ts';
import { collectPullRequest } from '../sources/pull-request/github.ts';
import { callerOf, withWorkflow } from './caller.ts';
import type { Judged } from '../judge/judged.ts';
import type { OpenPull } from '../judge/pulls.ts';
import type { Session } from './session.ts';

/** Open pull requests with one head that are judged; more are never needed, and each costs as much as the first. */
export const MAX_PULLS_OF_HEAD = 10;

export interface JudgedPull extends Judged {
  readonly pull: OpenPull;
}

/**
 * Judges pull requests that share a head, each by the rules of its own base.
 * @throws Refusal CS1705 where one of them has another head meanwhile; CS16xx
 */
export async function judgePulls(
  session: Session,
  pulls: readonly OpenPull[],
  workflowSha: string | undefined,
): Promise<JudgedPull[]> {
  const judged: JudgedPull[] = [];
  for (const pull of pulls.slice(0, MAX_PULLS_OF_HEAD)) {
    const facts = await factsOf(session, pull, workflowSha);
    const known = pulls.length <= MAX_PULLS_OF_HEAD ? facts : withTooMany(facts, pulls.length);
    judged.push({ pull, facts: known, report: decide(known) });
  }
  return judged;
}

async function factsOf(session: Session, pull: OpenPull, workflowSha: string | undefined): Promise<Facts> {
  const { api, repository, now, inputs } = session;
  const facts = await collectPullRequest({
    ...{ api, repository, number: pull.number, now, engine: version(), runs: inputs.runIds },
    caller: callerOf(session),
  });
  const head = facts.subject.head.sha;
  if (head !== pull.headSha) throw moved(pull.number, pull.headSha, head ?? 'none');
  return withWorkflow(session, facts, workflowSha);
}

function withTooMany(facts: Facts, count: number): Facts {
  const why = `its head is open in ${count} pull requests, and ${MAX_PULLS_OF_HEAD} are judged`;
  return { ...facts, unread: [...facts.unread, { what: 'Every pull request with this head', why }] };
}

/** The refusal of a run whose pull request is not any more what it was started for. */
export function moved(number: number, from: string, to: string): Refusal {
  const [was, is] = [from, to].map((sha) => sha.slice(0, 12));
  const what = was === is ? 'The base' : 'The head';
  const how = was === is ? 'is another one now' : `moved from ${was} to ${is}`;
  return new Refusal('CS1705', `${what} of pull request ${number} ${how}: nothing was published.`);
}

import { commandsIn } from '../../../gate/commands.ts';
import type { Command, GivenCommand } from '../../../gate/commands.ts';
import type { DecisionFacts } from '../../../gate/facts.ts';
import { GHOST } from './identity.ts';
import type { PullComment } from './pull.ts';
import { headAt } from './pushes.ts';
import type { Push } from './pushes.ts';

/** How the source of a decision in a comment starts; the comment's id follows. */
export const COMMENT_SOURCE = 'github:comment:';

/** What decisions are bound to. */
export interface DecisionContext {
  /** Of the head branch, newest first (`readPushes`); none: nothing is known of any head but by digests. */
  readonly pushes: readonly Push[];
  readonly headSha: string;
  /** Digests of the contracts that the verdict at this head is about, in hex. */
  readonly contracts: readonly string[];
}

/**
 * What people decided in comments, in the order of the comments. Each is bound to the head that the branch stood at when
 * the comment was written, as the repository's activity tells it (`headAt`): null where it does not tell, and then it
 * does not count. It is never taken from the comment's text, from commits' times (anyone sets those) or from when a
 * commit was first seen. Comments that were edited are listed as such, with what they say now.
 *
 * `approve contract` with a whole digest is about that contract whatever the head. With its first 12 digits or more, or
 * without any, it is about the only contract of this head that starts so, if it was written at this head. Else its
 * subject is what was written, which is no contract's digest.
 */
export function decisionsOf(comments: readonly PullComment[], context: DecisionContext): DecisionFacts[] {
  return comments.flatMap((comment) => {
    const head = headAt(context.pushes, comment.created_at);
    return commandsIn(comment.body).flatMap(({ command }): DecisionFacts[] => {
      const decided = decisionOf(command, head, context);
      if (decided === undefined) return [];
      return [
        {
          subject: '',
          reason: '',
          ...decided,
          user_id: comment.author?.id ?? null,
          login: comment.author?.login ?? GHOST,
          at: comment.created_at,
          head_sha: head,
          source: `${COMMENT_SOURCE}${comment.id}`,
          edited: comment.edited,
        },
      ];
    });
  });
}

type Decided = Pick<DecisionFacts, 'kind'> & Partial<Pick<DecisionFacts, 'subject' | 'reason' | 'until'>>;

function decisionOf(command: Command, head: string | null, context: DecisionContext): Decided | undefined {
  switch (command.kind) {
    case 'approve':
      return { kind: command.kind };
    case 'approve-contract':
      return { kind: command.kind, subject: contractMeant(command.digest, head, context) };
    case 'confirm-waiver':
    case 'confirm-skip':
    case 'confirm-tests':
      return { kind: command.kind, reason: command.reason };
    case 'allow': {
      const { kind, finding, reason, until } = command;
      return { kind, subject: finding, reason, ...(until === undefined ? {} : { until }) };
    }
    case 'recheck':
    case 'help':
    case 'explain':
    case 'not-understood':
      return undefined;
  }
}

function contractMeant(
  digest: string | undefined,
  head: string | null,
  { headSha, contracts }: DecisionContext,
): string {
  // Twelve digits can be made alike on purpose: a later contract must not be taken for the one that was read.
  if (head !== headSha) return digest ?? '';
  const meant = [...new Set(contracts)].filter((one) => one.startsWith(digest ?? ''));
  return meant.length === 1 && meant[0] !== undefined ? meant[0] : (digest ?? '');
}

/** A comment that asks for something, for whoever answers comments. */
export interface CommentCommands {
  readonly comment: PullComment;
  readonly commands: readonly GivenCommand[];
}

/** Comments with commands in them, of people only: apps are not answered, least of all this one. */
export function commentsToAnswer(comments: readonly PullComment[]): CommentCommands[] {
  return comments.flatMap((comment) => {
    if (comment.author?.type !== 'user') return [];
    const commands = commandsIn(comment.body);
    return commands.length === 0 ? [] : [{ comment, commands }];
  });
}

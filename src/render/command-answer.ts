import { COMMAND_USAGE } from '../gate/commands.ts';
import type { GateFinding, GateReport } from '../gate/report.ts';
import { cellCode, codeSpan, markdownText } from './escape.ts';
import { COMMENT_LIMIT, NAME_LIMIT, SENTENCE_LIMIT } from './limits.ts';
import { remedy } from './markdown-parts.ts';
import { RULE_INDEX } from './rule-index.ts';
import { bounded } from './visible.ts';
import { findingPlace, SEVERITY_WORDS } from './words.ts';

/** What is said to one command of a comment. */
export type CommandAnswer =
  | { readonly is: 'help' }
  | { readonly is: 'not-understood'; readonly why: string }
  | { readonly is: 'explained'; readonly finding: GateFinding }
  | { readonly is: 'no-such-finding'; readonly id: string; readonly report: Pick<GateReport, 'findings'> }
  /** A decision that counts says so by what it changes; one that does not must be told why. */
  | { readonly is: 'not-counted'; readonly what: string; readonly why: string };

/** Ids that are listed where the one that was asked for is none. */
const SHOWN_IDS = 20;

/**
 * The answer to a comment's commands, one block a command. The marker holds the comment's id, so that an answer whose
 * posting was cut off is found again; nothing else is read from it.
 */
export function answerMarkdown(
  commentId: number,
  answers: readonly (CommandAnswer & { readonly command: string })[],
): string {
  const blocks = answers.map((answer) => `> ${codeSpan(answer.command, NAME_LIMIT)}\n\n${textOf(answer)}`);
  const marker = answerMarker(commentId);
  return `${bounded(blocks.join('\n\n---\n\n'), COMMENT_LIMIT - marker.length - 10)}\n\n${marker}\n`;
}

/** The line by which an answer is found again among the App's own comments. */
export function answerMarker(commentId: number): string {
  return `<!-- countersign:answer ${commentId} -->`;
}

function textOf(answer: CommandAnswer): string {
  switch (answer.is) {
    case 'help':
      return usage();
    case 'not-understood':
      return `This was not understood: ${markdownText(answer.why, SENTENCE_LIMIT)}.\n\n${usage()}`;
    case 'explained':
      return explanation(answer.finding);
    case 'no-such-finding': {
      const ids = answer.report.findings
        .slice(0, SHOWN_IDS)
        .map(({ id, rule }) => `${codeSpan(id)} (${codeSpan(rule)})`);
      const listed =
        ids.length === 0 ? 'There is no finding at this head.' : `Findings at this head: ${ids.join(', ')}`;
      return `No finding has the id ${codeSpan(answer.id)}. ${listed}`;
    }
    case 'not-counted':
      return `${markdownText(answer.what, SENTENCE_LIMIT)} does not count: ${markdownText(answer.why, SENTENCE_LIMIT)}.`;
  }
}

function usage(): string {
  const rows = COMMAND_USAGE.map(
    ({ usage: how, does, who }) => `| ${cellCode(`/countersign ${how}`)} | ${does} | ${who} |`,
  );
  return [
    'Each command stands on a line of its own, outside code and quotes. A comment that was edited never counts.',
    '',
    '| command | what it does | who |',
    '| --- | --- | --- |',
    ...rows,
  ].join('\n');
}

function explanation(finding: GateFinding): string {
  const { id, rule, severity, message, remedy: how } = finding;
  const place = findingPlace(finding);
  const about = RULE_INDEX.get(rule);
  const lines = [
    `**${codeSpan(rule)}** ${codeSpan(id)}, ${SEVERITY_WORDS[severity].title.toLowerCase()}`,
    ...(place === undefined ? [] : [`Where: ${codeSpan(place, NAME_LIMIT)}`]),
    markdownText(message, SENTENCE_LIMIT),
    ...(about === undefined ? [] : [`Why it matters: ${markdownText(about.why, SENTENCE_LIMIT)}`]),
    remedy(how, '', { folded: true, items: 20, sentence: SENTENCE_LIMIT }),
  ];
  return lines.join('\n\n');
}

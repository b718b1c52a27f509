import type { CommitInput, PullRequestInput, SquashSettings } from './input.ts';
import { gitTrailers } from './trailers.ts';

/** GitHub's line between the text and the co-authors that it adds; seen in its squash commits. */
const SEPARATOR = '---------';

/**
 * The message that GitHub would propose for squashing the pull request: the title with the number, the body, the
 * commits' messages as a list or nothing, then a co-author trailer for each author but the pull request's own and for
 * each co-author of the commits. The person who merges can still edit it.
 */
export function squashMessage(
  pullRequest: PullRequestInput,
  commits: readonly CommitInput[],
  settings: SquashSettings,
): string {
  const [only, ...more] = commits;
  const single = only !== undefined && more.length === 0 ? splitMessage(only.message) : undefined;
  const title = settings.title === 'COMMIT_OR_PR_TITLE' && single !== undefined ? single.subject : pullRequest.title;
  const numbered = pullRequest.number === undefined ? title : `${title} (#${String(pullRequest.number)})`;
  const body = bodyOf(pullRequest, commits, settings, single);
  const present = new Set(coAuthorsOf(body).map(addressOf));
  const coAuthors = coAuthorValues(pullRequest, commits).filter((value) => !present.has(addressOf(value)));
  const trailers = coAuthors.map((value) => `Co-authored-by: ${value}`).join('\n');
  const separated = body === '' || trailers === '' ? trailers : `${SEPARATOR}\n\n${trailers}`;
  return [numbered, body, separated].filter((part) => part !== '').join('\n\n') + '\n';
}

function bodyOf(
  pullRequest: PullRequestInput,
  commits: readonly CommitInput[],
  settings: SquashSettings,
  single: { readonly body: string } | undefined,
): string {
  switch (settings.message) {
    case 'BLANK':
      return '';
    case 'PR_BODY':
      return pullRequest.body.replaceAll('\r\n', '\n').trim();
    case 'COMMIT_MESSAGES':
      if (single !== undefined) return single.body;
      return commits
        .map(({ message }) => splitMessage(message))
        .map(({ subject, body }) => (body === '' ? `* ${subject}` : `* ${subject}\n\n${body}`))
        .join('\n\n');
  }
}

function coAuthorValues(pullRequest: PullRequestInput, commits: readonly CommitInput[]): string[] {
  const own = pullRequest.author?.login.toLowerCase();
  const values = new Map<string, string>();
  for (const { author, message } of commits) {
    const isOwn = own !== undefined && author.login?.toLowerCase() === own;
    const named = isOwn ? [] : [`${author.name} <${author.email}>`];
    for (const value of [...named, ...coAuthorsOf(message)]) {
      if (!values.has(addressOf(value))) values.set(addressOf(value), value);
    }
  }
  return [...values.values()];
}

function coAuthorsOf(message: string): string[] {
  return gitTrailers(message)
    .filter(({ key }) => key.toLowerCase() === 'co-authored-by')
    .map(({ value }) => value);
}

function addressOf(value: string): string {
  const start = value.lastIndexOf('<');
  return (start === -1 ? value : value.slice(start + 1).replace('>', '')).trim().toLowerCase();
}

function splitMessage(message: string): { readonly subject: string; readonly body: string } {
  const text = message.replaceAll('\r\n', '\n').trim();
  const end = text.indexOf('\n');
  return end === -1 ? { subject: text, body: '' } : { subject: text.slice(0, end), body: text.slice(end + 1).trim() };
}

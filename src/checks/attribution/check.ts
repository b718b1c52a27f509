import type { FindingDraft, Place } from '../finding.ts';
import type { Severity } from '../rule.ts';
import { exemptionOf, isExemptAccount } from './exempt.ts';
import { grammarOf } from './grammar.ts';
import { recogniseIdentity } from './identity.ts';
import type { AttributionInput, AttributionOptions, CommitInput, Person, PullRequestInput } from './input.ts';
import { disclosureTrailer, findInText, hasDisclosure } from './message.ts';
import { commitRemedy, draftRemedy, identityRemedy, pullRequestRemedy, squashRemedy } from './remedy.ts';
import { ATTRIBUTION_RULES } from './rules.ts';
import type { AttributionRuleId } from './rules.ts';
import { squashMessage } from './squash.ts';
import type { TextFinding } from './text-finding.ts';
import { show } from './unicode.ts';

interface Found {
  readonly rule: AttributionRuleId;
  readonly severity: Severity;
  readonly place: Place;
  readonly subject: string;
  readonly message: string;
}

/**
 * Everything in a pull request or a range of commits that the options forbid: authors, committers and messages of all
 * commits, title and description, and the message that squashing would make. Commits oldest first.
 */
export function checkAttribution(input: AttributionInput, options: AttributionOptions): FindingDraft[] {
  if (options.mode === 'off') return [];
  const judged = input.commits.map((commit) => ({ commit, found: judgeCommit(commit, options) }));
  const drafts = withCommitRemedies(
    input.commits,
    judged.flatMap(({ found }) => found),
  );
  if (input.pullRequest === undefined) return drafts;
  const texts = isExemptAccount(input.pullRequest.author, options)
    ? []
    : pullRequestFindings(input.pullRequest, input, options);
  const squash = squashFindings(input.pullRequest, input, options, [...drafts, ...texts]);
  return [...drafts, ...texts, ...squash];
}

/**
 * What a message that is about to be committed holds, as git will record it (see `cleanMessage`). `place` is where a
 * finding is said to stand: by default the file that git keeps the message in.
 */
export function checkMessage(
  text: string,
  options: AttributionOptions,
  place: Extract<Place, { at: 'file' }> = { at: 'file', path: 'COMMIT_EDITMSG' },
): FindingDraft[] {
  const found: Found[] = findInText(text, 'message', options).map(({ rule, severity, line, subject, message }) => ({
    rule,
    severity,
    place: { ...place, line },
    subject,
    message,
  }));
  // Git refuses an empty message itself.
  if (
    options.mode === 'require-disclosure' &&
    text.trim() !== '' &&
    !isMergeSubject(text) &&
    !hasDisclosure(text, options)
  ) {
    found.push(undisclosed(options, place));
  }
  return found.map((each) => ({ ...each, remedy: draftRemedy(adviceOf(each.rule, options)) }));
}

/**
 * Credit in the text of a file: what the mode `forbid` looks for, whatever the mode, since lists of words and
 * disclosures are about messages. Markdown is read as a description is, anything else as a message.
 */
export function checkFile(path: string, text: string, options: AttributionOptions): FindingDraft[] {
  if (options.mode === 'off') return [];
  const kind = /\.(?:md|mdx|markdown)$/i.test(path) ? 'markdown' : 'message';
  return findInText(text, kind, { ...options, mode: 'forbid' }).map((each) => ({
    ...toFound(each, { at: 'file', path, line: each.line }),
    remedy: ATTRIBUTION_RULES[each.rule].remedy,
  }));
}

/** Whether a person who is about to commit bears an agent's name: for hooks, which see no commit yet. */
export function checkIdentity(
  person: Person,
  part: 'author' | 'committer',
  options: AttributionOptions,
  place: Place = { at: 'repository' },
): FindingDraft[] {
  return identityFindings(person, part, options, place).map((each) => ({
    ...each,
    remedy: identityRemedy(adviceOf(each.rule, options)),
  }));
}

function judgeCommit(commit: CommitInput, options: AttributionOptions): Found[] {
  const exemption = exemptionOf(commit, options);
  if (exemption.kind === 'proven') return [];
  const at = (part: 'author' | 'committer' | 'message', line?: number): Place => ({
    at: 'commit',
    sha: commit.sha,
    part,
    ...(line === undefined ? {} : { line }),
  });
  const found: Found[] = [
    ...identityFindings(commit.author, 'author', options, at('author')),
    ...identityFindings(commit.committer, 'committer', options, at('committer')),
    ...findInText(commit.message, 'message', options).map((each) => toFound(each, at('message', each.line))),
  ];
  // A merge that only joins its parents is nobody's work: no disclosure is asked of it.
  const joins = commit.parents.length > 1 && (commit.resolvedPaths ?? []).length === 0;
  if (options.mode === 'require-disclosure' && !joins && !hasDisclosure(commit.message, options)) {
    found.push(undisclosed(options, at('message')));
  }
  if (exemption.kind === 'claimed' && found.length > 0) {
    found.push({
      rule: 'attribution/unproven-bot',
      severity: 'note',
      place: at('author'),
      subject: exemption.bot.login,
      message: `The commit says that it is ${exemption.bot.login}'s; no signature or push of that account proves it.`,
    });
  }
  return found;
}

function identityFindings(
  person: Person,
  part: 'author' | 'committer',
  options: AttributionOptions,
  place: Place,
): Found[] {
  if (options.mode === 'off' || options.mode === 'require-disclosure') return [];
  const known = recogniseIdentity(grammarOf(options), person, 'attribution/identity');
  if (known === undefined) return [];
  return [
    {
      rule: 'attribution/identity',
      severity: 'block',
      place,
      subject: known.tool,
      message: `The ${part} is ${known.tool} (by ${known.by}): “${show(`${person.name} <${person.email}>`)}”.`,
    },
  ];
}

function toFound({ rule, severity, subject, message }: TextFinding, place: Place): Found {
  return { rule, severity, place, subject, message };
}

function undisclosed(options: AttributionOptions, place: Place): Found {
  const key = disclosureTrailer(options);
  return {
    rule: 'attribution/missing-disclosure',
    severity: 'block',
    place,
    subject: key.toLowerCase(),
    message: `The message has no ${key} trailer with a value in its last paragraph.`,
  };
}

function pullRequestFindings(
  pullRequest: PullRequestInput,
  input: AttributionInput,
  options: AttributionOptions,
): FindingDraft[] {
  const lands = input.squash?.message === 'PR_BODY' || input.mergeMessage === 'PR_BODY';
  return (['title', 'body'] as const).flatMap((part) =>
    findInText(pullRequest[part], 'markdown', options).map((each) => {
      const hides = each.rule === 'attribution/bidi-control' || each.rule === 'attribution/hidden-text';
      const severity = part === 'title' || lands || hides || each.severity !== 'block' ? each.severity : 'warn';
      const note = severity === each.severity ? '' : ' It does not become part of a commit message here.';
      return {
        ...toFound(each, { at: 'pull-request', part, line: each.line }),
        severity,
        message: `${each.message}${note}`,
        remedy: pullRequestRemedy(part, pullRequest.number, adviceOf(each.rule, options)),
      };
    }),
  );
}

// What only the squash message shows; what has been found at its source is not said twice.
function squashFindings(
  pullRequest: PullRequestInput,
  input: AttributionInput,
  options: AttributionOptions,
  known: readonly FindingDraft[],
): FindingDraft[] {
  if (input.squash === undefined) return [];
  const commits = input.commits.filter((commit) => exemptionOf(commit, options).kind !== 'proven');
  const own = isExemptAccount(pullRequest.author, options) ? { ...pullRequest, title: '', body: '' } : pullRequest;
  const seen = new Set(known.map(({ subject }) => subject.split(' ').at(-1)));
  return findInText(squashMessage(own, commits, input.squash), 'message', options)
    .filter(({ subject }) => !seen.has(subject.split(' ').at(-1)))
    .map((each) => ({
      ...toFound(each, { at: 'pull-request', part: 'squash-message', line: each.line }),
      remedy: squashRemedy(adviceOf(each.rule, options)),
    }));
}

function withCommitRemedies(commits: readonly CommitInput[], found: readonly Found[]): FindingDraft[] {
  const bad = { author: new Set<string>(), committer: new Set<string>(), message: new Set<string>() };
  for (const { place, severity } of found) {
    if (place.at === 'commit' && severity !== 'note') bad[place.part].add(place.sha);
  }
  // One remedy for all findings of a rule and part: it names all their commits.
  const made = new Map<string, string>();
  return found.map((each) => {
    const { place } = each;
    const advice = ATTRIBUTION_RULES[each.rule].remedy;
    if (place.at !== 'commit' || each.severity === 'note') return { ...each, remedy: advice };
    const key = `${each.rule} ${place.part}`;
    const remedy = made.get(key) ?? commitRemedy(commits, bad[place.part], place.part, advice);
    made.set(key, remedy);
    return { ...each, remedy };
  });
}

function adviceOf(rule: AttributionRuleId, options: AttributionOptions): string {
  const { remedy } = ATTRIBUTION_RULES[rule];
  return rule === 'attribution/missing-disclosure' ? `${remedy}\n    ${disclosureTrailer(options)}: none` : remedy;
}

function isMergeSubject(text: string): boolean {
  return /^Merge (?:branch|branches|remote-tracking branch|tag|pull request|commit) /.test(text);
}

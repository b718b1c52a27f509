import { checkIdentity, checkMessage } from '../checks/attribution/check.ts';
import type { FindingDraft } from '../checks/finding.ts';
import { Refusal } from '../domain/errors.ts';
import { hookRules } from './attribution-options.ts';
import { callingGit, identityOf, messageSettings } from './git-settings.ts';
import { readMessageFile, recordedMessage } from './message-file.ts';
import { isSwitchedOff } from './switches.ts';

/** What git tells a commit-msg hook, and when. */
export interface CommitMsgCall {
  /** The hook's one argument: the message file. */
  readonly file: string | undefined;
  readonly folder: string;
  readonly environment: NodeJS.ProcessEnv;
  /** As YYYY-MM-DD, in UTC. */
  readonly today: string;
}

export type CommitMsgVerdict =
  | { readonly state: 'off' }
  | {
      readonly state: 'checked';
      /** Whether the commit may be made. */
      readonly passes: boolean;
      /** Those of the message first; their lines are the file's. */
      readonly findings: readonly FindingDraft[];
      /** Where the rules come from, for people. */
      readonly source: string;
      readonly notes: readonly string[];
    };

/**
 * The commit-msg hook: what the message that git is about to record, its author and its committer hold that the
 * repository's attribution rules forbid. It fails closed: whatever keeps it from looking is thrown.
 * @throws Refusal CS1309 for a missing argument or an unreadable message; CS1502, CS1503 where git does not answer
 */
export async function checkCommitMessage(call: CommitMsgCall): Promise<CommitMsgVerdict> {
  const { file, folder, environment, today } = call;
  if (isSwitchedOff('attribution', environment)) return { state: 'off' };
  if (file === undefined || file === '') throw new Refusal('CS1309', 'commit-msg was given no message file.');
  const bytes = readMessageFile(file, folder);
  const git = callingGit(folder, environment);
  const [rules, settings, author, committer] = await Promise.all([
    hookRules(git, today),
    messageSettings(git),
    identityOf(git, 'author'),
    identityOf(git, 'committer'),
  ]);
  const message = recordedMessage(bytes, settings, environment['GIT_EDITOR'] !== ':');
  const findings = [
    ...checkMessage(message.text, rules.options, { at: 'file', path: file }).map((draft) =>
      atFileLine(draft, message.fileLine),
    ),
    ...(author === undefined ? [] : checkIdentity(author, 'author', rules.options)),
    ...(committer === undefined ? [] : checkIdentity(committer, 'committer', rules.options)),
  ];
  return {
    state: 'checked',
    passes: findings.every(({ severity }) => severity !== 'block'),
    findings,
    source: rules.source,
    notes: rules.notes,
  };
}

function atFileLine(draft: FindingDraft, fileLine: (line: number) => number): FindingDraft {
  const { place } = draft;
  return place.at === 'file' && place.line !== undefined
    ? { ...draft, place: { ...place, line: fileLine(place.line) } }
    : draft;
}

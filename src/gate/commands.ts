import { commandLines } from './command-lines.ts';

/** What a slash command asks for. */
export type Command =
  | { readonly kind: 'recheck' }
  | { readonly kind: 'help' }
  | { readonly kind: 'explain'; readonly finding: string }
  | { readonly kind: 'approve' }
  /** `digest`: 12 to 64 hex digits, in lower case; undefined: the one contract that stands in the verdict. */
  | { readonly kind: 'approve-contract'; readonly digest: string | undefined }
  | { readonly kind: 'confirm-waiver' | 'confirm-skip' | 'confirm-tests'; readonly reason: string }
  /** `until`: a day of the calendar, YYYY-MM-DD. */
  | { readonly kind: 'allow'; readonly finding: string; readonly reason: string; readonly until: string | undefined }
  /** Meant as a command and none: for an answer, never a decision. `why` is one sentence. */
  | { readonly kind: 'not-understood'; readonly why: string };

/** A command and where it stands. */
export interface GivenCommand {
  /** From 1. */
  readonly line: number;
  /** The line as it was written, without white space around it. */
  readonly text: string;
  readonly command: Command;
}

/** Commands that one comment gives: of more, none is read. */
export const MAX_COMMANDS = 20;

/** How commands are written, what they do, and who may give them. The first word of all is `/countersign`. */
export const COMMAND_USAGE = [
  { usage: 'recheck', does: 'Judges the pull request again.', who: 'anyone' },
  { usage: 'help', does: 'Shows these commands.', who: 'anyone' },
  { usage: 'explain <finding>', does: 'Says more about a finding, by its id.', who: 'anyone' },
  {
    usage: 'approve',
    does: 'Approves changes of the files that govern the gate, at this head.',
    who: 'permitted people',
  },
  {
    usage: 'approve contract [digest]',
    does: 'Approves the contract of the run; its digest, or the first 12 digits of it, where there are several.',
    who: 'permitted people',
  },
  {
    usage: 'confirm waiver|skip|tests <reason>',
    does: 'Confirms waived gates, skipped tasks, or tests that the pull request changes itself, at this head.',
    who: 'permitted people',
  },
  {
    usage: 'allow <finding> <reason> [until YYYY-MM-DD]',
    does: 'Allows a finding at this head.',
    who: 'permitted people',
  },
] as const satisfies readonly { readonly usage: string; readonly does: string; readonly who: string }[];

/**
 * The commands in a comment, in order. One stands on a line of its own that starts with `/countersign`, indented by
 * three spaces at most, outside code blocks, quotes, HTML and HTML comments; upper and lower case and the amount of
 * white space do not matter, except within a reason. A reason goes to the end of the line. Where it takes a Markdown
 * renderer to tell whether a line is code, it is not a command (`command-lines.ts`).
 */
export function commandsIn(body: string): GivenCommand[] {
  const lines = commandLines(body);
  const given = lines.map(({ line, text, unclear }): GivenCommand => {
    const command = unclear === undefined ? readCommand(text) : notUnderstood(unclear);
    return { line, text, command };
  });
  if (given.length <= MAX_COMMANDS) return given;
  const why = `there are more than ${MAX_COMMANDS} commands in this comment, and none of them is read`;
  return given.slice(0, 1).map((one) => ({ ...one, command: notUnderstood(why) }));
}

const notUnderstood = (why: string): Command => ({ kind: 'not-understood', why });

/** Reads one line that starts with `/countersign`. */
function readCommand(text: string): Command {
  const { word, rest } = cut(cut(text).rest);
  switch (word.toLowerCase()) {
    case '':
      return notUnderstood('it names nothing to do');
    case 'recheck':
      return { kind: 'recheck' };
    case 'help':
      return { kind: 'help' };
    case 'explain':
      return readExplain(rest);
    case 'approve':
      return readApprove(rest);
    case 'confirm':
      return readConfirm(rest);
    case 'allow':
      return readAllow(rest);
    default:
      return notUnderstood(`there is no command \`${plain(word)}\``);
  }
}

/** The first word of a text and what follows it, both without white space around them. */
function cut(text: string): { readonly word: string; readonly rest: string } {
  const trimmed = text.trim();
  const end = trimmed.search(/\s/);
  return end < 0 ? { word: trimmed, rest: '' } : { word: trimmed.slice(0, end), rest: trimmed.slice(end).trim() };
}

/** A finding's id (`identify` in `checks/finding.ts`). */
const FINDING = /^[0-9a-f]{12}$/;
const DIGEST = /^[0-9a-f]{12,64}$/;
const NO_FINDING = 'a finding is named by its id, 12 digits and letters as the report shows it';

function readExplain(rest: string): Command {
  const { word, rest: more } = cut(rest);
  const finding = word.toLowerCase();
  return FINDING.test(finding) && more === '' ? { kind: 'explain', finding } : notUnderstood(NO_FINDING);
}

// An approval with more words than it has is none: "approve once the tests pass" must not approve.
function readApprove(rest: string): Command {
  const { word, rest: more } = cut(rest);
  if (word === '') return { kind: 'approve' };
  if (word.toLowerCase() !== 'contract') return notUnderstood('`approve` stands alone, or is followed by `contract`');
  const { word: named, rest: extra } = cut(more);
  const digest = named.toLowerCase().replace(/^sha256:/, '');
  if (named === '') return { kind: 'approve-contract', digest: undefined };
  if (extra === '' && DIGEST.test(digest)) return { kind: 'approve-contract', digest };
  return notUnderstood(
    '`approve contract` is followed by nothing but the digest of the contract, 12 digits of it at least',
  );
}

const CONFIRMED = ['waiver', 'skip', 'tests'] as const;

function readConfirm(rest: string): Command {
  const { word, rest: reason } = cut(rest);
  const what = CONFIRMED.find((one) => one === word.toLowerCase());
  if (what === undefined) return notUnderstood('what is confirmed is `waiver`, `skip` or `tests`');
  if (!isReason(reason)) return notUnderstood(`\`confirm ${what}\` needs a reason`);
  return { kind: `confirm-${what}`, reason };
}

function readAllow(rest: string): Command {
  const { word, rest: more } = cut(rest);
  const finding = word.toLowerCase();
  if (!FINDING.test(finding)) return notUnderstood(NO_FINDING);
  const dated = splitUntil(more);
  if (dated.until !== undefined && !isDay(dated.until))
    return notUnderstood('`until` is followed by a day of the calendar, such as 2027-01-31');
  if (!isReason(dated.reason)) return notUnderstood('`allow` needs a reason');
  return { kind: 'allow', finding, ...dated };
}

/** A reason and the day behind a last `until`; "until we know more" is part of the reason, "until 2027-1-1" a mistake. */
function splitUntil(text: string): { readonly reason: string; readonly until: string | undefined } {
  const words = text.split(/\s+/);
  const [before, day = ''] = words.slice(-2);
  if (words.length < 2 || before?.toLowerCase() !== 'until' || !/^\d/.test(day)) {
    return { reason: text, until: undefined };
  }
  const reason = text.slice(0, -day.length).trimEnd().slice(0, -before.length).trimEnd();
  return { reason, until: day };
}

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text);
}

// Something that can be read: letters or digits of any script.
const isReason = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** A word as an answer may repeat it: nothing that does anything in Markdown, and not much of it. */
const plain = (word: string): string => word.replace(/[^A-Za-z0-9_-]/g, '?').slice(0, 40);

/** Who made a commit, or opened a pull request, as far as it is known. */
export interface Person {
  readonly name: string;
  readonly email: string;
  /** The platform's account, where it found one. It finds it by the address, which anyone can write. */
  readonly login?: string;
  readonly id?: number;
  readonly type?: 'User' | 'Bot' | 'Organization';
}

/** An account that the platform has authenticated: who pushed, who opened the pull request. */
export interface Account {
  readonly login: string;
  readonly id?: number;
  readonly type?: 'User' | 'Bot' | 'Organization';
}

export interface CommitInput {
  /** The full object name. */
  readonly sha: string;
  readonly author: Person;
  readonly committer: Person;
  /** As git stores it: subject, blank line, body. */
  readonly message: string;
  /** Whether the platform says that the signature is good and the committer's own. */
  readonly verified?: boolean;
  /** Who pushed it, if the platform tells. */
  readonly pusher?: Account;
  readonly parents: readonly string[];
  /** Of a merge: the paths whose content is that of no parent. Not known: undefined. */
  readonly resolvedPaths?: readonly string[];
}

export interface PullRequestInput {
  readonly number?: number;
  readonly title: string;
  readonly body: string;
  readonly author?: Account;
}

/**
 * What the repository puts into the message when it squashes: `squash_merge_commit_title` and
 * `squash_merge_commit_message` of GitHub's `GET /repos/{owner}/{repo}`.
 */
export interface SquashSettings {
  readonly title: 'PR_TITLE' | 'COMMIT_OR_PR_TITLE';
  readonly message: 'PR_BODY' | 'COMMIT_MESSAGES' | 'BLANK';
}

/** Everything that the attribution check looks at. */
export interface AttributionInput {
  /** Oldest first; the last one is the head. */
  readonly commits: readonly CommitInput[];
  readonly pullRequest?: PullRequestInput;
  readonly squash?: SquashSettings;
  /** `merge_commit_message` of the repository: with PR_BODY the description lands in history too. */
  readonly mergeMessage?: 'PR_BODY' | 'PR_TITLE' | 'BLANK';
}

export const ATTRIBUTION_MODES = ['forbid', 'forbid-mention', 'require-disclosure', 'off'] as const;
export type AttributionMode = (typeof ATTRIBUTION_MODES)[number];

/** An automation account whose work is not judged, once it is proven that the work is its own. */
export interface ExemptBot {
  readonly login: string;
  /** The platform's numeric id. Without it the login that the platform names has to do; logins can change hands. */
  readonly id?: number;
}

/** A tool of the user's own, beside those of the table. All texts are literal, never patterns. */
export interface ExtraTool {
  /** Shown in findings and used in `allowTools`. */
  readonly tool: string;
  /** Mail addresses, compared whole. */
  readonly addresses?: readonly string[];
  /** Logins, compared whole, with their `[bot]` where they have one. */
  readonly logins?: readonly string[];
  /** Names that count after a verb of credit and in a credit trailer. */
  readonly names?: readonly string[];
  /** Keys of trailers that only this tool writes. */
  readonly trailerKeys?: readonly string[];
  /** Text that counts wherever it stands on a line: a link's beginning, a fixed footer. */
  readonly phrases?: readonly string[];
}

/** A text that looks like a tool's and is not; compared whole, without regard to case. */
export interface AllowedText {
  readonly text: string;
  /** The id of the one rule that it is allowed under. */
  readonly rule?: string;
}

export interface AttributionOptions {
  readonly mode: AttributionMode;
  readonly extra?: readonly ExtraTool[];
  /** Trailer keys that may credit a tool, such as `Assisted-by`. */
  readonly allowKeys?: readonly string[];
  /** Addresses, logins, names and whole values of trailers that are never a tool's. */
  readonly allowIdentities?: readonly string[];
  /** The same for one rule each, or for all where none is named. */
  readonly allow?: readonly AllowedText[];
  /** Ids of tools, from the table or `extra`, that may be credited. */
  readonly allowTools?: readonly string[];
  /** A line that holds one of these texts is not judged. */
  readonly allowText?: readonly string[];
  /** Replaces `DEFAULT_EXEMPT_BOTS`. */
  readonly exemptBots?: readonly ExemptBot[];
  /** The trailer that `require-disclosure` asks for. Default: `Assisted-by`. */
  readonly disclosureTrailer?: string;
}

export const DEFAULT_DISCLOSURE_TRAILER = 'Assisted-by';

/**
 * Dependency bots: their pull requests quote release notes that others wrote.
 * Ids as in the bots' own mail addresses, e.g. `49699333+dependabot[bot]@users.noreply.github.com`.
 */
export const DEFAULT_EXEMPT_BOTS: readonly ExemptBot[] = [
  { login: 'dependabot[bot]', id: 49699333 },
  { login: 'renovate[bot]', id: 29139614 },
];

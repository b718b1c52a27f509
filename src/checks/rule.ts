/** What a rule is about, the source of its documentation page `docs/rules/<id>.md`. */
export interface Rule {
  /** One sentence: what the rule finds. */
  readonly title: string;
  /** How much a finding weighs where no configuration says otherwise. */
  readonly severity: Severity;
  /** Why it matters to someone who has to trust the branch. */
  readonly why: string;
  /** What to do about it, in words that hold for every finding of the rule. */
  readonly remedy: string;
  /** A small example of what is found, or undefined where a text could not show it. */
  readonly example?: string;
}

/** `block` keeps a pull request from VERIFIED, `warn` is shown, `note` is shown folded. */
export type Severity = 'block' | 'warn' | 'note';

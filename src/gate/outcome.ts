/** Outcomes, rising: the worst of what is found decides. */
export const OUTCOMES = ['not-governed', 'verified', 'pending', 'unverified', 'failed', 'incomplete'] as const;
export type Outcome = (typeof OUTCOMES)[number];

export const MODES = ['observe', 'warn', 'enforce'] as const;
export type Mode = (typeof MODES)[number];

/** How an outcome shows on the platform and in a shell. */
export interface Consequence {
  readonly word: 'VERIFIED' | 'UNVERIFIED' | null;
  /** Conclusion of a check run; never neutral or skipped. `awaiting`: not concluded yet. */
  readonly check: 'success' | 'failure' | 'awaiting';
  readonly exit: 0 | 1 | 4 | 5;
}

/** The outcome table, for mode enforce. */
export const CONSEQUENCES = {
  'not-governed': { word: null, check: 'success', exit: 0 },
  verified: { word: 'VERIFIED', check: 'success', exit: 0 },
  pending: { word: 'UNVERIFIED', check: 'awaiting', exit: 5 },
  unverified: { word: 'UNVERIFIED', check: 'failure', exit: 1 },
  failed: { word: 'UNVERIFIED', check: 'failure', exit: 1 },
  incomplete: { word: 'UNVERIFIED', check: 'failure', exit: 4 },
} as const satisfies Record<Outcome, Consequence>;

/** Something that keeps the outcome from being better, and who can do what about it. */
export interface Need {
  readonly outcome: Exclude<Outcome, 'verified' | 'not-governed'>;
  /** What is missing or wrong: a sentence. */
  readonly what: string;
  /** Who can change that. */
  readonly who: 'agent' | 'maintainer' | 'person' | 'platform' | 'operator';
  /** What to do; may hold a command or YAML to paste, on lines of their own. */
  readonly how: string;
  readonly run?: string;
}

/** The worse of two outcomes. */
export function worse<T extends Outcome>(a: T, b: T): T {
  return OUTCOMES.indexOf(a) >= OUTCOMES.indexOf(b) ? a : b;
}

/** The outcome that needs leave, for a pull request that is governed or not. */
export function outcomeOf(needs: readonly Need[], governed: boolean): Outcome {
  return needs.reduce<Outcome>(
    (worst, need) => worse<Outcome>(worst, need.outcome),
    governed ? 'verified' : 'not-governed',
  );
}

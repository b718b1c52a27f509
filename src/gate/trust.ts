/** Who vouches for an assertion, rising. `attested` is reserved: nothing produces it yet. */
export const TRUST_LEVELS = ['declared', 'platform', 'reexecuted', 'attested'] as const;
export type TrustLevel = (typeof TRUST_LEVELS)[number];

/** Whether a level is at least another. */
export function isAtLeast(level: TrustLevel, wanted: TrustLevel): boolean {
  return TRUST_LEVELS.indexOf(level) >= TRUST_LEVELS.indexOf(wanted);
}

/** How well the satisfied assertions of a verdict are vouched for. */
export interface TrustFloor {
  /** The highest level that any assertion reaches: what the verdict rests on beside what is only declared. */
  readonly best: TrustLevel;
  /** Assertions that rest on declared evidence alone. */
  readonly declared: number;
  readonly total: number;
}

/** The floor of trust under assertions that count. */
export function trustFloor(levels: readonly TrustLevel[]): TrustFloor {
  const best = levels.reduce<TrustLevel>((highest, level) => (isAtLeast(level, highest) ? level : highest), 'declared');
  return { best, declared: levels.filter((level) => level === 'declared').length, total: levels.length };
}

/** The floor in words, as the verdict line carries it. */
export function trustText({ best, declared, total }: TrustFloor): string {
  if (declared === total) return 'declared evidence only';
  return declared === 0 ? best : `${best}; ${declared} of ${total} assertions declared`;
}

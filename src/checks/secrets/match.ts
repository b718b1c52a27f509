import type { SecretRuleId } from './rules.ts';

/**
 * How sure a match is. `certain`: the value proves itself (a checksum, a key block). `likely`: the shape or the name
 * says so. `possible`: it may as well be a dummy or a word; redacted and shown to a guard that asks, not reported.
 */
export type Confidence = 'certain' | 'likely' | 'possible';

/** A credential in a text. Its value is never part of this: only where it stands and how long it is. */
export interface SecretMatch {
  readonly rule: SecretRuleId;
  /** What it is a credential of, as people call it: "GitHub token", "password". */
  readonly provider: string;
  readonly confidence: Confidence;
  /** Where the value itself starts and ends (exclusive), in UTF-16 units from the start of the text. */
  readonly start: number;
  readonly end: number;
  /** The name that the value is given to, where there is one: `DB_PASSWORD`. */
  readonly key?: string;
}

const RANK = { certain: 2, likely: 1, possible: 0 } as const satisfies Record<Confidence, number>;

/** Whether one confidence is at least another. */
export function isAtLeast(confidence: Confidence, floor: Confidence): boolean {
  return RANK[confidence] >= RANK[floor];
}

/**
 * Matches in the order of the text, of those that overlap only the surest (of equals the one that names a provider,
 * then the longest).
 */
export function withoutOverlaps(matches: readonly SecretMatch[]): SecretMatch[] {
  if (matches.length < 2) return [...matches];
  const byWeight = [...matches].sort(
    (a, b) =>
      RANK[b.confidence] - RANK[a.confidence] ||
      Number(isGeneric(a)) - Number(isGeneric(b)) ||
      b.end - b.start - (a.end - a.start) ||
      a.start - b.start,
  );
  // Kept matches never overlap, so only the last one that starts before can.
  const kept: SecretMatch[] = [];
  for (const match of byWeight) {
    const at = insertionPoint(kept, match.start);
    const before = kept[at - 1];
    const after = kept[at];
    if (before !== undefined && before.end > match.start) continue;
    if (after !== undefined && after.start < match.end) continue;
    kept.splice(at, 0, match);
  }
  return kept;
}

function isGeneric(match: SecretMatch): boolean {
  return match.rule === 'secrets/password' || match.rule === 'secrets/generic' || match.rule === 'secrets/url-password';
}

function insertionPoint(kept: readonly SecretMatch[], start: number): number {
  let low = 0;
  let high = kept.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((kept[middle]?.start ?? 0) < start) low = middle + 1;
    else high = middle;
  }
  return low;
}

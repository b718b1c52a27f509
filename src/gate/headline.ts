import type { Need, Outcome } from './outcome.ts';
import { trustText } from './trust.ts';
import type { TrustFloor } from './trust.ts';

/** Characters of a need that the verdict line shows. */
const SHOWN = 160;

/**
 * The verdict line: the word first, with its floor of trust or the first thing that is in the way.
 * @param caveats what a verified verdict rests on besides, such as `confirmed waivers`
 */
export function headline(
  outcome: Outcome,
  needs: readonly Need[],
  trust: TrustFloor,
  caveats: readonly string[],
): string {
  const first = needs.find((need) => need.outcome === outcome)?.what ?? '';
  const shown = first.length > SHOWN ? `${first.slice(0, SHOWN - 1).trimEnd()}…` : first;
  switch (outcome) {
    case 'verified':
      return `VERIFIED (${trustText(trust)}${caveats.length === 0 ? '' : `; with ${caveats.join(' and ')}`})`;
    case 'not-governed':
      return 'No governed run';
    case 'pending':
      return `UNVERIFIED, waiting: ${shown}`;
    case 'unverified':
      return `UNVERIFIED: ${shown}`;
    case 'failed':
      return `UNVERIFIED (failed): ${shown}`;
    case 'incomplete':
      return `UNVERIFIED (incomplete): ${shown}`;
  }
}

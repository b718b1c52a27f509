import type { Confidence } from './match.ts';
import type { SecretRuleId } from './rules.ts';
import { hasTokenChecksum } from './checksum.ts';
import { isDummyToken, isMadeOfWords } from './placeholders.ts';

/** The form of one provider's credential. */
export interface ProviderPattern {
  readonly rule: SecretRuleId;
  readonly provider: string;
  /** ASCII texts with which a credential of this form starts; compared without case, the pattern then with it. */
  readonly keywords: readonly string[];
  /** Sticky; tried where a keyword starts. Every repetition is bounded. */
  readonly pattern: RegExp;
  /** Characters that must not stand right before it; letters where nothing is said. */
  readonly notAfter?: RegExp;
  /** How sure a text of this form is; `likely` where nothing is said, undefined if it is none after all. */
  readonly judge?: (value: string) => Confidence | undefined;
}

const LETTER = /\p{L}/u;
export const LETTER_OR_DIGIT = /[\p{L}\d]/u;
export const WORD_OR_DASH = /[\p{L}\d_-]/u;

/** Certain where the checksum in the token is right. */
export const byChecksum = (value: string): Confidence => (hasTokenChecksum(value) ? 'certain' : unlessDummy(value));
/** Possible only where it is evidently made up. */
export const unlessDummy = (value: string): Confidence => (isDummyToken(value) ? 'possible' : 'likely');
/** None where it is made of words. */
export const unlessWords = (value: string): Confidence | undefined =>
  isMadeOfWords(value) ? undefined : unlessDummy(value);

/** A form for which no rule of its own is kept. */
export const other = (provider: string, keywords: readonly string[], pattern: RegExp): ProviderPattern => ({
  rule: 'secrets/provider-token',
  provider,
  keywords,
  pattern,
  judge: unlessWords,
});

/** Whether what stands before a match leaves it a word of its own. */
export function mayStartAfter(pattern: ProviderPattern, before: string): boolean {
  return !(pattern.notAfter ?? LETTER).test(before);
}

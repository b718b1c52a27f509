import { candidates, detectAt } from './detect.ts';
import { loadMaintainedRules, type MaintainedRules } from './maintained-rules.ts';
import type { SecretMatch } from './match.ts';

/**
 * Every credential in a text, in its order, without overlaps: this project's own rules and secretlint's. The latter
 * are loaded when a text first has one of their keywords.
 */
export async function scanText(text: string): Promise<SecretMatch[]> {
  const found = candidates(text);
  return detectAt(found, found.wantsMaintained ? await loadMaintainedRules() : undefined);
}

/**
 * The same, at once, by rules that were loaded before (`loadMaintainedRules`). Without them only this project's
 * own rules are tried.
 */
export function scanTextNow(text: string, maintained?: MaintainedRules): SecretMatch[] {
  return detectAt(candidates(text), maintained);
}

/**
 * A text with every credential replaced by `[redacted <provider>, <n> characters]`, also those that are only
 * possibly one. What was redacted already stays as it is.
 * @param maintained secretlint's rules, as `loadMaintainedRules` gives them; without them only this project's own
 */
export function redact(text: string, maintained?: MaintainedRules): string {
  let result = '';
  let from = 0;
  for (const { start, end, provider } of scanTextNow(text, maintained)) {
    result += `${text.slice(from, start)}[redacted ${provider}, ${end - start} characters]`;
    from = end;
  }
  return result + text.slice(from);
}

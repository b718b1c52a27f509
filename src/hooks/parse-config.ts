import type { AttributionOptions } from '../checks/attribution/input.ts';
import { CONFIG_PATH } from '../config/extends.ts';
import { parseConfig } from '../config/parse.ts';
import { problemText } from '../config/problem.ts';
import { attributionOptions } from '../gate/attribution-options.ts';

/** The attribution rules that a configuration states, or why it states none. */
export function parseHookConfig(
  text: string,
  today: string,
): { readonly ok: true; readonly options: AttributionOptions } | { readonly ok: false; readonly note: string } {
  const parsed = parseConfig(text, CONFIG_PATH);
  if (parsed.ok) return { ok: true, options: attributionOptions(parsed.config, today) };
  const first = parsed.problems[0];
  const why = first === undefined ? '' : `: ${problemText(first)}`;
  return { ok: false, note: `CS1401 The configuration at HEAD is invalid, so the defaults hold${why}` };
}

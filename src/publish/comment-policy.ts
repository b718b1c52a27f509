import type { GateReport } from '../gate/report.ts';

/** When a comment is wanted, as the config's `comment` says it. */
export type CommentPolicy = 'always' | 'on-problem' | 'never';

/** `write`: there shall be one. `update`: one that is there shall not lie. `none`: hands off. */
export type CommentWish = 'write' | 'update' | 'none';

/**
 * Whether a verdict is worth a comment. `always`: wherever a run governs or something was found; a plain change by
 * people gets none. `on-problem`: while something is wrong or awaited. Mode observe is silent.
 * Either way a comment that is already there is brought up to date.
 */
export function commentWish(
  policy: CommentPolicy,
  { mode, outcome, runs, findings }: Pick<GateReport, 'mode' | 'outcome' | 'runs' | 'findings'>,
): CommentWish {
  if (policy === 'never' || mode === 'observe') return 'none';
  const problem = outcome !== 'verified' && outcome !== 'not-governed';
  if (problem) return 'write';
  const concerns = runs.length > 0 || findings.some(({ severity }) => severity !== 'note');
  return policy === 'always' && concerns ? 'write' : 'update';
}

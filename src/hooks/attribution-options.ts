import type { AttributionOptions } from '../checks/attribution/input.ts';
import { CONFIG_PATH } from '../config/extends.ts';
import { gitFailure, runGit } from '../sources/git.ts';
import type { Runnable } from '../sources/git.ts';

/** What holds where no configuration says otherwise: the defaults of the schema, which need not be loaded for it. */
const DEFAULTS: AttributionOptions = { mode: 'forbid' };

/** What a hook checks attribution by, and what a person should know about that. */
export interface HookRules {
  readonly options: AttributionOptions;
  /** Where they come from, for people. */
  readonly source: string;
  readonly notes: readonly string[];
}

/**
 * The rules for a commit that is being made: the configuration as the commit has it that this one is built on. Neither
 * the index nor the working tree counts, since a change of the rules must not decide about itself. The base branch,
 * which decides about the pull request, may be out of date or not there at all on this machine; and a hook is advice:
 * whoever commits can leave it out, so it gains nothing by being harder to reach than HEAD.
 *
 * An `extends` is not followed: a commit must not wait for a network. What the organisation adds is found on the pull
 * request. A configuration that cannot be used leaves the defaults in force, with a note, as otherwise the commit that
 * mends it could not be made.
 * @param today as YYYY-MM-DD, in UTC
 * @throws Refusal CS1502, CS1503
 */
export async function hookRules(git: Runnable, today: string): Promise<HookRules> {
  const text = await committedConfig(git);
  if (text === undefined) return { options: DEFAULTS, source: `the defaults (no ${CONFIG_PATH} at HEAD)`, notes: [] };
  // Only here: it loads the schema, which takes longer than all the rest.
  const { parseHookConfig } = await import('./parse-config.ts');
  const parsed = parseHookConfig(text, today);
  if (parsed.ok) return { options: parsed.options, source: `${CONFIG_PATH} at HEAD`, notes: [] };
  return { options: DEFAULTS, source: 'the defaults', notes: [parsed.note] };
}

async function committedConfig(git: Runnable): Promise<string | undefined> {
  // One question, whether there is a HEAD, a file, or a repository at all.
  const answer = await runGit(git, ['cat-file', '--batch'], { input: `HEAD:${CONFIG_PATH}\n`, fails: 'allowed' });
  if (answer.code !== 0) {
    if (answer.code === 128 && /not a git repository/i.test(answer.stderr)) return undefined;
    throw gitFailure(git, 'cat-file', answer);
  }
  const lf = answer.stdout.indexOf(0x0a);
  const [, type, size] = answer.stdout.toString('latin1', 0, lf).split(' ');
  return type === 'blob' ? answer.stdout.toString('utf8', lf + 1, lf + 1 + Number(size)) : undefined;
}

import { CONFIG_PATH } from '../config/extends.ts';
import { strictestTimeline, timelineOf } from '../config/mode.ts';
import type { Config } from '../config/schema.ts';
import { RUNS_REQUIRED } from '../config/words.ts';
import type { RunsRequired } from '../config/words.ts';
import type { Facts } from './facts.ts';
import type { Outcome } from './outcome.ts';

/*
 * What whoever starts the program asks for: the Action's inputs. They stand in a workflow file, which the pull request
 * may edit, so they can always make the rules stricter. Anything else counts only where that file stands at the base
 * as it stands at the head.
 */

/** Outcomes that fail a job where nobody says otherwise: all but the two good ones. */
export const FAILING_OUTCOMES = ['pending', 'unverified', 'failed', 'incomplete'] as const satisfies readonly Outcome[];
export type FailingOutcome = (typeof FAILING_OUTCOMES)[number];

/** Whether what was asked for can be taken for the maintainers' word: it stands at the base too. */
function isTrusted({ caller }: Facts): boolean {
  return caller?.workflow?.changed === false;
}

/** Where the repository's config stands at the base. */
export function configPathOf(facts: Facts): string {
  return isTrusted(facts) ? (facts.caller?.config ?? CONFIG_PATH) : CONFIG_PATH;
}

/** The base's config with what the caller adds, and remarks on what does not count. */
export function withCaller(
  facts: Facts,
  config: Config,
  hasConfig: boolean,
): { readonly config: Config; readonly notes: readonly string[] } {
  const { caller } = facts;
  if (caller === undefined) return { config, notes: [] };
  const notes: string[] = [];
  const untrusted = caller.workflow === undefined ? 'it is not known where it was asked' : 'the pull request edits it';
  const file = caller.workflow?.path ?? 'the caller';
  const ignored = (input: string): void => void notes.push(`Input ${input} of ${file} does not count: ${untrusted}.`);
  if (caller.config !== undefined && !isTrusted(facts)) ignored('config');
  if (caller.fail_on !== undefined && !isTrusted(facts)) ignored('fail-on');
  return { config: withMode(facts, config, hasConfig, ignored, notes), notes };
}

function withMode(
  facts: Facts,
  config: Config,
  hasConfig: boolean,
  ignored: (input: string) => void,
  notes: string[],
): Config {
  const asked = facts.caller?.mode;
  if (asked === undefined) return config;
  // Without a config nobody has said how strict it is to be, and the workflow file of the base may.
  if (!hasConfig && isTrusted(facts)) {
    const { promote: _, ...others } = config;
    return { ...others, mode: asked };
  }
  const { looser, mode, steps } = strictestTimeline(timelineOf(config), { mode: asked, steps: [] });
  if (looser && hasConfig) notes.push(`Input mode (${asked}) does not count: the config at the base is stricter.`);
  if (looser && !hasConfig) ignored('mode');
  const { promote: _, ...others } = config;
  return steps.length === 0 ? { ...others, mode } : { ...others, mode, promote: [...steps] };
}

/** The stricter of what the base demands and what the caller does. */
export function withDemand(facts: Facts, required: RunsRequired): RunsRequired {
  const asked = facts.caller?.require;
  return asked !== undefined && RUNS_REQUIRED.indexOf(asked) > RUNS_REQUIRED.indexOf(required) ? asked : required;
}

/** The outcomes that fail the caller's job. */
export function failingOutcomes(facts: Facts): readonly FailingOutcome[] {
  const asked = facts.caller?.fail_on;
  return asked === undefined || !isTrusted(facts)
    ? FAILING_OUTCOMES
    : FAILING_OUTCOMES.filter((one) => asked.includes(one));
}

/** A remark on outcomes that fail no job though they would; undefined where none is let pass. */
export function relaxedText(facts: Facts): string | undefined {
  const failing = failingOutcomes(facts);
  const passing = FAILING_OUTCOMES.filter((one) => !failing.includes(one));
  if (passing.length === 0) return undefined;
  return `The job passes where the outcome is ${passing.join(' or ')}, since its input fail-on says so.`;
}

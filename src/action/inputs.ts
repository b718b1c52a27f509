import { COMMENTS, MODES, PUBLISH_FORMS, RUNS_REQUIRED } from '../config/words.ts';
import type { CommentWhen, Mode, PublishForm, RunsRequired } from '../config/words.ts';
import { Refusal } from '../domain/errors.ts';
import { line } from '../render/visible.ts';

/** Outcomes that `fail-on` can name. */
const FAILING = ['pending', 'unverified', 'failed', 'incomplete'] as const;

/** The inputs of `action.yml`; what is not given is absent, and the configuration decides. */
export interface Inputs {
  readonly runIds: readonly string[];
  readonly require?: RunsRequired;
  /** Path of the configuration at the base. */
  readonly config?: string;
  readonly mode?: Mode;
  readonly comment?: CommentWhen;
  readonly publish?: PublishForm;
  /** Outcomes that fail the job; empty: none. */
  readonly failOn?: readonly (typeof FAILING)[number][];
  readonly token: string;
}

/** Longest text of an input that is shown back. */
const SHOWN = 80;

/**
 * Reads the inputs as the runner hands them over: `INPUT_` and the name in upper case, spaces as `_`, dashes as they
 * are (GitHub, "Metadata syntax: inputs").
 * @throws Refusal CS1701 for a value that is not among the allowed ones, which the message lists; or without a token
 */
export function readInputs(environment: NodeJS.ProcessEnv): Inputs {
  const given = (name: string): string | undefined => {
    const text = environment[`INPUT_${name.toUpperCase()}`]?.trim();
    return text === undefined || text === '' ? undefined : text;
  };
  const token = given('github-token');
  if (token === undefined) {
    throw new Refusal('CS1701', 'Input github-token is empty.', {
      where: 'github-token',
      remedy: 'Leave it out, so that it is `${{ github.token }}`, or name a secret that this workflow can read.',
    });
  }
  return {
    runIds: words(given('run-id')),
    token,
    ...present('require', chosen('require', given('require'), RUNS_REQUIRED)),
    ...present('config', configPath(given('config'))),
    ...present('mode', chosen('mode', given('mode'), MODES)),
    ...present('comment', chosen('comment', given('comment'), COMMENTS)),
    ...present('publish', chosen('publish', given('publish'), PUBLISH_FORMS)),
    ...present('failOn', failOn(given('fail-on'))),
  };
}

function present<K extends string, V>(key: K, value: V | undefined): { readonly [P in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [P in K]?: V });
}

function words(text: string | undefined): string[] {
  return [...new Set((text ?? '').split(/[\s,]+/).filter((word) => word !== ''))];
}

function chosen<T extends string>(name: string, value: string | undefined, allowed: readonly T[]): T | undefined {
  if (value === undefined) return undefined;
  const found = allowed.find((one) => one === value);
  if (found === undefined) throw unknown(name, value, allowed);
  return found;
}

function unknown(name: string, value: string, allowed: readonly string[]): Refusal {
  return new Refusal('CS1701', `Input ${name} is "${line(value, SHOWN)}", which is none of: ${allowed.join(', ')}.`, {
    where: name,
    remedy: `Give ${name} one of these, or leave it out: the configuration at the base then decides.`,
  });
}

function configPath(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  const parts = value.split('/');
  if (/[\\\p{Cc}]/u.test(value) || parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw new Refusal('CS1701', `Input config is "${line(value, SHOWN)}", which is no path inside the repository.`, {
      where: 'config',
      remedy: 'Give the path from the root of the repository, such as `.github/countersign.yml`.',
    });
  }
  return value;
}

function failOn(value: string | undefined): Inputs['failOn'] {
  if (value === undefined) return undefined;
  const given = words(value);
  if (given.length === 1 && given[0] === 'never') return [];
  return given.map((word) => {
    const found = FAILING.find((one) => one === word);
    if (found === undefined) throw unknown('fail-on', word, [...FAILING, 'never (alone)']);
    return found;
  });
}

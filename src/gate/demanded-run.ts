import { grammarOf } from '../checks/attribution/grammar.ts';
import { recogniseIdentity } from '../checks/attribution/identity.ts';
import { attributionOptions } from './attribution-options.ts';
import { globMatcher } from '../config/globs.ts';
import { requiredRuns } from '../config/layers.ts';
import type { Config } from '../config/schema.ts';
import type { BaseRules } from './base-rules.ts';
import { changedPaths } from './changed-files.ts';
import type { Facts, Identity } from './facts.ts';
import type { Need } from './outcome.ts';

/** Whether a pull request without a run needs one, and what it shows as the reason. */
export function demandedRun(facts: Facts, rules: BaseRules): Need | undefined {
  const { config } = rules;
  const required = requiredRuns(config, { config: rules.hasConfig, lock: rules.lock !== undefined });
  if (required === 'never' || facts.subject.kind === 'working-tree') return undefined;
  if (isExempt(facts, rules)) return undefined;
  if (required === 'agents') {
    const agent = shownAgent(facts, config);
    return agent === undefined
      ? undefined
      : need(`${agent} shows an agent at work, and the pull request names no governed run.`);
  }
  return need('The config demands a governed run for every pull request, and this one names none.');
}

function need(what: string): Need {
  return {
    outcome: 'unverified',
    what,
    who: 'agent',
    how: 'Create a run (countersign run create <spec> --harness <harness>), carry it through, commit its documents, and name it in the pull request: Countersign-Run: <run>',
  };
}

function isExempt(facts: Facts, { config }: BaseRules): boolean {
  const { people, paths } = config.runs.exempt;
  const touched = changedPaths(facts);
  if (paths.length > 0 && touched.length > 0 && touched.every(globMatcher(paths))) return true;
  if (people.length === 0) return false;
  // Logins come from the platform; an author field alone is free to set and exempts nobody.
  const identities = [facts.subject.author, ...facts.commits.map((commit) => commit.author)];
  const known = (identity: Identity | undefined): boolean =>
    identity?.login !== undefined &&
    identity.id !== undefined &&
    people.some((login) => login.toLowerCase() === identity.login?.toLowerCase());
  return identities.every(known);
}

function shownAgent(facts: Facts, config: Config): string | undefined {
  const identities: readonly (readonly [string, Identity | undefined])[] = [
    ['The author of the pull request', facts.subject.author],
    ['The last pusher', facts.last_pusher],
    ...facts.commits.flatMap((commit): [string, Identity][] => [
      [`The author of ${commit.sha.slice(0, 12)}`, commit.author],
      [`The committer of ${commit.sha.slice(0, 12)}`, commit.committer],
    ]),
  ];
  // Bots that are exempt are no agents: a dependency update needs no run.
  const grammar = grammarOf(attributionOptions(config));
  return identities.find(
    ([, identity]) => identity !== undefined && recogniseIdentity(grammar, named(identity)) !== undefined,
  )?.[0];
}

function named({ name, email, login, id }: Identity): Parameters<typeof recogniseIdentity>[1] {
  return { name, email, ...(login === undefined ? {} : { login }), ...(id === undefined ? {} : { id }) };
}

import { checkAttribution } from '../checks/attribution/check.ts';
import { grammarOf } from '../checks/attribution/grammar.ts';
import { recogniseIdentity } from '../checks/attribution/identity.ts';
import type { AttributionOptions } from '../checks/attribution/input.ts';
import type { Place } from '../checks/finding.ts';
import { attributionInput } from './attribution.ts';
import { attributionOptions } from './attribution-options.ts';
import { globMatcher } from '../config/globs.ts';
import { requiredRuns } from '../config/layers.ts';
import type { Config } from '../config/schema.ts';
import type { BaseRules } from './base-rules.ts';
import { withDemand } from './caller.ts';
import { changedPaths } from './changed-files.ts';
import type { Facts, Identity } from './facts.ts';
import type { Need } from './outcome.ts';
import { utcDay } from './people.ts';

/** Whether a pull request without a run needs one, and what it shows as the reason. */
export function demandedRun(facts: Facts, rules: BaseRules): Need | undefined {
  const { config } = rules;
  const atBase = { config: rules.hasConfig, lock: rules.lock !== undefined };
  const required = withDemand(facts, requiredRuns(config, atBase));
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
  // A commit's author is free to set, and the platform derives the account from it: who opened the pull request and
  // who pushed have to be exempt as well.
  const identities = [facts.subject.author, facts.last_pusher, ...facts.commits.map((commit) => commit.author)];
  const known = (identity: Identity | undefined): boolean =>
    identity?.login !== undefined &&
    identity.id !== undefined &&
    people.some((login) => login.toLowerCase() === identity.login?.toLowerCase());
  return identities.every(known);
}

/** What shows an agent at work: an account, an author or committer, or a marker in a message or text. */
function shownAgent(facts: Facts, config: Config): string | undefined {
  // Markers are looked for even where the repository does not mind them. Bots that are exempt are no agents: a
  // dependency update needs no run.
  const options: AttributionOptions = { ...attributionOptions(config, utcDay(facts.now)), mode: 'forbid' };
  const grammar = grammarOf(options);
  const accounts: readonly (readonly [string, Identity | undefined])[] = [
    ['The author of the pull request', facts.subject.author],
    ['The last pusher', facts.last_pusher],
  ];
  const account = accounts.find(
    ([, identity]) => identity !== undefined && recogniseIdentity(grammar, named(identity)) !== undefined,
  );
  if (account !== undefined) return account[0];
  const marker = checkAttribution(attributionInput(facts), options).find(({ rule }) => MARKERS.includes(rule));
  return marker === undefined ? undefined : placeText(marker.place);
}

/** Rules of the attribution check whose findings name an agent; the others are about text that hides. */
const MARKERS: readonly string[] = [
  'attribution/identity',
  'attribution/co-author',
  'attribution/agent-trailer',
  'attribution/link',
  'attribution/prose',
];

function placeText(place: Place): string {
  switch (place.at) {
    case 'commit':
      return `The ${place.part} of commit ${place.sha.slice(0, 12)}`;
    case 'pull-request':
      return `The ${place.part} of the pull request`;
    case 'file':
    case 'run':
    case 'repository':
      return 'A text';
  }
}

function named({ name, email, login, id }: Identity): Parameters<typeof recogniseIdentity>[1] {
  return { name, email, ...(login === undefined ? {} : { login }), ...(id === undefined ? {} : { id }) };
}

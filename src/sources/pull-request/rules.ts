import { CONFIG_PATH } from '../../config/extends.ts';
import type { Config } from '../../config/schema.ts';
import { baseRules } from '../../gate/base-rules.ts';
import type { Facts } from '../../gate/facts.ts';
import type { DocumentCollector } from './documents.ts';
import { RULES } from './governed.ts';

/** What no local repository shows. */
export const COLLECTED_NOWHERE = {
  organisation_config: { state: 'absent' },
  workflow_runs: [],
  reviews: [],
  decisions: [],
  people: [],
} satisfies Partial<Facts>;

/** The rules of a base, as far as they steer what is collected. */
export interface CollectedRules {
  /** The configuration, defaults where it is invalid. */
  readonly config: Config;
  /** Configurations that may count: that one, and the one that the caller asks for, if it does. */
  readonly configs: readonly Config[];
  readonly organisation: Facts['organisation_config'];
}

/**
 * Adds the documents that make the rules.
 * @param organisationOf gives the organisation's layer for the repository's own configuration
 */
export async function addRules(
  facts: Facts,
  documents: DocumentCollector,
  organisationOf: (config: Config) => Promise<Facts['organisation_config']>,
): Promise<CollectedRules> {
  const asked = facts.caller?.config;
  await documents.add(RULES);
  await documents.add([CONFIG_PATH, ...(asked === undefined ? [] : [asked])], 'text');
  const rulesOf = (more: Partial<Facts>): Config => baseRules({ ...facts, base: documents.snapshot(), ...more }).config;
  const organisation = await organisationOf(rulesOf({}));
  const config = rulesOf({ organisation_config: organisation });
  const configs = [
    config,
    ...trustedCaller(facts).map((caller) => rulesOf({ organisation_config: organisation, caller })),
  ];
  await documents.add(
    configs.map((one) => one.secrets.baseline),
    'text',
  );
  return { config, configs, organisation };
}

// Whether the caller's file is the base's is known only later: until then both configurations may count.
function trustedCaller({ caller }: Facts): NonNullable<Facts['caller']>[] {
  if (caller?.config === undefined || caller.workflow === undefined) return [];
  return [{ ...caller, workflow: { ...caller.workflow, changed: false } }];
}

/** The organisation's configuration where nobody gave it: absent, or named and not to be had here. */
export function organisationOf(config: Config): Facts['organisation_config'] {
  if (config.extends === undefined) return { state: 'absent' };
  return { state: 'unreadable', why: 'it lies in another repository', source: config.extends };
}

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

/** Adds the documents that make the rules. @returns the configuration that they give, defaults where it is invalid */
export async function addRules(facts: Facts, documents: DocumentCollector): Promise<Config> {
  await documents.add(RULES);
  await documents.add([CONFIG_PATH], 'text');
  const { config } = baseRules({ ...facts, base: documents.snapshot() });
  await documents.add([config.secrets.baseline], 'text');
  return config;
}

/** The organisation's configuration where nobody gave it: absent, or named and not to be had here. */
export function organisationOf(config: Config): Facts['organisation_config'] {
  if (config.extends === undefined) return { state: 'absent' };
  return { state: 'unreadable', why: 'it lies in another repository', source: config.extends };
}

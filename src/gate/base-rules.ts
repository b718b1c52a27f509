import { parseConfig } from '../config/parse.ts';
import { mergeConfig } from '../config/layers.ts';
import { DEFAULT_CONFIG } from '../config/schema.ts';
import type { Config } from '../config/schema.ts';
import { loadLockIfAny, LOCK } from '../domain/capabilities/lock.ts';
import type { Lock } from '../domain/capabilities/lock.ts';
import { loadPolicy } from '../domain/contracts/policy.ts';
import type { ActivePolicy } from '../domain/contracts/policy.ts';
import { isRefusal } from '../domain/errors.ts';
import type { Project } from '../domain/project.ts';
import type { Facts, Snapshot } from './facts.ts';
import type { Need } from './outcome.ts';
import { snapshotText, snapshotTree } from './snapshot-tree.ts';

/** Where the config of a repository stands. */
export const CONFIG_PATH = '.github/countersign.yml';

/** The rules that a pull request is judged by: the base's, never the head's. */
export interface BaseRules {
  readonly config: Config;
  readonly hasConfig: boolean;
  readonly policy: ActivePolicy | undefined;
  readonly lock: Lock | undefined;
  /** What of the rules could not be read: without them nothing can be concluded. */
  readonly needs: readonly Need[];
  /** Remarks on the config, such as attempts to loosen the organisation's. */
  readonly notes: readonly string[];
}

/** Reads policy, lock and config at the base, strictly. */
export function baseRules(facts: Facts): BaseRules {
  const needs: Need[] = [];
  const project: Project = { tree: snapshotTree(facts.base), reading: 'strict' };
  const read = <T>(what: string, body: () => T): T | undefined => {
    try {
      return body();
    } catch (thrown) {
      if (!isRefusal(thrown)) throw thrown;
      needs.push({
        outcome: 'incomplete',
        what: `${what} at the base cannot be used: ${thrown.code} ${thrown.message}`,
        who: 'maintainer',
        how: `Correct ${thrown.where ?? what} on the base branch.`,
      });
      return undefined;
    }
  };
  const lock = read(LOCK, () => loadLockIfAny(project));
  const policy = read('The policy', () => loadPolicy(project));
  const { config, notes } = configOf(facts, needs);
  const hasConfig = facts.base.entries.some((entry) => entry.path === CONFIG_PATH);
  return { config, hasConfig, policy, lock, needs, notes };
}

function configOf(facts: Facts, needs: Need[]): { config: Config; notes: string[] } {
  const own = layer(readConfigText(facts.base), CONFIG_PATH, needs);
  const organisation = facts.organisation_config;
  switch (organisation.state) {
    case 'absent':
      return { config: own.config, notes: own.notes };
    case 'unreadable':
      needs.push({
        outcome: 'incomplete',
        what: `The organisation's config (${organisation.source}) cannot be read: ${organisation.why}`,
        who: 'operator',
        how: 'Give the app or the token read access to it, or remove `extends` from the config.',
      });
      return { config: own.config, notes: own.notes };
    case 'read': {
      const above = layer(organisation.text, organisation.source, needs);
      const merged = mergeConfig(above.config, own.config);
      return { config: merged.config, notes: [...above.notes, ...own.notes, ...merged.notes] };
    }
  }
}

function readConfigText(snapshot: Snapshot): string | undefined {
  return snapshotText(snapshot, CONFIG_PATH);
}

function layer(text: string | undefined, file: string, needs: Need[]): { config: Config; notes: string[] } {
  if (text === undefined) return { config: DEFAULT_CONFIG, notes: [] };
  const parsed = parseConfig(text, file);
  if (parsed.ok) return { config: parsed.config, notes: [...parsed.notes] };
  for (const problem of parsed.problems) {
    needs.push({
      outcome: 'incomplete',
      what: `${file}:${problem.line}:${problem.column}: ${problem.message}`,
      who: 'maintainer',
      how:
        problem.suggestion === undefined
          ? `Correct ${file} on the base branch.`
          : `Did you mean '${problem.suggestion}'? Correct ${file} on the base branch.`,
    });
  }
  return { config: DEFAULT_CONFIG, notes: [] };
}

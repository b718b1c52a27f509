import { CONFIG_PATH } from '../config/extends.ts';
import { resolveConfig } from '../config/layers.ts';
import type { LayerReading } from '../config/layers.ts';
import { problemText } from '../config/problem.ts';
import { DEFAULT_CONFIG } from '../config/schema.ts';
import type { Config } from '../config/schema.ts';
import { loadLockIfAny, LOCK } from '../domain/capabilities/lock.ts';
import type { Lock } from '../domain/capabilities/lock.ts';
import { loadPolicy } from '../domain/contracts/policy.ts';
import type { ActivePolicy } from '../domain/contracts/policy.ts';
import { isRefusal } from '../domain/errors.ts';
import type { Project } from '../domain/project.ts';
import type { Facts } from './facts.ts';
import type { Need } from './outcome.ts';
import { snapshotText, snapshotTree } from './snapshot-tree.ts';

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
  return { ...configOf(facts, needs), policy, lock, needs };
}

function configOf(facts: Facts, needs: Need[]): Pick<BaseRules, 'config' | 'hasConfig' | 'notes'> {
  const reading = resolveConfig({ organisation: organisationLayer(facts), repository: repositoryLayer(facts) });
  switch (reading.state) {
    case 'config':
      return {
        config: reading.config,
        hasConfig: reading.present,
        notes: [
          ...reading.notes.map(problemText),
          ...reading.layerNotes.map(({ key, message }) => `${key}: ${message}`),
        ],
      };
    case 'unreadable':
      needs.push({
        outcome: 'incomplete',
        what: `The config ${reading.file} cannot be read: ${reading.reason}`,
        who: 'operator',
        how: 'Give the app or the token read access to it, or correct `extends` in the config.',
      });
      return { config: DEFAULT_CONFIG, hasConfig: true, notes: [] };
    case 'invalid':
      for (const problem of reading.problems) {
        const how = `Correct ${problem.path} on its own branch.`;
        needs.push({
          outcome: 'incomplete',
          what: `The config is invalid: ${problemText(problem)}`,
          who: 'maintainer',
          how,
        });
      }
      return { config: DEFAULT_CONFIG, hasConfig: true, notes: [] };
  }
}

function organisationLayer({ organisation_config: layer }: Facts): LayerReading {
  switch (layer.state) {
    case 'absent':
      return { state: 'absent' };
    case 'read':
      return { state: 'read', file: layer.source, text: layer.text };
    case 'unreadable':
      return { state: 'unreadable', file: layer.source, reason: layer.why };
  }
}

function repositoryLayer({ base }: Facts): LayerReading {
  const entry = base.entries.find((one) => one.path === CONFIG_PATH);
  if (entry === undefined) return { state: 'absent' };
  const text = entry.mode === '100644' || entry.mode === '100755' ? snapshotText(base, CONFIG_PATH) : undefined;
  if (text === undefined)
    return { state: 'unreadable', file: CONFIG_PATH, reason: 'it is no regular file, or too large' };
  return { state: 'read', file: CONFIG_PATH, text };
}

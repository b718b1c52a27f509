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
import { fileExists, readText } from '../domain/project.ts';
import type { Project } from '../domain/project.ts';
import { configPathOf, withCaller } from './caller.ts';
import type { Facts } from './facts.ts';
import type { Need } from './outcome.ts';
import { snapshotTree } from './snapshot-tree.ts';

/** The rules that a pull request is judged by: the base's, never the head's. */
export interface BaseRules {
  /** The base's documents, as a verdict reads them. */
  readonly base: Project;
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
  const found = configOf(facts, project, needs);
  const { config, notes } = withCaller(facts, found.config, found.hasConfig);
  return { ...found, base: project, config, notes: [...found.notes, ...notes], policy, lock, needs };
}

function configOf(facts: Facts, base: Project, needs: Need[]): Pick<BaseRules, 'config' | 'hasConfig' | 'notes'> {
  const reading = resolveConfig({
    organisation: organisationLayer(facts),
    repository: repositoryLayer(base, configPathOf(facts)),
  });
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

function repositoryLayer(base: Project, path: string): LayerReading {
  try {
    if (!fileExists(base, path, 'CS1201')) return { state: 'absent' };
    return { state: 'read', file: path, text: readText(base, path, 'CS1201') };
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    return { state: 'unreadable', file: path, reason: thrown.message };
  }
}

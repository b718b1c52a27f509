import { digestOf } from '../domain/json/canonical.ts';
import { mergeConfig } from './merge.ts';
import type { LayerNote } from './merge.ts';
import { parseConfig } from './parse.ts';
import type { ConfigProblem } from './problem.ts';
import { DEFAULT_CONFIG } from './schema.ts';
import type { Config } from './schema.ts';
import type { RunsRequired } from './words.ts';

/** What came of looking for one layer's file. Only a confirmed "not found" is `absent`. */
export type LayerReading =
  | { readonly state: 'absent' }
  | { readonly state: 'read'; readonly file: string; readonly text: string }
  /** Named and not to be had: not found where `extends` says, forbidden, unreachable, no UTF-8. */
  | { readonly state: 'unreadable'; readonly file: string; readonly reason: string };

/** The configuration in force, or why there is none. */
export type ConfigReading =
  | {
      readonly state: 'config';
      readonly config: Config;
      /** Whether any layer's file is there; an absent one and an empty one say the same. */
      readonly present: boolean;
      readonly notes: readonly ConfigProblem[];
      readonly layerNotes: readonly LayerNote[];
    }
  | { readonly state: 'invalid'; readonly problems: readonly ConfigProblem[] }
  | { readonly state: 'unreadable'; readonly file: string; readonly reason: string };

/** Makes one configuration of both layers. An unreadable layer is never taken for an absent one. */
export function resolveConfig(layers: {
  readonly organisation: LayerReading;
  readonly repository: LayerReading;
}): ConfigReading {
  const { organisation, repository } = layers;
  if (repository.state === 'unreadable') return repository;
  if (organisation.state === 'unreadable') return organisation;
  const above = read(organisation, 'organisation');
  const below = read(repository, 'repository');
  if (!above.ok || !below.ok) {
    return { state: 'invalid', problems: [above, below].flatMap((layer) => (layer.ok ? [] : layer.problems)) };
  }
  const merged = mergeConfig(above.written, below.written);
  return {
    state: 'config',
    config: merged.config,
    present: organisation.state === 'read' || repository.state === 'read',
    notes: [...above.notes, ...below.notes],
    layerNotes: merged.notes,
  };
}

function read(layer: Exclude<LayerReading, { state: 'unreadable' }>, name: 'repository' | 'organisation') {
  return layer.state === 'read'
    ? parseConfig(layer.text, layer.file, name)
    : ({ ok: true, config: DEFAULT_CONFIG, written: {}, notes: [] } as const);
}

/**
 * Which pull requests need a governed run. With neither a configuration nor a lock at the base nobody has asked for
 * any.
 */
export function requiredRuns(
  config: Config,
  atBase: { readonly config: boolean; readonly lock: boolean },
): RunsRequired {
  return atBase.config || atBase.lock ? config.runs.required : 'never';
}

/** SHA-256 of a configuration's canonical JSON, to which verdicts are bound. */
export function configDigest(config: Config): string {
  return digestOf(config);
}

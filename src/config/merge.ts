import type * as z from 'zod';
import { canonicalJson } from '../domain/json/canonical.ts';
import { shapeOf, tighteningOf } from './layering.ts';
import type { Tightening } from './layering.ts';
import { strictestTimeline, timelineOf } from './mode.ts';
import { keyName, quoted } from './problem.ts';
import { configSchema } from './schema.ts';
import type { Config, WrittenConfig } from './schema.ts';

/** A repository's wish that its organisation does not allow. */
export interface LayerNote {
  /** The key, such as `people.permission`. */
  readonly key: string;
  /** One sentence of plain text that says what holds instead. */
  readonly message: string;
}

/** Two layers made one. */
export interface MergedConfig {
  readonly config: Config;
  readonly written: WrittenConfig;
  readonly notes: readonly LayerNote[];
}

type Section = Readonly<Record<string, unknown>>;

/**
 * Merges what an organisation's and a repository's file say. A key that one of them writes takes that value; of a
 * key that both write the stricter one holds, as `Tightening` tells, so that the repository can only tighten.
 * More layers merge one after the other, through `written`.
 */
export function mergeConfig(organisation: WrittenConfig, repository: WrittenConfig): MergedConfig {
  const notes: LayerNote[] = [];
  const written = {
    ...mergeSection(configSchema, organisation, repository, [], notes),
    ...mergeMode(organisation, repository, notes),
  } as WrittenConfig;
  return { config: configSchema.parse(written), written, notes };
}

function mergeSection(
  schema: z.ZodType,
  organisation: Section,
  repository: Section,
  path: readonly string[],
  notes: LayerNote[],
) {
  const merged: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(shapeOf(schema) ?? {})) {
    const [mine, theirs] = [organisation[key], repository[key]];
    const tightening = tighteningOf(inner);
    if (tightening?.by === 'timeline' || (mine === undefined && theirs === undefined)) continue;
    const here = [...path, key];
    if (tightening === undefined) {
      merged[key] = mergeSection(inner, (mine ?? {}) as Section, (theirs ?? {}) as Section, here, notes);
    } else {
      merged[key] = mergeValue(tightening, mine, theirs, here, notes);
    }
  }
  return merged;
}

function mergeValue(
  tightening: Tightening,
  organisation: unknown,
  repository: unknown,
  path: readonly string[],
  notes: LayerNote[],
): unknown {
  if (repository === undefined) return organisation;
  if (organisation === undefined) return repository;
  switch (tightening.by) {
    case 'order': {
      if (organisation === repository) return organisation;
      const chain = tightening.chains.find((words) =>
        [organisation, repository].every((word) => words.includes(word as string)),
      );
      if (chain !== undefined && chain.indexOf(repository as string) > chain.indexOf(organisation as string)) {
        return repository;
      }
      notes.push(kept(path, organisation, repository, chain === undefined ? 'differs from' : 'is laxer than'));
      return organisation;
    }
    case 'union':
      return distinct([...listOf(organisation), ...listOf(repository)]);
    case 'intersection': {
      const [allowed, wished] = [listOf(organisation), listOf(repository)];
      const common = (list: readonly unknown[], other: readonly unknown[]) => {
        const texts = new Set(other.map((item) => canonicalJson(item)));
        return list.filter((item) => texts.has(canonicalJson(item)));
      };
      const both = common(allowed, wished);
      for (const item of wished.filter((wish) => !both.some((same) => canonicalJson(same) === canonicalJson(wish)))) {
        notes.push({
          key: keyName(path),
          message: `The repository's \`${keyName(path)}\` names ${quoted(item)}, which the organisation's does not allow; it has no effect.`,
        });
      }
      return distinct(both);
    }
    case 'organisation':
      if (canonicalJson(organisation) !== canonicalJson(repository)) {
        notes.push(kept(path, organisation, repository, 'differs from'));
      }
      return organisation;
    case 'repository':
      return repository;
    case 'timeline':
      // Merged for both keys together.
      return organisation;
  }
}

function mergeMode(organisation: WrittenConfig, repository: WrittenConfig, notes: LayerNote[]): Section {
  if (repository.mode === undefined) return pick(organisation);
  if (organisation.mode === undefined) return pick(repository);
  const [above, below] = [organisation, repository].map(({ mode = 'enforce', promote }) =>
    timelineOf({ mode, promote }),
  );
  if (above === undefined || below === undefined) return {};
  const { mode, steps, looser } = strictestTimeline(above, below);
  if (looser) {
    notes.push({
      key: 'mode',
      message:
        "The repository's `mode` is laxer than the organisation's on some day; on every day the stricter one holds.",
    });
  }
  return steps.length === 0 ? { mode } : { mode, promote: steps };
}

// A promotion is never written without a mode, which would have nowhere to lead.
function pick({ mode, promote }: WrittenConfig): Section {
  return { ...(mode === undefined ? {} : { mode }), ...(promote === undefined ? {} : { promote }) };
}

function kept(path: readonly string[], organisation: unknown, repository: unknown, how: string): LayerNote {
  const key = keyName(path);
  return {
    key,
    message: `The repository's \`${key}\` (${quoted(repository)}) ${how} the organisation's (${quoted(organisation)}), which holds.`,
  };
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : [value];
}

function distinct(items: readonly unknown[]): unknown[] {
  return [...new Map(items.map((item) => [canonicalJson(item), item])).values()];
}

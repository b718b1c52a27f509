import { placeKey, readDocument } from './document.ts';
import type { Places } from './document.ts';
import { valueAt, valueFaults } from './issues.ts';
import { remarksOn } from './remarks.ts';
import { keyName, MAX_PROBLEMS, placer } from './problem.ts';
import type { ConfigProblem, PlacedFault, Segment } from './problem.ts';
import { configSchema } from './schema.ts';
import type { Config, WrittenConfig } from './schema.ts';

/** What a configuration file says. */
export type ParsedConfig =
  | {
      readonly ok: true;
      /** With every default in it. */
      readonly config: Config;
      /** Only what the file says: what layers are merged of. */
      readonly written: WrittenConfig;
      /** What is no fault and yet worth telling: empty sections, keys without effect. */
      readonly notes: readonly ConfigProblem[];
    }
  | { readonly ok: false; readonly problems: readonly ConfigProblem[] };

/**
 * Reads the text of a `.github/countersign.yml`. All problems are reported, ordered by place, up to `MAX_PROBLEMS`;
 * of a file that is no valid YAML only those of the syntax.
 * @param file its path, for the problems
 * @param layer `organisation` for the file that others extend, which cannot extend one itself
 */
export function parseConfig(
  text: string,
  file: string,
  layer: 'repository' | 'organisation' = 'repository',
): ParsedConfig {
  const source = text.startsWith('\ufeff') ? text.slice(1) : text;
  const placeOf = placer(source);
  const placed = (faults: readonly PlacedFault[]): ConfigProblem[] =>
    [...faults]
      .sort((a, b) => a.offset - b.offset)
      .slice(0, MAX_PROBLEMS)
      .map(({ offset, ...rest }) => ({ path: file, ...placeOf(offset), ...rest }));

  const document = readDocument(source);
  if (!document.ok) return { ok: false, problems: placed(document.faults) };
  const { places } = document;
  const { value, emptied } = withoutEmpty(document.value);
  const at = (path: readonly Segment[], message: string): PlacedFault => ({
    offset: offsetOf(places, path, false),
    key: keyName(path),
    message,
  });

  const result = configSchema.safeParse(value);
  const faults = valueFaults(result.error?.issues ?? [], value).map(({ path, atKey, ...rest }): PlacedFault => ({
    offset: offsetOf(places, path, atKey),
    key: keyName(path),
    ...rest,
  }));
  if (layer === 'organisation' && valueAt(value, ['extends']) !== undefined) {
    faults.push(at(['extends'], '`extends` is not allowed here: the file that others extend cannot extend another.'));
  }
  if (!result.success || faults.length > 0) return { ok: false, problems: placed(faults) };
  const notes = [
    ...emptied.map((path) => at(path, `\`${keyName(path)}\` is empty, so its default holds.`)),
    ...remarksOn(result.data, value as WrittenConfig).map(({ path, message }) => at(path, message)),
  ];
  return { ok: true, config: result.data, written: value as WrittenConfig, notes: placed(notes) };
}

/**
 * A section or key with nothing behind it (often all below it is commented out) is not written. Only known keys are
 * left out, so that an unknown one is still reported.
 */
function withoutEmpty(root: unknown): { readonly value: unknown; readonly emptied: readonly Segment[][] } {
  if (root === null || root === undefined) return { value: {}, emptied: [] };
  const emptied = (configSchema.safeParse(root).error?.issues ?? [])
    .filter(({ code }) => code === 'invalid_type' || code === 'invalid_value' || code === 'invalid_union')
    .map(({ path }) => path as Segment[])
    .filter((path) => typeof path.at(-1) === 'string' && valueAt(root, path) === null);
  const value = structuredClone(root);
  for (const path of emptied) {
    const parent = valueAt(value, path.slice(0, -1));
    delete (parent as Record<Segment, unknown>)[path.at(-1) ?? ''];
  }
  return { value, emptied };
}

// What is missing stands where it should be: at the innermost thing that is there.
function offsetOf(places: Places, path: readonly Segment[], atKey: boolean): number {
  const place = places.get(placeKey(path));
  if (place !== undefined) return atKey ? place.key : place.value;
  return path.length === 0 ? 0 : offsetOf(places, path.slice(0, -1), false);
}

import { readFileSync } from 'node:fs';
import { isList, isObject } from './json.ts';
import type { Json, JsonObject } from './json.ts';
import { expandMarks, mapStrings } from './text.ts';

/** One row of a case file, its marks replaced. */
export interface Case {
  readonly id: string;
  readonly feature: string;
  readonly input: JsonObject;
  readonly expected: Json;
  /** The outcome in the attribution mode `forbid-mention`; undefined where none is given. */
  readonly expectedStrict: Json | undefined;
  /** `server`: no local hook can decide it. */
  readonly layer: string | undefined;
}

/** A case file that cannot be used. */
export class UnusableFile extends Error {}

/** Reads a case file: a JSON array of rows. @throws UnusableFile */
export function readCases(path: string): Case[] {
  const rows = parsed(path);
  if (!isList(rows) || rows.length === 0) throw new UnusableFile(`${path} is no JSON array of cases`);
  const cases = rows.map((row, index) => toCase(row, `${path}, row ${index + 1}`));
  const ids = new Set<string>();
  for (const { id } of cases) {
    if (ids.has(id)) throw new UnusableFile(`${path} has the id ${id} twice`);
    ids.add(id);
  }
  return cases;
}

function parsed(path: string): Json {
  try {
    const text = readFileSync(path, 'utf8');
    return JSON.parse(text.startsWith('\ufeff') ? text.slice(1) : text) as Json;
  } catch (thrown) {
    throw new UnusableFile(`${path} cannot be read: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
  }
}

function toCase(row: Json, where: string): Case {
  if (!isObject(row)) throw new UnusableFile(`${where} is no object`);
  const { id, feature, input, expected, expected_strict: strict, layer } = row;
  if (typeof id !== 'string' || typeof feature !== 'string') throw new UnusableFile(`${where} lacks id or feature`);
  if (!isObject(input)) throw new UnusableFile(`${where} (${id}) lacks its input`);
  if (expected === undefined) throw new UnusableFile(`${where} (${id}) lacks what is expected`);
  return {
    id,
    feature,
    input: mapStrings(input, expandMarks) as JsonObject,
    expected: mapStrings(expected, expandMarks),
    expectedStrict: strict === undefined ? undefined : mapStrings(strict, expandMarks),
    layer: typeof layer === 'string' ? layer : undefined,
  };
}

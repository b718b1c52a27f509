import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { checkAttribution } from '../../../src/checks/attribution/check.ts';
import type { AttributionInput, AttributionOptions } from '../../../src/checks/attribution/input.ts';
import { ATTRIBUTION_RULES } from '../../../src/checks/attribution/rules.ts';
import type { FindingDraft } from '../../../src/checks/finding.ts';

const ROOT = join(import.meta.dirname, '../../fixtures');
const RULES = Object.keys(ATTRIBUTION_RULES);

interface Case {
  readonly options: AttributionOptions;
  readonly input: AttributionInput;
}

function read(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}

function found(folder: string): FindingDraft[] {
  const { options, input } = read(folder, 'input.json') as Case;
  return checkAttribution(input, options);
}

describe.each(RULES)('%s', (rule) => {
  const folder = join(ROOT, rule);
  const names = existsSync(folder) ? readdirSync(folder) : [];

  it('has examples of both kinds and no others', () => {
    expect(names.filter((name) => name.startsWith('ok.'))).not.toEqual([]);
    expect(names.filter((name) => name.startsWith('ng.'))).not.toEqual([]);
    expect(names.filter((name) => !/^(?:ok|ng)\.[a-z0-9-]+$/.test(name))).toEqual([]);
  });

  it.each(names.filter((name) => name.startsWith('ok.')))('finds nothing in %s', (name) => {
    expect(found(join(folder, name))).toEqual([]);
  });

  it.each(names.filter((name) => name.startsWith('ng.')))('finds what is expected in %s', (name) => {
    const drafts = found(join(folder, name));
    expect(drafts.map(({ rule: id, severity, place }) => ({ rule: id, severity, place }))).toEqual(
      read(join(folder, name), 'expected.json'),
    );
    expect(drafts.map(({ rule: id }) => id)).toContain(rule);
    // What, why and how to mend it: never an empty word.
    for (const { message, remedy, subject } of drafts) expect([message, remedy, subject]).not.toContain('');
  });
});

it('has no examples of rules that do not exist', () => {
  expect(readdirSync(join(ROOT, 'attribution')).map((name) => `attribution/${name}`)).toEqual(RULES.toSorted());
});

import { describe, expect, it } from '@jest/globals';
import { checkAttribution } from '../../../src/checks/attribution/check.ts';
import type { AttributionInput, AttributionOptions } from '../../../src/checks/attribution/input.ts';
import type { FindingDraft } from '../../../src/checks/finding.ts';
import { casesOf, fixturesOf } from '../../support/fixtures.ts';
import type { Fixture } from '../../support/fixtures.ts';

function found(example: Fixture): FindingDraft[] {
  const { options, input } = example.json('input.json') as { options: AttributionOptions; input: AttributionInput };
  return checkAttribution(input, options);
}

const ROWS = fixturesOf('attribution')
  .flatMap(casesOf)
  .map((example) => [example.folder.split('/').slice(-2).join('/'), example] as const);

describe('fixtures', () => {
  it.each(ROWS.filter(([, { kind }]) => kind === 'ok'))('finds nothing in %s', (_, example) => {
    expect(found(example)).toEqual([]);
  });

  it.each(ROWS.filter(([, { kind }]) => kind === 'ng'))('finds what is expected in %s', (_, example) => {
    const drafts = found(example);
    expect(drafts.map(({ rule, severity, place }) => ({ rule, severity, place }))).toEqual(
      example.json('expected.json'),
    );
    expect(drafts.map(({ rule }) => rule)).toContain(example.rule);
    // What, why and how to mend it: never an empty word.
    for (const { message, remedy, subject } of drafts) expect([message, remedy, subject]).not.toContain('');
  });
});

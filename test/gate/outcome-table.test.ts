import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FAULTLESS, ROWS } from './outcome-rows.ts';
import { judge } from './support.ts';

const PAGE = join(import.meta.dirname, '../../docs/reference/outcomes.md');

/** The cells of the page's table: input, fault, what it says. */
function cells(): (readonly [string, string, string])[] {
  const [head, _rule, ...rows] = readFileSync(PAGE, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
  return rows.flatMap(([input = '', ...row]) =>
    row.map((cell, index) => [input, head?.[index + 1] ?? '', cell] as const),
  );
}

const CASES: ReadonlyMap<string, (typeof FAULTLESS)[number][]> = new Map(
  Object.entries(ROWS).flatMap(([input, row]) =>
    Object.entries(row).map(([fault, cases]) => [`${input}, ${fault}`, [...cases]] as const),
  ),
);

describe('the outcome table of the documentation', () => {
  it('starts from pull requests that are verified', () => {
    expect(FAULTLESS.map((given) => judge(given).outcome)).toEqual(FAULTLESS.map(() => 'verified'));
  });

  it('has a cell for every case, and a case for every cell', () => {
    const said = cells()
      .filter(([, , cell]) => cell !== '—')
      .map(([input, fault]) => `${input}, ${fault}`);
    expect([...CASES.keys()].sort()).toEqual(said.sort());
  });

  it.each(cells().filter(([, , cell]) => cell !== '—'))('%s, %s: %s', (input, fault, outcome) => {
    const given = CASES.get(`${input}, ${fault}`) ?? [];
    expect(given.map((one) => judge(one).outcome)).toEqual(given.map(() => outcome));
  });

  it('has nothing verified but what is absent or empty', () => {
    const verified = cells()
      .filter(([, , cell]) => cell === 'verified')
      .map(([, fault]) => fault);
    expect(verified.filter((fault) => fault !== 'absent' && fault !== 'empty')).toEqual([]);
  });
});

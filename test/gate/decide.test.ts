import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isImpossiblePath } from '../../src/gate/canonical-facts.ts';
import { decide } from '../../src/gate/decide.ts';
import { factsSchema } from '../../src/gate/facts.ts';
import type { Facts } from '../../src/gate/facts.ts';
import { gateReportSchema } from '../../src/gate/report.ts';
import { CONFIG_TEXT, decision, WORKFLOW } from '../support/facts.ts';
import { anyCase, GIVEN, OFF, options } from './law-cases.ts';
import { both, changed, facts, project, withFacts, withFiles } from './support.ts';

describe('decide is a function', () => {
  const shuffled = <T>(list: readonly T[], order: readonly number[]): T[] =>
    list
      .map((item, index) => ({ item, key: order[index % order.length] ?? 0 }))
      .sort((a, b) => a.key - b.key)
      .map(({ item }) => item);

  it('of what the facts say, in whatever order', () => {
    fc.assert(
      fc.property(anyCase, fc.array(fc.nat(1000), { minLength: 40, maxLength: 40 }), (given, order) => {
        const mixed: Facts = {
          ...given,
          files: shuffled(given.files, order),
          workflow_runs: shuffled(given.workflow_runs, order),
          reviews: shuffled(given.reviews, order),
          decisions: shuffled(given.decisions, order),
          people: shuffled(given.people, order),
          named_runs: shuffled(given.named_runs, order),
          base: { covers: given.base.covers, entries: shuffled(given.base.entries, order) },
          head: { covers: given.head.covers, entries: shuffled(given.head.entries, order) },
          commits: given.commits.map((commit) => ({
            ...commit,
            ledger_changes: shuffled(commit.ledger_changes, order),
          })),
        };
        expect(decide(mixed)).toEqual(decide(given));
      }),
      options,
    );
  });

  it('that leaves its facts as they are', () => {
    for (const given of GIVEN) {
      const before = JSON.stringify(given);
      decide(given);
      expect(JSON.stringify(given)).toBe(before);
    }
  });

  it('of time only through dates that mean something', () => {
    for (const given of GIVEN) {
      const later = decide({ ...given, now: '2031-05-06T07:08:09Z' });
      expect(later.report_digest).toBe(decide(given).report_digest);
      expect(later.evaluated_at).not.toBe(given.now);
    }
    const promoting = facts({ config: `${CONFIG_TEXT}mode: warn\npromote: { to: enforce, on: 2027-01-01 }` });
    expect(decide({ ...promoting, now: '2027-01-01T00:00:00Z' }).report_digest).not.toBe(
      decide(promoting).report_digest,
    );
    const expiring = facts({
      config: OFF,
      edit: both(
        withFiles(changed('AGENTS.md')),
        withFacts({ decisions: [decision('approve', { until: '2026-12-31' })] }),
      ),
    });
    expect(decide(expiring).outcome).toBe('verified');
    expect(decide({ ...expiring, now: '2027-01-01T00:00:00Z' }).outcome).toBe('pending');
  });
});

describe('whatever passes the schema of facts', () => {
  const hostile = fc.constantFrom(
    '',
    '..',
    '__proto__',
    '\ud800',
    '\u202e',
    '\0',
    '/',
    'a/../b',
    '.rapid-os',
    '.rapid-os/runs//x',
    `.rapid-os/runs/${project().runId}/run.json`,
    'x'.repeat(5000),
    '{',
    '[]',
    'null',
    '```',
    WORKFLOW,
    '.github/countersign.yml',
    'Countersign-Run: a',
  );
  const value = fc.oneof(
    hostile,
    fc.constantFrom<unknown>(
      null,
      true,
      0,
      -1,
      1e15,
      [],
      {},
      'deleted',
      'renamed',
      'copied',
      '120000',
      '160000',
      'f'.repeat(40),
      'github',
      'local',
      'working-tree',
      'bot',
      '2026-12-01T00:00:00+14:00',
    ),
    fc.string(),
  );

  it('gives a report that follows its own', () => {
    let tried = 0;
    fc.assert(
      fc.property(
        anyCase,
        fc.array(fc.tuple(fc.array(fc.nat(10_000), { minLength: 1, maxLength: 6 }), value), {
          minLength: 1,
          maxLength: 3,
        }),
        (given, edits) => {
          const copy: unknown = JSON.parse(JSON.stringify(given));
          for (const [way, put] of edits) mutate(copy, way, put);
          const parsed = factsSchema.safeParse(copy);
          if (!parsed.success) return;
          tried += 1;
          const report = decide(parsed.data);
          gateReportSchema.parse(report);
          if (parsed.data.files.some(({ path }) => isImpossiblePath(path))) expect(report.outcome).toBe('incomplete');
        },
      ),
      { ...options, numRuns: 600 },
    );
    expect(tried).toBeGreaterThan(20);
  });
});

/** Replaces something somewhere inside, or takes it away. */
function mutate(at: unknown, way: readonly number[], put: unknown): void {
  if (typeof at !== 'object' || at === null) return;
  const keys = Object.keys(at);
  const key = keys[(way[0] ?? 0) % Math.max(keys.length, 1)];
  if (key === undefined) return;
  const inner: unknown = Reflect.get(at, key);
  if (way.length > 1 && typeof inner === 'object' && inner !== null) mutate(inner, way.slice(1), put);
  else if (put === true && Array.isArray(at)) at.splice(Number(key), 1);
  else if (put === true) Reflect.deleteProperty(at, key);
  else Reflect.set(at, key, put);
}

import { describe, expect, it } from '@jest/globals';
import { headline } from '../../src/gate/headline.ts';
import { CONSEQUENCES, OUTCOMES, outcomeOf, worse } from '../../src/gate/outcome.ts';
import type { Need, Outcome } from '../../src/gate/outcome.ts';
import { isAtLeast, TRUST_LEVELS, trustFloor, trustText } from '../../src/gate/trust.ts';
import { CONFIG_TEXT, testRun } from '../support/facts.ts';
import { both, changed, judge, needs, withFacts, withFiles } from './support.ts';
import type { Case } from './support.ts';

const need = (outcome: Need['outcome']): Need => ({ outcome, what: `It is ${outcome}.`, who: 'agent', how: '' });
const RUNNING = testRun({ status: 'in_progress', conclusion: null, job: { status: 'in_progress', conclusion: null } });

describe('the outcome table', () => {
  const rows: readonly [Outcome, string | null, string, number, Case][] = [
    ['verified', 'VERIFIED', 'success', 0, {}],
    [
      'not-governed',
      null,
      'success',
      0,
      { config: 'runs: { required: never }', edit: withFacts({ files: [changed('a')], commits: [] }) },
    ],
    ['pending', 'UNVERIFIED', 'awaiting', 5, { edit: withFacts({ workflow_runs: [RUNNING] }) }],
    ['unverified', 'UNVERIFIED', 'failure', 1, { config: 'scope: { enforce: off }' }],
    ['failed', 'UNVERIFIED', 'failure', 1, { edit: withFiles(changed('elsewhere.ts')) }],
    [
      'incomplete',
      'UNVERIFIED',
      'failure',
      4,
      { edit: withFacts({ unread: [{ what: 'Reviews', why: 'timed out' }] }) },
    ],
  ];
  it.each(rows)('%s: the word is %s, the check %s, the exit %s', (outcome, word, check, exit, given) => {
    const report = judge(given);
    expect(report.outcome).toBe(outcome);
    expect(report.word).toBe(word);
    expect(CONSEQUENCES[outcome]).toEqual({ word, check, exit });
  });

  it('has a consequence for every outcome, and none that is neutral or skipped', () => {
    expect(Object.keys(CONSEQUENCES).sort()).toEqual([...OUTCOMES].sort());
    const checks: string[] = Object.values(CONSEQUENCES).map((one) => one.check);
    expect(checks).not.toContain('neutral');
    expect(checks).not.toContain('skipped');
    expect(
      Object.entries(CONSEQUENCES)
        .filter(([, one]) => one.word === 'VERIFIED')
        .map(([name]) => name),
    ).toEqual(['verified']);
  });
});

describe('precedence', () => {
  const order: readonly Need['outcome'][] = ['incomplete', 'failed', 'unverified', 'pending'];
  it.each(order.flatMap((worst, index) => order.slice(index).map((other) => [worst, other] as const)))(
    '%s wins over %s',
    (worst, other) => {
      expect(outcomeOf([need(other), need(worst)], true)).toBe(worst);
      expect(outcomeOf([need(worst), need(other)], false)).toBe(worst);
      expect(worse<Outcome>(other, worst)).toBe(worst);
    },
  );

  it('is verified or not governed where nothing is needed', () => {
    expect(outcomeOf([], true)).toBe('verified');
    expect(outcomeOf([], false)).toBe('not-governed');
    expect(worse<Outcome>('verified', 'not-governed')).toBe('verified');
  });

  it('holds in a report in which everything is wrong at once', () => {
    const wrong = both(
      withFiles(changed('elsewhere.ts'), changed('AGENTS.md')),
      withFacts({ workflow_runs: [RUNNING] }),
    );
    const report = judge({ config: `${CONFIG_TEXT}  trust: { gate.tests: reexecuted }`, edit: wrong });
    expect(report.outcome).toBe('failed');
    const unread = judge({ edit: both(wrong, withFacts({ unread: [{ what: 'Commits', why: 'rate limit' }] })) });
    expect(unread.outcome).toBe('incomplete');
    expect(needs(unread, 'failed')).toContain('elsewhere.ts');
    expect(unread.headline).toBe('UNVERIFIED (incomplete): Commits could not be read: rate limit');
  });
});

describe('modes', () => {
  const rows = [
    ['enforce', 'mode: enforce', '2026-12-01T12:00:00Z'],
    ['warn', 'mode: warn', '2026-12-01T12:00:00Z'],
    ['observe', 'mode: observe', '2026-12-01T12:00:00Z'],
    ['observe', 'mode: observe\npromote: { to: enforce, on: 2026-12-02 }', '2026-12-01T23:59:59Z'],
    ['enforce', 'mode: observe\npromote: { to: enforce, on: 2026-12-02 }', '2026-12-02T00:00:00Z'],
    ['observe', 'mode: observe\npromote: { to: enforce, on: 2026-12-02 }', '2026-12-02T01:30:00+02:00'],
    ['enforce', 'mode: observe\npromote: { to: enforce, on: 2026-12-02 }', '2026-12-01T23:30:00-02:00'],
  ] as const;
  it.each(rows)('%s by %j at %s changes no word', (mode, text, now) => {
    const good = judge({ config: `${CONFIG_TEXT}${text}`, edit: withFacts({ now }) });
    expect([good.mode, good.word]).toEqual([mode, 'VERIFIED']);
    const bad = judge({ config: `${CONFIG_TEXT}${text}`, edit: both(withFacts({ now }), withFiles(changed('b.ts'))) });
    expect([bad.mode, bad.word, bad.outcome]).toEqual([mode, 'UNVERIFIED', 'failed']);
  });
});

describe('the floor of trust', () => {
  it('never has anything attested', () => {
    expect(TRUST_LEVELS).toEqual(['declared', 'platform', 'reexecuted', 'attested']);
    const report = judge();
    expect(report.runs.flatMap((run) => run.assertions).map((one) => one.trust)).not.toContain('attested');
    expect(isAtLeast('platform', 'reexecuted')).toBe(false);
    expect(isAtLeast('reexecuted', 'reexecuted')).toBe(true);
  });

  it.each([
    [[], 'declared evidence only'],
    [['declared', 'declared'], 'declared evidence only'],
    [['platform', 'declared', 'declared'], 'platform; 2 of 3 assertions declared'],
    [['platform'], 'platform'],
    [['platform', 'reexecuted'], 'reexecuted'],
  ] as const)('of %j reads %j', (levels, text) => {
    expect(trustText(trustFloor(levels))).toBe(text);
  });

  it('stands in the verdict line of both profiles', () => {
    expect(judge().headline).toBe('VERIFIED (platform; 3 of 8 assertions declared)');
    expect(judge({ profile: 'local' }).headline).toBe('VERIFIED (declared evidence only)');
  });
});

describe('the verdict line', () => {
  const floor = trustFloor(['platform']);
  it.each([
    ['verified', 'VERIFIED (platform; with a and b)'],
    ['not-governed', 'No governed run'],
    ['pending', 'UNVERIFIED, waiting: It is pending.'],
    ['unverified', 'UNVERIFIED: It is unverified.'],
    ['failed', 'UNVERIFIED (failed): It is failed.'],
    ['incomplete', 'UNVERIFIED (incomplete): It is incomplete.'],
  ] as const)('of %s is %j', (outcome, line) => {
    expect(
      headline(outcome, [need('pending'), need('unverified'), need('failed'), need('incomplete')], floor, ['a', 'b']),
    ).toBe(line);
  });

  it('is bounded', () => {
    const long: Need = { outcome: 'failed', what: 'x'.repeat(5000), who: 'agent', how: '' };
    expect(headline('failed', [long], floor, []).length).toBeLessThan(200);
  });
});

import { describe, expect, it } from '@jest/globals';
import { RULE_INDEX, RULE_TABLES } from '../../src/render/rule-index.ts';
import { reportSarif } from '../../src/render/sarif.ts';
import { REPORT_CASES } from '../support/report-cases.ts';
import { finding, report } from '../support/reports.ts';

interface Sarif {
  readonly version: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly Result[];
  }[];
}

interface Result {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly level: string;
  readonly message: { readonly text: string };
  readonly locations: readonly {
    readonly physicalLocation: {
      readonly artifactLocation: { readonly uri: string };
      readonly region: { readonly startLine: number; readonly startColumn?: number };
    };
  }[];
  readonly partialFingerprints: Readonly<Record<string, string>>;
}

function parsed(text: string): Sarif['runs'][number] {
  const sarif = JSON.parse(text) as Sarif;
  expect(sarif.version).toBe('2.1.0');
  expect(sarif.runs).toHaveLength(1);
  const [run] = sarif.runs;
  if (run === undefined) throw new TypeError('no run');
  return run;
}

/** What SARIF 2.1.0 demands of a result, and GitHub beyond it. */
function faults(
  { ruleId, ruleIndex, level, message, locations, partialFingerprints }: Result,
  run: Sarif['runs'][number],
): string[] {
  const [place] = locations;
  const region = place?.physicalLocation.region;
  return [
    run.tool.driver.rules[ruleIndex]?.id === ruleId ? '' : 'its rule is not at its index',
    ['error', 'warning', 'note'].includes(level) ? '' : `no level: ${level}`,
    message.text === '' ? 'no message' : '',
    locations.length === 1 ? '' : 'not one place',
    /^(?!\/)[A-Za-z0-9\-._~!*'()%/]+$/.test(place?.physicalLocation.artifactLocation.uri ?? '')
      ? ''
      : 'no relative reference',
    Number.isInteger(region?.startLine) && (region?.startLine ?? 0) > 0 ? '' : 'no line',
    /^[0-9a-f]{12}:1$/.test(partialFingerprints['primaryLocationLineHash'] ?? '') ? '' : 'no fingerprint',
  ].filter((fault) => fault !== '');
}

describe('SARIF', () => {
  it.each(Object.entries(REPORT_CASES))('of %s has the structure that is asked for', (_name, one) => {
    const run = parsed(reportSarif(one));
    expect(run.tool.driver.name).toBe('Countersign');
    expect(run.results.flatMap((result) => faults(result, run))).toEqual([]);
    const said = run.results.length;
    expect(said).toBe(
      one.findings.length +
        one.needs.filter((need) => !one.findings.some((found) => found.message === need.what)).length,
    );
  });

  it('does not depend on the order of findings', () => {
    const findings = ['b.ts', 'a.ts', 'c.ts'].flatMap((path) =>
      [3, 1, 2].map((line) => finding({ place: { at: 'file', path, line }, message: `${path} ${line}` })),
    );
    expect(reportSarif(report({ findings }))).toBe(reportSarif(report({ findings: findings.toReversed() })));
  });

  it.each([
    ['src/a b.ts', 'src/a%20b.ts'],
    ['file:x', 'file%3Ax'],
    ['a\\b?c#d', 'a%5Cb%3Fc%23d'],
    ['\ud800.ts', '%EF%BF%BD.ts'],
  ])('writes the path %j as %s', (path, uri) => {
    const run = parsed(reportSarif(report({ findings: [finding({ place: { at: 'file', path } })] })));
    expect(run.results[0]?.locations[0]?.physicalLocation.artifactLocation.uri).toBe(uri);
  });

  it.each([
    ['[x](https://evil.example)', '\\[x\\](https://evil.example)'],
    ['\\[x](1)', '\\\\\\[x\\](1)'],
    ['a\u202eb', 'a\\u{202e}b'],
  ])('makes no link and hides nothing of %j', (message, expected) => {
    const run = parsed(reportSarif(report({ findings: [finding({ message })] })));
    expect(run.results[0]?.message.text.split('\n')[0]).toContain(expected);
  });

  it('knows every rule once, and takes one that it does not know', () => {
    expect(RULE_INDEX.size).toBe(RULE_TABLES.reduce((sum, rules) => sum + Object.keys(rules).length, 0));
    const run = parsed(reportSarif(report({ findings: [finding({ rule: 'later/rule' })] })));
    expect(run.results.flatMap((result) => faults(result, run))).toEqual([]);
    expect(run.tool.driver.rules.at(-1)?.id).toBe('later/rule');
  });
});

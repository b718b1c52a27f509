import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { gateReportSchema } from '../../src/gate/report.ts';
import { stepAnnotations } from '../../src/render/annotations.ts';
import { checkConclusion, checkOutput, commitStatus, exitCode } from '../../src/render/check-output.ts';
import { reportJson } from '../../src/render/json.ts';
import { commentMarkdown } from '../../src/render/markdown.ts';
import { reportSarif } from '../../src/render/sarif.ts';
import { terminalText } from '../../src/render/terminal.ts';
import { REPORT_CASES } from '../support/report-cases.ts';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'render');

/** Compares with a file; with COUNTERSIGN_WRITE_FIXTURES set, writes it, to be looked at before it is committed. */
function expectFixture(name: string, text: string): void {
  const path = join(FIXTURES, name);
  if (process.env['COUNTERSIGN_WRITE_FIXTURES'] !== undefined) {
    mkdirSync(FIXTURES, { recursive: true });
    writeFileSync(path, text);
  }
  expect(existsSync(path)).toBe(true);
  expect(text).toBe(readFileSync(path, 'utf8'));
}

describe.each(Object.entries(REPORT_CASES))('the report %s', (name, report) => {
  it('is one', () => {
    expect(gateReportSchema.parse(report)).toEqual(report);
  });

  it('looks as before as a comment', () => {
    expectFixture(`${name}.md`, commentMarkdown(report));
  });

  it('looks as before on a terminal', () => {
    expectFixture(`${name}.txt`, terminalText(report, { columns: 100, colour: false }));
  });

  it('looks as before on the platform', () => {
    const { title } = checkOutput(report);
    const platform = {
      check: { ...checkConclusion(report), title },
      status: commitStatus(report),
      exit: exitCode(report),
      annotations: stepAnnotations(report),
      sarif: (JSON.parse(reportSarif(report)) as { runs: { results: unknown }[] }).runs[0]?.results,
    };
    expectFixture(`${name}.json`, `${JSON.stringify(platform, null, 2)}\n`);
  });

  it('can be read back from its JSON', () => {
    expect(JSON.parse(reportJson(report))).toEqual(JSON.parse(JSON.stringify(report)));
  });

  it('says the same without colour as with it', () => {
    const coloured = terminalText(report, { columns: 80, colour: true });
    expect(coloured.replace(/\u001b\[\d+m/g, '')).toBe(terminalText(report, { columns: 80, colour: false }));
    expect(coloured.startsWith('\u001b[1m')).toBe(true);
  });

  it('begins with the verdict and ends with the marker', () => {
    const lines = commentMarkdown(report).trimEnd().split('\n');
    expect(lines[0]).toMatch(new RegExp(`^## \\S+ ${report.word ?? 'No governed run'}`));
    expect(lines.at(-1)).toBe('<!-- countersign:verdict v1 -->');
  });
});

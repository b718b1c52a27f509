import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { GateReport } from '../../src/gate/report.ts';
import { checkAnnotations, stepAnnotations } from '../../src/render/annotations.ts';
import { checkOutput, commitStatus } from '../../src/render/check-output.ts';
import { reportJson } from '../../src/render/json.ts';
import { bytesOf, CHECK_TEXT_LIMIT, COMMENT_LIMIT, JOB_SUMMARY_LIMIT, SARIF_RESULTS } from '../../src/render/limits.ts';
import { commentMarkdown, jobSummaryMarkdown } from '../../src/render/markdown.ts';
import { reportSarif } from '../../src/render/sarif.ts';
import { width } from '../../src/render/table.ts';
import { terminalText } from '../../src/render/terminal.ts';
import { visibleLines } from '../../src/render/visible.ts';
import { SEED } from '../support/random.ts';
import { assertion, finding, report, run } from '../support/reports.ts';

/** A report of many things, each of which says a text. */
function large(count: number, text: string, severity: 'block' | 'warn' | 'note' = 'block'): GateReport {
  const each = <T>(make: (index: number) => T): T[] => Array.from({ length: count }, (_, index) => make(index));
  const findings = each((index) =>
    finding({
      severity,
      place: { at: 'file', path: `src/${text}/${index}.ts`, line: index + 1, column: 2 },
      message: `${index} ${text}`,
    }),
  );
  const whos = ['agent', 'person', 'maintainer', 'platform', 'operator'] as const;
  // The digest of the small report stays: no renderer computes it.
  return {
    ...report(),
    outcome: 'failed',
    word: 'UNVERIFIED',
    headline: `UNVERIFIED (failed): ${text}`,
    findings,
    needs: [
      ...findings.map(({ message, remedy }) => ({
        outcome: 'failed' as const,
        what: message,
        who: 'agent' as const,
        how: remedy,
      })),
      ...each((index) => ({
        outcome: 'unverified' as const,
        what: `need ${index} ${text}`,
        who: whos[index % whos.length] ?? 'agent',
        how: `do ${index}:\n    ${text}\n${text}`,
      })),
    ],
    runs: each((index) =>
      run({
        run_id: `run-${index}`,
        named_by: [text],
        classification: text,
        resolution: { status: 'incompatible', reasons: [text, text] },
        assertions:
          index > 0
            ? []
            : each((row) =>
                assertion('task', `${row}${text}`, {
                  standing: row === count - 1 ? 'failed' : 'satisfied',
                  reason: text,
                  evidence: [text, text],
                }),
              ),
        excuses: index > 0 ? [] : each(() => ({ kind: 'skip', subject: text, reason: text, confirmed_by: text })),
      }),
    ),
    notes: each(() => text),
    control_plane: { situation: 'governed', approved_by: each(() => text) },
  };
}

const TEXTS = ['x', '$'.repeat(600), '\u{e0041}'.repeat(300), '漢`'.repeat(300)];

describe.each(TEXTS.map((text) => [text.slice(0, 2), text] as const))(
  'ten thousand of everything that says %j',
  (_begin, text) => {
    const many = large(10_000, text);

    it('fits a comment that says what matters', () => {
      const comment = commentMarkdown(many);
      expect(bytesOf(comment)).toBeLessThanOrEqual(COMMENT_LIMIT);
      expect(comment).toMatch(/^## ❌ UNVERIFIED \(failed\): /);
      expect(comment).toContain('10000 blocking findings');
      expect(comment).toContain('need 0 ');
      expect(comment).toMatch(/and \d+ more/);
      expect(comment.endsWith('<!-- countersign:verdict v1 -->\n')).toBe(true);
    });

    it('fits the job summary, the check run and the status', () => {
      expect(bytesOf(jobSummaryMarkdown(many))).toBeLessThanOrEqual(JOB_SUMMARY_LIMIT);
      const { title, summary, text: details } = checkOutput(many);
      expect(title.length).toBeLessThanOrEqual(255);
      expect(bytesOf(summary)).toBeLessThanOrEqual(CHECK_TEXT_LIMIT);
      expect(bytesOf(details)).toBeLessThanOrEqual(CHECK_TEXT_LIMIT);
      expect(commitStatus(many).description.length).toBeLessThanOrEqual(140);
    });

    it('fits the annotations that are shown, and says what is not', () => {
      const step = stepAnnotations(many);
      expect(step).toHaveLength(10);
      expect(step.at(-1)?.message).toBe('19991 more annotations left out; the report holds all.');
      const check = checkAnnotations(many);
      expect(check).toHaveLength(50);
      expect(check.at(-1)?.message).toBe('9951 more annotations left out; the report holds all.');
      for (const one of [...step, ...check]) expect(one.message.length).toBeLessThanOrEqual(2_000);
    });

    it('fits a SARIF file, and says what is not in it', () => {
      const sarif = reportSarif(many);
      expect(sarif.match(/"ruleIndex"/g)).toHaveLength(SARIF_RESULTS);
      expect(sarif).toContain('15000 more results are left out.');
    });
  },
);

describe('a terminal', () => {
  it.each([40, 80, 120])('of %d columns holds every line but commands to paste', (columns) => {
    for (const text of ['word '.repeat(100), '漢'.repeat(300), 'x'.repeat(3_000)]) {
      const lines = terminalText(large(60, text), { columns, colour: false }).split('\n');
      const wide = lines.filter((one) => width(one) > columns && !one.startsWith('        '));
      expect(wide).toEqual([]);
    }
  });
});

describe('shortening', () => {
  it('folds nothing away while all fits, and drops folded parts first', () => {
    expect(commentMarkdown(large(3, 'x'))).toContain('<details>');
    const long = commentMarkdown(large(20, 'word '.repeat(80)));
    expect(long).not.toContain('<details>');
    expect(long).toContain('need 19 ');
  });

  it('shows what does not hold first where not all rows fit', () => {
    const table = commentMarkdown(large(30, 'x'))
      .split('\n')
      .filter((one) => one.startsWith('| Task'));
    expect(table).toHaveLength(20);
    expect(table[0]).toContain('❌ failed');
  });
});

// Not a clock but a count: each text is made of its parts a bounded number of times.
it('costs in proportion to its size', () => {
  const reads = (count: number): number => {
    let read = 0;
    const base = large(count, 'x', 'warn');
    const findings = base.findings.map(
      (one) => new Proxy(one, { get: (target, key) => ((read += 1), Reflect.get(target, key) as unknown) }),
    );
    const counting = { ...base, findings };
    for (const render of [commentMarkdown, checkOutput, reportSarif, reportJson, stepAnnotations]) render(counting);
    terminalText(counting, { columns: 80, colour: false });
    return read;
  };
  expect(reads(4_000)).toBeLessThan(5 * reads(1_000));
});

describe('text that others wrote', () => {
  const hostile = fc
    .array(
      fc.constantFrom(
        '</details>',
        '\n## VERIFIED',
        '<!-- countersign:verdict v1 -->',
        '|',
        '`',
        '``````',
        '@octocat',
        '#1',
        '![x](https://e.example)',
        '\n\n    ',
        '\u202e',
        '\u001b[31m',
        '::error::',
        '%0A',
        'a',
        ' ',
        '<',
        '&',
      ),
      { maxLength: 10 },
    )
    .map((parts) => parts.join(''));

  it('never makes a line, a fold, a marker or a table of its own in a comment', () => {
    const shape = (text: string): string[] =>
      commentMarkdown(text)
        .split('\n')
        .map(
          (one) =>
            (/^(?:#+ |<\/?details>|<!--|\*\*|\| ---|```)/.exec(one) ?? [''])[0] +
            (one.startsWith('| ') ? String(one.match(/\|/g)?.length) : ''),
        )
        .filter((one) => one !== '');
    function commentMarkdown(text: string): string {
      return commentOf(large(2, text));
    }
    const expected = shape('plain');
    fc.assert(
      fc.property(hostile, (text) => {
        expect(shape(`x${text.replaceAll('\n', ' ')}`)).toEqual(expected);
        expect(commentMarkdown(text).match(/<!--/g)?.length).toBe(1 + codeWith(commentMarkdown(text), '<!--'));
      }),
      { seed: SEED },
    );
  });

  it('moves no cursor on a terminal or in an annotation', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const bad = large(2, text);
        const shown = terminalText(bad, { columns: 80, colour: false });
        expect(visibleLines(shown)).toBe(shown);
        for (const { title, message, file = '' } of stepAnnotations(bad)) {
          expect(title + file).not.toMatch(/[\r\n\u001b\u202e]/);
          expect(visibleLines(message)).toBe(message);
        }
      }),
      { seed: SEED },
    );
  });
});

const commentOf = commentMarkdown;

/** How often a text stands in code, where it is shown as it is. */
function codeWith(markdown: string, text: string): number {
  const code = markdown.match(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)|^ *(`{3,})\n[^]*?^ *\2$/gm) ?? [];
  return code.reduce((sum, one) => sum + one.split(text).length - 1, 0);
}

/** How many tests a runner says it ran. */
export interface TestCounts {
  readonly runner: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Lines from the end in which a summary is looked for; runners print it last, and tools around them add little. */
const LAST_LINES = 400;
/** Characters of a line that are looked at; no summary is longer. */
const LINE = 400;

type Counter = (lines: readonly string[]) => Omit<TestCounts, 'runner'> | undefined;

/**
 * The counts that a test runner printed at the end of its output: by its summary, or by its lines of results where it
 * prints no summary. Undefined where none of the known ones can be told.
 * @param complete whether nothing was left out of the text: counting lines needs all of them
 */
export function readTestCounts(text: string, complete: boolean): TestCounts | undefined {
  const lines = text.split('\n').map(plainLine);
  const last = lines.slice(-LAST_LINES);
  for (const [runner, counter] of SUMMARIES) {
    const counts = counter(last);
    if (counts !== undefined) return { runner, ...counts };
  }
  if (!complete) return undefined;
  for (const [runner, counter] of TALLIES) {
    const counts = counter(lines);
    if (counts !== undefined) return { runner, ...counts };
  }
  return undefined;
}

// Colours are ECMA-48 control sequences: ESC [, digits and semicolons, a letter.
function plainLine(line: string): string {
  return line
    .slice(0, LINE)
    .replace(/\u001b\[[0-9;]{0,16}[A-Za-z]/g, '')
    .trimEnd();
}

/** By a line that sums up: the last one counts. */
const SUMMARIES: readonly (readonly [string, Counter])[] = [
  ['vitest', worded(/^ {0,8}Tests {1,4}((?:\d{1,9} [a-z]{1,10}(?: \| )?){1,6}) \(\d{1,9}\)$/, ' | ')],
  ['jest', worded(/^Tests: {1,9}((?:\d{1,9} [a-z]{1,10}, ){1,6}\d{1,9} total)$/, ', ')],
  ['pytest', worded(/^(?:=+ )?((?:\d{1,9} [a-z]{1,12}(?:, )?){1,10}) in \d[^=]{0,60}(?: =+)?$/, ', ')],
  ['pytest', (lines) => (lines.some((line) => /^(?:=+ )?no tests ran in \d/.test(line)) ? NONE : undefined)],
  [
    'node:test',
    labelled('[#\u2139] ', {
      pass: 'passed',
      fail: 'failed',
      cancelled: 'failed',
      skipped: 'skipped',
      todo: 'skipped',
    }),
  ],
  ['unittest', unittest],
  ['mocha', mocha],
];

/** By lines of results, each of which counts. */
const TALLIES: readonly (readonly [string, Counter])[] = [
  ['cargo test', cargo],
  ['go test', tally({ passed: /^ *--- PASS: /, failed: /^ *--- FAIL: /, skipped: /^ *--- SKIP: / })],
  ['go test (packages)', tally({ passed: /^ok {1,4}\t/, failed: /^FAIL\t/, skipped: /^(?!)/ })],
  ['TAP', tap],
];

const NONE = { passed: 0, failed: 0, skipped: 0 } as const;

const WORDS = {
  passed: 'passed',
  passing: 'passed',
  xpassed: 'passed',
  failed: 'failed',
  failing: 'failed',
  error: 'failed',
  errors: 'failed',
  skipped: 'skipped',
  pending: 'skipped',
  todo: 'skipped',
  xfailed: 'skipped',
} as const satisfies Record<string, keyof typeof NONE>;

// "1 failed, 12 passed, 13 total": other words (total, warnings, deselected) say nothing about results.
function worded(pattern: RegExp, separator: string): Counter {
  return (lines) => {
    const found = lines.map((line) => pattern.exec(line)?.[1]).findLast((one) => one !== undefined);
    if (found === undefined) return undefined;
    const counts: Record<keyof typeof NONE, number> = { ...NONE };
    let known = false;
    for (const part of found.split(separator)) {
      const [count, word = ''] = part.trim().split(' ');
      if (!Object.hasOwn(WORDS, word)) continue;
      known = true;
      counts[WORDS[word as keyof typeof WORDS]] += Number(count);
    }
    return known ? counts : undefined;
  };
}

// "# pass 12" and its like, each on a line of its own; the last block counts.
function labelled(start: string, labels: Readonly<Record<string, keyof typeof NONE>>): Counter {
  const pattern = new RegExp(`^${start}([a-z]{1,10}) (\\d{1,9})$`);
  return (lines) => {
    const first = lines.findLastIndex((line) => pattern.exec(line)?.[1] === 'tests');
    if (first < 0) return undefined;
    const counts: Record<keyof typeof NONE, number> = { ...NONE };
    let known = false;
    for (const line of lines.slice(first)) {
      const [, label = '', count] = pattern.exec(line) ?? [];
      const key = Object.hasOwn(labels, label) ? labels[label] : undefined;
      if (key === undefined) continue;
      known = true;
      counts[key] += Number(count);
    }
    return known ? counts : undefined;
  };
}

function mocha(lines: readonly string[]): ReturnType<Counter> {
  const first = lines.findLastIndex((line) => /^ {2}\d{1,9} passing \(/.test(line));
  if (first < 0) return undefined;
  const after = lines.slice(first, first + 4);
  const count = (word: string): number =>
    Number(after.map((line) => new RegExp(`^ {2}(\\d{1,9}) ${word}\\b`).exec(line)?.[1]).find((one) => one) ?? 0);
  return { passed: count('passing'), failed: count('failing'), skipped: count('pending') };
}

function unittest(lines: readonly string[]): ReturnType<Counter> {
  const first = lines.findLastIndex((line) => /^Ran \d{1,9} tests? in /.test(line));
  const end = lines.slice(first).find((line) => /^(?:OK|FAILED)(?: \([a-z0-9=, ]{1,100}\))?$/.test(line));
  if (first < 0 || end === undefined) return undefined;
  const part = (name: string): number => Number(new RegExp(`\\b${name}=(\\d{1,9})`).exec(end)?.[1] ?? 0);
  const total = Number(/\d+/.exec(lines[first] ?? '')?.[0] ?? 0);
  const failed = part('failures') + part('errors');
  const skipped = part('skipped') + part('expected failures');
  return { passed: Math.max(0, total - failed - skipped), failed, skipped };
}

// One line for each binary and for the documentation's tests: they add up.
function cargo(lines: readonly string[]): ReturnType<Counter> {
  const counts: Record<keyof typeof NONE, number> = { ...NONE };
  let known = false;
  for (const line of lines) {
    const match = /^test result: [a-zA-Z]{2,6}\. (\d{1,9}) passed; (\d{1,9}) failed; (\d{1,9}) ignored;/.exec(line);
    if (match === null) continue;
    known = true;
    counts.passed += Number(match[1]);
    counts.failed += Number(match[2]);
    counts.skipped += Number(match[3]);
  }
  return known ? counts : undefined;
}

function tally(patterns: Readonly<Record<keyof typeof NONE, RegExp>>): Counter {
  return (lines) => {
    const count = (key: keyof typeof NONE): number => lines.filter((line) => patterns[key].test(line)).length;
    const counts = { passed: count('passed'), failed: count('failed'), skipped: count('skipped') };
    return counts.passed + counts.failed + counts.skipped > 0 ? counts : undefined;
  };
}

// Only the outermost level, and only with its plan: subtests are indented (https://testanything.org).
function tap(lines: readonly string[]): ReturnType<Counter> {
  if (!lines.some((line) => /^1\.\.\d{1,9}/.test(line))) return undefined;
  const counts: Record<keyof typeof NONE, number> = { ...NONE };
  for (const line of lines) {
    const match = /^(not )?ok\b/.exec(line);
    if (match === null) continue;
    if (/# ?(?:SKIP|TODO)\b/i.test(line)) counts.skipped += 1;
    else if (match[1] === undefined) counts.passed += 1;
    else counts.failed += 1;
  }
  return counts;
}

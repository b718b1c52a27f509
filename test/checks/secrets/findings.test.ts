import { describe, expect, it } from '@jest/globals';
import { identify } from '../../../src/checks/finding.ts';
import { allowancesIn, standingOnBase } from '../../../src/checks/secrets/allow.ts';
import { readBaseline, writeBaseline, type Baseline } from '../../../src/checks/secrets/baseline.ts';
import { secretFindings, type TextSource } from '../../../src/checks/secrets/findings.ts';
import { newSideOf } from '../../../src/checks/secrets/patch.ts';
import { GITHUB } from './support/shapes.ts';

const PASSWORD = ['pass', 'word = "hunter22"'].join('');
const ALLOW = ['countersign', 'allow'].join(':');
const file = (text: string, more: Partial<TextSource> = {}): TextSource => ({
  place: { at: 'file', path: 'a.ts' },
  text,
  ...more,
});
const patch = (rows: string, more: Partial<TextSource> = {}) => file('', { ...newSideOf(rows), ...more });
const rulesOf = async (sources: TextSource[], baseline?: Baseline) =>
  (await secretFindings(sources, baseline)).findings.map(({ rule }) => rule);

describe('findings of credentials', () => {
  it('name provider, place and length, never the value', async () => {
    const { findings } = await secretFindings([file(`x\nconst t = "${GITHUB}"`)]);
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({ place: { at: 'file', path: 'a.ts', line: 2, column: 12 }, severity: 'block' });
    expect(findings[0]?.message).toBe('GitHub token of 40 characters.');
    expect(JSON.stringify(findings)).not.toContain(GITHUB.slice(4, 20));
  });

  it('keep their id when lines move and the value changes', async () => {
    const ids = async (text: string) => identify((await secretFindings([file(text)])).findings).map(({ id }) => id);
    expect(await ids(['DB_PASS', 'WORD=hunter2'].join(''))).toEqual(
      await ids(['\n\nDB_PASS', 'WORD=hunter3'].join('')),
    );
  });

  it('are about added lines only, with their real numbers', async () => {
    const rows = `@@ -1,2 +7,2 @@\n-const t = "${GITHUB}";\n+const t = build();\n const u = "${GITHUB}";\n`;
    expect(await rulesOf([patch(rows)])).toEqual([]);
    const { findings } = await secretFindings([patch(`@@ -1 +7,2 @@\n a\n+t = "${GITHUB}"`)]);
    expect(findings[0]?.place).toMatchObject({ line: 8 });
  });

  it('name the commit that introduced a value, once', async () => {
    const { findings } = await secretFindings([
      patch(`+TOKEN=${GITHUB}`, { commit: 'r1' }),
      patch(`-TOKEN=${GITHUB}\n+TOKEN=\${TOKEN}`, { commit: 'r2' }),
      patch(`+TOKEN=${GITHUB}`, { commit: 'r3' }),
    ]);
    expect(findings.map(({ message }) => message)).toEqual(['GitHub token of 40 characters, added by commit r1.']);
  });

  it('are found after lines that end with CR only, which git takes for one line', async () => {
    for (const rows of [`@@ -0,0 +1 @@\n+a\ra\ra\r${GITHUB}\n`, `@@ -1 +1,3 @@\n a\r\n+a\r\ra\r\n+${GITHUB}\r\n`])
      expect(await rulesOf([patch(rows)])).toEqual(['secrets/github-token']);
    expect(await rulesOf([patch(`@@ -1 +1,2 @@\n a\r${GITHUB}\n+a\n`)])).toEqual([]);
  });

  it('leave a removed file alone', async () => {
    expect(await rulesOf([patch(`@@ -1 +0,0 @@\n-API_TOKEN=${GITHUB}`)])).toEqual([]);
  });

  it('take only forms of providers in bytes that are no text', async () => {
    expect(await rulesOf([file(`${PASSWORD} ${GITHUB}`, { isBinary: true })])).toEqual(['secrets/github-token']);
  });

  it('cover titles and messages', async () => {
    const { findings } = await secretFindings([{ place: { at: 'pull-request', part: 'body' }, text: `a\n${GITHUB}` }]);
    expect(findings[0]?.place).toEqual({ at: 'pull-request', part: 'body', line: 2 });
  });
});

describe('allowances', () => {
  const line = `t = "${GITHUB}" // ${ALLOW} secrets/github-token -- made up for the docs`;

  it.each<[string, TextSource, string[]]>([
    ['count on the base', file(line, { standing: standingOnBase(line, line) }), []],
    ['count when confirmed', file(line, { standing: 'all' }), []],
    ['do not count when they are new', file(line), ['secrets/github-token', 'secrets/allow-unconfirmed']],
    [
      'of another rule do not count',
      file(line.replace('github-token', 'jwt'), { standing: 'all' }),
      ['secrets/github-token', 'secrets/allow-unused'],
    ],
    [
      'without a reason do not count',
      file(line.replace(/ -- .*/, ''), { standing: 'all' }),
      ['secrets/github-token', 'secrets/allow-malformed'],
    ],
    [
      'of unknown rules do not count',
      file(line.replace('github-token', 'nothing'), { standing: 'all' }),
      ['secrets/github-token', 'secrets/allow-malformed'],
    ],
    [
      'that except nothing are shown',
      file(`// ${ALLOW} secrets/jwt -- why`, { standing: 'all' }),
      ['secrets/allow-unused'],
    ],
  ])('%s', async (_, source, expected) => {
    expect(await rulesOf([source])).toEqual(expected);
  });

  it('on a line of their own cover the next one, and not what is put there later', () => {
    const base = `# ${ALLOW} secrets/jwt -- sample\nold`;
    expect(allowancesIn(base)[0]).toMatchObject({ line: 1, covers: 2, reason: 'sample' });
    expect([...standingOnBase(base, base)]).toEqual([1]);
    expect([...standingOnBase(base.replace('old', 'new'), base)]).toEqual([]);
  });

  it('end where their comment ends', () => {
    expect(allowancesIn(`x /* ${ALLOW} secrets/jwt -- why */`)[0]?.reason).toBe('why');
  });
});

describe('a baseline', () => {
  const salt = '0123456789abcdef';
  const empty: Baseline = { version: 1, salt, entries: [] };

  it('excepts what it lists, wherever its line moves, and nothing else', async () => {
    const { fingerprints } = await secretFindings([file(`a\n  t = "${GITHUB}"`)], empty);
    const baseline = readBaseline(writeBaseline({ ...empty, entries: fingerprints }));
    expect(await rulesOf([file(`\n\n\tt = "${GITHUB}"`)], baseline)).toEqual([]);
    expect(await rulesOf([file(`t = "${GITHUB.replace('q7', 'q8')}"`)], baseline)).toEqual([
      'secrets/github-token',
      'secrets/baseline-unused',
    ]);
    expect(writeBaseline(baseline)).not.toContain(GITHUB.slice(4));
  });

  it('tells what it lists in vain, where the whole file was seen', async () => {
    const { fingerprints } = await secretFindings([file(GITHUB)], empty);
    const baseline = { ...empty, entries: fingerprints };
    expect(await rulesOf([file('clean')], baseline)).toEqual(['secrets/baseline-unused']);
    expect(await rulesOf([file(PASSWORD)], baseline)).toContain('secrets/baseline-unused');
  });

  it.each([
    '',
    '[]',
    '{"version":2}',
    '{"version":1,"salt":"short","entries":[]}',
    `{"version":1,"salt":"${salt}"}`,
    `{"version":1,"salt":"${salt}","entries":[{"rule":"x"}]}`,
  ])('%j is none', (text) => {
    expect(() => readBaseline(text)).toThrow(expect.objectContaining({ code: 'CS1501' }));
  });
});

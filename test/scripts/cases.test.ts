import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { readCases } from '../../scripts/cases/case.ts';
import { runCases } from '../../scripts/cases/run.ts';
import { expandMarks } from '../../scripts/cases/text.ts';
import { inTemp } from '../support/sample.ts';

jest.setTimeout(300_000); // some thirty programs and repositories

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'cases.ts');
const ROWS = join(import.meta.dirname, '..', 'fixtures', 'cases', 'rows.json');

/** Runs the script with a temporary folder of its own, and tells what it left there. */
function cases(root: string, ...files: string[]): { code: number | null; out: string; err: string; left: string[] } {
  const temporary = join(root, 'tmp');
  mkdirSync(temporary, { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [SCRIPT, ...files], {
    cwd: root,
    encoding: 'utf8',
    env: { ...process.env, TMPDIR: temporary },
  });
  return { code: status, out: stdout, err: stderr, left: readdirSync(temporary) };
}

function file(root: string, rows: unknown): string {
  const path = join(root, 'cases.json');
  writeFileSync(path, typeof rows === 'string' ? rows : JSON.stringify(rows));
  return path;
}

const ROW = { id: 'a', feature: 'sensitive-file-scan', input: { files: { '.env': 'x' }, gitignore: null } };

describe('the marks of case files', () => {
  it.each([
    ['⟦a*3⟧', 'aaa'],
    ['⟦**2⟧⟦|*2⟧', '**||'],
    ['⟦😀*2⟧', '😀😀'],
    ['x⟦cat:a|b|c⟧y', 'xabcy'],
    ['⟦cat:⟧', ''],
    ['⟦a*0⟧', ''],
    ['⟦other⟧ ⟦ab*2⟧ ⟦', '⟦other⟧ ⟦ab*2⟧ ⟦'],
  ])('%s', (text, expected) => {
    expect(expandMarks(text)).toBe(expected);
  });

  it('stand for a bounded text', () => {
    expect(() => expandMarks('⟦a*999999999⟧')).toThrow('repeats more than');
  });

  it('are looked for without delay in a hostile text', () => {
    expect(expandMarks('⟦cat:'.repeat(100_000))).toHaveLength(500_000);
  });
});

describe('the runner of cases', () => {
  it('asks the programs about every kind of row', async () => {
    const rows = readCases(ROWS);
    const results = await runCases(rows);
    expect(results.flatMap((result) => (result.state === 'failed' ? result.differences : []))).toEqual([]);
    const skipped = results.filter(({ state }) => state === 'skipped').map(({ id }) => id);
    expect(skipped).toEqual(['other-1', 'other-2', 'other-3']);
    expect(results).toHaveLength(rows.length);
  });

  it('prints the cases that differ, the counts last, and leaves nothing behind', async () => {
    await inTemp((root) => {
      const path = file(root, [
        { ...ROW, expected: ['.env'] },
        { ...ROW, id: 'b', expected: [] },
        { ...ROW, id: 'c', feature: 'read-guard', expected: 'deny' },
        { ...ROW, id: 'd', feature: 'no-such', expected: 'deny' },
        { ...ROW, id: 'e', input: { files: { '../../out': 'x' } }, expected: [] },
      ]);
      const { code, out, err, left } = cases(root, path);
      expect(out.split('\n')).toEqual([
        'b: expected [] got [".env"]',
        'd: the feature "no-such" is not known',
        expect.stringMatching(/^e: expected \[\] got no answer \(a path that leaves the case/),
        '1 passed, 3 failed, 1 skipped',
        '',
      ]);
      expect({ code, err, left }).toEqual({ code: 1, err: '', left: [] });
    });
  });

  it('ends well where nothing differs', async () => {
    await inTemp((root) => {
      const path = file(root, `\ufeff${JSON.stringify([{ ...ROW, expected: ['.env'] }])}`);
      expect(cases(root, path)).toEqual({ code: 0, out: '1 passed, 0 failed, 0 skipped\n', err: '', left: [] });
    });
  });

  it('tells a hook that breaks from one that refuses', async () => {
    await inTemp((root) => {
      const input = { message: 'x\n', env: { GIT_CONFIG_COUNT: 'none' } };
      const path = file(root, [{ id: 'a', feature: 'attribution-commit-msg', input, expected: 'block' }]);
      expect(cases(root, path).out).toMatch(/^a: expected "block" got no answer/);
    });
  });

  it.each<[what: string, rows: unknown, message: string]>([
    ['no JSON', '{', 'cannot be read'],
    ['no list', {}, 'no JSON array'],
    ['an empty list', [], 'no JSON array'],
    ['a row that is none', [1], 'row 1 is no object'],
    ['a row without an id', [{ ...ROW, id: undefined, expected: [] }], 'row 1 lacks id'],
    ['a row without input', [{ ...ROW, input: [], expected: [] }], '(a) lacks its input'],
    ['a row without an outcome', [ROW], '(a) lacks what is expected'],
    ['an id twice', [ROW, ROW].map((row) => ({ ...row, expected: [] })), 'has the id a twice'],
  ])('does not use a file with %s', async (_what, rows, message) => {
    await inTemp((root) => {
      const { code, out, err, left } = cases(root, file(root, rows));
      expect(err).toContain(message);
      expect({ code, out, left }).toEqual({ code: 2, out: '', left: [] });
    });
  });

  it('asks for files, and for such as are there', async () => {
    await inTemp((root) => {
      expect(cases(root)).toMatchObject({ code: 2, err: 'usage: npm run --silent cases -- FILE…\n' });
      expect(cases(root, join(root, 'none.json'))).toMatchObject({ code: 2, out: '' });
    });
  });
});

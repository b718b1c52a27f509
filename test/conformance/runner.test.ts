import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';

// Processes take their time on a busy machine; nothing here is about speed.
jest.setTimeout(600_000);

const RUNNER = join(import.meta.dirname, 'runner.ts');
const VECTOR = `{
 "id": "lock-load-absent",
 "call": {"op": "lock-load"},
 "expect": {"ok": false, "code": "RAPID1111", "message_contains": ["capabilities.lock"]}
}
`;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'countersign-runner-'));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function run(...args: string[]): { readonly status: number | null; readonly lines: string[]; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [RUNNER, ...args], { encoding: 'utf8' });
  return { status, lines: stdout.trimEnd().split('\n'), stderr };
}

/** Writes the sound vector with some of its text replaced. */
function variant(name: string, from: string, to: string): void {
  expect(VECTOR).toContain(from);
  writeFileSync(join(folder, name), VECTOR.replace(from, to));
}

describe('conformance runner', () => {
  it('passes a sound vector and exits 0', () => {
    writeFileSync(join(folder, 'sound.json'), VECTOR);
    expect(run(folder)).toEqual({ status: 0, lines: ['1 passed, 0 failed'], stderr: '' });
  });

  it.each([
    ['another code', '"RAPID1111"', '"RAPID1105"', /^wrong\.json: expected RAPID1105 got RAPID1111: /],
    ['success', '"ok": false', '"ok": true', /^wrong\.json: expected ok got RAPID1111: /],
    [
      'a file that is not written',
      '"ok": false,',
      '"ok": false, "files_after": {"new.txt": "x"},',
      /^wrong\.json: expected new\.txt: "x" got new\.txt: no such file$/,
    ],
  ])('fails a vector that expects %s, shows both and exits 1', (_what, from, to, line) => {
    writeFileSync(join(folder, 'sound.json'), VECTOR);
    variant('wrong.json', from, to);
    const { status, lines } = run(folder);
    expect(status).toBe(1);
    expect(lines).toEqual([expect.stringMatching(line), '1 passed, 1 failed']);
  });

  it.each([
    ['no JSON', '{'],
    ['no object', '[]'],
    ['without a call', '{"id": "x", "expect": {"ok": true}}'],
    ['with an unknown operation', '{"id": "x", "call": {"op": "dance"}, "expect": {"ok": false, "code": null}}'],
  ])('fails a vector that is %s', (_what, text) => {
    writeFileSync(join(folder, 'broken.json'), text);
    const { status, lines } = run(folder);
    expect(status).toBe(1);
    expect(lines).toEqual([expect.stringMatching(/^broken\.json: expected /), '0 passed, 1 failed']);
  });

  it('does not pass a folder without vectors', () => {
    expect(run(folder)).toEqual({ status: 1, lines: ['0 passed, 0 failed'], stderr: '' });
  });

  it('names wanted words that a message lacks, which is no failure', () => {
    variant('hinted.json', '"message_contains": [', '"message_contains": ["no such words",');
    expect(run(folder).lines).toEqual(['1 passed, 0 failed']);
    expect(run(folder, '--hints').lines).toEqual([
      expect.stringMatching(/^hinted\.json: hint: message lacks \["no such words"\]: /),
      '1 passed, 0 failed',
    ]);
  });

  it('asks for a folder and says when there is none', () => {
    expect(run()).toMatchObject({ status: 2, stderr: expect.stringMatching(/^usage: /) });
    expect(run(join(folder, 'nowhere'))).toMatchObject({
      status: 2,
      stderr: expect.stringContaining('cannot be read'),
    });
  });
});

import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { folder } from '../support/cli.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const CLI = join(ROOT, 'build', 'cli.mjs');

// Processes start slowly on a machine that runs other tests.
jest.setTimeout(120_000);

/** The project's own Node, and the user's where that is another one: the bundle promises Node 20.12 or newer. */
const NODES = [...new Set([process.execPath, process.env['COUNTERSIGN_SYSTEM_NODE'] ?? process.execPath])].filter(
  existsSync,
);

function run(
  node: string,
  cwd: string,
  argv: readonly string[],
): { readonly status: number | null; readonly out: string; readonly err: string } {
  const { status, stdout, stderr } = spawnSync(node, [CLI, ...argv], { cwd, encoding: 'utf8', timeout: 100_000 });
  return { status, out: stdout, err: stderr };
}

describe.each(NODES)('the bundle on %s', (node) => {
  it('prints the version and nothing else', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(run(node, ROOT, ['--version'])).toEqual({ status: 0, out: `${version}\n`, err: '' });
  });

  it('carries a run from a spec to an evaluation and a verdict', () => {
    const { root, remove } = folder();
    const must = (...argv: string[]): string => {
      const { status, out, err } = run(node, root, argv);
      expect({ argv, status, err }).toEqual({ argv, status: 0, err: '' });
      return out;
    };
    must('harness', 'lock');
    must('spec', 'create', 'demo', '--title', 'Demo', '--task', 'Do it');
    must('spec', 'status', 'demo', 'ready');
    must('run', 'create', 'demo', '--harness', 'codex');
    expect(JSON.parse(must('eval', 'run', 'demo-r1-run-001', '--json'))).toMatchObject({ verdict: 'unverified' });
    must('validate', '--strict');
    const verdict = run(node, root, ['evaluate', '--json']);
    expect(verdict.status).toBe(1);
    expect(JSON.parse(verdict.out)).toMatchObject({ outcome: 'unverified', word: 'UNVERIFIED' });
    remove();
  });

  it('says what is wrong without a stack trace', () => {
    const said = run(node, ROOT, ['run', 'show', 'nope', '--root', '/nonexistent']);
    expect(said).toMatchObject({ status: 1, out: '' });
    expect(said.err).toContain('CS1203');
    expect(said.err).not.toMatch(/\n\s+at /);
  });

  it('does not mind a reader that stops early', () => {
    const shell = spawnSync('sh', ['-c', `"${node}" "${CLI}" --help | head -1`], { encoding: 'utf8' });
    expect(shell.stdout).toContain('Usage: countersign');
    expect(shell.stderr).toBe('');
  });
});

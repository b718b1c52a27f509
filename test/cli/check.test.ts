import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { verifyEvidence } from '../../src/domain/evidence/evidence-set.ts';
import type { EvidenceRecord } from '../../src/domain/evidence/record.ts';
import { createRun } from '../../src/workspace/runs.ts';
import { openProject } from '../../src/workspace/workspace.ts';
import { cli } from '../support/cli.ts';
import { runs, until } from '../support/processes.ts';
import { inTemp, RUN, writeActiveSample, writeSample } from '../support/sample.ts';

// Real processes, on a machine that may be busy.
jest.setTimeout(120_000);

const NODE = process.execPath;

/** A program that prints a summary as jest does, and ends with an exit code. */
function program(passed: number, failed: number, exitCode: number): readonly string[] {
  const line = `Tests:       ${failed} failed, 1 skipped, ${passed} passed, ${passed + failed + 1} total`;
  return [NODE, '-e', `console.error(${JSON.stringify(line)}); process.exitCode = ${exitCode}`];
}

function configure(root: string, config: unknown): void {
  mkdirSync(join(root, '.rapid-os'), { recursive: true });
  writeFileSync(join(root, '.rapid-os/config.json'), JSON.stringify(config));
}

const recordsOf = (root: string): readonly EvidenceRecord[] => verifyEvidence(openProject(root, 'strict'), RUN).records;
const logOf = (root: string): string =>
  readFileSync(join(root, `.rapid-os/evidence/${RUN}/artifacts/E001/check.log`), 'utf8');

describe('check', () => {
  it('runs the test command of the project and records its counts, with its log', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      configure(root, { test_command: program(12, 0, 0) });
      const { code, out, err } = await cli(root, 'check', '--json');
      expect([code, err]).toEqual([0, '']);
      expect(JSON.parse(out)).toMatchObject({ passed: true, exit_code: 0, counts: { runner: 'jest', passed: 12 } });
      expect(recordsOf(root)).toMatchObject([
        {
          id: 'E001',
          kind: 'test_result',
          producer: 'rapid:check',
          payload: { suite: 'tests', exit_code: 0, passed: 12, failed: 0, skipped: 1 },
          task_ids: [],
          gate_ids: ['gate.tests'],
          capability_ids: ['tests.execute'],
          artifacts: [{ path: `.rapid-os/evidence/${RUN}/artifacts/E001/check.log` }],
        },
      ]);
      expect(logOf(root)).toContain('12 passed, 13 total\n[exit code 0]\n');
    });
  });

  it('counts for the baseline before the work begins', async () => {
    await inTemp(async (root) => {
      writeSample(root);
      expect((await cli(root, 'check', '--', ...program(3, 0, 0))).code).toBe(0);
      expect(recordsOf(root)[0]?.gate_ids).toEqual(['gate.baseline']);
    });
  });

  it.each([
    ['failing tests', program(11, 1, 1), 'test_result', { exit_code: 1, passed: 11, failed: 1 }],
    ['failing tests that are hidden by the exit code', program(11, 1, 0), 'test_result', { exit_code: 0, failed: 1 }],
    ['a command that fails', [NODE, '-e', 'process.exit(9)'], 'command_result', { label: 'tests', exit_code: 9 }],
    [
      'a command that crashes',
      [NODE, '-e', "process.kill(process.pid, 'SIGKILL')"],
      'command_result',
      { exit_code: 137 },
    ],
  ] as const)('records %s and ends with 1', async (_, argv, kind, payload) => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      const { code, out } = await cli(root, 'check', '--', ...argv);
      expect(code).toBe(1);
      expect(out).toMatch(/^Failed: [^]*Records are never taken back/);
      expect(recordsOf(root)).toMatchObject([{ kind, payload }]);
    });
  });

  it('takes a command that says nothing of tests for no more than that', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      expect((await cli(root, 'check', '--', NODE, '-e', '0')).code).toBe(0);
      expect(recordsOf(root)).toMatchObject([
        { kind: 'command_result', gate_ids: [], capability_ids: ['shell.execute'], payload: { exit_code: 0 } },
      ]);
    });
  });

  it('does not pass where no test ran', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      const { code, out } = await cli(root, 'check', '--', NODE, '-e', "console.log('no tests ran in 0.01s')");
      expect([code, recordsOf(root)[0]?.kind, recordsOf(root)[0]?.gate_ids]).toEqual([1, 'command_result', []]);
      expect(out).toContain('No test ran');
    });
  });

  it('links what it is told to link, and refuses before it runs anything where that does not exist', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      const touched = [NODE, '-e', "require('node:fs').writeFileSync('touched', '')"];
      for (const wrong of [
        ['--task', 'T009'],
        ['--gate', 'gate.none'],
        ['--capability', 'fly'],
      ]) {
        const { code, err } = await cli(root, 'check', ...wrong, '--', ...touched);
        expect([code, err.slice(0, 9), existsSync(join(root, 'touched'))]).toEqual([1, 'RAPID1207', false]);
      }
      const links = ['--task', 'T001', '--task', 'T002', '--gate', 'gate.baseline', '--capability', 'shell.execute'];
      expect((await cli(root, 'check', '--suite', 'unit', ...links, '--', ...program(1, 0, 0))).code).toBe(0);
      expect(recordsOf(root)).toMatchObject([
        {
          task_ids: ['T001', 'T002'],
          gate_ids: ['gate.baseline'],
          capability_ids: ['shell.execute'],
          payload: { suite: 'unit' },
        },
      ]);
    });
  });

  it('does not guess between runs', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      createRun(root, { specId: 'sample', harness: 'codex', runId: 'other-run' });
      const { code, err } = await cli(root, 'check', '--', ...program(1, 0, 0));
      expect(code).toBe(2);
      expect(err).toContain('CS1306');
      expect(err).toContain('other-run (prepared), sample-run (active)');
      expect((await cli(root, 'check', '--run', RUN, '--', ...program(1, 0, 0))).code).toBe(0);
    });
  });

  it.each([
    ['no run', [], { test_command: 'true' }, 'CS1306', false],
    ['no configuration', [], undefined, 'CS1305', true],
    ['no test command', [], {}, 'CS1305', true],
    ['a shell operator', [], { test_command: 'true; touch x' }, 'CS1305', true],
    ['a substitution', [], { test_command: 'echo $(touch x)' }, 'CS1305', true],
    ['a pipe', [], { test_command: 'true | tee x' }, 'CS1305', true],
    ['a redirection', [], { test_command: 'true > x' }, 'CS1305', true],
    ['a line break', [], { test_command: 'true\ntouch x' }, 'CS1305', true],
    ['a suite that is a path', ['--suite', '../x'], { test_command: 'true' }, 'CS1301', true],
    ['a time that is none', ['--timeout', '10 minutes'], { test_command: 'true' }, 'CS1301', true],
    ['an endless time', ['--timeout', '25h'], { test_command: 'true' }, 'CS1301', true],
  ] as const)('refuses %s with exit code 2', async (_, options, config, refusal, sample) => {
    await inTemp(async (root) => {
      if (sample) writeActiveSample(root);
      if (config !== undefined) configure(root, config);
      const { code, err } = await cli(root, 'check', '--root', root, ...options);
      expect([code, err.split(' ')[0]]).toEqual([2, refusal]);
      expect(existsSync(join(root, 'x'))).toBe(false);
    });
  });

  it('hands words on as they are: nothing in them is a command', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      const hostile = ['; touch x', '$(touch x)', '`touch x`', '--help', '| tee x'];
      await cli(root, 'check', '--', NODE, '-e', 'console.log(process.argv.slice(1))', '--', ...hostile);
      for (const word of hostile) expect(logOf(root)).toContain(word);
      expect(existsSync(join(root, 'x'))).toBe(false);
    });
  });

  it('follows no link to a configuration elsewhere', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      writeFileSync(join(root, 'elsewhere.json'), '{"test_command": "true"}');
      symlinkSync('../elsewhere.json', join(root, '.rapid-os/config.json'));
      expect((await cli(root, 'check')).err).toContain('CS1107');
    });
  });

  it('keeps secrets out of the log, the record and the terminal', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      const token = ['ghp', '_', 'Zq3Rw8Lk5Vn1Xc7Bm4Tj9Hd2Gf6Sa0YpWuEi'].join('');
      const password = ['x9Kq7Lm3', 'hunter'].join('');
      const script = `console.log('token ${token} \\u001b[31mred'); console.error('DB_PASSWORD=${password}'); process.exitCode = 1`;
      writeFileSync(join(root, 'print.cjs'), script);
      const { out, err } = await cli(root, 'check', '--json', '--', NODE, 'print.cjs', `--token=${token}`);
      const everything = [out, err, logOf(root), JSON.stringify(recordsOf(root))].join('\n');
      expect(everything).not.toContain(token);
      expect(everything).not.toContain(password);
      expect(logOf(root)).toContain('[redacted GitHub token');
      expect(logOf(root)).not.toContain('\u001b');
    });
  });

  it('hides the tokens of its own environment from the command', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      process.env['SOME_API_TOKEN'] = 'plain-words-only';
      try {
        await cli(root, 'check', '--', NODE, '-e', 'console.log(JSON.stringify(process.env))');
      } finally {
        delete process.env['SOME_API_TOKEN'];
      }
      expect(logOf(root)).toContain('PATH');
      expect(logOf(root)).not.toContain('SOME_API_TOKEN');
    });
  });

  it('keeps beginning and end of a long log, and says what is missing', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      const summary = 'Tests:       3 passed, 3 total';
      const script = `console.log('first'); for (let n = 0; n < 50_000; n++) console.log('x'.repeat(99)); console.log('${summary}')`;
      expect((await cli(root, 'check', '--', NODE, '-e', script)).code).toBe(0);
      const log = logOf(root);
      expect(log.length).toBeLessThan(1_100_000);
      expect(log).toMatch(/\nfirst\nx/);
      expect(log).toMatch(/\n\[\d{7} bytes left out\]\n/);
      expect(log.endsWith(`${summary}\n[exit code 0]\n`)).toBe(true);
    });
  });

  it('leaves no half of a key where it cuts', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      const mark = (word: string): string => `-----${word} ${['PRIVATE', 'KEY'].join(' ')}-----`;
      // Keys of 3 KB, one after the other: both cuts go through one.
      const script = `const key = ['${mark('BEGIN')}', ...Array.from({ length: 50 }, () => 'Kx7'.repeat(21)), '${mark('END')}', '']; console.log(key.join('\\n').repeat(500))`;
      await cli(root, 'check', '--', NODE, '-e', script);
      expect(logOf(root)).not.toContain('Kx7Kx7Kx7');
    });
  });

  it('ends with 4 and records nothing where it takes too long', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      const script = "console.log('so far'); setInterval(() => 0, 1000)";
      const { code, err } = await cli(root, 'check', '--timeout', '1s', '--', NODE, '-e', script);
      expect([code, recordsOf(root).length]).toEqual([4, 0]);
      expect(err).toContain('so far');
      expect(err).toContain('CS1308');
    });
  });

  it('ends with 4 where the program is not there', async () => {
    await inTemp(async (root) => {
      writeActiveSample(root);
      const { code, out } = await cli(root, 'check', '--json', '--', 'no-such-program');
      expect([code, JSON.parse(out)]).toMatchObject([4, { error: { code: 'CS1307' } }]);
      expect(recordsOf(root)).toEqual([]);
    });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)(
    'leaves neither process nor record nor file on %s, and ends by it',
    async (signal) => {
      await inTemp(async (root) => {
        writeActiveSample(root);
        const inner = "require('node:fs').writeFileSync('pid', String(process.pid)); setInterval(() => 0, 1000)";
        const script = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' })`;
        const cli = join(import.meta.dirname, '../../src/cli/main.ts');
        const temporary = join(root, 'tmp');
        mkdirSync(temporary);
        const child = spawn(NODE, [cli, 'check', '--', NODE, '-e', script], {
          cwd: root,
          env: { ...process.env, TMPDIR: temporary },
          stdio: ['ignore', 'ignore', 'pipe'],
        });
        let err = '';
        child.stderr.on('data', (data: Buffer) => (err += data.toString()));
        const closed = new Promise((resolve) => child.on('close', (_, by) => resolve(by)));
        const pidFile = join(root, 'pid');
        await until(() => existsSync(pidFile) && readFileSync(pidFile, 'utf8') !== '');
        child.kill(signal);
        expect(await closed).toBe(signal);
        expect(err).toContain('CS1308');
        expect(runs(Number(readFileSync(pidFile, 'utf8')))).toBe(false);
        expect([recordsOf(root), readdirSync(temporary)]).toEqual([[], []]);
      });
    },
  );
});

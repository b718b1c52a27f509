import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { isRefusal } from '../../src/domain/errors.ts';
import { runCommand } from '../../src/process/run-command.ts';
import type { Command, CommandResult } from '../../src/process/run-command.ts';
import { runs, until } from '../support/processes.ts';
import { inTemp } from '../support/sample.ts';

// Real processes, on a machine that may be busy.
jest.setTimeout(120_000);

const NODE = process.execPath;

function run(script: string, options: Partial<Command> = {}): Promise<CommandResult> {
  return runCommand({ argv: [NODE, '-e', script], cwd: '/', timeoutMs: 60_000, maxOutputBytes: 1_000_000, ...options });
}

/** A process that starts another one, which ignores SIGTERM and writes its id into a file. */
function stubborn(file: string, parentIgnores: boolean): string {
  const ignore = "process.on('SIGTERM', () => undefined);";
  const inner = `${ignore} require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => undefined, 1000)`;
  return `${parentIgnores ? ignore : ''} require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' }); setInterval(() => undefined, 1000)`;
}

const written = (file: string): boolean => existsSync(file) && readFileSync(file, 'utf8') !== '';
const pidIn = (file: string): number => Number(readFileSync(file, 'utf8'));

describe('a command', () => {
  it('gives its exit code and all that it printed', async () => {
    const { ending, output, durationMs } = await run("console.log('out'); console.error('err'); process.exitCode = 7");
    expect(ending).toEqual({ by: 'exit', exitCode: 7 });
    expect(output.head.split('\n').sort()).toEqual(['', 'err', 'out']);
    expect(durationMs).toBeGreaterThan(0);
  });

  it('tells the signal that ended it', async () => {
    expect((await run("process.kill(process.pid, 'SIGKILL')")).ending).toEqual({ by: 'signal', signal: 'SIGKILL' });
  });

  it('is no shell: every word arrives as it is', async () => {
    const hostile = [
      '; touch x',
      '$(touch x)',
      '`touch x`',
      '| cat',
      '&& true',
      '> x',
      '*',
      '~',
      "'",
      '"',
      '\n',
      '%PATH%',
    ];
    await inTemp(async (root) => {
      const argv = [NODE, '-e', 'console.log(JSON.stringify(process.argv.slice(1)))', '--', ...hostile] as const;
      const { output } = await runCommand({ argv, cwd: root, timeoutMs: 60_000, maxOutputBytes: 10_000 });
      expect(JSON.parse(output.head)).toEqual(hostile);
      expect(existsSync(join(root, 'x'))).toBe(false);
    });
  });

  it('reads nothing from standard input', async () => {
    const { ending, output } = await run("process.stdin.on('data', console.log).on('end', () => console.log('end'))");
    expect([ending, output.head]).toEqual([{ by: 'exit', exitCode: 0 }, 'end\n']);
  });

  it('sees no secret of the environment', async () => {
    const env = { ...process.env, GITHUB_TOKEN: 'hidden', MY_PASSWORD: 'hidden', GIT_DIR: 'hidden', LC_ALL: 'C' };
    const { output } = await run('console.log(JSON.stringify(process.env))', { env, extraEnv: { GIVEN: 'shown' } });
    expect(output.head).not.toContain('hidden');
    expect(JSON.parse(output.head)).toMatchObject({ LC_ALL: 'C', GIVEN: 'shown' });
  });

  it('of 50 MB of output leaves the beginning and the end', async () => {
    const script =
      "const line = 'x'.repeat(999) + '\\n'; let n = 0; console.log('first'); const more = () => { while (n++ < 50_000) if (!process.stdout.write(line)) return process.stdout.once('drain', more); console.log('last') }; more()";
    const { output, ending } = await run(script, { maxOutputBytes: 10_000 });
    expect(ending).toEqual({ by: 'exit', exitCode: 0 });
    expect(output.totalBytes).toBe(50_000_011);
    expect(output.head.length + output.tail.length).toBeLessThanOrEqual(10_000);
    expect(output.head.startsWith('first\nx')).toBe(true);
    expect(output.tail.endsWith('x\nlast\n')).toBe(true);
    expect(output.droppedBytes).toBe(50_000_011 - output.head.length - output.tail.length);
  });

  it.each([true, false])(
    'leaves no process behind when its time is up, though SIGTERM is ignored (by all: %s)',
    async (all) => {
      await inTemp(async (root) => {
        const file = join(root, 'pid');
        let started = false;
        const running = run(stubborn(file, all), { timeoutMs: 1500, graceMs: 200 });
        await until(() => written(file)).then(() => (started = true));
        expect((await running).ending).toEqual({ by: 'timeout' });
        expect(started).toBe(true);
        expect(runs(pidIn(file))).toBe(false);
      });
    },
  );

  it('leaves no process behind when it ends by itself', async () => {
    await inTemp(async (root) => {
      const file = join(root, 'pid');
      const inner = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => undefined, 1000)`;
      const script = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' }).unref(); const look = () => require('node:fs').existsSync(${JSON.stringify(file)}) ? process.exit(3) : setTimeout(look, 10); look()`;
      expect((await run(script, { graceMs: 200 })).ending).toEqual({ by: 'exit', exitCode: 3 });
      await until(() => written(file));
      expect(runs(pidIn(file))).toBe(false);
    });
  });

  it('that left its group cannot keep us waiting', async () => {
    await inTemp(async (root) => {
      const file = join(root, 'pid');
      const inner = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => undefined, 1000)`;
      const script = `const child = require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit', detached: true }); child.unref(); console.log('mine')`;
      const { ending, output } = await run(script);
      expect([ending, output.head]).toEqual([{ by: 'exit', exitCode: 0 }, 'mine\n']);
      await until(() => written(file));
      process.kill(pidIn(file), 'SIGKILL');
    });
  });

  it.each([
    ['a program that is not there', { argv: ['no-such-program-here'] }],
    ['a folder as a program', { argv: ['/'] }],
    ['a folder that is not there', { argv: [NODE], cwd: '/no/such/folder' }],
  ] as const)('of %s is refused', async (_, command) => {
    const thrown: unknown = await run('', command).catch((cause: unknown) => cause);
    expect(isRefusal(thrown) && thrown.code).toBe('CS1307');
  });

  it('shows its output while it comes', async () => {
    const seen: string[] = [];
    await run("console.log('a')", { onOutput: (chunk) => seen.push(Buffer.from(chunk).toString()) });
    expect(seen.join('')).toBe('a\n');
  });
});

/** A process of its own that runs a stubborn command: what an interrupt does to the command line. */
function runner(root: string, file: string): string {
  const script = join(root, 'runner.ts');
  const command = { argv: [NODE, '-e', stubborn(file, true)], cwd: root, timeoutMs: 600_000, maxOutputBytes: 1000 };
  const source = join(import.meta.dirname, '../../src/process');
  writeFileSync(
    script,
    `import { runCommand } from ${JSON.stringify(join(source, 'run-command.ts'))};
     import { interruption } from ${JSON.stringify(join(source, 'interrupts.ts'))};
     const command = { ...${JSON.stringify(command)}, graceMs: Number(process.argv[2]) };
     if (process.argv[3] === 'exit') setInterval(() => { if (isWritten(${JSON.stringify(file)})) process.exit(9); }, 10);
     function isWritten(file) { try { return process.getBuiltinModule('node:fs').readFileSync(file, 'utf8') !== ''; } catch { return false; } }
     const { ending } = await runCommand(command);
     console.log(JSON.stringify({ ending, interruption: interruption() ?? null }));`,
  );
  return script;
}

describe('a process that runs a command', () => {
  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('ends all of it on %s', async (signal) => {
    await inTemp(async (root) => {
      const file = join(root, 'pid');
      const child = spawn(NODE, [runner(root, file), '100'], { stdio: ['ignore', 'pipe', 'inherit'] });
      let printed = '';
      child.stdout.on('data', (data: Buffer) => (printed += data.toString()));
      const closed = new Promise((resolve) => child.on('close', resolve));
      await until(() => written(file));
      child.kill(signal);
      await closed;
      expect(JSON.parse(printed)).toEqual({ ending: { by: 'interrupt', signal }, interruption: signal });
      expect(runs(pidIn(file))).toBe(false);
    });
  });

  it('kills at once when asked a second time', async () => {
    await inTemp(async (root) => {
      const file = join(root, 'pid');
      const child = spawn(NODE, [runner(root, file), '600000'], { stdio: ['ignore', 'pipe', 'inherit'] });
      const closed = new Promise((resolve) => child.on('close', resolve));
      await until(() => written(file));
      child.kill('SIGINT');
      // Two signals that come at once count as one.
      await new Promise((resume) => setTimeout(resume, 200));
      child.kill('SIGINT');
      expect(await closed).toBe(0);
      expect(runs(pidIn(file))).toBe(false);
    });
  });

  it('leaves nothing behind when it exits without waiting', async () => {
    await inTemp(async (root) => {
      const file = join(root, 'pid');
      const child = spawn(NODE, [runner(root, file), '100', 'exit'], { stdio: ['ignore', 'ignore', 'inherit'] });
      expect(await new Promise((resolve) => child.on('close', resolve))).toBe(9);
      await until(() => !runs(pidIn(file)));
    });
  });
});

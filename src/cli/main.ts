import { version } from './version.ts';

const RUNS_OTHERS: readonly string[] = ['check', 'evaluate'];

// `--version` is asked for by scripts and shells: it loads nothing else.
const [first, ...rest] = process.argv.slice(2);
if ((first === '--version' || first === '-V') && rest.length === 0) {
  process.stdout.write(`${version()}\n`);
} else {
  // A reader that stops early, such as `head`, is no fault of anyone's.
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
      process.stderr.write(
        `CS1201 Output cannot be written (${error.code ?? error.message}). Free space, or write elsewhere.\n`,
      );
      process.exit(1);
    });
  }
  const { main } = await import('./program.ts');
  process.exitCode = await main(process.argv.slice(2));
  // Only commands that run others hold interrupts back until they have cleaned up. Ending by the signal itself then
  // tells a shell that the person wanted to stop.
  const signal = RUNS_OTHERS.includes(first ?? '')
    ? (await import('../process/interrupts.ts')).interruption()
    : undefined;
  if (signal !== undefined) process.kill(process.pid, signal);
}

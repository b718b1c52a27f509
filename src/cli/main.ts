import { version } from './version.ts';

// `--version` is asked for by scripts and shells: it loads nothing else.
const [first, ...rest] = process.argv.slice(2);
if ((first === '--version' || first === '-V') && rest.length === 0) {
  process.stdout.write(`${version()}\n`);
} else {
  const { main } = await import('./program.ts');
  process.exitCode = await main(process.argv.slice(2));
}

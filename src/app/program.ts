import { once } from 'node:events';
import { isRefusal } from '../domain/errors.ts';
import { honourProxy } from '../github/proxy.ts';
import { version } from '../domain/version.ts';
import { line, visibleLines } from '../domain/text/visible.ts';
import { createLog, errorFields } from './log.ts';
import { readSettings, SETTINGS } from './settings.ts';
import { startApp } from './start.ts';

/** Exit codes: 0 stopped in good order, 2 usage or settings, 3 it could not start, 70 a defect. */
export async function main(
  argv: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const [command = 'serve', ...rest] = argv;
  try {
    switch (command) {
      case 'serve':
        return await serve(environment);
      case 'register': {
        const { register } = await import('./register/register.ts');
        return await register(rest);
      }
      case '--version':
      case '-V':
        say(version());
        return 0;
      case '--help':
      case '-h':
      case 'help':
        say(help());
        return 0;
      default:
        complain(`There is no command '${line(command, 40)}'.\n\n${help()}`);
        return 2;
    }
  } catch (thrown) {
    if (!isRefusal(thrown)) throw thrown;
    complain(
      `${thrown.code} ${visibleLines(thrown.message)}${thrown.remedy === undefined ? '' : `\n${thrown.remedy}`}`,
    );
    return thrown.code === 'CS1801' ? 2 : 3;
  }
}

/** Serves until it is asked to stop. */
async function serve(environment: Readonly<Record<string, string | undefined>>): Promise<number> {
  const settings = readSettings(environment);
  const log = createLog(settings.logLevel);
  await honourProxy(environment, settings.restUrl);
  // For whoever has just mended something and does not want to wait for the next sweep. Heard from the beginning, since
  // the signal ends a process that does not hear it; Windows has none.
  const running: { sweep?: () => Promise<void> } = {};
  if (process.platform !== 'win32') process.on('SIGUSR2', () => void running.sweep?.());
  const app = await startApp(settings, { log });
  running.sweep = app.sweep;
  const signal = await Promise.race(
    (['SIGTERM', 'SIGINT', 'SIGHUP'] as const).map(async (name) => once(process, name).then(() => name)),
  );
  log.info({ signal }, 'stopping');
  // Whoever insists does not want to wait: what runs is taken up again when its lease has expired.
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
  try {
    await app.stop();
  } catch (thrown) {
    log.error({ err: errorFields(thrown) }, 'not stopped in good order');
    return 70;
  }
  return 0;
}

function help(): string {
  const width = Math.max(...Object.keys(SETTINGS).map((name) => name.length));
  const rows = Object.entries(SETTINGS).map(([name, { default: value, meaning }]) => {
    const shown = value === undefined || value === '' ? '' : ` [${value}]`;
    return `  ${name.padEnd(width)}  ${meaning}${shown}`;
  });
  return [
    'Usage: node dist/app.mjs [serve]     serve webhooks until it is stopped',
    '       node dist/app.mjs register    make the GitHub App from its manifest (register --help)',
    '       node dist/app.mjs --version',
    '',
    'SIGTERM and SIGINT stop it in good order; SIGUSR2 makes it sweep at once.',
    '',
    'Settings are environment variables:',
    ...rows,
  ].join('\n');
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

function complain(text: string): void {
  process.stderr.write(`${text}\n`);
}

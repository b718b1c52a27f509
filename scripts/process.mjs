// Child processes and refusals of run.mjs: plain JavaScript for Node 20 or newer.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * A refusal with a code, printed without a stack trace.
 */
export class TaskError extends Error {
  /** @param {string} code @param {string} message @param {number} [exitCode] */
  constructor(code, message, exitCode = 1) {
    super(message);
    this.code = code;
    this.exitCode = exitCode;
  }
}

/**
 * Runs a command, passes signals on and resolves to its exit code.
 *
 * @param {string} command @param {string[]} args @param {import('node:child_process').SpawnOptions} options
 * @returns {Promise<number>}
 */
export function run(command, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', ...options });
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

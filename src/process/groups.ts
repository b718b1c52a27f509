import { spawnSync } from 'node:child_process';

const WINDOWS = process.platform === 'win32';

/** Milliseconds between two looks at whether a group is gone. */
const LOOK = 20;
/** Milliseconds for killed processes to go: until their parent has asked for their fate they still count as there. */
const BURIAL = 200;

/** Sends a signal to every process of a group. @returns whether there was any */
export function signalGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    if (!WINDOWS) return process.kill(-pid, signal);
    if (signal === 0) return process.kill(pid, 0);
    // Windows has no groups; /T takes the process's descendants (learn.microsoft.com, taskkill).
    return spawnSync('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore' }).status === 0;
  } catch (thrown) {
    // EPERM: one of them belongs to someone else by now, and others may have got the signal.
    return thrown instanceof Error && 'code' in thrown && thrown.code === 'EPERM';
  }
}

/**
 * Ends a group: asks, and after `graceMs` kills. Resolves once it is gone, or soon after the kill: nothing survives
 * that but what the system has still to bury.
 * @param hurry aborted by someone who does not want to wait for `graceMs`
 */
export async function endGroup(pid: number, graceMs: number, hurry: AbortSignal): Promise<void> {
  if (!signalGroup(pid, 'SIGTERM')) return;
  if (await isGone(pid, graceMs, hurry)) return;
  signalGroup(pid, 'SIGKILL');
  await isGone(pid, BURIAL);
}

async function isGone(pid: number, withinMs: number, hurry?: AbortSignal): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  for (;;) {
    if (!signalGroup(pid, 0)) return true;
    if (performance.now() >= deadline || hurry?.aborted === true) return false;
    await new Promise((resume) => setTimeout(resume, LOOK));
  }
}

const living = new Set<number>();

function killLiving(): void {
  for (const pid of living) signalGroup(pid, 'SIGKILL');
}

/** Has a group killed when this process exits for whatever reason. @returns how to stop that */
export function killAtExit(pid: number): () => void {
  if (living.size === 0) process.on('exit', killLiving);
  living.add(pid);
  return () => {
    living.delete(pid);
    if (living.size === 0) process.removeListener('exit', killLiving);
  };
}

import { existsSync, readFileSync } from 'node:fs';

/** Whether a process runs. One that has ended and was not yet buried by its parent does not. */
export function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    // The state stands behind the name, which is in parentheses and may hold anything: proc_pid_stat(5).
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return !/^ [ZX]/.test(stat.slice(stat.lastIndexOf(')') + 1));
  } catch {
    return !existsSync('/proc/self/stat');
  }
}

/** A little less than a test may take: a wait that went on after its test would keep Jest from ending. */
export const WAIT_MS = 110_000;

/** Waits until something holds. @throws Error where it does not in {@link WAIT_MS} */
export async function until(holds: () => boolean): Promise<void> {
  const end = Date.now() + WAIT_MS;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`It did not come to hold in ${WAIT_MS / 1000} s: ${holds.toString()}`);
    await new Promise((resume) => setTimeout(resume, 10));
  }
}
